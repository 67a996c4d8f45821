//! What waits in IP's reassembly when a recording ends, and what only was not seen any more.
//!
//! The lines are of kernel 6.18, as `ringside-capture` and `echo 1 >events/net/enable` record them.

mod senders;

use expect_test::{Expect, expect};

use super::few_events::{check, opened};
use crate::import::Import;
use crate::journey::tests::run_of;
use crate::journey::{Journeys, picture};
use crate::kernel::Station;

/// A datagram over loopback, of which nothing is told after IP received it.
const SENT_HERE: &str = "
    a-5 [000] b.... 1.000010: net_dev_queue: dev=lo skbaddr=ffff888001000100 len=142
    a-5 [000] b.... 1.000011: net_dev_start_xmit: dev=lo queue_mapping=0 skbaddr=ffff888001000100 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 len=142 data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0
    a-5 [000] b.... 1.000012: netif_rx_entry: dev=lo napi_id=0x0 queue_mapping=0 skbaddr=ffff888001000100 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 hash=0x00000000 l4_hash=0 len=128 data_len=0 truesize=832 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0
    a-5 [000] b.... 1.000013: netif_rx: dev=lo skbaddr=ffff888001000100 len=128
    a-5 [000] ..s1. 1.000014: netif_receive_skb: dev=lo skbaddr=ffff888001000100 len=128
";

/// Another packet's end, which names who frees it.
const FREED: &str = "
    k-6 [001] ..... 1.000020: consume_skb: skbaddr=ffff888001000900 location=unix_stream_read_generic+0x5c/0x110
";

fn check_ends(trace: &str, expected: &Expect) {
    let mut import = Import::new();
    import.push(trace.as_bytes());
    let imported = import.finish().expect("it is a trace");
    assert_eq!(imported.ledger.malformed_kept, []);
    let journeys = Journeys::of(&imported.run);
    let sent = journeys
        .ids()
        .filter(|id| journeys.packets[id.at()].bytes > 0);
    let text: String = sent
        .map(|packet| picture(&imported.run, &journeys, packet))
        .collect();
    expected.assert_eq(&text);
}

#[test]
fn a_recording_that_tells_of_no_socket_does_not_tell_what_waits_in_reassembly() {
    check_ends(
        &[SENT_HERE, FREED].concat(),
        &expect![[r#"
        packet 0: tx 142 B, end not observed: 4 µs, 4 in service
          +0          cpu0  kernel   qdisc              1 = 1 service + 0 wait
          +1          cpu0  kernel   driver send        1 = 1 service + 0 wait
          +2          cpu0  kernel   backlog            2 = 2 service + 0 wait
          +4          cpu0  softirq  net core           0 = 0 service + 0 wait
    "#]],
    );
}

/// Another's socket is told of: that nothing is told of this one's means that it is in none.
#[test]
fn where_sockets_tell_what_comes_to_them_the_rest_is_in_reassembly() {
    let ready = "
    b-7 [001] ..s1. 1.000030: sk_data_ready: family=2 protocol=17 func=sock_def_readable
";
    check_ends(
        &[SENT_HERE, FREED, ready].concat(),
        &expect![[r#"
        packet 0: tx 142 B, end not observed: 20 µs, 4 in service
          +0          cpu0  kernel   qdisc              1 = 1 service + 0 wait
          +1          cpu0  kernel   driver send        1 = 1 service + 0 wait
          +2          cpu0  kernel   backlog            2 = 2 service + 0 wait
          +4          cpu0  softirq  net core           0 = 0 service + 0 wait
          +4          cpu0  softirq  reassembly         16 = 0 service + 16 wait
    "#]],
    );
}

/// An address names no function: whether every completed reassembly would be told is not known then.
#[test]
fn where_no_function_is_named_nothing_is_known_to_wait_in_reassembly() {
    let freed = FREED.replace("unix_stream_read_generic+0x5c/0x110", "00000000bec81ccd");
    let ready = "
    b-7 [001] ..s1. 1.000030: sk_data_ready: family=2 protocol=17 func=sock_def_readable
";
    let (_, journeys) = opened(&[SENT_HERE, &freed, ready].concat());
    let sent = journeys.ids().next().expect("the datagram");
    let station = journeys.stays(sent).last().map(|stay| stay.station);
    assert_eq!(station, Some(Station::NetCore));
}

/// Few probes: what came by another device, or long ago, with the same number is of another datagram.
#[test]
fn a_number_is_told_apart_by_device_and_time() {
    let parts = |dev: &str, second: u32| {
        let run = run_of(&format!(
            "
        1 ev napi_gro_receive ts 1.000001 cpu 0 ctx softirq pid 0 skb ffff888001000100 len 1500 dev {dev} ip_id 7 frag_off 0x2000 proto 17
        2 ev napi_gro_receive ts {second}.000003 cpu 0 ctx softirq pid 0 skb ffff888001000200 len 548 dev eth0 ip_id 7 frag_off 0xb9 proto 17
        3 ev udp_rcv ts {second}.000005 cpu 0 ctx softirq pid 0 skb ffff888001000200 len 2008
        "
        ));
        let journeys = Journeys::of(&run);
        let [part, whole] = &journeys.packets[..] else {
            panic!("two fragments came");
        };
        assert!(!whole.is_inferred);
        (part.verdict.kind().to_string(), part.is_inferred)
    };
    // Another datagram may have the same number.
    assert_eq!(parts("eth0", 1), ("merged".to_owned(), true));
    assert_eq!(parts("eth1", 1), ("open".to_owned(), false));
    assert_eq!(parts("eth0", 40), ("open".to_owned(), false));
}

/// Datagrams at one address, the first fragment of each in its `sk_buff`; what a softirq sends meanwhile is none of them.
#[test]
fn a_datagram_behind_one_that_was_cut_is_no_piece_of_it() {
    let sent = |at: u32, nth: u32| {
        format!(
            "
    a-5 [000] ..... 9.000{at}00: udp_sendmsg: (udp_sendmsg+0x4/0xf20) sk=0xffff8b143f3e7a80 size=2000
    a-5 [000] ..... 9.000{at}02: ip_send_skb: (ip_send_skb+0x4/0x90) skb=0xffff8b143ff9d700 len=2028 ipid_be=0x8{nth}00 frag_be=0x0 proto=17 sport_be=0xdcc1 dport_be=0x5114
    a-5 [000] ..... 9.000{at}04: ip_do_fragment: (ip_do_fragment+0x4/0x500) sk=0xffff8b143f3e7a80 skb=0xffff8b143ff9d700 len=2028
    a-5 [000] ..... 9.000{at}06: ip_finish_output2: (ip_finish_output2+0x4/0x570) sk=0xffff8b143f3e7a80 skb=0xffff8b143ff9d700 len=1500 ipid_be=0x8{nth}00 frag_be=0x20 proto=17
    a-5 [000] b.... 9.000{at}08: net_dev_queue: dev=e0 skbaddr=ffff8b143ff9d700 len=1514
    a-5 [000] ..s1. 9.000{at}09: ip_send_skb: (ip_send_skb+0x4/0x90) skb=0xffff8b143ffa{nth}00 len=56 ipid_be=0x1 frag_be=0x0 proto=1
    a-5 [000] ..s1. 9.000{at}09: ip_finish_output2: (ip_finish_output2+0x4/0x570) skb=0xffff8b143ffb{nth}00 len=56 ipid_be=0x1 frag_be=0x0 proto=1
    a-5 [000] ..... 9.000{at}10: ip_finish_output2: (ip_finish_output2+0x4/0x570) sk=0xffff8b143f3e7a80 skb=0xffff8b143ff9d{nth}11 len=548 ipid_be=0x8{nth}00 frag_be=0xb900 proto=17
    a-5 [000] b.... 9.000{at}12: net_dev_queue: dev=e0 skbaddr=ffff8b143ff9d{nth}11 len=562
    a-5 [000] b.... 9.000{at}20: consume_skb: skbaddr=ffff8b143ff9d700 location=veth_xmit+0x1"
        )
    };
    let (_, journeys) = opened(&[sent(1, 0), sent(3, 1)].concat());
    let pieces = journeys.packets.iter();
    let pieces: Vec<_> = pieces
        .map(|it| (it.bytes, it.cut_from.is_some().then_some(it.cut_from.0)))
        .collect();
    let of = |whole: u32| {
        [
            (2028, None),
            (1514, Some(whole)),
            (562, Some(whole)),
            (56, None),
            (56, None),
        ]
    };
    assert_eq!(pieces, [of(0), of(5)].concat());
}

/// A datagram in fragments to a port where nobody listens: the ICMP error says how long all of it was.
#[test]
fn a_refused_datagram_is_as_long_as_its_fragments() {
    check(
        "
     python3-31261   [000] b.... 3037.918211: net_dev_queue: dev=va skbaddr=00000000d91d3a52 len=1514
     python3-31261   [000] b.... 3037.918215: netif_rx_entry: dev=vb skbaddr=00000000d91d3a52 protocol=0x0800 hash=0x00000000 len=1500
     python3-31261   [000] b.... 3037.918218: net_dev_xmit: dev=va skbaddr=00000000d91d3a52 len=1514 rc=0
     python3-31261   [000] ..s1. 3037.918219: softirq_entry: vec=3 [action=NET_RX]
     python3-31261   [000] ..s1. 3037.918222: netif_receive_skb: dev=vb skbaddr=00000000d91d3a52 len=1500
     python3-31261   [000] ..s1. 3037.918231: napi_poll: napi poll on napi struct 00000000518c28ae for device (no_device) work 1 budget 64
     python3-31261   [000] ..s1. 3037.918232: softirq_exit: vec=3 [action=NET_RX]
     python3-31261   [000] b.... 3037.918232: net_dev_queue: dev=va skbaddr=0000000063e6aab6 len=1514
     python3-31261   [000] b.... 3037.918233: netif_rx_entry: dev=vb skbaddr=0000000063e6aab6 protocol=0x0800 hash=0x00000000 len=1500
     python3-31261   [000] b.... 3037.918234: net_dev_xmit: dev=va skbaddr=0000000063e6aab6 len=1514 rc=0
     python3-31261   [000] ..s1. 3037.918234: softirq_entry: vec=3 [action=NET_RX]
     python3-31261   [000] ..s1. 3037.918234: netif_receive_skb: dev=vb skbaddr=0000000063e6aab6 len=1500
     python3-31261   [000] ..s1. 3037.918235: napi_poll: napi poll on napi struct 00000000518c28ae for device (no_device) work 1 budget 64
     python3-31261   [000] ..s1. 3037.918236: softirq_exit: vec=3 [action=NET_RX]
     python3-31261   [000] b.... 3037.918236: net_dev_queue: dev=va skbaddr=000000009c628c2b len=1082
     python3-31261   [000] b.... 3037.918237: netif_rx_entry: dev=vb skbaddr=000000009c628c2b protocol=0x0800 hash=0x00000000 len=1068
     python3-31261   [000] b.... 3037.918238: net_dev_xmit: dev=va skbaddr=000000009c628c2b len=1082 rc=0
     python3-31261   [000] ..s1. 3037.918238: softirq_entry: vec=3 [action=NET_RX]
     python3-31261   [000] ..s1. 3037.918238: netif_receive_skb: dev=vb skbaddr=000000009c628c2b len=1068
     python3-31261   [000] ..s2. 3037.918242: consume_skb: skbaddr=00000000d91d3a52 location=inet_frag_reasm_prepare+0xeb/0x340
     python3-31261   [000] b.s2. 3037.918255: icmp_send: icmp_send: type=3, code=3. From 10.77.0.1:35584 to 10.77.0.2:7009 ulen=4008 skbaddr=000000009c628c2b
     python3-31261   [000] b.s2. 3037.918259: net_dev_queue: dev=vb skbaddr=00000000d91d3a52 len=590
     python3-31261   [000] b.s2. 3037.918260: netif_rx_entry: dev=va skbaddr=00000000d91d3a52 protocol=0x0800 hash=0x00000000 len=576
     python3-31261   [000] b.s2. 3037.918261: net_dev_xmit: dev=vb skbaddr=00000000d91d3a52 len=590 rc=0
     python3-31261   [000] ..s1. 3037.918262: kfree_skb: skbaddr=000000009c628c2b rx_sk=0000000000000000 protocol=2048 location=__udp4_lib_rcv+0x4bc/0xd00 reason: NO_SOCKET
     python3-31261   [000] ..s1. 3037.918262: kfree_skb: skbaddr=0000000063e6aab6 rx_sk=0000000000000000 protocol=2048 location=skb_release_data+0x163/0x1d0 reason: NOT_SPECIFIED
     python3-31261   [000] ..s1. 3037.918263: kfree_skb: skbaddr=0000000084425c7b rx_sk=0000000000000000 protocol=2048 location=skb_release_data+0x163/0x1d0 reason: NOT_SPECIFIED
     python3-31261   [000] ..s1. 3037.918264: netif_receive_skb: dev=va skbaddr=00000000d91d3a52 len=576
     python3-31261   [000] ..s1. 3037.918267: consume_skb: skbaddr=00000000d91d3a52 location=icmp_rcv+0x259/0x3a0
     python3-31261   [000] ..s1. 3037.918268: napi_poll: napi poll on napi struct 00000000518c28ae for device (no_device) work 2 budget 64
     python3-31261   [000] ..s1. 3037.918268: softirq_exit: vec=3 [action=NET_RX]
        ",
        &expect![[r#"
            packet 2 · 1/3: tx 1514 B, merged into packet 2 (inferred): 51 µs, 34 in service
              +0          cpu0  kernel   qdisc              4 = 4 service + 0 wait
              +4          cpu0  kernel   backlog            7 = 4 service + 3 wait
              +11         cpu0  softirq  net core           40 = 26 service + 14 wait
            packet 2 · 2/3: tx 1514 B, merged into packet 2 (inferred): 30 µs, 3 in service
              +0          cpu0  kernel   qdisc              1 = 1 service + 0 wait
              +1          cpu0  kernel   backlog            1 = 1 service + 0 wait
              +2          cpu0  softirq  net core           28 = 1 service + 27 wait
            packet 2: tx 4000 B in 3 parts UDP 10.77.0.1:35584 → 10.77.0.2:7009, dropped: NO_SOCKET: 26 µs, 6 in service
              +0          cpu0  kernel   qdisc              1 = 1 service + 0 wait
              +1          cpu0  kernel   backlog            1 = 1 service + 0 wait
              +2          cpu0  softirq  net core           24 = 4 service + 20 wait
            packet 3: tx 590 B, consumed by the stack: 8 µs, 6 in service
              +0          cpu0  softirq  qdisc              1 = 1 service + 0 wait
              +1          cpu0  softirq  backlog            4 = 2 service + 2 wait
              +5          cpu0  softirq  net core           3 = 3 service + 0 wait
        "#]],
    );
}

/// Connection tracking put the fragments together before the datagram was redirected to a socket here.
#[test]
fn a_datagram_is_read_beyond_its_last_fragment() {
    let (_, journeys) = opened(
        "
    s-8 [001] ..s1. 1607.902779: netif_receive_skb: dev=ra skbaddr=00000000a04503c9 len=1500
    s-8 [001] ..s1. 1607.902783: softirq_exit: vec=3 [action=NET_RX]
    s-8 [001] ..s1. 1607.902786: netif_receive_skb: dev=ra skbaddr=0000000076b699e7 len=1500
    s-8 [001] ..s1. 1607.902788: softirq_exit: vec=3 [action=NET_RX]
    s-8 [001] ..s1. 1607.902791: netif_receive_skb: dev=ra skbaddr=00000000055ea358 len=1069
    s-8 [001] b.s2. 1607.902793: consume_skb: skbaddr=00000000a04503c9 location=inet_frag_reasm_prepare+0xe2/0x330
    s-8 [001] ..s1. 1607.902800: sk_data_ready: family=2 protocol=17 func=sock_def_readable
    r-9 [001] ..... 1607.903589: skb_copy_datagram_iovec: skbaddr=00000000055ea358 len=4001
    r-9 [001] ..... 1607.903600: sock_recv_length: sk address = 00000000e6b6316f, family = AF_INET protocol = 0x11, length = 4001, error = 0, flags = 0x40
",
    );
    let whole = journeys.packets.last().expect("the last fragment");
    assert_eq!((whole.read, whole.payload), (4001, 4001));
}

/// A fragment that a bridge sends by one of its ports, to a device of another network namespace.
fn by_port(micros: u32, port: &str, skb: &str, len: u32) -> String {
    let (frame, from, to) = (len + 14, micros, micros + 100);
    format!(
        "
    s-8 [001] b.s1. 1.{from:06}: net_dev_queue: dev={port} skbaddr=00000000{skb} len={frame}
    s-8 [001] b.s1. 1.{from:06}: netif_rx_entry: dev=e napi_id=0x0 queue_mapping=0 skbaddr=00000000{skb} vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 hash=0x00000000 l4_hash=0 len={len} data_len=0 truesize=2304 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0
    s-8 [001] b.s1. 1.{from:06}: netif_rx: dev=e skbaddr=00000000{skb} len={len}
    s-8 [001] ..s1. 1.{to:06}: netif_receive_skb: dev=e skbaddr=00000000{skb} len={len}"
    )
}

/// The datagram with this first fragment is complete and comes to two sockets.
fn for_two(micros: u32, first: &str) -> String {
    format!(
        "
    s-8 [001] ..s2. 1.{micros:06}: consume_skb: skbaddr=00000000{first} location=inet_frag_reasm_prepare+0xe2/0x330
    s-8 [001] ..s1. 1.{micros:06}: sk_data_ready: family=2 protocol=17 func=sock_def_readable
    s-8 [001] ..s1. 1.{micros:06}: sk_data_ready: family=2 protocol=17 func=sock_def_readable"
    )
}

/// A bridge floods a multicast group's datagrams: their fragments come by turns to namespaces whose devices have one
/// name.
#[test]
fn fragments_that_two_ports_send_are_of_two_datagrams() {
    let read = |micros: u32, socket: u32| {
        format!(
            "
    r-{socket} [000] ..... 1.{micros:06}: sock_recv_length: sk address = 00000000e6b6310{socket}, family = AF_INET protocol = 0x11, length = 2000, error = 0, flags = 0x40"
        )
    };
    let (_, journeys) = opened(
        &[
            by_port(1000, "p3", "7a7f1c13", 1500),
            by_port(1200, "p2", "899ccce0", 1500),
            by_port(1400, "p3", "76671986", 548),
            for_two(1510, "7a7f1c13"),
            by_port(1600, "p2", "8297bf1e", 548),
            for_two(1710, "899ccce0"),
            read(2000, 1),
            read(2100, 2),
            read(2200, 3),
            read(2300, 4),
        ]
        .concat(),
    );
    let read = journeys.packets.iter().filter(|packet| packet.read == 2000);
    assert_eq!(read.count(), 4);
}
