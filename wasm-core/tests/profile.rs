//! Where CPU time went in shipped scenarios and recordings, as folded stacks against golden files, which
//! `UPDATE_EXPECT=1 cargo test --test profile` rewrites; and that a profile is the same as what the figures say.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;

use expect_test::expect_file;
use ringside::import::Import;
use ringside::kernel::Context;
use ringside::opened::{Opened, Part};
use ringside::profile::{Profile, Source};
use sim::config::catalogue::Catalogue;
use sim::engine::{Simulated, simulate};

fn simulated(name: &str) -> Simulated {
    let catalogue = Catalogue::shipped().unwrap();
    simulate(
        &catalogue.scenario(name).unwrap().scenario,
        &catalogue,
        true,
    )
    .unwrap()
}

fn check(name: &str, profile: &Profile) {
    let golden = format!("{}/tests/profile/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    expect_file![golden].assert_eq(&profile.folded());
}

#[test]
fn scenarios_are_charged_to_functions() {
    for name in ["ba-fig5-smp-2", "today-gro", "today-flood-xdp"] {
        let simulated = simulated(name);
        let replay = Opened::from(simulated.run.unwrap()).replay;
        check(name, &Profile::of(&replay, Some(&simulated.measured)));
    }
}

#[test]
fn a_recording_tells_who_ran() {
    for name in ["tcp-same-cpu", "loopback"] {
        let file = format!(
            "{}/../traces/{name}/trace.txt.gz",
            env!("CARGO_MANIFEST_DIR")
        );
        let mut import = Import::new();
        import.push(&std::fs::read(Path::new(&file)).unwrap());
        let part = Part {
            name: name.to_owned(),
            input: import.finish_any().unwrap(),
            clock_offset: None,
        };
        let opened = Opened::together(vec![part]).unwrap();
        let profile = Profile::of(&opened.replay, None);
        assert_eq!(profile.source, Source::Recorded);
        check(name, &profile);
    }
}

/// The events of a simulation tell the same of its contexts as what was charged, where nothing but warm-up
/// and the ends of steps lies between.
#[test]
fn what_was_charged_is_what_the_events_tell() {
    let simulated = simulated("ba-fig5-smp-2");
    let replay = Opened::from(simulated.run.unwrap()).replay;
    let charged = Profile::charged(&simulated.measured);
    let told = Profile::of(&replay, None);
    for context in [Context::Softirq, Context::Hardirq] {
        let share = |profile: &Profile| {
            let of_it = profile
                .stacks
                .iter()
                .filter(|(stack, _)| stack.context == context);
            let nanos: f64 = of_it.map(|(_, spent)| spent.nanos).sum();
            nanos / profile.elapsed / profile.cpus as f64
        };
        let (charged, told) = (share(&charged), share(&told));
        assert!(charged > 0.0, "nothing is charged to {context:?}");
        assert!(
            (charged - told).abs() < 0.02,
            "{context:?}: {charged:.4} charged, {told:.4} told"
        );
    }
}
