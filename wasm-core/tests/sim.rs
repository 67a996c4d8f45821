//! Whole simulations: what holds in every run, and what the shipped scenarios show.

#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;

use ringside::import::Import;
use ringside::sim::config::catalogue::Catalogue;
use ringside::sim::config::scenario::Scenario;
use ringside::sim::engine::{Simulated, simulate};

fn run(scenario: &Scenario, is_recording: bool) -> Simulated {
    simulate(scenario, &Catalogue::shipped().unwrap(), is_recording).unwrap()
}

fn shipped(name: &str) -> Scenario {
    Catalogue::shipped()
        .unwrap()
        .scenario(name)
        .unwrap()
        .scenario
        .clone()
}

/// A small scenario on the Xeon.
fn small(kernel: &str, cpus: u16, connections: u32, message: u32, buffer: u32) -> Scenario {
    let text = format!(
        r#"{{"machine":"xeon-3.2-dual","kernel":"{kernel}","workload":"iperf","settings":{{"cpus":{cpus},
        "connections":{connections},"message_bytes":{message},"send_buffer_bytes":{buffer},
        "receive_buffer_bytes":{buffer}}},"duration_us":4000,"seed":1}}"#
    );
    Scenario::parse(&text, &Catalogue::shipped().unwrap()).unwrap()
}

#[test]
fn the_second_cpu_slows_one_connection_because_lines_cross() {
    let (one, two) = (shipped("ba-fig5-uni"), shipped("ba-fig5-smp-1"));
    let (one, two) = (run(&one, false).measured, run(&two, false).measured);
    assert_eq!(
        one.lines_moved, 0,
        "one cache has nobody to take lines from"
    );
    assert!(two.throughput_kbit() < one.throughput_kbit());
    // Every byte is read by the CPU that did not write it: a line for 64 bytes at least.
    assert!(two.lines_moved > two.delivered_bytes / 64);
}

#[test]
fn a_recording_changes_nothing_and_every_build_gives_the_same_events() {
    let scenario = small("2.6.3", 2, 1, 8192, 261_120);
    let (plain, first, second) = (
        run(&scenario, false),
        run(&scenario, true),
        run(&scenario, true),
    );
    assert!(
        plain.measured == first.measured,
        "recording changes what happens"
    );
    let (first, second) = (first.run.unwrap(), second.run.unwrap());
    assert_eq!(first.fingerprint(), second.fingerprint());
}

#[test]
fn a_simulated_run_survives_kperf2() {
    let run = run(&small("2.6.3", 2, 1, 8192, 261_120), true).run.unwrap();
    let mut text = Vec::new();
    ringside::export::kperf2(&run, &mut text).unwrap();
    let mut import = Import::new();
    import.push(&text);
    let again = import.finish().unwrap().run;
    assert_eq!(again.fingerprint(), run.fingerprint());
}

#[test]
fn what_cannot_be_simulated_yet_is_refused_by_name() {
    let text = r#"{"machine":"xeon-3.2-dual","kernel":"2.6.33","workload":"iperf","duration_us":1,"seed":1}"#;
    let error = Scenario::parse(text, &Catalogue::shipped().unwrap())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("2.6.33") && error.contains("2.6.3"),
        "{error}"
    );
}

#[test]
fn a_setting_that_nothing_acts_on_is_refused_by_name() {
    let catalogue = Catalogue::shipped().unwrap();
    let mut scenario = small("2.6.3", 1, 1, 8192, 261_120);
    scenario.settings.rx_ring = Some(64);
    let error = simulate(&scenario, &catalogue, false).unwrap_err();
    assert!(error.starts_with("settings.rx_ring"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_holds_in_every_run(
        kernel in prop::sample::select(vec!["2.4.20", "2.6.3"]),
        cpus in 1_u16..=2,
        connections in 1_u32..=4,
        message in 1_000_u32..=32_768,
        buffer in 65_536_u32..=262_144,
    ) {
        let simulated = run(&small(kernel, cpus, connections, message, buffer), true);
        let measured = &simulated.measured;
        prop_assert!(measured.delivered_bytes > 0, "nobody waits for ever");
        // Contexts add up: what is not idle is no more than the CPUs had, but for the step under way.
        let all = measured.elapsed.0 * u64::from(measured.cpus);
        let step = 100_000_000_000 * u64::from(measured.cpus);
        prop_assert!(measured.busy_fs() <= all + step);
        let run = simulated.run.unwrap();
        prop_assert!(run.time.is_sorted());
        prop_assert_eq!(run.len() as u64, measured.events);
    }
}
