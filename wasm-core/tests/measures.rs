//! Measures of recordings on the shelf against what was measured from the same
//! recordings by other means.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ringside::import::Import;
use ringside::kernel::{EventIdx, PacketId, Verdict};
use ringside::measure::{Distribution, Hop, Layer, Measures, accounting};
use ringside::opened::Opened;

fn open(slug: &str) -> Opened {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces");
    let mut import = Import::new();
    import.push(&fs::read(traces.join(slug).join("trace.txt.gz")).unwrap());
    Opened::from(import.finish().unwrap())
}

fn hop(opened: &Opened, from: u8, to: u8) -> Distribution {
    let measures = Measures::of(&opened.replay, opened.run.start(), opened.run.end());
    let layer = Layer::Hop(Hop { from, to });
    let found = measures.layers.iter().find(|other| other.layer == layer);
    found.unwrap().times
}

fn first_segments(opened: &Opened, heads: &[PacketId]) -> Distribution {
    let times = heads
        .iter()
        .filter_map(|&packet| accounting::of(&opened.replay, packet))
        .map(|time| time.both_segments[0]);
    Distribution::of(times.collect())
}

/// A packet of 2000 bytes is two segments, recorded by ftrace and put into the 2005
/// toolkit's lines by a script that knows nothing of ours.
#[test]
fn a_trace_and_a_kperf_record_of_the_same_packets_give_the_same_times() {
    let (record, trace) = (open("kperf-2005-tcp"), open("kperf-2005-tcp-ftrace"));
    for (from, to) in [(9, 10), (6, 10)] {
        assert_eq!(hop(&record, from, to), hop(&trace, from, to));
    }
}

/// The trimmed mean from the first segment's 9 to the read, in the README of the
/// captures: 42.24 µs.
#[test]
fn socket_time_of_two_segments_is_what_the_captures_state() {
    let record = open("kperf-2005-tcp");
    let all: Vec<PacketId> = record.journeys.ids().collect();
    let times = first_segments(&record, &all);
    assert_eq!(times.count, 100);
    assert!(
        (times.trimmed_mean / 1e3 - 42.24).abs() < 0.005,
        "{times:?}"
    );

    let trace = open("kperf-2005-tcp-ftrace");
    let mut reads = std::collections::BTreeMap::new();
    for packet in trace.journeys.ids() {
        if let ringside::kernel::Verdict::Delivered { read, .. } =
            trace.journeys.packets[packet.at()].verdict
        {
            reads.entry(read).or_insert(packet);
        }
    }
    let heads: Vec<PacketId> = reads.into_values().collect();
    assert_eq!(first_segments(&trace, &heads), times);
}

/// Every datagram and segment carries as many bytes as its sender says (`recording.json`); a
/// read that returned twice, or a call whose return was not seen, changes nothing.
#[test]
fn what_was_read_is_the_payload_of_the_packets_that_were_read() {
    let told = |slug| {
        let opened = open(slug);
        let totals = opened.replay.totals.at(opened.run.end());
        (totals.delivered, totals.bytes_delivered)
    };
    assert_eq!(told("closed-and-filtered-ports"), (50, 50 * 64));
    assert_eq!(told("ring-overflow"), (88, 88 * 64));
    assert_eq!(told("udp-fragments"), (50, 50 * 8000));
    assert_eq!(told("several-connections"), (48, 48 * 54));
    assert_eq!(told("busy-receiver"), (40, 150 * 1448));
}

/// Each layer's time of a packet in two segments, from its first at one id to its last at the other: the row of
/// 2000 bytes in experiment 2 of the captures' README.
#[test]
fn times_of_whole_packets_are_what_the_captures_state() {
    let record = open("kperf-2005-tcp");
    let reads = record.journeys.ids().filter_map(|id| {
        let Verdict::Delivered { read, .. } = record.journeys.packets[id.at()].verdict else {
            return None;
        };
        Some(read)
    });
    let reads: BTreeSet<EventIdx> = reads.collect();
    let stated = [
        (6, 7, 20.47),
        (7, 8, 19.81),
        (8, 9, 21.63),
        (9, 10, 42.24),
        (6, 10, 51.99),
    ];
    for (from, to, us) in stated {
        let times = reads.iter().filter_map(|&read| {
            let pieces = accounting::pieces_of(&record.replay, read);
            accounting::whole(&pieces, Hop { from, to })
        });
        let times = Distribution::of(times.collect());
        assert_eq!(times.count, 100);
        assert!((times.trimmed_mean / 1e3 - us).abs() < 0.005, "{times:?}");
    }
}
