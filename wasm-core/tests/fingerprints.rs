//! Every shipped scenario gives the events that it gave when its fingerprint was pinned in
//! `tests/fingerprints.txt`. `web/core/simulation.test.ts` holds the browser's build to the
//! same file. A change of the model is meant to change them:
//! `UPDATE_EXPECT=1 cargo test --test all fingerprints` pins what is now.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write as _;

use expect_test::expect_file;

use crate::shipped;

#[test]
fn every_shipped_scenario_gives_the_events_that_are_pinned() {
    let mut text = String::new();
    for simulated in shipped::all() {
        let run = simulated.run();
        let _ = writeln!(
            text,
            "{} {:016x} {} events",
            simulated.shipped.name,
            run.fingerprint(),
            run.len()
        );
    }
    expect_file!["fingerprints.txt"].assert_eq(&text);
}
