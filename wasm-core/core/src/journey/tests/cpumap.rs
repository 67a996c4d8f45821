//! Generic XDP and a cpumap: a packet goes on in a kernel thread, as a rule on another CPU, as the same `sk_buff`.

use expect_test::expect;

use super::few_events::{check, opened};
use crate::kernel::VerdictKind;

/// A program at an end of a veth pair redirects two datagrams: each is received there, rests in the map's ring, and is received
/// once more by the map's thread, whose GRO hands both on together.
#[test]
fn what_a_cpumap_hands_to_another_cpu_is_one_journey() {
    check(
        "
     python3-30994   [000] b.... 13987.854110: net_dev_queue: dev=v2a skbaddr=00000000c792c8b2 len=142
     python3-30994   [000] b.... 13987.854111: net_dev_start_xmit: dev=v2a queue_mapping=0 skbaddr=00000000c792c8b2 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 len=142 data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0
     python3-30994   [000] b.... 13987.854112: netif_rx: dev=v2b skbaddr=00000000c792c8b2 len=128
     python3-30994   [000] b.... 13987.854113: net_dev_xmit: dev=v2a skbaddr=00000000c792c8b2 len=142 rc=0
     python3-30994   [000] ..s1. 13987.854115: netif_receive_skb: dev=v2b skbaddr=00000000c792c8b2 len=128
     python3-30994   [000] b.... 13987.854120: net_dev_queue: dev=v2a skbaddr=00000000e31ccf52 len=142
     python3-30994   [000] b.... 13987.854122: netif_rx: dev=v2b skbaddr=00000000e31ccf52 len=128
     python3-30994   [000] b.... 13987.854123: net_dev_xmit: dev=v2a skbaddr=00000000e31ccf52 len=142 rc=0
     python3-30994   [000] ..s1. 13987.854125: netif_receive_skb: dev=v2b skbaddr=00000000e31ccf52 len=128
 cpumap/1/map:12-345     [001] b.... 13987.854130: napi_gro_receive_entry: dev=v2b napi_id=0x0 queue_mapping=0 skbaddr=00000000c792c8b2 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 hash=0x00000000 l4_hash=0 len=128 data_len=0 truesize=768 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0
 cpumap/1/map:12-345     [001] b.... 13987.854131: napi_gro_receive_entry: dev=v2b napi_id=0x0 queue_mapping=0 skbaddr=00000000e31ccf52 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 hash=0x00000000 l4_hash=0 len=128 data_len=0 truesize=768 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0
 cpumap/1/map:12-345     [001] b.... 13987.854132: netif_receive_skb: dev=v2b skbaddr=00000000c792c8b2 len=128
 cpumap/1/map:12-345     [001] b.... 13987.854133: netif_receive_skb: dev=v2b skbaddr=00000000e31ccf52 len=128
 cpumap/1/map:12-345     [001] b.... 13987.854135: sk_data_ready: family=2 protocol=17 func=sock_def_readable
 cpumap/1/map:12-345     [001] b.... 13987.854137: sk_data_ready: family=2 protocol=17 func=sock_def_readable
       urecv-401     [000] ..... 13987.854140: consume_skb: skbaddr=00000000c792c8b2 location=skb_consume_udp+0x5c/0x110
       urecv-401     [000] ..... 13987.854142: sock_recv_length: sk address = 000000005e769b64, family = AF_INET protocol = 0x11, length = 100, error = 0, flags = 0x40
       urecv-401     [000] ..... 13987.854144: consume_skb: skbaddr=00000000e31ccf52 location=skb_consume_udp+0x5c/0x110
       urecv-401     [000] ..... 13987.854146: sock_recv_length: sk address = 000000005e769b64, family = AF_INET protocol = 0x11, length = 100, error = 0, flags = 0x40
        ",
        &expect![[r#"
            packet 0: tx 142 B, delivered to urecv (401): 30 µs, 14 in service
              +0          cpu0  kernel   qdisc              1 = 1 service + 0 wait
              +1          cpu0  kernel   driver send        1 = 1 service + 0 wait
              +2          cpu0  kernel   backlog            3 = 3 service + 0 wait
              +5          cpu0  softirq  net core           15 = 5 service + 10 wait
              +20         cpu1  kernel   GRO                2 = 1 service + 1 wait
              +22         cpu1  kernel   net core           3 = 1 service + 2 wait
              +25         cpu1  kernel   receive queue      5 = 2 service + 3 wait
            packet 1: tx 142 B, delivered to urecv (401): 24 µs, 14 in service
              +0          cpu0  kernel   qdisc              2 = 2 service + 0 wait
              +2          cpu0  kernel   backlog            3 = 3 service + 0 wait
              +5          cpu0  softirq  net core           6 = 6 service + 0 wait
              +11         cpu1  kernel   GRO                2 = 1 service + 1 wait
              +13         cpu1  kernel   net core           4 = 2 service + 2 wait
              +17         cpu1  kernel   receive queue      7 = 0 service + 7 wait
        "#]],
    );
}

/// What was received, and what the map's thread has next at that address.
fn redirected(between: &str, next: &str) -> Vec<VerdictKind> {
    let received = "     <idle>-0     [000] ..s1. 13987.854115: netif_receive_skb: dev=v2b skbaddr=00000000c792c8b2 len=128";
    let freed = "cpumap/1/map:12-345     [001] b.... 13987.854150: kfree_skb: skbaddr=00000000c792c8b2 rx_sk=0000000000000000 protocol=2048 location=__udp4_lib_rcv+0x4bc reason: NO_SOCKET";
    let (_, journeys) = opened(&format!("{received}\n{between}\n{next}\n{freed}\n"));
    journeys
        .packets
        .iter()
        .map(|it| it.verdict.kind())
        .collect()
}

/// The thread takes packets up one by one or as a list, by kernel.
#[test]
fn each_way_into_the_stack_from_a_cpumap_goes_on_with_its_packet() {
    for next in [
        "cpumap/1/map:12-345     [001] b.... 13987.854130: netif_receive_skb_list_entry: dev=v2b napi_id=0x0 queue_mapping=0 skbaddr=00000000c792c8b2 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 hash=0x00000000 l4_hash=0 len=128 data_len=0 truesize=768 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0",
        "cpumap/1/map:12-345     [001] b.... 13987.854130: netif_receive_skb: dev=v2b skbaddr=00000000c792c8b2 len=128",
    ] {
        assert_eq!(redirected("", next), [VerdictKind::Dropped], "{next}");
    }
}

fn taken_up(by: &str, dev: &str) -> String {
    format!(
        "{by} 13987.854130: napi_gro_receive_entry: dev={dev} napi_id=0x0 queue_mapping=0 skbaddr=00000000c792c8b2 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 hash=0x00000000 l4_hash=0 len=128 data_len=0 truesize=768 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0"
    )
}

/// An address that was freed, or whose packet is in a socket's queue, or that another thread, a softirq on top of this one, or
/// another device has, is another packet's; and a thread that had a packet at an address takes up another there, as native XDP has
/// it make an `sk_buff` of each frame.
#[test]
fn what_a_cpumap_was_not_handed_is_another_packet() {
    let thread = "cpumap/1/map:12-345     [001] b....";
    let freed = "     <idle>-0     [000] ..s1. 13987.854120: kfree_skb: skbaddr=00000000c792c8b2 rx_sk=0000000000000000 protocol=2048 location=__udp4_lib_rcv+0x4bc reason: NO_SOCKET";
    let has_had = "cpumap/1/map:12-345     [001] b.... 13987.854120: netif_receive_skb: dev=v2b skbaddr=00000000c792c8b2 len=128";
    let one = redirected("", &taken_up(thread, "v2b"));
    assert_eq!(one, [VerdictKind::Dropped]);
    for (between, by, dev) in [
        (freed, thread, "v2b"),
        (has_had, thread, "v2b"),
        ("", thread, "eth0"),
        ("", "   kworker/1:0-346     [001] b....", "v2b"),
        ("", "           <...>-346     [001] b....", "v2b"),
        ("", "cpumap/1/map:12-345     [001] ..s1.", "v2b"),
    ] {
        let two = redirected(between, &taken_up(by, dev));
        assert_eq!(two.len(), 2, "{between} {by} {dev}");
    }
}

/// Where no free of what was consumed is recorded, the end of the earlier packet may have been missed: that it is one is inferred,
/// and only where it is as long as it was.
#[test]
fn without_frees_it_is_inferred_what_a_cpumap_was_handed() {
    let received = "     <idle>-0     [000] ..s1. 13987.854115: netif_receive_skb: dev=v2b skbaddr=00000000c792c8b2 len=128";
    let freed = |location: &str| {
        format!(
            "cpumap/1/map:12-345     [001] b.... 13987.854150: kfree_skb: skbaddr=00000000c792c8b2 rx_sk=0000000000000000 protocol=2048 location={location} reason: NO_SOCKET"
        )
    };
    let next = taken_up("cpumap/1/map:12-345     [001] b....", "v2b");
    let trace = format!("{received}\n{next}\n{}\n", freed("__udp4_lib_rcv+0x4bc"));
    let (_, journeys) = opened(&trace);
    let inferred = journeys.packets.iter().map(|it| it.is_inferred);
    assert_eq!(inferred.collect::<Vec<_>>(), [true]);
    let (_, journeys) = opened(&trace.replacen("len=128", "len=80", 1));
    assert_eq!(journeys.packets.len(), 2);
}
