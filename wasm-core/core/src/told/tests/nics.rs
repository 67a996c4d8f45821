//! To whom a driver gives a packet: a NIC has rings that are polled, another device has none.

use super::said::check;
use expect_test::expect;

/// A packet is given to a device, in a run that shows a poll of `eth0`.
fn given_to(dev: &str) -> String {
    format!(
        "1 ev napi_poll ts 1.000000 cpu 0 ctx softirq pid 0 napi ffff888000000900 dev eth0 work 1 budget 64
         2 ev net_dev_queue ts 1.000010 cpu 0 ctx kernel pid 9 skb ffff888005001000 len 98 dev {dev}
         3 ev net_dev_start_xmit ts 1.000012 cpu 0 ctx kernel pid 9 skb ffff888005001000 len 98 dev {dev}
         4 ev net_dev_xmit ts 1.000015 cpu 0 ctx kernel pid 9 skb ffff888005001000 len 98 dev {dev} rc 0
         5 ev sched_switch ts 1.000030 cpu 0 prev_pid 9 next_pid 0"
    )
}

#[test]
fn a_nic_is_one_whose_ring_is_polled() {
    check(
        &given_to("eth0"),
        0,
        &expect![[r#"
        3.572 µs #0 We follow packet 0 as soon as it comes: 98 B. It is first seen here: qdisc. [net_dev_queue on CPU 0, kernel]
        10 µs #0 It takes its turn in the queueing discipline. [net_dev_queue on CPU 0, kernel]
        12 µs #0 The driver gives it to the NIC. [net_dev_start_xmit on CPU 0, kernel]
        15 µs #0 It is in the tx ring until the NIC reports that it was sent. [net_dev_xmit on CPU 0, kernel]
        15 µs #0 The NIC has it, 5.00 µs after its first event. [net_dev_xmit on CPU 0, kernel]
    "#]],
    );
    check(
        &given_to("gre1"),
        0,
        &expect![[r#"
        3.572 µs #0 We follow packet 0 as soon as it comes: 98 B. It is first seen here: qdisc. [net_dev_queue on CPU 0, kernel]
        10 µs #0 It takes its turn in the queueing discipline. [net_dev_queue on CPU 0, kernel]
        12 µs #0 The driver gives it to the device gre1. No NIC of this recording has that name. [net_dev_start_xmit on CPU 0, kernel]
        15 µs #0 The device gre1 has taken it, and has no ring of its own. [net_dev_xmit on CPU 0, kernel]
        15 µs #0 The device gre1 has it, 5.00 µs after its first event. What became of it there was not recorded. [net_dev_xmit on CPU 0, kernel]
    "#]],
    );
}

/// What is sent by a tunnel and goes on by the device below, or by a VLAN, whose tag the device below has beside the packet.
fn given_down(upper: &str, len: u32, below: u32) -> String {
    format!(
        "1 ev napi_poll ts 1.000000 cpu 0 ctx softirq pid 0 napi ffff888000000900 dev eth0 work 1 budget 64
         2 ev net_dev_queue ts 1.000010 cpu 0 ctx kernel pid 9 skb ffff888005001000 len {len} dev {upper}
         3 ev net_dev_start_xmit ts 1.000012 cpu 0 ctx kernel pid 9 skb ffff888005001000 len {len} dev {upper}
         4 ev net_dev_queue ts 1.000013 cpu 0 ctx kernel pid 9 skb ffff888005001000 len {below} dev eth0
         5 ev net_dev_start_xmit ts 1.000014 cpu 0 ctx kernel pid 9 skb ffff888005001000 len {below} dev eth0
         6 ev net_dev_xmit ts 1.000015 cpu 0 ctx kernel pid 9 skb ffff888005001000 len {below} dev eth0 rc 0
         7 ev sched_switch ts 1.000030 cpu 0 prev_pid 9 next_pid 0"
    )
}

#[test]
fn a_tunnel_is_named_where_it_wraps_a_packet() {
    check(
        &given_down("vxlan5", 98, 148),
        0,
        &expect![[r#"
        3.572 µs #0 We follow packet 0 as soon as it comes: 148 B. It is first seen here: qdisc. [net_dev_queue on CPU 0, kernel]
        10 µs #0 It takes its turn in the queueing discipline. [net_dev_queue on CPU 0, kernel]
        12 µs #0 The device vxlan5 is a tunnel: it puts 50 B of headers before the packet and gives it to the device eth0. [net_dev_start_xmit on CPU 0, kernel]
        13 µs #0 It takes its turn in the queueing discipline. [net_dev_queue on CPU 0, kernel]
        14 µs #0 The driver gives it to the NIC. [net_dev_start_xmit on CPU 0, kernel]
        15 µs #0 It is in the tx ring until the NIC reports that it was sent. [net_dev_xmit on CPU 0, kernel]
        15 µs #0 The NIC has it, 5.00 µs after its first event. [net_dev_xmit on CPU 0, kernel]
    "#]],
    );
    check(
        &given_down("eth0.7", 98, 98),
        0,
        &expect![[r#"
        3.572 µs #0 We follow packet 0 as soon as it comes: 98 B. It is first seen here: qdisc. [net_dev_queue on CPU 0, kernel]
        10 µs #0 It takes its turn in the queueing discipline. [net_dev_queue on CPU 0, kernel]
        12 µs #0 The device eth0.7 has no hardware of its own: it gives the packet to the device eth0. [net_dev_start_xmit on CPU 0, kernel]
        13 µs #0 It takes its turn in the queueing discipline. [net_dev_queue on CPU 0, kernel]
        14 µs #0 The driver gives it to the NIC. [net_dev_start_xmit on CPU 0, kernel]
        15 µs #0 It is in the tx ring until the NIC reports that it was sent. [net_dev_xmit on CPU 0, kernel]
        15 µs #0 The NIC has it, 5.00 µs after its first event. [net_dev_xmit on CPU 0, kernel]
    "#]],
    );
}

#[test]
fn a_tunnel_is_named_where_it_unwraps_a_packet() {
    check(
        "1 ev netif_receive_skb ts 1.000010 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 134 dev eth0
         2 ev napi_gro_receive_entry ts 1.000012 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 84 dev vxlan5
         3 ev netif_receive_skb ts 1.000014 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 84 dev vxlan5
         4 ev sched_switch ts 1.000030 cpu 0 prev_pid 9 next_pid 0",
        0,
        &expect![[r#"
            0 µs #0 We follow packet 0: 134 B. [netif_receive_skb on CPU 0, softirq]
            0 µs #0 The net core hands it to the protocol that its header names. [netif_receive_skb on CPU 0, softirq]
            2 µs #0 It came within another packet. Without the 50 B of headers before it, it comes in once more, by the tunnel’s device vxlan5. [napi_gro_receive_entry on CPU 0, softirq]
            4 µs #0 The net core hands it to the protocol that its header names. [netif_receive_skb on CPU 0, softirq]
        "#]],
    );
}
