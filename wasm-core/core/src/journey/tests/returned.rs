//! What a driver's transmit function does with a packet: takes it, frees it, or gives it back.
//!
//! The lines are of kernel 6.18.

use expect_test::expect;

use super::few_events::{check, opened};
use crate::journey::ending;

/// How each packet ended.
fn ends(trace: &str) -> Vec<String> {
    let (run, journeys) = opened(trace);
    let end = |packet| ending(&run, &journeys, packet);
    journeys.ids().map(end).collect()
}

/// A packet is given to a driver; `then` is what comes before its function returns.
fn sent(dev: &str, skb: u32, micros: u32, then: &str) -> String {
    format!(
        "
   sender-9      [001] b....    13.{micros:06}: net_dev_queue: dev={dev} skbaddr=ffff88800{skb:07x} len=98
   sender-9      [001] b....    13.{:06}: net_dev_start_xmit: dev={dev} queue_mapping=0 skbaddr=ffff88800{skb:07x} vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 len=98 data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0{then}
   sender-9      [001] b....    13.{:06}: net_dev_xmit: dev={dev} skbaddr=ffff88800{skb:07x} len=98 rc=0",
        micros + 1,
        micros + 5
    )
}

fn freed(skb: u32, micros: u32, cpu: u32, location: &str) -> String {
    format!(
        "
   sender-9      [{cpu:03}] b....    13.{micros:06}: kfree_skb: skbaddr=ffff88800{skb:07x} rx_sk=0000000000000000 protocol=2048 location={location} reason: NOT_SPECIFIED"
    )
}

/// GRE without a route to its other end.
#[test]
fn what_a_tunnel_frees_in_its_transmit_function_is_dropped() {
    let trace = sent(
        "gre1",
        0x100,
        10,
        &freed(0x100, 13, 1, "ip_tunnel_xmit+0x5c/0xb40"),
    );
    assert_eq!(ends(&trace), ["dropped: NOT_SPECIFIED (inferred)"]);
}

/// A driver that could not map one of its packets, and one that copies all it sends, on whichever CPU another is freed.
#[test]
fn of_a_nic_it_depends_on_what_it_does_with_the_others() {
    let done = freed(0x100, 20, 0, "e1000_clean+0x5c/0xb40");
    let failed = freed(0x200, 33, 1, "e1000_xmit_frame+0x5c/0xb40");
    let trace = [
        sent("eth0", 0x100, 10, ""),
        done,
        sent("eth0", 0x200, 30, &failed),
    ];
    assert_eq!(
        ends(&trace.concat()),
        ["transmitted", "dropped: NOT_SPECIFIED (inferred)"]
    );
    let copied = |skb: u32, micros: u32| {
        let freed = freed(skb, micros + 3, 1, "rtl8139_start_xmit+0x5c/0xb40");
        sent("eth1", skb, micros, &freed)
    };
    assert_eq!(
        ends(&[copied(0x100, 10), copied(0x200, 30)].concat()),
        ["transmitted", "transmitted"]
    );
}

/// `NETDEV_TX_BUSY`: the packet goes back into the queue, and out of it again.
const BUSY: &str = "
   sender-9      [001] b....    13.000010: net_dev_queue: dev=eth0 skbaddr=ffff888000000100 len=98
   sender-9      [001] b....    13.000011: qdisc_enqueue: enqueue ifindex=2 qdisc handle=0x0 parent=0x0 skbaddr=ffff888000000100
   sender-9      [001] b....    13.000012: qdisc_dequeue: dequeue ifindex=2 qdisc handle=0x0 parent=0x0 txq_state=0x0 packets=1 skbaddr=ffff888000000100
   sender-9      [001] b....    13.000013: net_dev_start_xmit: dev=eth0 queue_mapping=0 skbaddr=ffff888000000100 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 len=98 data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0
   sender-9      [001] b....    13.000014: net_dev_xmit: dev=eth0 skbaddr=ffff888000000100 len=98 rc=16";

#[test]
fn what_a_busy_driver_gives_back_is_sent_later() {
    let later = "
   <idle>-0      [001] b.s..    13.000114: qdisc_dequeue: dequeue ifindex=2 qdisc handle=0x0 parent=0x0 txq_state=0x0 packets=1 skbaddr=ffff888000000100
   <idle>-0      [001] b.s..    13.000116: net_dev_start_xmit: dev=eth0 queue_mapping=0 skbaddr=ffff888000000100 vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=0 len=98 data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0
   <idle>-0      [001] b.s..    13.000119: net_dev_xmit: dev=eth0 skbaddr=ffff888000000100 len=98 rc=0
   <idle>-0      [001] ..s..    13.000219: consume_skb: skbaddr=ffff888000000100 location=e1000_clean+0x5c/0xb40";
    check(
        &[BUSY, later].concat(),
        &expect![[r#"
            packet 0: tx 98 B, transmitted: 209 µs, 209 in service
              +0          cpu1  kernel   qdisc              2 = 2 service + 0 wait
              +2          cpu1  kernel   driver send        2 = 2 service + 0 wait
              +4          cpu1  kernel   qdisc              100 = 100 service + 0 wait
              +104        cpu1  softirq  driver send        5 = 5 service + 0 wait
              +109        cpu1  softirq  tx ring            100 = 100 service + 0 wait
        "#]],
    );
}

#[test]
fn what_a_busy_driver_gave_back_is_purged_with_the_queue() {
    let purged = "
   ip-10         [000] .....    13.000314: kfree_skb: skbaddr=ffff888000000100 rx_sk=0000000000000000 protocol=2048 location=__qdisc_reset_queue+0x5c/0xb40 reason: QUEUE_PURGE";
    assert_eq!(ends(&[BUSY, purged].concat()), ["dropped: QUEUE_PURGE"]);
    assert_eq!(ends(BUSY), ["end not observed"]);
}

/// `NET_XMIT_DROP` and errors of virtual devices; with `NET_XMIT_CN` the device below has taken it.
#[test]
fn what_a_device_says_it_lost_is_dropped() {
    for (rc, end) in [
        ("1", "dropped: NOT_SPECIFIED (inferred)"),
        ("-19", "dropped: NOT_SPECIFIED (inferred)"),
        ("2", "transmitted"),
    ] {
        let trace = BUSY.replace("rc=16", &format!("rc={rc}"));
        assert_eq!(ends(&trace), [end], "{rc}");
    }
}

/// With a queue before it, the driver gets the pieces of what was taken out of the queue, which another task put in.
#[test]
fn pieces_are_of_what_left_the_queue_of_their_device() {
    let queue = |skb: u32, dev: &str, micros: u32| {
        format!(
            "
   sender-9      [001] b....    13.{micros:06}: net_dev_queue: dev={dev} skbaddr=ffff88800{skb:07x} len=2962"
        )
    };
    let leaves = "
   sender-9      [001] b....    13.000032: qdisc_dequeue: dequeue ifindex=2 qdisc handle=0x0 parent=0x0 txq_state=0x0 packets=1 skbaddr=ffff888000000100
   sender-9      [001] b....    13.000033: consume_skb: skbaddr=ffff888000000100 location=validate_xmit_skb+0x5c/0xb40";
    let whole = |last: &str| {
        let trace = [
            queue(0x100, "eth0", 10),
            queue(0x200, last, 20),
            leaves.to_owned(),
            sent("eth0", 0x300, 40, "").split_off(
                sent("eth0", 0x300, 40, "")
                    .find("\n   sender-9      [001] b....    13.000041")
                    .unwrap(),
            ),
        ];
        let (_, journeys) = opened(&trace.concat());
        let piece = journeys.ids().last().unwrap();
        journeys.packets[piece.at()].cut_from.0
    };
    assert_eq!(whole("eth0"), 0);
    assert_eq!(whole("eth1"), 0);
}
