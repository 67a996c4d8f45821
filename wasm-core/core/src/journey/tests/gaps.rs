//! Reads of TCP sockets around which the kernel lost events.

use super::few_events::opened;
use super::readers::{check_ends, read, segment, told_of};
use super::*;

/// Of the CPU that receives.
const LOST: &str = "\nCPU:1 [LOST 20 EVENTS]";
/// Of the one that reads.
const LOST_READS: &str = "\nCPU:0 [LOST 20 EVENTS]";

/// A process reads a segment in several calls, and events of its CPU are lost between two of them.
#[test]
fn what_is_read_in_parts_over_a_gap_is_read_once() {
    check_ends(
        &[
            &segment(10, "2740", 100_000),
            &segment(14, "2840", 50_000),
            &read(20, "first-8", "2740", 40_000),
            LOST_READS,
            &read(25, "first-8", "2740", 50_000),
            &read(30, "first-8", "2740", 20_000),
        ],
        &expect![[r#"
            100000 of 100000: delivered to first (8) (inferred) | delivered to first (8)
            10000 of 50000: end not observed | end not observed
        "#]],
    );
}

/// What told that the first segment left no hole was lost. The second stands behind it all the same, and the copy, which
/// names the first, takes a part of it.
#[test]
fn a_segment_whose_place_is_not_told_stands_where_it_came() {
    check_ends(
        &[
            &told_of(10, "2740", 1000),
            LOST,
            &segment(14, "2840", 1000),
            &segment(18, "2940", 1000),
            &read(20, "first-8", "2740", 1500),
        ],
        &expect![[r#"
            1000 of 1000: delivered to first (8) (inferred) | delivered to first (8)
            500 of 1000: end not observed | end not observed
            0 of 1000: end not observed | end not observed
        "#]],
    );
}

/// It was at that address that the segment came which nothing told of: it is as long as all that was read of it.
#[test]
fn what_only_its_reads_tell_of_is_as_long_as_they_are() {
    check_ends(
        &[
            &segment(10, "2740", 100),
            &read(12, "first-8", "2740", 100),
            LOST_READS,
            &read(20, "first-8", "2740", 40_000),
            &read(30, "first-8", "2740", 10_000),
        ],
        &expect![[r#"
            100 of 100: delivered to first (8) | delivered to first (8)
            50000 of 50000: delivered to first (8) | delivered to first (8)
        "#]],
    );
}

#[test]
fn a_gap_ends_no_read_of_what_waits() {
    let (_, journeys) = opened(
        &[
            &segment(10, "2740", 20_000),
            LOST,
            &read(20, "first-8", "2740", 5000),
        ]
        .concat(),
    );
    let read: Vec<_> = journeys
        .packets
        .iter()
        .map(|it| (it.payload, it.read))
        .collect();
    assert_eq!(read, [(20_000, 5000)]);
}
