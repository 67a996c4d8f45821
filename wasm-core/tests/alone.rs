//! Figures of a simulation of which nothing else is wanted: they are those of the open run, and looking at what
//! has come so far changes nothing of what comes.

#![allow(clippy::unwrap_used, reason = "tests")]

use ringside::figures::Figures;
use ringside::opened::Opened;
use sim::config::catalogue::Catalogue;
use sim::engine::{Simulation, simulate};

const SCENARIOS: [&str; 6] = [
    "today-gro",
    "today-flood-xdp",
    "today-lost-frame",
    "br-rr-2.2",
    "ah-moderation",
    "go-two-segments",
];

#[test]
fn figures_alone_are_those_of_the_open_run() {
    let catalogue = Catalogue::shipped().unwrap();
    for name in SCENARIOS {
        let scenario = &catalogue.scenario(name).unwrap().scenario;
        let simulated = simulate(scenario, &catalogue, true).unwrap();
        let (run, measured) = (simulated.run.unwrap(), simulated.measured);
        let alone = Figures::alone(run.clone(), &measured);
        assert!(!alone.all.is_empty(), "{name}");
        assert_eq!(
            alone,
            Figures::of(&Opened::from(run), Some(&measured)),
            "{name}"
        );
    }
}

#[test]
fn a_look_at_what_has_come_so_far_changes_nothing_of_what_comes() {
    let catalogue = Catalogue::shipped().unwrap();
    for name in SCENARIOS {
        let scenario = &catalogue.scenario(name).unwrap().scenario;
        let whole = simulate(scenario, &catalogue, true).unwrap();
        let mut watched = Simulation::new(scenario, &catalogue, true).unwrap();
        let mut seen = 0;
        while !watched.advance(1 + whole.measured.steps / 4) {
            let so_far = watched.so_far();
            let run = so_far.run.unwrap();
            // Each look sees more, and what it sees is the beginning of the whole.
            assert!(run.len() > seen, "{name}");
            seen = run.len();
            let times = run.indices().map(|at| run.time(at));
            let of_whole = whole.run.as_ref().unwrap();
            let of_whole = of_whole.indices().map(|at| of_whole.time(at));
            assert!(
                times.zip(of_whole).all(|(one, other)| one == other),
                "{name}"
            );
            assert!(
                !Figures::alone(run, &so_far.measured).all.is_empty(),
                "{name}"
            );
        }
        assert!(seen > 0, "{name}");
        let end = watched.finish();
        assert_eq!(end.measured, whole.measured, "{name}");
        let fingerprint = |run: ringside::run::Run| run.fingerprint();
        assert_eq!(
            end.run.map(fingerprint),
            whole.run.map(fingerprint),
            "{name}"
        );
    }
}
