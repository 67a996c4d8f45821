//! A damaged payload: the checksum of TCP or UDP finds it, and nothing else about the run is lost.

use ringside::figures::{Figures, Of, Quantity};
use ringside::kernel::{Context, DropReason, Field, Probe, Verdict};
use ringside::replay::Replay;
use ringside::run::Run;
use serde_json::json;

use super::forks::{arrival, datagrams, done, segments, with};
use super::scenarios::record;

/// How often a reason for a drop is told.
fn drops(replay: &Replay, reason: DropReason) -> usize {
    let packets = replay.journeys.packets.iter();
    packets
        .filter(|packet| packet.verdict == Verdict::Dropped { reason })
        .count()
}

/// UDP leaves the sum to who reads: the reader is woken for a datagram that it never gets.
#[test]
fn a_datagram_that_is_damaged_is_found_by_its_reader_and_never_delivered() {
    let (measured, parent) = record(&datagrams());
    let (_, moment) = arrival(&parent, 40);
    let fork = with(&datagrams(), &done(&moment, &json!({"do": "damage_frame"})));
    let (damaged, fork) = record(&fork);
    assert_eq!(damaged.frames_received, measured.frames_received);
    assert_eq!(damaged.delivered_bytes, measured.delivered_bytes - 600);
    assert_eq!(
        (
            drops(&parent, DropReason::UdpCsum),
            drops(&fork, DropReason::UdpCsum)
        ),
        (0, 1)
    );
    let run = &fork.run;
    let mut drops = run
        .indices()
        .filter(|at| run.probe[at.at()] == Probe::KfreeSkb);
    let reason = Some(DropReason::UdpCsum as u32);
    let at = drops.find(|&at| run.field(at, Field::Reason) == reason);
    assert_eq!(
        run.event(at.unwrap()).context,
        Context::Kernel,
        "in its call"
    );
}

/// Nothing acknowledges a segment whose sum is wrong: it is sent again, and every byte arrives.
#[test]
fn a_segment_that_is_damaged_is_dropped_by_tcp_and_sent_again() {
    let parent = record(&segments()).1;
    let (at, moment) = arrival(&parent, 200);
    let seq = parent.journeys.packets[parent.journeys.packet_of[at.at()].at()].seq;
    let fork = with(&segments(), &done(&moment, &json!({"do": "damage_frame"})));
    let fork = record(&fork).1;
    assert_eq!(
        (
            drops(&parent, DropReason::TcpCsum),
            drops(&fork, DropReason::TcpCsum)
        ),
        (0, 1)
    );
    let of_seq = fork
        .journeys
        .packets
        .iter()
        .filter(|packet| packet.seq == seq);
    let ends: Vec<Verdict> = of_seq.map(|packet| packet.verdict).collect();
    assert_eq!(ends.len(), 2, "{ends:?}");
    assert!(matches!(ends[0], Verdict::Dropped { .. }), "{ends:?}");
    assert!(matches!(ends[1], Verdict::Delivered { .. }), "{ends:?}");
}

/// One in so many frames is lost, whichever of the two hosts is watched, and the figure of it says so.
#[test]
fn a_link_loses_as_many_of_its_frames_as_it_is_told_to() {
    for watch in ["receiver", "sender"] {
        let scenario = json!({
            "machine": "current-server", "kernel": "6.1", "workload": "iperf-link",
            "settings": { "cpus": 2, "connections": 8, "peer": "current-server", "watch": watch,
                "link_loss_permille": 20 },
            "duration_us": 60_000, "seed": 1
        });
        let (measured, replay) = record(&scenario);
        let figures = Figures::alone(Run::clone(&replay.run), &measured);
        let lost = figures.value(Quantity::LostOnLink, &Of::Run).unwrap();
        let frames = measured.frames_on_link as f64;
        // Four standard deviations of a binomial distribution.
        let chance = 4.0 * (0.02 * 0.98 / frames).sqrt();
        assert!(chance < 0.005, "{frames} frames are too few to tell");
        assert!(
            lost > 0.0 && (lost - 0.02).abs() < chance,
            "{watch}: {lost}"
        );
    }
}
