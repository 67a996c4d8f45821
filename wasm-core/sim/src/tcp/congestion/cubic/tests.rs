//! The curve, worked by hand.

use super::*;
use crate::tcp::tests;

const MSS: u32 = 1_000;

fn ms(count: u64) -> SimTime {
    SimTime::from_ms(count)
}

#[test]
fn the_root_is_the_largest_whose_cube_fits() {
    for value in [0, 1, 7, 8, 26, 27, 1_000_000, 999_999, u64::MAX] {
        let root = u128::from(cube_root(value));
        assert!(root.pow(3) <= u128::from(value) && u128::from(value) < (root + 1).pow(3));
    }
}

#[test]
fn it_returns_to_its_plateau_and_then_leaves_it() {
    let mut cubic = Cubic::new(Parameters { hystart: false });
    let mut window = Window::new(&tests::parameters(), MSS);
    window.cwnd = 100_000;
    window.reduce_threshold(cubic.ssthresh(&window));
    window.cwnd = window.ssthresh;
    assert_eq!(window.cwnd, 70_019, "beta is 0.7");
    // K = cbrt(100 * 0.3 / 0.4) = 4.2 s, 42 round trips of 100 ms.
    let mut at = Vec::new();
    for round in 1..=84_u64 {
        for _ in 0..10 {
            let ack = Ack {
                bytes: window.cwnd / 10,
                now: ms(round * 100),
                min_rtt: ms(100),
            };
            cubic.cong_avoid(&mut window, ack);
        }
        if round % 14 == 0 {
            at.push(window.cwnd / MSS);
        }
    }
    assert_eq!(at, [91, 99, 100, 101, 108, 128], "concave, flat, convex");
}
