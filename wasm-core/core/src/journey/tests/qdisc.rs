//! Queueing disciplines: what one cuts, and what one refuses.

use super::*;
use crate::kernel::Verdict;

/// `tbf` has no room for a segment that it cut; that had its memory from an acknowledgement which TCP was done with.
#[test]
fn what_a_qdisc_refuses_is_nothing_that_came_up_before() {
    check_journeys(
        "
        1 ev netif_rx_entry ts 0.000001000 cpu 0 ctx softirq pid 9 skb 10 len 52 dev v1
        2 ev netif_rx ts 0.000002000 cpu 0 ctx softirq pid 9 skb 10 len 52 dev v1
        3 ev netif_receive_skb ts 0.000003000 cpu 0 ctx softirq pid 9 skb 10 len 52 dev v1
        4 ev tcp_probe ts 0.000004000 cpu 0 ctx softirq pid 9 skb 10 payload 0
        5 ev kfree_skb ts 0.000009000 cpu 1 ctx kernel pid 8 skb 10 reason QDISC_DROP
        6 ev net_dev_queue ts 0.000010000 cpu 1 ctx kernel pid 8 skb 20 len 1514 dev v0
        7 ev kfree_skb ts 0.000011000 cpu 1 ctx kernel pid 8 skb 20 reason QDISC_DROP
        ",
        &expect![[r#"
            packet 0: rx 52 B, consumed by the stack (inferred): 3 µs, 3 in service
              +0          cpu0  softirq  backlog            2 = 2 service + 0 wait
              +2          cpu0  softirq  net core           1 = 1 service + 0 wait
              +3          cpu0  softirq  TCP                0 = 0 service + 0 wait
            packet 1: tx 1514 B, dropped: QDISC_DROP: 1 µs, 1 in service
              +0          cpu1  kernel   qdisc              1 = 1 service + 0 wait
        "#]],
    );
}

/// What it cut is freed before the kernel reports that it is in the queue, and the next frame out of it is no piece
/// of what came last.
#[test]
fn what_a_qdisc_cuts_ends_there() {
    check_journeys(
        "
        1 ev net_dev_queue ts 0.000001000 cpu 1 ctx kernel pid 8 skb 20 len 7306 dev v0
        2 ev consume_skb ts 0.000002000 cpu 1 ctx kernel pid 8 skb 20
        3 ev qdisc_enqueue ts 0.000003000 cpu 1 ctx kernel pid 8 skb 20
        4 ev net_dev_start_xmit ts 0.000004000 cpu 1 ctx kernel pid 8 skb 30 len 1514 dev v0
        5 ev net_dev_xmit ts 0.000005000 cpu 1 ctx kernel pid 8 skb 30 len 1514 dev v0 rc 0
        ",
        &expect![[r#"
            packet 0: tx 7306 B, consumed by the stack: 2 µs, 2 in service
              +0          cpu1  kernel   qdisc              2 = 2 service + 0 wait
            packet 1: tx 1514 B, transmitted: 1 µs, 1 in service
              +0          cpu1  kernel   driver send        1 = 1 service + 0 wait
              +1          cpu1  kernel   tx ring            0 = 0 service + 0 wait
        "#]],
    );
}

/// Whatever a qdisc drops for was being sent: v6.14 and v6.17 have told what was `QDISC_DROP` before apart.
#[test]
fn every_reason_of_a_qdisc_is_of_what_is_sent() {
    let ends = |reason: &str| {
        let run = run_of(&format!(
            "
        1 ev netif_rx ts 0.000002000 cpu 0 ctx softirq pid 9 skb 10 len 52 dev v1
        2 ev netif_receive_skb ts 0.000003000 cpu 0 ctx softirq pid 9 skb 10 len 52 dev v1
        3 ev tcp_probe ts 0.000004000 cpu 0 ctx softirq pid 9 skb 10 payload 0
        4 ev kfree_skb ts 0.000009000 cpu 1 ctx kernel pid 8 skb 10 reason {reason}
        5 ev net_dev_queue ts 0.000010000 cpu 1 ctx kernel pid 8 skb 20 len 1514 dev v0
        6 ev kfree_skb ts 0.000011000 cpu 1 ctx kernel pid 8 skb 20 reason {reason}
        "
        ));
        let journeys = Journeys::of(&run);
        let is_dropped = |it: &Packet| matches!(it.verdict, Verdict::Dropped { .. });
        let ends: Vec<_> = journeys.packets.iter().map(is_dropped).collect();
        ends
    };
    for reason in [
        "QDISC_DROP",
        "QDISC_OVERLIMIT",
        "QDISC_CONGESTED",
        "CAKE_FLOOD",
        "FQ_BAND_LIMIT",
        "FQ_HORIZON_LIMIT",
        "FQ_FLOW_LIMIT",
        "DUALPI2_STEP_DROP",
    ] {
        assert_eq!(ends(reason), [false, true], "{reason}");
    }
}

/// What comes up again of the pieces tells the flow of all of them, and of what was cut.
#[test]
fn what_a_qdisc_cuts_has_the_flow_of_its_pieces() {
    let piece = |number: u32| {
        let skb = 0x30 + number;
        let at = |after: u32| {
            format!(
                "0.0000{:02}000 cpu 1 ctx softirq pid 8 skb {skb:x}",
                number * 10 + after
            )
        };
        format!(
            "
        5 ev net_dev_start_xmit ts {} len 1514 dev v0
        6 ev net_dev_xmit ts {} len 1514 dev v0 rc 0",
            at(0),
            at(1)
        )
    };
    let run = run_of(&format!(
        "
        1 ev net_dev_queue ts 0.000001000 cpu 1 ctx softirq pid 8 skb 20 len 4410 dev v0
        2 ev consume_skb ts 0.000002000 cpu 1 ctx softirq pid 8 skb 20 location tbf_enqueue+0x12/0x60
        3 ev qdisc_enqueue ts 0.000003000 cpu 1 ctx softirq pid 8 skb 20{}{}{}
        7 ev netif_receive_skb ts 0.000040000 cpu 1 ctx softirq pid 8 skb 31 len 1500 dev v1
        8 ev tcp_probe ts 0.000041000 cpu 1 ctx softirq pid 8 skb 31 payload 1448 sport 80 dport 4000 saddr 192.0.2.1 daddr 192.0.2.2",
        piece(1),
        piece(2),
        piece(3)
    ));
    let journeys = Journeys::of(&run);
    let flow = |packet: &crate::journey::Packet| {
        let flow = journeys.flow(packet.flow);
        flow.map_or_else(|| "?".to_owned(), ToString::to_string)
    };
    let flows: Vec<_> = journeys.packets.iter().map(flow).collect();
    assert_eq!(flows, ["TCP 192.0.2.2:4000 → 192.0.2.1:80"; 4]);
}
