//! A bridge: what it floods goes out of each port as a copy, and up to the host as itself.

use super::*;

/// A broadcast comes in at `va`, is copied to `vb`, and the bridge's own device takes the original up.
#[test]
fn a_broadcast_goes_up_through_the_bridge_as_itself() {
    check_journeys(
        "
        1 ev net_dev_queue ts 0.000001000 cpu 3 ctx kernel pid 9 skb 10 len 42 dev ea
        2 ev net_dev_start_xmit ts 0.000003000 cpu 3 ctx kernel pid 9 skb 10 len 42 dev ea protocol 0806
        3 ev netif_rx_entry ts 0.000006000 cpu 3 ctx kernel pid 9 skb 10 len 28 dev va
        4 ev netif_rx ts 0.000007000 cpu 3 ctx kernel pid 9 skb 10 len 28 dev va
        5 ev net_dev_xmit ts 0.000008000 cpu 3 ctx kernel pid 9 skb 10 len 42 dev ea rc 0
        6 ev netif_receive_skb ts 0.000013000 cpu 3 ctx softirq pid 9 skb 10 len 28 dev va
        7 ev net_dev_queue ts 0.000032000 cpu 3 ctx softirq pid 9 skb 20 len 42 dev vb
        8 ev net_dev_start_xmit ts 0.000033000 cpu 3 ctx softirq pid 9 skb 20 len 42 dev vb protocol 0806
        9 ev netif_receive_skb_entry ts 0.000036000 cpu 3 ctx softirq pid 9 skb 10 len 28 dev br9
        10 ev netif_receive_skb ts 0.000037000 cpu 3 ctx softirq pid 9 skb 10 len 28 dev br9
        11 ev consume_skb ts 0.000041000 cpu 3 ctx softirq pid 9 skb 10
        ",
        &expect![[r#"
            packet 0: tx 42 B, consumed by the stack: 40 µs, 36 in service
              +0          cpu3  kernel   qdisc              2 = 2 service + 0 wait
              +2          cpu3  kernel   driver send        3 = 3 service + 0 wait
              +5          cpu3  kernel   backlog            7 = 7 service + 0 wait
              +12         cpu3  softirq  net core           28 = 24 service + 4 wait
            packet 1: tx 42 B, transmitted: 1 µs, 1 in service
              +0          cpu3  softirq  qdisc              1 = 1 service + 0 wait
              +1          cpu3  softirq  driver send        0 = 0 service + 0 wait
        "#]],
    );
}

/// The same device again at an address that was given out anew is another packet.
#[test]
fn the_same_device_again_is_another_packet() {
    check_journeys(
        "
        1 ev netif_receive_skb_entry ts 0.000001000 cpu 3 ctx softirq pid 9 skb 10 len 28 dev eth0
        2 ev netif_receive_skb ts 0.000002000 cpu 3 ctx softirq pid 9 skb 10 len 28 dev eth0
        3 ev netif_receive_skb_entry ts 0.000004000 cpu 3 ctx softirq pid 9 skb 10 len 28 dev eth0
        4 ev netif_receive_skb ts 0.000005000 cpu 3 ctx softirq pid 9 skb 10 len 28 dev eth0
        5 ev consume_skb ts 0.000006000 cpu 3 ctx softirq pid 9 skb 10
        ",
        &expect![[r#"
            packet 0: rx 28 B, end not observed: 1 µs, 1 in service
              +0          cpu3  softirq  net core           1 = 1 service + 0 wait
            packet 1: rx 28 B, consumed by the stack: 2 µs, 2 in service
              +0          cpu3  softirq  net core           2 = 2 service + 0 wait
        "#]],
    );
}
