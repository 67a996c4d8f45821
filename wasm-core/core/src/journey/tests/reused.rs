//! The memory of a datagram that was read is given out again, with no event, and freed in a place where nothing of UDP
//! is: the read stays that datagram's.
//!
//! The lines are of kernel 6.18, with zero-copy sends (`MSG_ZEROCOPY`).

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
