//! Header fields that kprobes read where every packet passes, whatever its protocol.
//!
//! The lines are of kernel 6.12, shortened.

use expect_test::expect;

use super::{check, import};
use crate::kernel::Field;

/// What comes from 2001:db8::2, ARP, and what comes over IPv4.
#[test]
fn what_comes_over_ipv6_is_not_read_as_ipv4() {
    check(
        "\
          <idle>-0       [000] ..s1.    40.000001: napi_gro_receive: (napi_gro_receive+0x0/0x200) napi=0xffff88800694ec30 skb=0xffff888008476400 len=72 ipid_be=0x2000 frag_be=0x4006 proto=1 sport_be=0x0 dport_be=0x200
          <idle>-0       [000] ..s1.    40.000002: napi_gro_receive_entry: dev=eth0 napi_id=0x2 queue_mapping=0 skbaddr=ffff888008476400 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x86dd ip_summed=0 hash=0x00000000 l4_hash=0 len=72
          <idle>-0       [000] ..s1.    40.000011: napi_gro_receive: (napi_gro_receive+0x0/0x200) napi=0xffff88800694ec30 skb=0xffff888008476500 len=46 ipid_be=0x406 frag_be=0x200 proto=84 sport_be=0x0 dport_be=0x0
          <idle>-0       [000] ..s1.    40.000012: napi_gro_receive_entry: dev=eth0 napi_id=0x2 queue_mapping=0 skbaddr=ffff888008476500 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0806 ip_summed=0 hash=0x00000000 l4_hash=0 len=46
          <idle>-0       [000] ..s1.    40.000021: napi_gro_receive: (napi_gro_receive+0x0/0x200) napi=0xffff88800694ec30 skb=0xffff888008476600 len=92 ipid_be=0xe146 frag_be=0x40 proto=17 sport_be=0xb9be dport_be=0x8913
          <idle>-0       [000] ..s1.    40.000022: napi_gro_receive_entry: dev=eth0 napi_id=0x2 queue_mapping=0 skbaddr=ffff888008476600 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 hash=0x00000000 l4_hash=0 len=92
",
        &expect![[r#"
            ftrace
            1 ev napi_gro_receive ts 40.000001000 cpu 0 ctx softirq pid 0 skb ffff888008476400 len 72 napi ffff88800694ec30
            2 ev napi_gro_receive_entry ts 40.000002000 cpu 0 ctx softirq pid 0 skb ffff888008476400 len 72 dev eth0 queue 0 protocol 0x86dd hash 0x0
            3 ev napi_gro_receive ts 40.000011000 cpu 0 ctx softirq pid 0 skb ffff888008476500 len 46 napi ffff88800694ec30
            4 ev napi_gro_receive_entry ts 40.000012000 cpu 0 ctx softirq pid 0 skb ffff888008476500 len 46 dev eth0 queue 0 protocol 0x806 hash 0x0
            5 ev napi_gro_receive ts 40.000021000 cpu 0 ctx softirq pid 0 skb ffff888008476600 len 92 napi ffff88800694ec30 ip_id 0x46e1 frag_off 0x4000 proto 17 sport 48825 dport 5001
            6 ev napi_gro_receive_entry ts 40.000022000 cpu 0 ctx softirq pid 0 skb ffff888008476600 len 92 dev eth0 queue 0 protocol 0x800 hash 0x0
        "#]],
    );
}

/// The sequence number of each event of `__dev_queue_xmit`.
fn sequence_numbers(trace: &str) -> Vec<Option<u32>> {
    let run = import(trace).expect("it is a trace").run;
    let sent = run.indices().step_by(2);
    sent.map(|index| run.field(index, Field::SeqNo)).collect()
}

/// A segment as it leaves, and how an event goes on with it: two of IPv6 that `curl ::1` sends, one of IPv4.
fn leaves(micros: u32, then: &str) -> String {
    format!(
        "\
          curl-77       [000] b....    40.{micros:06}: __dev_queue_xmit: (__dev_queue_xmit+0x0/0xf50) skb=0xffff888008476400 len=86 ipid_be=0x2000 frag_be=0x4006 proto=6 seq_be=0x1020304 sport_be=0x0
          curl-77       [000] b....    40.{:06}: {then}
",
        micros + 1
    )
}

#[test]
fn a_segment_of_ipv6_has_no_sequence_number_in_its_address() {
    let sent = |protocol: &str| {
        format!(
            "net_dev_start_xmit: dev=lo queue_mapping=0 skbaddr=ffff888008476400 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol={protocol} ip_summed=3 len=86 data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=54 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0"
        )
    };
    let trace = [
        leaves(1, &sent("0x86dd")),
        leaves(11, &sent("0x86dd")),
        leaves(21, &sent("0x0800")),
    ];
    assert_eq!(
        sequence_numbers(&trace.concat()),
        [None, None, Some(0x0403_0201)]
    );
}

/// As with the events of one device alone, where kprobes still see all: nothing tells what it is.
#[test]
fn what_nothing_tells_the_protocol_of_has_no_header() {
    let freed = "consume_skb: skbaddr=ffff888008476400 location=__dev_kfree_skb_any+0x1/0x2";
    let refused = "kfree_skb: skbaddr=ffff888008476400 rx_sk=0000000000000000 protocol=2048 location=nf_hook_slow+0x1/0x2 reason: NETFILTER_DROP";
    let trace = [
        leaves(1, freed),
        leaves(11, refused),
        leaves(21, "softirq_raise: vec=3 [action=NET_RX]"),
    ];
    assert_eq!(
        sequence_numbers(&trace.concat()),
        [None, Some(0x0403_0201), None]
    );
}

/// A segment that TCP sends without the function that has a kprobe, as a SYN-ACK, from a port that others have too.
#[test]
fn a_port_of_ipv4_confirms_its_protocol() {
    let other = |port: &str| {
        format!("\
          <idle>-0       [000] ..s1.    41.000001: tcp_v4_rcv: (tcp_v4_rcv+0x0/0xee0) skb=0xffff888008a0b500 len=40 sport_be=0x8a13 dport_be={port} seq_be=0x175106c1 ack_be=0x13afb6cb
")
    };
    let trace = leaves(1, "softirq_raise: vec=3 [action=NET_RX]")
        .replace("0x4006", "0x40")
        .replace("sport_be=0x0", "sport_be=0x1c86");
    for (port, number) in [("0x1c86", Some(0x0403_0201)), ("0x1d86", None)] {
        let trace = [&trace[..], &other(port)].concat();
        assert_eq!(sequence_numbers(&trace)[0], number, "{port}");
    }
}

/// IP's own function has told it just before, on the same CPU; the length is then longer by the link header.
#[test]
fn what_ip_has_passed_on_is_of_ipv4() {
    let trace = "\
          curl-77       [000] .....    40.000001: ip_finish_output2: (ip_finish_output2+0x4/0x570) sk=0xffff8da581b88000 skb=0xffff888008476400 len=60 ipid_be=0x26d4 frag_be=0x40 proto=6 sport_be=0x1aaa dport_be=0x5114
          curl-77       [000] .....    40.000002: __dev_queue_xmit: (__dev_queue_xmit+0x0/0xf50) skb=0xffff888008476400 len=74 ipid_be=0x26d4 frag_be=0x40 proto=6 seq_be=0x1020304 sport_be=0x1aaa
";
    let run = import(trace).expect("it is a trace").run;
    let numbers: Vec<_> = run
        .indices()
        .map(|index| run.field(index, Field::SeqNo))
        .collect();
    assert_eq!(numbers, [None, Some(0x0403_0201)]);
}
