//! The read of a datagram stays its own: where its memory is given out again, with no event, and freed in a place
//! where nothing of UDP is, and where its reader has a stream to settle.
//!
//! Lines of ftrace are of kernel 6.18, with zero-copy sends (`MSG_ZEROCOPY`).

use expect_test::expect;

use crate::journey::tests::check_journeys;
use crate::journey::tests::few_events::opened;
use crate::kernel::{Pid, Verdict};

const READ: &str = "
  python3-12413   [000] ..s1.  6915.055115: netif_receive_skb: dev=vb skbaddr=00000000c3db90ba len=1128
  python3-12413   [000] ..s1.  6915.055122: sk_data_ready: family=2 protocol=17 func=sock_def_readable
  python3-12412   [000] .....  6915.055167: skb_copy_datagram_iovec: skbaddr=00000000c3db90ba len=1100
  python3-12412   [000] .....  6915.055169: sock_recv_length: sk address = 00000000cdb609b6, family = AF_INET protocol = 0x11, length = 1100, error = 0, flags = 0x40";

/// The tasks that read the packets, and how many bytes.
fn readers(trace: &str) -> Vec<(Option<Pid>, u32)> {
    let (_, journeys) = opened(trace);
    let packets = journeys.packets.iter();
    let reader = |verdict| match verdict {
        Verdict::Delivered { pid, .. } => Some(pid),
        _ => None,
    };
    packets
        .map(|packet| (reader(packet.verdict), packet.read))
        .collect()
}

#[test]
fn a_later_message_at_the_address_takes_no_read_back() {
    let freed = "
  python3-12413   [000] ..s1.  6915.085607: consume_skb: skbaddr=00000000c3db90ba location=__msg_zerocopy_callback+0x43/0x1e0";
    assert_eq!(readers(&[READ, freed].concat()), [(Some(Pid(12412)), 1100)]);
}

/// The datagram was short, so that its read told of no copy.
#[test]
fn what_a_packet_socket_reads_at_the_address_later_takes_no_reader_away() {
    let datagram = "
  python3-5418    [000] ..s1.  1680.197868: netif_receive_skb: dev=vb skbaddr=0000000027bbc223 len=138
  python3-5418    [000] ..s1.  1680.197874: sk_data_ready: family=2 protocol=17 func=sock_def_readable
  python3-5417    [000] .....  1680.197890: sock_recv_length: sk address = 000000006a95d76f, family = AF_INET protocol = 0x11, length = 110, error = 0, flags = 0x40";
    let tapped = "
  python3-5414    [000] .....  1680.235984: skb_copy_datagram_iovec: skbaddr=0000000027bbc223 len=302
  python3-5414    [000] .....  1680.235985: consume_skb: skbaddr=0000000027bbc223 location=packet_recvmsg+0x256/0x5a0
  python3-5414    [000] .....  1680.235986: sock_recv_length: sk address = 00000000eb5d89db, family = 0x11 protocol = 0x0, length = 302, error = 0, flags = 0x40";
    assert_eq!(readers(datagram), [(Some(Pid(5417)), 110)]);
    assert_eq!(
        readers(&[datagram, tapped].concat())[..1],
        [(Some(Pid(5417)), 110)]
    );
}

#[test]
fn a_datagram_keeps_its_read_when_a_stream_of_the_same_task_is_settled_later() {
    check_journeys(
        "
        1 ev tcp_queue_rcv ts 1.000000 cpu 0 ctx softirq sk ffff888007000000 skb ffff888005000100 len 64 seq_no 1
        2 ev skb_copy_datagram_iter ts 1.000010 cpu 1 ctx kernel pid 534 sk ffff888007000000 skb ffff888005000100 len 64 count 64
        3 ev udp_rcv ts 1.000020 cpu 0 ctx softirq pid 0 skb ffff888005000200 len 72
        4 ev skb_consume_udp ts 1.000030 cpu 1 ctx kernel pid 534 sk ffff888007000000 skb ffff888005000200 len 64 count 64
        5 ev udp_sendmsg ts 1.000040 cpu 1 ctx kernel pid 534 sk ffff888007000000
        6 ev udp_sendmsg ts 1.000050 cpu 1 ctx kernel pid 534 sk ffff888007000000
        ",
        &expect![[r#"
            packet 0: rx 64 B, delivered to pid 534: 10 µs, 10 in service
              +0          cpu0  softirq  receive queue      10 = 10 service + 0 wait
              +10         cpu1  kernel   process            0 = 0 service + 0 wait
            packet 1: rx 72 B, delivered to pid 534: 10 µs, 0 in service
              +0          cpu0  softirq  UDP                10 = 0 service + 10 wait
              +10         cpu1  kernel   process            0 = 0 service + 0 wait
        "#]],
    );
}

/// CPUs' buffers begin at different moments: of two segments at one address only their readers' copies are there.
#[test]
fn segments_that_are_read_on_two_sockets_are_two_packets() {
    let copy = |micros: u32, pid: u32, bytes: u32, sk: &str| {
        format!(
            "
    e-{pid} [000] ..... 1671.{micros:06}: skb_copy_datagram_iovec: skbaddr=00000000f3a5fc7b len={bytes}
    e-{pid} [000] ..... 1671.{micros:06}: sock_recv_length: sk address = 00000000{sk}, family = AF_INET protocol = 0x6, length = {bytes}, error = 0, flags = 0x0"
        )
    };
    let (e3, e1) = ("7e0a60c8", "50a4221f");
    let on_two = [copy(358_057, 3, 260, e3), copy(364_404, 1, 224, e1)].concat();
    assert_eq!(readers(&on_two), [(Some(Pid(3)), 260), (Some(Pid(1)), 224)]);
    // Two tasks may read one socket.
    let on_one = [copy(358_057, 3, 260, e3), copy(364_404, 1, 224, e3)].concat();
    assert_eq!(readers(&on_one), [(Some(Pid(1)), 484)]);
}
