//! The search, worked by hand, with the parameters of 2.6.12 unless said otherwise.

use proptest::prelude::*;

use super::*;
use crate::tcp::tests;

const MSS: u32 = 1_000;

const CORRECT: Parameters = Parameters {
    low_window_segments: 14,
    max_increment_segments: 32,
    smooth_part: 11,
    beta_1024ths: 819,
    convergence_2048ths: 1843,
};

/// That of 2.6.9: a loss takes an eighth, and 15/16 were mistaken for 15/4.
const OF_2_6_9: Parameters = Parameters {
    beta_1024ths: 896,
    convergence_2048ths: 7680,
    ..CORRECT
};

fn window(segments: u32) -> Window {
    let mut window = Window::new(&tests::parameters(), MSS);
    (window.cwnd, window.ssthresh) = (segments * MSS, MSS);
    window
}

/// By how much a window in segments grows in a hundred round trips, in hundredths of a segment, a loss having come at
/// `last_max`.
fn growth(segments: u32, last_max: u32) -> u32 {
    let mut bic = Bic::new(CORRECT);
    bic.last_max = last_max;
    segments * 100 / bic.segments_for_one(&window(segments), SimTime::ZERO)
}

/// `bictcp_cwnd` with a loss at 1000 segments: up to 14 as Reno; a quarter of the way at a time, 32 at most; close to
/// 1000 a segment in 11 / 4 round trips; beyond, a third of what it is beyond, until that is 32.
#[test]
fn it_goes_fast_far_from_the_last_loss_and_slowly_close_to_it() {
    assert_eq!(growth(14, 1000), 100);
    assert_eq!(growth(500, 1000), 3333, "500 / 32 is 15");
    assert_eq!(growth(900, 1000), 2500);
    assert_eq!(growth(960, 1000), 1000);
    assert_eq!(growth(996, 1000), 36);
    assert_eq!(growth(1000, 1000), 36);
    assert_eq!(growth(1012, 1000), 400, "1012 * 3 / 12 is 253");
    assert_eq!(growth(1200, 1000), 3243, "1200 / 32 is 37");
}

#[test]
fn a_result_holds_for_31_ms_or_until_the_window_changes() {
    let mut bic = Bic::new(CORRECT);
    bic.last_max = 1000;
    assert_eq!(bic.segments_for_one(&window(900), SimTime::ZERO), 36);
    bic.last_max = 900;
    assert_eq!(bic.segments_for_one(&window(900), SimTime::from_ms(31)), 36);
    assert_eq!(
        bic.segments_for_one(&window(900), SimTime::from_ms(32)),
        2475
    );
    bic.last_max = 1000;
    assert_eq!(bic.segments_for_one(&window(960), SimTime::from_ms(33)), 96);
}

/// A loss leaves 0.8 of a window above 14 segments, and half of a smaller one. If it comes below the last, only 0.9 of
/// the window is remembered, so that others get the rest.
#[test]
fn a_loss_takes_a_fifth_and_is_remembered() {
    let mut bic = Bic::new(CORRECT);
    assert_eq!(bic.ssthresh(&window(1000)), 799_804);
    assert_eq!(bic.last_max, 1000);
    bic.ssthresh(&window(800));
    assert_eq!(bic.last_max, 719);
    assert_eq!(bic.ssthresh(&window(14)), 7_000);
}

/// What was corrected on the kernel's list in February 2005: the window that is remembered lies far above any that had room.
#[test]
fn fast_convergence_of_2_6_9_diverges() {
    let mut bic = Bic::new(OF_2_6_9);
    assert_eq!(bic.ssthresh(&window(1000)), 875_000);
    bic.ssthresh(&window(800));
    assert_eq!(bic.last_max, 3000);
}

#[test]
fn parameters_without_sense_are_refused() {
    let refused = |parameters: Parameters| parameters.check().unwrap_err();
    let still = Parameters {
        max_increment_segments: 0,
        ..CORRECT
    };
    assert!(refused(still).starts_with("max_increment_segments: "));
    let more = Parameters {
        beta_1024ths: 1025,
        ..CORRECT
    };
    assert!(refused(more).starts_with("beta_1024ths: "));
    assert_eq!(CORRECT.check(), Ok(()));
}

proptest! {
    /// A round trip's ACKs open the window by 32 segments at most, and never close it; a loss leaves 0.8 or a half.
    #[test]
    fn a_round_trip_adds_32_at_most(segments in 1_u32..5_000, last_max in 0_u32..20_000) {
        let mut bic = Bic::new(CORRECT);
        bic.last_max = last_max;
        let mut window = window(segments);
        for _ in 0..segments {
            let ack = Ack { bytes: MSS, now: SimTime::ZERO, min_rtt: SimTime::ZERO };
            bic.cong_avoid(&mut window, ack);
        }
        let grown = window.cwnd / MSS - segments;
        // Integer division: 33 segments and 32 at most would be each ACK's.
        prop_assert!(grown <= 2 * 32, "{grown}");
        let before = window.cwnd;
        let after = bic.ssthresh(&window);
        prop_assert!(before / 2 <= after && after <= before * 4 / 5);
    }
}
