//! The estimate, the reduction and the receiver's state, worked by hand; and what must hold of any marks.

use proptest::prelude::*;

use super::*;
use crate::tcp::tests;

const MSS: u32 = 1_000;

const PARAMETERS: Parameters = Parameters {
    shift_g: 4,
    alpha_on_init_1024ths: 1024,
};

fn begun(knows_ecn: bool) -> Dctcp {
    let mut dctcp = Dctcp::new(PARAMETERS);
    dctcp.init(Start {
        knows_ecn,
        snd_nxt: 1,
        rcv_nxt: 1,
    });
    dctcp
}

fn window(segments: u32) -> Window {
    let mut window = Window::new(&tests::parameters(), MSS);
    (window.cwnd, window.ssthresh) = (segments * MSS, MSS);
    window
}

/// ACKs of ten segments, so many of which tell of a mark, and then the one that ends the window.
fn ten_acknowledged(dctcp: &mut Dctcp, marked: u64) {
    let end = dctcp.window_end;
    for number in 0..10 {
        dctcp.in_ack_event(AckEvent {
            una: end - 1,
            nxt: end + 10_000,
            delivered: 1_000,
            is_echo: number < marked,
        });
    }
    dctcp.in_ack_event(AckEvent {
        una: end,
        nxt: end + 10_000,
        delivered: 0,
        is_echo: false,
    });
}

/// RFC 8257 §3.3 with g = 1/16, in 1024ths: 1024 (1 - g) = 960, and g M is 64 where all is marked, 32 where half is.
#[test]
fn a_window_changes_the_estimate_by_a_sixteenth() {
    for (marked, alpha) in [(0, 960), (5, 992), (10, 1024)] {
        let mut dctcp = begun(true);
        // What was sent before the first window ends it at once.
        dctcp.in_ack_event(AckEvent {
            una: 1,
            nxt: 10_001,
            delivered: 0,
            is_echo: false,
        });
        dctcp.alpha = 1024;
        ten_acknowledged(&mut dctcp, marked);
        assert_eq!(dctcp.alpha, alpha, "{marked} of ten");
    }
}

/// An estimate that a sixteenth of itself would leave as it is becomes 0, and does so without marks.
#[test]
fn it_forgets() {
    let mut dctcp = begun(true);
    for _ in 0..100 {
        ten_acknowledged(&mut dctcp, 0);
    }
    assert_eq!(dctcp.alpha, 0);
    assert_eq!(dctcp.ssthresh(&window(20)), 20_000);
}

/// RFC 8257 §3.3: cwnd (1 - alpha / 2); §3.5: a loss takes half.
#[test]
fn a_mark_takes_half_of_the_share_and_a_loss_half_of_the_window() {
    let mut dctcp = begun(true);
    for (alpha, left) in [(1024, 10_000), (512, 15_000), (128, 18_750)] {
        dctcp.alpha = alpha;
        assert_eq!(dctcp.ssthresh(&window(20)), left);
    }
    let mut window = window(20);
    dctcp.set_state(&mut window, CaState::Cwr, CaState::Recovery);
    assert_eq!(window.ssthresh, 10_000);
    window.cwnd = 30_000;
    dctcp.set_state(&mut window, CaState::Recovery, CaState::Recovery);
    assert_eq!(window.ssthresh, 10_000, "once");
    dctcp.cwnd_event(&mut window, CaEvent::Loss);
    assert_eq!(window.ssthresh, 15_000);
    window.cwnd = 1_000;
    assert_eq!(dctcp.undo_cwnd(&window, 0), 30_000);
}

/// RFC 8257 §3.2: S.CE changes with the first marked and the first unmarked segment, and what came before is told as
/// it was.
#[test]
fn each_change_between_marked_and_unmarked_is_told() {
    let mut dctcp = begun(true);
    let arrivals = [false, true, true, false];
    let told = arrivals.map(|is_ce| {
        let rcv_nxt = dctcp.prior_rcv_nxt + 1_000;
        dctcp.marks_change(is_ce, rcv_nxt)
    });
    assert_eq!(told, [None, Some(1_001), None, Some(3_001)]);
}

#[test]
fn without_ecn_it_is_reno() {
    let mut dctcp = begun(false);
    dctcp.alpha = 100;
    assert!(!dctcp.needs_ecn());
    assert_eq!(dctcp.ssthresh(&window(20)), 10_000);
}

#[test]
fn parameters_without_sense_are_refused() {
    let slow = Parameters {
        shift_g: 11,
        ..PARAMETERS
    };
    assert!(slow.check().unwrap_err().starts_with("shift_g: "));
    let more = Parameters {
        alpha_on_init_1024ths: 1025,
        ..PARAMETERS
    };
    assert!(more.check().unwrap_err().starts_with("alpha_on_init"));
}

proptest! {
    /// Alpha is a share, and a window is never reduced by more than half.
    #[test]
    fn alpha_is_a_share_and_a_reduction_half_at_most(
        shift_g in 0_u32..=10,
        begins in 0_u32..=1024,
        acks in prop::collection::vec((0_u64..70_000, any::<bool>()), 1..200),
        cwnd in MSS..1_000_000_000,
    ) {
        let mut dctcp = Dctcp::new(Parameters { shift_g, alpha_on_init_1024ths: begins });
        dctcp.init(Start { knows_ecn: true, snd_nxt: 1, rcv_nxt: 1 });
        let mut una = 1;
        for (delivered, is_echo) in acks {
            una += delivered;
            dctcp.in_ack_event(AckEvent { una, nxt: una + 100_000, delivered, is_echo });
            prop_assert!(dctcp.alpha <= 1024);
        }
        let mut window = window(1);
        window.cwnd = cwnd;
        let left = dctcp.ssthresh(&window);
        prop_assert!(cwnd / 2 <= left && left <= cwnd);
    }
}
