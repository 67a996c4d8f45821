//! Where CPU time went in shipped scenarios and recordings, as folded stacks against golden files, which
//! `UPDATE_EXPECT=1 cargo test --test all profile` rewrites; and that a profile is the same as what the figures say.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write as _;
use std::path::Path;

use expect_test::expect_file;
use ringside::import::Import;
use ringside::kernel::Context;
use ringside::opened::{Opened, Part};
use ringside::profile::{Profile, Source, Weight};
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
    expect_file![golden].assert_eq(&profile.folded(Weight::Time));
}

#[test]
fn scenarios_are_charged_to_functions() {
    for name in ["ba-fig5-smp-2", "today-gro", "today-flood-xdp"] {
        let simulated = simulated(name);
        let replay = Opened::from(simulated.run.unwrap()).replay;
        check(name, &Profile::of(&replay, Some(&simulated.measured)));
    }
}

/// What lockmeter would print: each lock by who wanted it.
#[test]
fn spinning_is_told_by_lock_and_by_who_wanted_it() {
    // Two connections that do not meet, and the big lock of 2.2.
    for (name, is_spinning) in [("ba-fig5-smp-2", false), ("br-rr-2.2", true)] {
        let simulated = simulated(name);
        let measured = &simulated.measured;
        let profile = Profile::charged(measured);
        let mut text = String::new();
        for row in &profile.locks {
            let (cpu, holds) = (row.cpu.unwrap().0, row.holds.unwrap());
            let within = row.within.join(" ");
            let _ = writeln!(
                text,
                "{} CPU {cpu} {within}: {holds} holds, {} spins, {:.0} ns",
                row.lock, row.spins, row.nanos
            );
        }
        let golden = format!(
            "{}/tests/profile/{name}.locks.txt",
            env!("CARGO_MANIFEST_DIR")
        );
        expect_file![golden].assert_eq(&text);
        let spun: f64 = profile.locks.iter().map(|row| row.nanos).sum();
        let charged = measured.spinning_fs as f64 / 1e6;
        assert!((spun - charged).abs() < 1.0, "{spun} of {charged} ns");
        assert_eq!(charged > 0.0, is_spinning);
        let in_stacks: f64 = profile
            .stacks
            .iter()
            .map(|(stack, spent)| Weight::Spin.of(stack, spent))
            .sum();
        assert!((in_stacks - spun).abs() < 1.0);
    }
}

#[test]
fn lines_of_stacks_are_those_of_functions() {
    let measured = simulated("ba-fig5-smp-2").measured;
    let profile = Profile::charged(&measured);
    let in_stacks: u64 = profile
        .stacks
        .values()
        .filter_map(|spent| spent.lines)
        .sum();
    let spinning = measured.stacks.iter();
    let spinning = spinning.filter(|(stack, _)| stack.context == Context::Spinning);
    let spinning: u64 = spinning.map(|(_, time)| time.lines).sum();
    let functions: u64 = measured.functions.values().map(|time| time.lines).sum();
    assert!(functions > 0);
    assert_eq!((in_stacks, spinning), (functions, 0));
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
