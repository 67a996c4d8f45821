//! Measures of the paper's sample, and what holds for every run.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::import::kperf::tests::PAPER;
use crate::kernel::{EventIdx, Verdict};
use crate::replay::tests::any_run::any_run;
use crate::replay::tests::{after, replay, replay_of};

fn check_measures(trace: &str, from: u64, to: u64, expected: &Expect) {
    let replay = replay_of(trace);
    let measures = Measures::of(&replay, after(&replay, from), after(&replay, to));
    let mut text = String::new();
    for measure in &measures.layers {
        let (layer, times) = (measure.layer, measure.times);
        let _ = writeln!(
            text,
            "{layer}: {} times, mean {} median {} max {} µs, {} service {} wait",
            times.count,
            times.mean / 1e3,
            times.median as f64 / 1e3,
            times.max as f64 / 1e3,
            measure.service as f64 / 1e3,
            measure.wait as f64 / 1e3,
        );
    }
    let counters = measures.counters;
    let _ = writeln!(
        text,
        "{} delivered, {} B; {} dropped",
        counters.delivered, counters.bytes_delivered, counters.dropped
    );
    for (queue, measure) in replay.queues.iter().zip(&measures.queues) {
        let _ = writeln!(
            text,
            "{} {}: at most {}, {:.3} on average",
            queue.kind, queue.label, measure.max, measure.mean
        );
    }
    expected.assert_eq(&text);
}

#[test]
fn the_papers_sample_in_its_layers() {
    check_measures(
        PAPER,
        0,
        359,
        &expect![[r#"
        6 to 7: 2 times, mean 9 median 9 max 9 µs, 18 service 0 wait
        7 to 8: 2 times, mean 4 median 4 max 4 µs, 8 service 0 wait
        8 to 9: 2 times, mean 221.5 median 139 max 304 µs, 443 service 0 wait
        9 to 10: 2 times, mean 35 median 28 max 42 µs, 0 service 70 wait
        6 to 10: 2 times, mean 269.5 median 180 max 359 µs, 469 service 70 wait
        net core: 2 times, mean 9 median 9 max 9 µs, 18 service 0 wait
        IP: 2 times, mean 4 median 4 max 4 µs, 8 service 0 wait
        transport: 2 times, mean 221.5 median 139 max 304 µs, 443 service 0 wait
        receive queue: 2 times, mean 35 median 28 max 42 µs, 0 service 70 wait
        process: 1 times, mean 0 median 0 max 0 µs, 0 service 0 wait
        1 delivered, 2000 B; 0 dropped
        receive queue : at most 2, 0.195 on average
    "#]],
    );
}

#[test]
fn a_time_belongs_to_the_stretch_in_which_it_ends() {
    check_measures(
        PAPER,
        10,
        200,
        &expect![[r#"
        6 to 7: 1 times, mean 9 median 9 max 9 µs, 9 service 0 wait
        7 to 8: 2 times, mean 4 median 4 max 4 µs, 8 service 0 wait
        net core: 1 times, mean 9 median 9 max 9 µs, 9 service 0 wait
        IP: 2 times, mean 4 median 4 max 4 µs, 8 service 0 wait
        0 delivered, 0 B; 0 dropped
        receive queue : at most 0, 0.000 on average
    "#]],
    );
}

#[test]
fn the_papers_three_ways_to_account_for_socket_time() {
    let replay = replay_of(PAPER);
    let time = accounting::of(&replay, PacketId(0)).unwrap();
    // 691 - 663; 691 - 649 and 691 - 663; and of the first 42 the 14 until the
    // second segment had passed TCP are not the socket's.
    assert_eq!(time.last_only, 28_000);
    assert_eq!(time.both_segments, [42_000, 28_000]);
    assert_eq!(time.less_other_layers, 28_000);
}

#[test]
fn time_of_other_segments_is_taken_off_once() {
    let segment = |to_socket, from_net| accounting::Segment {
        to_socket: Nanos(to_socket),
        from_net: Some(Nanos(from_net)),
        read: Nanos(100),
    };
    // Between 50 and 100 the others are under way from 60 to 80 and from 70 to 90.
    let time = accounting::account(&[segment(50, 0), segment(80, 60), segment(90, 70)]).unwrap();
    assert_eq!(time.both_segments, [50, 20, 10]);
    assert_eq!(time.last_only, 10);
    assert_eq!(time.less_other_layers, 20);
}

#[test]
fn a_distribution_is_made_of_its_times() {
    let times = Distribution::of((1..=100).rev().collect());
    assert_eq!((times.min, times.median, times.p95), (1, 50, 95));
    assert_eq!((times.p99, times.max, times.count), (99, 100, 100));
    let outlier = Distribution::of([vec![10; 19], vec![1000]].concat());
    assert!((outlier.mean - 59.5).abs() < 1e-9);
    assert!((outlier.trimmed_mean - 10.0).abs() < 1e-9);
    assert_eq!(Distribution::of(Vec::new()), Distribution::default());
}

#[test]
fn segments_that_one_read_takes_are_accounted_together() {
    let replay = replay_of(
        "
        1 ev netif_receive_skb ts 1.000000 cpu 0 ctx softirq skb ffff888005000100 len 1500 dev eth0
        2 ev tcp_v4_rcv ts 1.000010 cpu 0 ctx softirq skb ffff888005000100 len 1480 seq_no 1000
        3 ev tcp_queue_rcv ts 1.000020 cpu 0 ctx softirq sk ffff888007000000 skb ffff888005000100 len 1448 seq_no 1000
        4 ev netif_receive_skb ts 1.000030 cpu 0 ctx softirq skb ffff888005000200 len 1500 dev eth0
        5 ev tcp_v4_rcv ts 1.000040 cpu 0 ctx softirq skb ffff888005000200 len 1480 seq_no 2448
        6 ev tcp_queue_rcv ts 1.000050 cpu 0 ctx softirq sk ffff888007000000 skb ffff888005000200 len 1448 seq_no 2448
        7 ev tcp_recvmsg ts 1.000060 cpu 1 ctx kernel pid 534 sk ffff888007000000
        8 ev skb_copy_datagram_iter ts 1.000065 cpu 1 ctx kernel pid 534 skb ffff888005000100 len 1448 count 1448
        9 ev skb_copy_datagram_iter ts 1.000070 cpu 1 ctx kernel pid 534 skb ffff888005000200 len 1448 count 1448
        10 ev tcp_recvmsg_ret ts 1.000080 cpu 1 ctx kernel pid 534 ret 2896
        ",
    );
    for packet in [PacketId(0), PacketId(1)] {
        let time = accounting::of(&replay, packet).unwrap();
        assert_eq!(time.last_only, 30_000);
        assert_eq!(time.both_segments, [60_000, 30_000]);
        // From 1.000030 to 1.000050 the second segment was below the socket.
        assert_eq!(time.less_other_layers, 40_000);
    }
    let Verdict::Delivered { read, .. } = replay.journeys.packets[0].verdict else {
        unreachable!("the segment was read");
    };
    // From the first segment at one id to the last at the other: 30 µs to 50, 0 to 80.
    let whole =
        |from, to| accounting::whole(&accounting::pieces_of(&replay, read), Hop { from, to });
    assert_eq!(whole(8, 9), Some(40_000));
    assert_eq!(whole(6, 10), Some(80_000));
    assert_eq!(whole(1, 2), None);
}

#[test]
fn a_datagram_that_was_looked_at_first_is_counted_where_it_was_taken() {
    let trace = "
        1 ev netif_receive_skb ts 1.000000 cpu 0 ctx softirq skb ffff888005000100 len 92 dev eth0
        2 ev skb_copy_datagram_iter ts 1.000020 cpu 1 ctx kernel pid 534 skb ffff888005000100 len 64
        3 ev udp_recvmsg_ret ts 1.000027 cpu 1 ctx kernel pid 534 ret 64
        4 ev skb_copy_datagram_iter ts 1.000040 cpu 1 ctx kernel pid 535 skb ffff888005000100 len 64
        ";
    let expected = expect![[r#"
        6 to 10: 1 times, mean 40 median 40 max 40 µs, 7 service 33 wait
        process: 1 times, mean 20 median 20 max 20 µs, 7 service 13 wait
        1 delivered, 64 B; 0 dropped
    "#]];
    check_measures(trace, 30, 40, &expected);
}

proptest! {
    #[test]
    fn contexts_of_a_cpu_add_up_and_stretches_to_their_sum(run in any_run(), cut in 0u64..2000) {
        let replay = replay(run);
        let (start, end) = (replay.run.start(), replay.run.end());
        let cut = Nanos(start.0 + cut).min(end);
        let whole = Measures::of(&replay, start, end);
        let first = Measures::of(&replay, start, cut);
        let second = Measures::of(&replay, Nanos(cut.0 + 1), end);
        for (_, times) in &first.time_by_context {
            prop_assert_eq!(times.iter().sum::<u64>(), cut.since(start));
        }
        for measure in &whole.layers {
            let count = |part: &Measures| {
                let found = part.layers.iter().find(|other| other.layer == measure.layer);
                found.map_or(0, |other| other.times.count)
            };
            prop_assert_eq!(count(&first) + count(&second), measure.times.count);
        }
        let (first, second) = (first.counters, second.counters);
        prop_assert_eq!(first.delivered + second.delivered, whole.counters.delivered);
        prop_assert_eq!(first.dropped + second.dropped, whole.counters.dropped);
        for packet in replay.journeys.ids() {
            if let Some(time) = accounting::of(&replay, packet) {
                prop_assert!(time.last_only <= time.both_segments[0]);
                prop_assert!(time.less_other_layers <= time.both_segments[0]);
            }
        }
    }
}

/// A driver of 2000: its interrupt hands a frame to the backlog, and nothing polls.
const INTERRUPTS: &str = "
    1 ev rx_dma ts 1.000000 cpu 0 ctx unknown skb ffff888005000100 len 92 dev eth0
    2 ev irq_handler_entry ts 1.000010 cpu 0 ctx hardirq pid 0 irq 11
    3 ev netif_rx ts 1.000012 cpu 0 ctx hardirq pid 0 skb ffff888005000100 len 92 dev eth0
    4 ev irq_handler_exit ts 1.000014 cpu 0 ctx hardirq pid 0 irq 11
    5 ev skb_copy_datagram_iter ts 1.000020 cpu 0 ctx kernel pid 534 skb ffff888005000100 len 64
";

#[test]
fn frames_are_counted_without_polls_and_the_payload_where_only_the_copy_tells_it() {
    let replay = replay_of(INTERRUPTS);
    let measures = Measures::of(&replay, after(&replay, 0), after(&replay, 20));
    let counters = measures.counters;
    assert_eq!((counters.interrupts, counters.frames_polled), (1, 1));
    let recorded = measures.recorded;
    assert!(recorded.interrupts && recorded.frames && !recorded.polls);
    assert_eq!((counters.delivered, counters.bytes_delivered), (1, 64));
    assert_eq!(counters.unsized_delivered, 0);
}

proptest! {
    /// Against looking at every event: from any time on, the first pass; after the last, the first of all.
    #[test]
    fn a_pass_is_the_next_one_of_its_probe(
        run in any_run(),
        from in 0u64..2000,
        probe in 0u8..80,
    ) {
        let replay = replay(run);
        let run = &replay.run;
        let time = Nanos(run.start().0 + from).min(run.end());
        let all: Vec<EventIdx> = run
            .indices()
            .filter(|index| run.probe[index.at()] as u8 == probe)
            .collect();
        let next = all.iter().position(|&index| run.time(index) >= time).unwrap_or(0);
        let expected = all.get(next).map(|&event| Pass {
            count: all.len(),
            number: next + 1,
            event,
        });
        prop_assert_eq!(next_pass(run, probe, time), expected);
    }
}
