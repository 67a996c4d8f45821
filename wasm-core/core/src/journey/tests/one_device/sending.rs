//! Drops of what is sent, at addresses that a received packet had, or none: their only event. The lines are of kernel 6.18.

use expect_test::expect;

use super::super::few_events::check;

/// A segment that TCP queues; its reader frees it without an event.
const SEGMENT: &str = "
    rx-22223 [001] ..s.. 2293.013227: netif_receive_skb: dev=eth0 skbaddr=00000000ecc82bb7 len=1500
    rx-22223 [001] ..s1. 2293.013228: tcp_probe: family=AF_INET src=10.9.0.2:6001 dest=10.9.0.1:59634 mark=0x0 data_len=1448 snd_nxt=0xba476bc6 snd_una=0xba476bc6 snd_cwnd=10 ssthresh=2147483647 snd_wnd=64512 srtt=25 rcv_wnd=64512 sock_cookie=1c1 skbaddr=00000000ecc82bb7 skaddr=00000000cecb8b3f
    rx-22223 [001] ..s1. 2293.013228: sk_data_ready: family=2 protocol=6 func=sock_def_readable
    rx-22223 [001] ..s1. 2293.013229: softirq_exit: vec=3 [action=NET_RX]";

/// Another packet leaves, so that the recording shows sending.
const SENT: &str = "
    tx-22224 [001] b.... 2293.023897: net_dev_queue: dev=eth0 skbaddr=000000003e39f053 len=66
    tx-22224 [001] b.... 2293.023898: net_dev_xmit: dev=eth0 skbaddr=000000003e39f053 len=66 rc=0";

/// A token bucket has cut a packet, and its queue is full. What was received at that address is not sent.
#[test]
fn what_a_queue_refuses_is_not_what_was_received_at_its_address() {
    let refused = "
    tx-22224 [001] b.... 2293.023899: kfree_skb: skbaddr=00000000ecc82bb7 rx_sk=0000000000000000 protocol=2048 location=__dev_queue_xmit+0xdd1/0x1010 reason: QDISC_DROP";
    check(
        &[SEGMENT, SENT, refused].concat(),
        &expect![[r#"
        packet 0: rx 1500 B TCP 10.9.0.1:59634 → 10.9.0.2:6001, end not observed: 1 µs, 1 in service
          +0          cpu1  softirq  net core           1 = 1 service + 0 wait
          +1          cpu1  softirq  TCP                0 = 0 service + 0 wait
          +1          cpu1  softirq  receive queue      0 = 0 service + 0 wait
        packet 1: tx 66 B, transmitted: 1 µs, 1 in service
          +0          cpu1  kernel   qdisc              1 = 1 service + 0 wait
          +1          cpu1  kernel   tx ring            0 = 0 service + 0 wait
        packet 2: tx ? B, dropped: QDISC_DROP (inferred): 0 µs, 0 in service
          +0          cpu1  kernel   qdisc              0 = 0 service + 0 wait
    "#]],
    );
}

/// Packets that wait for an address are dropped when the neighbour is given up (`net/core/neighbour.c: neigh_destroy`).
#[test]
fn what_waited_for_a_neighbour_that_is_given_up_was_dropped() {
    let purged = |skb: &str| {
        format!(
            "
    kworker/u8:2-35 [001] b..2. 2293.053287: kfree_skb: skbaddr=00000000{skb} rx_sk=0000000000000000 protocol=2048 location=neigh_destroy+0x89/0x190 reason: QUEUE_PURGE"
        )
    };
    // What a socket's queue held when it was closed has most often been read.
    let closed = "
    tx-22224 [001] ..... 2293.053289: kfree_skb: skbaddr=000000003b4fe67c rx_sk=0000000000000000 protocol=2048 location=sk_stream_kill_queues+0x57/0xf0 reason: QUEUE_PURGE";
    let trace = [
        SEGMENT,
        SENT,
        &purged("3b4fe67b"),
        &purged("ecc82bb7"),
        closed,
    ];
    check(
        &trace.concat(),
        &expect![[r#"
        packet 0: rx 1500 B TCP 10.9.0.1:59634 → 10.9.0.2:6001, end not observed: 1 µs, 1 in service
          +0          cpu1  softirq  net core           1 = 1 service + 0 wait
          +1          cpu1  softirq  TCP                0 = 0 service + 0 wait
          +1          cpu1  softirq  receive queue      0 = 0 service + 0 wait
        packet 1: tx 66 B, transmitted: 1 µs, 1 in service
          +0          cpu1  kernel   qdisc              1 = 1 service + 0 wait
          +1          cpu1  kernel   tx ring            0 = 0 service + 0 wait
        packet 2: tx ? B, dropped: QUEUE_PURGE: 0 µs, 0 in service
          +0          cpu1  kernel   IP send            0 = 0 service + 0 wait
        packet 3: tx ? B, dropped: QUEUE_PURGE: 0 µs, 0 in service
          +0          cpu1  kernel   IP send            0 = 0 service + 0 wait
    "#]],
    );
}
