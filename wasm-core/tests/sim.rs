//! Whole simulations: what holds in every run, and what the shipped scenarios show.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;

use proptest::prelude::*;

use ringside::import::Import;
use ringside::kernel::{Field, Probe};
use ringside::run::Run;
use sim::config::catalogue::Catalogue;
use sim::config::faults::{Fault, FaultKind};
use sim::config::scenario::Scenario;
use sim::engine::{Simulated, simulate};

use crate::shipped;

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
fn two_connections_stay_apart_and_each_keeps_its_lines() {
    let (one, two) = (shipped("ba-fig5-uni"), shipped("ba-fig5-smp-2"));
    let (one, two) = (run(&one, false).measured, run(&two, false).measured);
    // No CPU is ever idle, so none pulls a task away from the one it talks to.
    assert!(two.throughput_kbit() * 10 > one.throughput_kbit() * 16);
    assert!(two.lines_moved < two.delivered_bytes / 64 / 8);
    // A kernel for several CPUs pays for its locked instructions even so.
    assert!(two.throughput_kbit() < one.throughput_kbit() * 2);
}

#[test]
fn a_server_that_waited_preempts_its_client_at_every_segment() {
    let measured = run(&shipped("ba-fig5-uni"), false).measured;
    // Two messages go by themselves, the next two in one segment, as the second is not acknowledged when it is read.
    let segments = measured.delivered_bytes / 8192 * 3 / 4;
    assert!((segments * 19 / 10..=segments * 21 / 10).contains(&measured.switches));
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

/// Lines in each cache by kind of object, as a reader of the run adds them up; the second
/// number is how often lines left.
fn held_at_the_end(run: &Run, name: &str) -> (BTreeMap<(u32, u32), i64>, u32) {
    let most: i64 = run.metadata["cache_lines"].parse().unwrap();
    let mut held: BTreeMap<(u32, u32), i64> = BTreeMap::new();
    let mut in_cache: BTreeMap<u32, i64> = BTreeMap::new();
    let mut states: BTreeMap<(u32, u32, String), i64> = BTreeMap::new();
    let mut evictions = 0;
    for index in run.indices() {
        let field = |field| run.field(index, field).unwrap();
        let here = u32::from(run.cpu[index.at()].0);
        let (from, sign) = match run.probe[index.at()] {
            Probe::CacheLineFill => (None, 1),
            Probe::CacheLineMove => (Some(field(Field::FromCpu)), 1),
            Probe::CacheLineEvict => (None, -1),
            Probe::CacheLineState => (None, 0),
            _ => continue,
        };
        let (lines, object) = (i64::from(field(Field::Lines)), field(Field::Object));
        evictions += u32::from(sign < 0);
        let is_copy = run.field(index, Field::Clone) == Some(1);
        let left = run.field_name(index, Field::Oldstate);
        let left = left.map(|state| (from.unwrap_or(here), state, -lines));
        let entered = run.field_name(index, Field::Newstate);
        let entered = entered.map(|state| (here, state, lines));
        for (cpu, state, change) in left.into_iter().chain(entered) {
            let whose = (cpu, object, state.to_owned());
            let now = states.entry(whose).or_default();
            *now += change;
            assert!(*now >= 0, "{name}: CPU {cpu} has {now} {state} lines");
        }
        let changes = [
            Some((here, sign * lines)),
            from.filter(|_| !is_copy).map(|from| (from, -lines)),
        ];
        for (cpu, change) in changes.into_iter().flatten() {
            let now = held.entry((cpu, object)).or_default();
            *now += change;
            assert!(*now >= 0, "{name}: CPU {cpu} has {now} lines");
            *in_cache.entry(cpu).or_default() += change;
        }
    }
    // Each line is in one state.
    for (&(cpu, object), &lines) in &held {
        let of = states
            .iter()
            .filter(|(key, _)| (key.0, key.1) == (cpu, object));
        assert_eq!(of.map(|(_, lines)| lines).sum::<i64>(), lines, "{name}");
    }
    for (cpu, lines) in in_cache {
        assert!(
            lines <= most,
            "{name}: CPU {cpu} has {lines} of {most} lines"
        );
    }
    (held, evictions)
}

#[test]
fn what_leaves_a_cache_came_to_it_and_no_cache_holds_more_than_fits() {
    let large = small("2.6.3", 2, 2, 1 << 20, 261_120);
    let (held, evictions) = held_at_the_end(&run(&large, true).run.unwrap(), "large messages");
    assert!(evictions > 0);
    for cpu in 0..2 {
        assert!(held.keys().any(|&(of, _)| of == cpu), "CPU {cpu} has lines");
    }
    for simulated in shipped::all() {
        let run = simulated.run();
        if run.metadata.contains_key("cache_lines") {
            held_at_the_end(run, &simulated.shipped.name);
        }
    }
}

#[test]
fn a_cpu_goes_on_with_the_first_of_the_queue_that_was_told() {
    for kernel in ["2.4.20", "2.6.3"] {
        let run = run(&small(kernel, 1, 4, 8192, 65_536), true).run.unwrap();
        let mut queue: Vec<(u32, u32)> = Vec::new();
        let mut longest = 0;
        for index in run.indices() {
            let field = |field| run.field(index, field).unwrap();
            match run.probe[index.at()] {
                Probe::RunQueueTask => {
                    let task = field(Field::TargetPid);
                    queue.retain(|&(other, _)| other != task);
                    let place = field(Field::Depth) as usize;
                    queue.insert(place, (task, field(Field::Slice)));
                    longest = longest.max(queue.len());
                }
                Probe::SchedSwitch => {
                    let next = field(Field::NextPid);
                    let first = queue.first().copied();
                    // Once all slices are used up they are handed out anew, and with them the order.
                    if let Some((first, _)) = first.filter(|&(_, slice)| slice > 0) {
                        assert_eq!(next, first, "{kernel}");
                    }
                    queue.retain(|&(other, _)| other != next);
                }
                _ => {}
            }
        }
        assert!(longest > 2, "{kernel}");
    }
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

    let mut scenario = small("2.6.3", 1, 1, 8192, 261_120);
    scenario.faults = vec![Fault {
        at_us: 10,
        at_ns: 0,
        kind: FaultKind::DropFrame {},
        sent: false,
    }];
    let error = simulate(&scenario, &catalogue, false).unwrap_err();
    assert!(error.starts_with("faults.0.do"), "{error}");
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
        let all = measured.elapsed_fs * u64::from(measured.cpus);
        let step = 100_000_000_000 * u64::from(measured.cpus);
        prop_assert!(measured.busy_fs() <= all + step);
        let run = simulated.run.unwrap();
        prop_assert!(run.times().is_sorted());
        // What only a recording tells is not counted.
        let is_told = |probe: &&Probe| matches!(
            probe,
            Probe::CacheLineEvict | Probe::CacheLineState | Probe::RunQueueTask
        );
        let told = run.probe.iter().filter(is_told).count();
        prop_assert_eq!((run.len() - told) as u64, measured.events);
    }
}
