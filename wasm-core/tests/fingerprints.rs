//! Every shipped scenario gives the events that it gave when its fingerprint was pinned in
//! `tests/fingerprints.txt`. `web/core/simulation.test.ts` holds the browser's build to the
//! same file. A change of the model is meant to change them:
//! `UPDATE_EXPECT=1 cargo test --test all fingerprints` pins what is now.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write as _;

use expect_test::expect_file;
use sim::config::catalogue::Catalogue;
use sim::engine::simulate;

#[test]
fn every_shipped_scenario_gives_the_events_that_are_pinned() {
    let catalogue = Catalogue::shipped().unwrap();
    let mut text = String::new();
    for shipped in catalogue.scenarios() {
        let simulated = simulate(&shipped.scenario, &catalogue, true);
        let run = simulated.map_err(|error| format!("{}: {error}", shipped.name));
        let run = run.unwrap().run.unwrap();
        let _ = writeln!(
            text,
            "{} {:016x} {} events",
            shipped.name,
            run.fingerprint(),
            run.len()
        );
    }
    expect_file!["fingerprints.txt"].assert_eq(&text);
}
