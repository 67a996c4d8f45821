//! Recordings of a few tracepoints: what the others would have told stays open, and what is there is told.
//!
//! The lines are of kernel 6.18.

use expect_test::{Expect, expect};

use crate::import::Import;
use crate::journey::{FlowId, Journeys, picture};
use crate::run::Run;

pub(super) fn opened(trace: &str) -> (Run, Journeys) {
    let mut import = Import::new();
    import.push(trace.as_bytes());
    let imported = import.finish().expect("it is a trace");
    assert_eq!(imported.ledger.malformed_kept, []);
    let journeys = Journeys::of(&imported.run);
    (imported.run, journeys)
}

pub(super) fn check(trace: &str, expected: &Expect) {
    let (run, journeys) = opened(trace);
    let text: String = journeys
        .ids()
        .map(|packet| picture(&run, &journeys, packet))
        .collect();
    expected.assert_eq(&text);
}

/// Nothing but the length of its read tells that the datagram has a header of IPv6, which is longer by 20 bytes.
#[test]
fn a_datagram_is_as_long_as_its_read_where_its_header_may_be_of_ipv6() {
    let (_, journeys) = opened(
        "
  python3-23850   [000] b.s1. 13039.435548: net_dev_queue: dev=v2a skbaddr=00000000e01c0f60 len=262
  python3-23850   [000] b.s1. 13039.435551: net_dev_xmit: dev=v2a skbaddr=00000000e01c0f60 len=262 rc=0
  python3-23850   [000] ..s1. 13039.435552: netif_receive_skb: dev=v2b skbaddr=00000000e01c0f60 len=248
  python3-23850   [000] ..s1. 13039.435559: sk_data_ready: family=10 protocol=17 func=sock_def_readable
   rd7002-23846   [000] ..... 13039.438728: sock_recv_length: sk address = 000000005e769b64, family = AF_INET6 protocol = 0x11, length = 200, error = 0, flags = 0x40
   rd7002-23846   [000] ..... 13039.438730: consume_skb: skbaddr=00000000fcf62d56 location=unix_stream_read_generic+0x5c/0x110
        ",
    );
    let lengths = journeys.packets.iter();
    let lengths: Vec<_> = lengths.map(|it| (it.bytes, it.payload, it.read)).collect();
    assert_eq!(lengths, [(262, 200, 200)]);
}

/// Datagrams to a port where nobody listens, as `perf record -e skb:kfree_skb` has them, at two addresses by turns.
/// What is purged with its socket's queue may be a FIN, and what has no protocol is a message of AF_UNIX.
#[test]
fn drops_alone_are_told() {
    check(
        "
python3 30135 [000] 13976.639136: skb:kfree_skb: skbaddr=0xffff88814f4e9c00 rx_sk=(nil) protocol=2048 location=__udp4_lib_rcv+0x4bc reason: NO_SOCKET
python3 30135 [000] 13976.639146: skb:kfree_skb: skbaddr=0xffff88814f4e9900 rx_sk=(nil) protocol=2048 location=__udp4_lib_rcv+0x4bc reason: NO_SOCKET
python3 30135 [000] 13976.639150: skb:kfree_skb: skbaddr=0xffff88814f4e9c00 rx_sk=(nil) protocol=2048 location=__udp4_lib_rcv+0x4bc reason: NO_SOCKET
python3 30135 [000] 13976.639151: skb:kfree_skb: skbaddr=0xffff88814f4e9d00 rx_sk=(nil) protocol=2048 location=__dev_queue_xmit+0x3c reason: QDISC_DROP
python3 30182 [001] 13976.685113: skb:kfree_skb: skbaddr=0xffff88814e8668e0 rx_sk=(nil) protocol=2048 location=sk_stream_kill_queues+0x57 reason: QUEUE_PURGE
python3 30182 [001] 13976.685114: skb:kfree_skb: skbaddr=0xffff88814e866900 rx_sk=(nil) protocol=2048 location=tcp_v4_rcv+0x91 reason: NOT_SPECIFIED
python3 30182 [001] 13976.685115: skb:kfree_skb: skbaddr=0xffff88814e866a00 rx_sk=(nil) protocol=0 location=unix_dgram_connect+0x57 reason: UNIX_DISCONNECT
python3 30182 [001] 13976.685116: skb:consume_skb: skbaddr=0xffff88814e866b00 location=icmpv6_rcv+0x279
        ",
        &expect![[r#"
            packet 0: rx ? B, dropped: NO_SOCKET: 0 µs, 0 in service
            packet 1: rx ? B, dropped: NO_SOCKET: 0 µs, 0 in service
            packet 2: rx ? B, dropped: NO_SOCKET: 0 µs, 0 in service
            packet 3: tx ? B, dropped: QDISC_DROP: 0 µs, 0 in service
              +0          cpu0  unknown  qdisc              0 = 0 service + 0 wait
        "#]],
    );
}

/// Messages of AF_UNIX pass the copy that packets pass, at addresses that packets had: an acknowledgement, which nothing
/// frees, and a datagram that was read before and is as long as the message. Without `sock` events only the function that
/// frees a message tells them apart.
#[test]
fn messages_of_other_families_are_no_packets() {
    check(
        "
          <idle>-0       [001] ..s1.   701.000100: netif_receive_skb: dev=eth0 skbaddr=000000007f27080a len=52
          <idle>-0       [001] ..s1.   701.000102: netif_receive_skb: dev=eth0 skbaddr=000000007f27090b len=165
         python3-10054   [001] .....   701.000302: skb_copy_datagram_iovec: skbaddr=000000007f27090b len=137
         python3-10054   [001] .....   701.034102: skb_copy_datagram_iovec: skbaddr=000000007f27080a len=100
         python3-10054   [001] .....   701.034103: skb_copy_datagram_iovec: skbaddr=000000007f27080a len=37
         python3-10054   [001] .....   701.034104: consume_skb: skbaddr=000000007f27080a location=unix_stream_read_generic+0xba4/0xcd0
         python3-10054   [001] .....   701.034112: skb_copy_datagram_iovec: skbaddr=000000007f27090b len=137
         python3-10054   [001] .....   701.034113: consume_skb: skbaddr=000000007f27090b location=__unix_dgram_recvmsg+0x2d7/0x470
         python3-10054   [001] .....   701.034122: skb_copy_datagram_iovec: skbaddr=000000003e956fce len=89
         python3-10054   [001] .....   701.034123: consume_skb: skbaddr=000000003e956fce location=__unix_dgram_recvmsg+0x2d7/0x470
        ",
        &expect![[r#"
            packet 0: rx 52 B, end not observed: 0 µs, 0 in service
              +0          cpu1  softirq  net core           0 = 0 service + 0 wait
            packet 1: rx 165 B, delivered to python3 (10054): 200 µs, 200 in service
              +0          cpu1  softirq  net core           200 = 200 service + 0 wait
              +200        cpu1  kernel   process            0 = 0 service + 0 wait
        "#]],
    );
}

/// `tc` asks how long a message of netlink is before it reads it. Nothing of it is read of the packet that had its address.
#[test]
fn a_message_whose_length_was_asked_for_is_no_packet() {
    check(
        "
          <idle>-0       [001] ..s1.   701.000100: netif_receive_skb: dev=eth0 skbaddr=000000007f27080a len=128
              tc-17342   [000] .....   701.000200: skb_copy_datagram_iovec: skbaddr=00000000fc1a9d96 len=0
              tc-17342   [000] .....   701.000201: skb_copy_datagram_iovec: skbaddr=00000000fc1a9d96 len=2968
              tc-17342   [000] .....   701.000202: consume_skb: skbaddr=00000000fc1a9d96 location=netlink_recvmsg+0x143/0x2b0
              tc-17342   [000] .....   701.000203: skb_copy_datagram_iovec: skbaddr=000000007f27080a len=0
              tc-17342   [000] .....   701.000204: skb_copy_datagram_iovec: skbaddr=000000007f27080a len=36
              tc-17342   [000] .....   701.000205: consume_skb: skbaddr=000000007f27080a location=netlink_recvmsg+0x143/0x2b0
        ",
        &expect![[r#"
            packet 0: rx 128 B, end not observed: 0 µs, 0 in service
              +0          cpu1  softirq  net core           0 = 0 service + 0 wait
        "#]],
    );
}

/// The recording ends before it is read.
#[test]
fn a_message_whose_length_alone_was_asked_for_is_no_packet() {
    check(
        "
              tc-17342   [000] .....   701.000200: skb_copy_datagram_iovec: skbaddr=00000000fc1a9d96 len=0
              tc-17342   [000] .....   701.000201: skb_copy_datagram_iovec: skbaddr=00000000fc1a9d96 len=2968
              tc-17342   [000] .....   701.000202: consume_skb: skbaddr=00000000fc1a9d96 location=netlink_recvmsg+0x143/0x2b0
              tc-17342   [000] .....   701.000203: skb_copy_datagram_iovec: skbaddr=000000007f27080a len=0
        ",
        &expect![[r#""#]],
    );
}

/// A program that sends to a closed port of a chain on output, by turns with one that is open, and to a neighbour that
/// does not answer: IP drops these before the device layer sees them, so nothing tells of them but their drop. The
/// datagram at the first address was read before.
#[test]
fn drops_on_output_are_told_beside_what_is_sent() {
    check(
        "
         python3-7120    [001] b....   372.000942: net_dev_queue: dev=va skbaddr=000000007f27080a len=342
         python3-7120    [001] ..s1.   372.000946: netif_receive_skb: dev=vb skbaddr=000000007f27080a len=328
         python3-7120    [001] ..s1.   372.000948: sk_data_ready: family=2 protocol=17 func=sock_def_readable
         python3-7120    [001] .....   372.000963: sock_send_length: sk address = 00000000be8f8550, family = AF_INET protocol = 0x11, length = 300, error = 0, flags = 0x0
         python3-7165    [000] .....   372.000966: sock_recv_length: sk address = 000000002dd066a3, family = AF_INET protocol = 0x11, length = 300, error = 0, flags = 0x40
         python3-7120    [001] .....   372.000968: kfree_skb: skbaddr=000000007f27080a rx_sk=0000000000000000 protocol=2048 location=nft_do_chain+0x46f/0x690 reason: NETFILTER_DROP
         python3-7120    [001] .....   372.000969: sock_send_length: sk address = 00000000be8f8550, family = AF_INET protocol = 0x11, length = 0, error = -1, flags = 0x0
         python3-7120    [001] .....   372.000978: kfree_skb: skbaddr=000000007f27080a rx_sk=0000000000000000 protocol=2048 location=nft_do_chain+0x46f/0x690 reason: NETFILTER_DROP
          <idle>-0       [001] ..s..   375.108339: kfree_skb: skbaddr=00000000d5e7d686 rx_sk=0000000000000000 protocol=2048 location=neigh_invalidate+0x7e/0x140 reason: NEIGH_FAILED
         python3-7120    [001] .....   375.108350: kfree_skb: skbaddr=00000000d5e7d686 rx_sk=0000000000000000 protocol=2048 location=__neigh_event_send+0x7e/0x140 reason: NEIGH_FAILED
        ",
        &expect![[r#"
            packet 0: tx 342 B, delivered (inferred): 24 µs, 21 in service
              +0          cpu1  kernel   qdisc              4 = 4 service + 0 wait
              +4          cpu1  softirq  net core           2 = 2 service + 0 wait
              +6          cpu1  softirq  receive queue      18 = 15 service + 3 wait
            packet 1: tx ? B, dropped: NETFILTER_DROP: 0 µs, 0 in service
              +0          cpu1  kernel   IP send            0 = 0 service + 0 wait
            packet 2: tx ? B, dropped: NETFILTER_DROP: 0 µs, 0 in service
              +0          cpu1  kernel   IP send            0 = 0 service + 0 wait
            packet 3: tx ? B, dropped: NEIGH_FAILED: 0 µs, 0 in service
              +0          cpu1  softirq  IP send            0 = 0 service + 0 wait
            packet 4: tx ? B, dropped: NEIGH_FAILED: 0 µs, 0 in service
              +0          cpu1  kernel   IP send            0 = 0 service + 0 wait
        "#]],
    );
}

/// Nothing tells that TCP has consumed the acknowledgement whose address the segment has that a chain on output drops.
#[test]
fn what_a_chain_on_output_drops_is_not_what_was_received_at_its_address() {
    check(
        "
          <idle>-0       [001] ..s1.   372.000100: netif_receive_skb: dev=eth0 skbaddr=000000007f27080a len=52
         python3-7120    [001] .....   372.000968: kfree_skb: skbaddr=000000007f27080a rx_sk=0000000000000000 protocol=2048 location=nft_do_chain+0x46f/0x690 reason: NETFILTER_DROP
        ",
        &expect![[r#"
            packet 0: rx 52 B, end not observed: 0 µs, 0 in service
              +0          cpu1  softirq  net core           0 = 0 service + 0 wait
            packet 1: tx ? B, dropped: NETFILTER_DROP: 0 µs, 0 in service
              +0          cpu1  kernel   IP send            0 = 0 service + 0 wait
        "#]],
    );
}

/// A chain on input drops what is being received.
#[test]
fn what_a_chain_on_input_drops_was_received() {
    check(
        "
          <idle>-0       [001] ..s1.   372.000100: netif_receive_skb: dev=eth0 skbaddr=000000007f27080a len=52
          <idle>-0       [001] ..s1.   372.000103: kfree_skb: skbaddr=000000007f27080a rx_sk=0000000000000000 protocol=2048 location=nft_do_chain+0x46f/0x690 reason: NETFILTER_DROP
        ",
        &expect![[r#"
            packet 0: rx 52 B, dropped: NETFILTER_DROP: 3 µs, 3 in service
              +0          cpu1  softirq  net core           3 = 3 service + 0 wait
        "#]],
    );
}

/// Where nothing is recorded but drops, what a task drops is sent, as packets are received in softirqs.
#[test]
fn a_filters_drops_alone_are_sent_by_tasks_and_received_in_softirqs() {
    check(
        "
         python3-7120    [001] .....   372.000968: kfree_skb: skbaddr=000000007f27080a rx_sk=0000000000000000 protocol=2048 location=nft_do_chain+0x46f/0x690 reason: NETFILTER_DROP
          <idle>-0       [001] ..s1.   372.000978: kfree_skb: skbaddr=000000007f27080a rx_sk=0000000000000000 protocol=2048 location=nft_do_chain+0x46f/0x690 reason: NETFILTER_DROP
        ",
        &expect![[r#"
            packet 0: tx ? B, dropped: NETFILTER_DROP: 0 µs, 0 in service
              +0          cpu1  kernel   IP send            0 = 0 service + 0 wait
            packet 1: rx ? B, dropped: NETFILTER_DROP: 0 µs, 0 in service
        "#]],
    );
}

/// Before v5.17 the event has no reason, and its place is an address.
#[test]
fn drops_without_reasons_are_told() {
    check(
        "
     <idle>-0     [000] ..s1.  100.639136: kfree_skb: skbaddr=ffff88814f4e9c00 protocol=2048 location=ffffffff8190db88
     <idle>-0     [000] ..s1.  100.639140: kfree_skb: skbaddr=ffff88814f4e9d00 protocol=0 location=ffffffff8190db88
        ",
        &expect![[r#"
            packet 0: rx ? B, dropped: NOT_SPECIFIED: 0 µs, 0 in service
        "#]],
    );
}

/// Where it is told what comes, what is freed at an address of its own is a clone, here for a raw socket.
#[test]
fn a_clone_that_nobody_wants_is_no_packet_beside_its_own() {
    check(
        "
     ping-7      [000] ..s1.  100.639130: netif_receive_skb: dev=v2b skbaddr=ffff88814f4e9d00 len=84
     ping-7      [000] ..s1.  100.639136: kfree_skb: skbaddr=ffff88814f4e9c00 rx_sk=0000000000000000 protocol=2048 location=icmp_rcv+0x91/0x3f0 reason: NO_SOCKET
     ping-7      [000] ..s1.  100.639138: consume_skb: skbaddr=ffff88814f4e9d00 location=icmp_rcv+0x279/0x540
        ",
        &expect![[r#"
            packet 0: rx 84 B, consumed by the stack: 8 µs, 8 in service
              +0          cpu0  softirq  net core           8 = 8 service + 0 wait
        "#]],
    );
}

/// What a veth pair hands over, of a recording of `net_dev_queue`, `net_dev_xmit`, `netif_receive_skb` and `kfree_skb`: nothing
/// tells when memory is given back, and the softirq that receives interrupts the task that sent.
#[test]
fn a_pair_hands_over_where_no_free_is_recorded() {
    check(
        "
     python3-30994   [000] b.... 13987.854115: net_dev_queue: dev=v2a skbaddr=00000000c792c8b2 len=74
     python3-30994   [000] b.... 13987.854125: net_dev_xmit: dev=v2a skbaddr=00000000c792c8b2 len=74 rc=0
     python3-30994   [000] ..s1. 13987.854128: netif_receive_skb: dev=v2b skbaddr=00000000c792c8b2 len=60
     python3-30994   [000] ..s1. 13987.854150: kfree_skb: skbaddr=00000000c792c8b2 rx_sk=0000000000000000 protocol=2048 location=tcp_v4_rcv+0x1a/0xd70 reason: NO_SOCKET
     python3-30994   [000] b.s1. 13987.854152: net_dev_queue: dev=v2b skbaddr=00000000e31ccf52 len=54
     python3-30994   [000] b.s1. 13987.854154: net_dev_xmit: dev=v2b skbaddr=00000000e31ccf52 len=54 rc=0
     python3-30994   [000] ..s1. 13987.854156: netif_receive_skb: dev=v2a skbaddr=00000000e31ccf52 len=40
        ",
        &expect![[r#"
            packet 0: tx 74 B, dropped: NO_SOCKET (inferred): 35 µs, 35 in service
              +0          cpu0  kernel   qdisc              10 = 10 service + 0 wait
              +10         cpu0  kernel   backlog            3 = 3 service + 0 wait
              +13         cpu0  softirq  net core           22 = 22 service + 0 wait
            packet 1: tx 54 B, end not observed: 4 µs, 4 in service
              +0          cpu0  softirq  qdisc              2 = 2 service + 0 wait
              +2          cpu0  softirq  backlog            2 = 2 service + 0 wait
              +4          cpu0  softirq  net core           0 = 0 service + 0 wait
        "#]],
    );
}

/// A pair that is known, and RPS, which has another CPU receive.
#[test]
fn a_pair_hands_over_to_another_cpu_where_no_free_is_recorded() {
    check(
        "
     python3-30994   [000] b.... 13987.854115: net_dev_queue: dev=v2a skbaddr=00000000c792c8b2 len=74
     python3-30994   [000] b.... 13987.854125: net_dev_xmit: dev=v2a skbaddr=00000000c792c8b2 len=74 rc=0
     python3-30994   [000] ..s1. 13987.854128: netif_receive_skb: dev=v2b skbaddr=00000000c792c8b2 len=60
     python3-30994   [000] b.... 13987.854215: net_dev_queue: dev=v2a skbaddr=00000000e31ccf52 len=74
     python3-30994   [000] b.... 13987.854225: net_dev_xmit: dev=v2a skbaddr=00000000e31ccf52 len=74 rc=0
      <idle>-0       [001] ..s1. 13987.854228: netif_receive_skb: dev=v2b skbaddr=00000000e31ccf52 len=60
      <idle>-0       [001] ..s1. 13987.854250: kfree_skb: skbaddr=00000000e31ccf52 rx_sk=0000000000000000 protocol=2048 location=tcp_v4_rcv+0x1a/0xd70 reason: NO_SOCKET
        ",
        &expect![[r#"
            packet 0: tx 74 B, end not observed: 13 µs, 13 in service
              +0          cpu0  kernel   qdisc              10 = 10 service + 0 wait
              +10         cpu0  kernel   backlog            3 = 3 service + 0 wait
              +13         cpu0  softirq  net core           0 = 0 service + 0 wait
            packet 1: tx 74 B, dropped: NO_SOCKET (inferred): 35 µs, 32 in service
              +0          cpu0  kernel   qdisc              10 = 10 service + 0 wait
              +10         cpu0  kernel   backlog            3 = 0 service + 3 wait
              +13         cpu1  softirq  net core           22 = 22 service + 0 wait
        "#]],
    );
}

/// A router's NICs: what is sent by the first has its address back when the next comes in by the second, as long as that was.
/// No task sends it.
#[test]
fn a_router_hands_nothing_over_where_no_free_is_recorded() {
    let passes = |at: u32| {
        format!(
            "
     <idle>-0   [000] ..s1. 13987.8540{at}: netif_receive_skb: dev=eth1 skbaddr=00000000c792c8b2 len=60
     <idle>-0   [000] b.s1. 13987.8540{}: net_dev_queue: dev=eth0 skbaddr=00000000c792c8b2 len=74
     <idle>-0   [000] b.s1. 13987.8540{}: net_dev_xmit: dev=eth0 skbaddr=00000000c792c8b2 len=74 rc=0",
            at + 2,
            at + 4,
        )
    };
    let trace = [10, 20, 30].map(passes).concat();
    let (_, journeys) = opened(&trace);
    let ends: Vec<_> = journeys.packets.iter().map(|it| it.verdict).collect();
    assert_eq!(ends, [crate::kernel::Verdict::Transmitted; 3]);
}

/// Two subflows of a multipath TCP socket, which reads both: each has a flow of its own, also where the input says that they
/// are one socket.
#[test]
fn subflows_are_flows_of_their_own() {
    let segment = |at: u32, host: u32, cookie: u32| {
        format!(
            "
     server-7     [001] ..s1. 46134.557{at}0: netif_receive_skb: dev=a{host} skbaddr=00000000e9c02{host}40 len=152
     server-7     [001] ..s2. 46134.557{at}1: tcp_probe: family=AF_INET src=10.{host}.0.1:80 dest=10.{host}.0.2:39268 mark=0x0 data_len=100 snd_nxt=0x56a5b6f snd_una=0x56a5b6f snd_cwnd=10 ssthresh=2147483647 snd_wnd=65536 srtt=22 rcv_wnd=65483 sock_cookie={cookie} skbaddr=00000000e9c02{host}40 skaddr=0000000056cf{cookie}"
        )
    };
    let read = "
     client-8     [000] ..... 46134.612081: skb_copy_datagram_iovec: skbaddr=00000000e9c02140 len=100
     client-8     [000] ..... 46134.612082: skb_copy_datagram_iovec: skbaddr=00000000e9c02240 len=100
     client-8     [000] ..... 46134.612086: sock_recv_length: sk address = 0000000056cf1111, family = AF_INET protocol = IPPROTO_MPTCP, length = 200, error = 0, flags = 0x0";
    for cookie in [2223, 2222] {
        let lines = [
            segment(10, 1, 2222),
            segment(20, 2, cookie),
            read.to_owned(),
        ];
        let (_, journeys) = opened(&lines.concat());
        let flows = journeys.packets.iter().map(|it| (it.flow, it.read));
        assert_eq!(
            flows.collect::<Vec<_>>(),
            [(FlowId(0), 100), (FlowId(1), 100)]
        );
    }
}

/// A broadcast of a container: one copy comes back to its sender, where UDP has no socket for it, others go to two more
/// containers. A datagram to one alone for which there is no socket is a drop.
#[test]
fn a_copy_that_nobody_listens_to_is_no_drop() {
    check(
        "
  python3-27065   [000] ..s1.  2368.179399: netif_receive_skb: dev=eth0 skbaddr=000000002daa362b len=128
  python3-27065   [000] ..s1.  2368.179403: kfree_skb: skbaddr=000000002daa362b rx_sk=0000000000000000 protocol=2048 location=__udp4_lib_rcv+0xbbf/0xd00 reason: NOT_SPECIFIED
  python3-27065   [000] ..s1.  2368.179405: netif_receive_skb: dev=eth0 skbaddr=000000002daa3700 len=70
  python3-27065   [000] ..s1.  2368.179407: kfree_skb: skbaddr=000000002daa3700 rx_sk=0000000000000000 protocol=34525 location=ip6_mc_input+0x15e/0x270 reason: NOT_SPECIFIED
  python3-27065   [000] ..s1.  2368.179410: netif_receive_skb: dev=eth0 skbaddr=000000002daa3800 len=128
  python3-27065   [000] ..s1.  2368.179412: kfree_skb: skbaddr=000000002daa3800 rx_sk=0000000000000000 protocol=2048 location=__udp4_lib_rcv+0x4bc/0xd00 reason: NO_SOCKET
        ",
        &expect![[r#"
            packet 0: rx 128 B, consumed by the stack (inferred): 4 µs, 4 in service
              +0          cpu0  softirq  net core           4 = 4 service + 0 wait
            packet 1: rx 70 B, consumed by the stack (inferred): 2 µs, 2 in service
              +0          cpu0  softirq  net core           2 = 2 service + 0 wait
            packet 2: rx 128 B, dropped: NO_SOCKET: 2 µs, 2 in service
              +0          cpu0  softirq  net core           2 = 2 service + 0 wait
        "#]],
    );
}
