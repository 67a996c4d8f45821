//! What is tried on one number, and on all of an entry.

use std::slice::from_ref;

use super::of_entry;
use crate::board;
use crate::runs::Runs;
use crate::testing::{study, study_with};
use crate::{Published, Verdict};
use sim::config::catalogue::Catalogue;

#[test]
fn what_meets_the_number_that_it_was_chosen_for_says_so() {
    let measure = r#""measure": "hop_us(6, 7)""#;
    let same = |fit: &str| {
        let otherwise = format!(r#"{{ "what": "nothing", "chosen_for": ["{fit}"] }}"#);
        format!(r#"{measure}, "counterfactual": {otherwise}"#)
    };
    let told = |fit: &str| {
        let study = study([&same(fit), &same(fit), measure])?;
        let catalogue = Catalogue::shipped().unwrap();
        let mut runs = Runs::new(&catalogue);
        let entry = &study.entries[0];
        let numbers = board::entry(from_ref(&study), 0, entry, &mut runs);
        let found = of_entry(&study, entry, &numbers, &mut runs)?;
        let found = found.numbers.iter();
        let found = found.map(|one| (one.verdict == Verdict::Within, one.is_chosen));
        Ok::<_, String>(found.collect::<Vec<_>>())
    };
    assert_eq!(told("x.a one"), Ok(vec![(true, true), (true, false)]));
    assert_eq!(told("x.a"), Ok(vec![(true, true), (true, true)]));
    assert_eq!(
        told("x.a three").unwrap_err(),
        r#"x: one: chosen for "x.a three", which it does not stand beside"#
    );
}

#[test]
fn what_meets_a_number_and_what_an_entry_tries_is_tried_on_all_that_are_predicted() {
    let measure = r#""measure": "hop_us(6, 7)""#;
    let slow = r#"{ "machines/recorder": { "processors": { "core_permille": 9000 } } }"#;
    let reasons = format!(
        r#"{{
            "same": {{ "note": "", "counterfactual": {{ "what": "same" }} }},
            "slow": {{ "note": "", "counterfactual": {{ "what": "slow", "data": {slow} }} }}
        }}"#
    );
    let wide = format!(r#"{measure}, "tolerance": 9"#);
    let given = format!(r#"{measure}, "is_input": true, "reason": "same""#);
    let same = format!(r#"{measure}, "reason": "same""#);
    let catalogue = Catalogue::shipped().unwrap();
    let told = |items: [&str; 3]| {
        let study = study_with(&reasons, r#""tries": ["slow"],"#, items).unwrap();
        let mut runs = Runs::new(&catalogue);
        let numbers = board::entry(from_ref(&study), 0, &study.entries[0], &mut runs);
        let tried = of_entry(&study, &study.entries[0], &numbers, &mut runs);
        let of_all = tried.unwrap().throughout.into_iter();
        let of_all = of_all.map(|one| (one.what, one.gained, one.lost));
        of_all.collect::<Vec<_>>()
    };
    let same_and = |gained, lost| ("same".to_owned(), gained, lost);
    let slow_and = |gained, lost| ("slow".to_owned(), gained, lost);
    // The first two are within, the third is missed. Nothing is otherwise: it meets the first, and all stay as they are.
    assert_eq!(
        told([&same, &wide, measure]),
        [same_and((0, 1), (0, 2)), slow_and((0, 1), (1, 2))]
    );
    // Beside what it does not meet, and beside what is given, it is tried on nothing else.
    assert_eq!(told([measure, &given, &same]), [slow_and((0, 1), (1, 1))]);
}

/// The number is 2.2 give or take a tenth, and so is what it would be; the host measured from 1.0 to 9.0.
#[test]
fn what_chance_decides_under_a_counterfactual_meets_nothing() {
    let same = r#""measure": "hop_us(6, 7)", "counterfactual": { "what": "same" }"#;
    let mut study = study([same, same, same]).unwrap();
    study.entries[0].items[1].measured_between = Some((1.0, 9.0));
    study.entries[0].items[2].published = Published::Number(9.0);
    let catalogue = Catalogue::shipped().unwrap();
    let mut runs = Runs::new(&catalogue);
    let entry = &study.entries[0];
    let numbers = board::entry(from_ref(&study), 0, entry, &mut runs);
    let tried = of_entry(&study, entry, &numbers, &mut runs).unwrap();
    let verdicts = tried.numbers.iter().map(|one| one.verdict);
    assert_eq!(
        verdicts.collect::<Vec<_>>(),
        [Verdict::Within, Verdict::Chance, Verdict::Missed]
    );
    // The board says the same of the same runs.
    let verdicts = numbers.iter().map(|one| one.verdict);
    assert_eq!(
        verdicts.collect::<Vec<_>>(),
        [Verdict::Within, Verdict::Chance, Verdict::Missed]
    );
    assert_eq!(numbers[1].measured_between, Some((1.0, 9.0)));
}

#[test]
fn an_entry_tries_what_a_reason_of_its_study_says() {
    let told = |tries: &str| {
        let reasons = r#"{ "late": { "note": "", "counterfactual": { "what": "late" } }, "said": { "note": "only" } }"#;
        let measure = r#""measure": "hop_us(6, 7)""#;
        let said = format!(r#"{measure}, "reason": "said""#);
        let study = study_with(
            reasons,
            &format!(r#""tries": [{tries}],"#),
            [&said, measure, measure],
        )?;
        let tried = study.entries[0].tried.iter().map(|it| it.what.clone());
        Ok::<_, String>(tried.collect::<Vec<_>>())
    };
    assert_eq!(
        told(r#""late", "said""#).unwrap_err(),
        r#"x: x.a: tries "said", which is no reason with a counterfactual"#
    );
    assert_eq!(
        told(r#""late", "never""#).unwrap_err(),
        r#"x: x.a: tries "never", which is no reason with a counterfactual"#
    );
    assert_eq!(told(r#""late""#), Ok(vec!["late".to_owned()]));
    assert_eq!(told("").unwrap_err(), r#"x: nothing has the reason "late""#);
}
