//! What stands under a board.

use super::{Baseline, Heads};
use crate::{Kind, Published, Reproduced, Verdict};

/// A number of the entry `x`, published as 1.
fn row(ratio: Option<f64>, verdict: Verdict, kind: Kind) -> Reproduced {
    Reproduced {
        entry: "x".to_owned(),
        item: String::new(),
        unit: String::new(),
        measured_between: None,
        published: Published::Number(1.0),
        modelled: ratio,
        interval: 0.0,
        ratio,
        kind,
        is_held_out: ratio.is_some(),
        baseline: None,
        tolerance: 0.1,
        verdict,
        scenario: String::new(),
        note: String::new(),
    }
}

#[test]
fn heads_speak_of_runs_only_and_nine_in_ten_are_no_fewer() {
    let mut rows: Vec<Reproduced> = (0..7)
        .map(|at| {
            let verdict = if at == 0 {
                Verdict::Within
            } else {
                Verdict::Missed
            };
            row(Some(1.0 + f64::from(at)), verdict, Kind::Predicted)
        })
        .collect();
    rows.push(row(None, Verdict::Missed, Kind::Predicted));
    rows.push(row(Some(100.0), Verdict::Within, Kind::Fitted));
    let heads = Heads::of(&rows.iter().collect::<Vec<_>>());
    // 4 of 7 are half of them or more, and 7 of 7 are nine in ten or more: 6 would be 86 %.
    assert_eq!(heads.factors, Some((4.0, 7.0)));
    assert_eq!(heads.unreachable, 1);
    assert_eq!(heads.held_out, (1, 7));
    assert_eq!(Heads::of(&[]).factors, None);
}

#[test]
fn numbers_of_an_entry_that_say_the_same_are_one_answer() {
    let met = |entry: &str, published: f64, modelled: f64| Reproduced {
        entry: entry.to_owned(),
        published: Published::Number(published),
        modelled: Some(modelled),
        ..row(Some(modelled / published), Verdict::Within, Kind::Predicted)
    };
    let answers = |rows: &[Reproduced]| Heads::of(&rows.iter().collect::<Vec<_>>()).answers;
    // 109 says what 100 does, 111 does not, and 120 says what 111 does.
    let near = [100.0, 109.0, 111.0, 120.0].map(|modelled| met("x", 100.0, modelled));
    assert_eq!(answers(&near), 2);
    // It says so as published too, and of another entry nothing is said again.
    assert_eq!(
        answers(&[met("x", 100.0, 100.0), met("x", 120.0, 100.0)]),
        2
    );
    assert_eq!(
        answers(&[met("x", 100.0, 100.0), met("y", 100.0, 100.0)]),
        2
    );
    // What is missed or fitted answers nothing.
    let missed = row(Some(1.0), Verdict::Missed, Kind::Predicted);
    assert_eq!(
        answers(&[missed, row(Some(1.0), Verdict::Within, Kind::Fitted)]),
        0
    );
}

#[test]
fn a_baseline_and_the_model_are_held_to_the_same_tolerance() {
    let with = |baseline: Option<f64>, ratio, verdict| Reproduced {
        baseline,
        ..row(Some(ratio), verdict, Kind::Predicted)
    };
    let rows = [
        with(Some(1.09), 1.0, Verdict::Within),
        with(Some(1.11), 1.0, Verdict::Within),
        with(Some(0.95), 1.5, Verdict::Missed),
        // That its interval leaves it open is no reason to call the model worse than a guess without one.
        with(Some(1.5), 1.05, Verdict::Chance),
        with(Some(1.5), 1.2, Verdict::Chance),
        with(None, 1.0, Verdict::Within),
    ];
    let expected = Baseline {
        numbers: 5,
        within: 2,
        modelled_within: 3,
    };
    assert_eq!(
        Heads::of(&rows.iter().collect::<Vec<_>>()).baseline,
        expected
    );
}
