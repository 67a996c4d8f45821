//! Slow start and avoidance, worked by hand.

use super::*;
use crate::tcp::tests;
use crate::time::SimTime;

const MSS: u32 = 1_000;

/// A window in segments after an ACK of one segment for each of its segments, from a threshold in segments.
fn after_a_round_trip(segments: u32, threshold: u32) -> u32 {
    let mut window = Window::new(&tests::parameters(), MSS);
    (window.cwnd, window.ssthresh) = (segments * MSS, threshold * MSS);
    for _ in 0..segments {
        let ack = Ack {
            bytes: MSS,
            now: SimTime::ZERO,
            min_rtt: SimTime::ZERO,
        };
        Reno.cong_avoid(&mut window, ack);
    }
    window.cwnd / MSS
}

/// RFC 5681 §3.1: equations 2 and 3, and what goes beyond the threshold counts as avoidance.
#[test]
fn it_doubles_below_the_threshold_and_adds_one_above() {
    assert_eq!(after_a_round_trip(10, 100), 20);
    assert_eq!(after_a_round_trip(10, 10), 11);
    assert_eq!(after_a_round_trip(10, 15), 15);
}

/// RFC 5681 §3.1, equation 4.
#[test]
fn a_loss_takes_half() {
    let mut window = Window::new(&tests::parameters(), MSS);
    window.cwnd = 25_000;
    assert_eq!(Reno.ssthresh(&window), 12_500);
}
