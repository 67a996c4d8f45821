//! What a machine's noise does to runs: it takes its share of the time, and more where who was held up owes.

#![allow(clippy::unwrap_used, reason = "a test")]

use ringside::run::measured::Measured;
use serde_json::{Value, json};
use sim::config::catalogue::Catalogue;
use sim::config::machine::{Machine, Noise};
use sim::config::scenario::Scenario;
use sim::engine::simulate;

/// One stream over the loopback device of one CPU, with a thousand ticks a second.
fn stream() -> Value {
    json!({
        "machine": "xeon-3.2-dual", "kernel": "2.6.3", "workload": "iperf",
        "settings": {
            "cpus": 1, "hyper_threading": false, "connections": 1, "message_bytes": 8192,
            "send_buffer_bytes": 130_560, "receive_buffer_bytes": 130_560
        },
        "duration_us": 60_000, "warmup_us": 20_000, "seed": 1
    })
}

/// A run on a machine that somebody has changed.
fn run_on(scenario: &Value, change: impl Fn(&mut Machine)) -> Measured {
    let mut catalogue = Catalogue::shipped().unwrap();
    let name = scenario["machine"].as_str().unwrap();
    let mut machine = catalogue.machine(name).unwrap().clone();
    change(&mut machine);
    catalogue.put_machine(machine);
    let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
    simulate(&scenario, &catalogue, false).unwrap().measured
}

fn kbit(measured: &Measured) -> f64 {
    measured.throughput_kbit() as f64
}

/// Datagrams that a task sends to another one of its CPU, on a machine of today.
fn datagrams() -> Value {
    json!({
        "machine": "epyc-milan-vm", "kernel": "6.18", "workload": "host-datagrams",
        "settings": { "cpus": 1, "connections": 1, "message_bytes": 1472, "process_affinity": true },
        "duration_us": 400_000, "warmup_us": 100_000, "seed": 1
    })
}

#[test]
fn noise_takes_its_share_of_the_time() {
    let before = run_on(&stream(), |_| {});
    let with_noise = run_on(&stream(), |machine| {
        // A tenth of the time.
        machine.processors.noise = vec![Noise {
            per_second: 2000,
            ns: 50_000,
        }];
    });
    let ratio = kbit(&with_noise) / kbit(&before);
    assert!((0.87..=0.93).contains(&ratio), "{ratio}");
    let with_exits = run_on(&stream(), |machine| {
        machine.processors.timer_exits_ns = 50_000;
    });
    // A thousand ticks a second take a twentieth.
    let ratio = kbit(&with_exits) / kbit(&before);
    assert!((0.92..=0.97).contains(&ratio), "{ratio}");
}

#[test]
fn a_reader_that_was_held_up_owes_its_sender_time_and_datagrams_are_lost() {
    let lost = |measured: &Measured| {
        let read = measured.delivered_bytes / 1472;
        measured.dropped as f64 / read as f64
    };
    let quiet = run_on(&datagrams(), |machine| {
        machine.processors.noise.clear();
        machine.processors.timer_exits_ns = 0;
    });
    let noisy = run_on(&datagrams(), |_| {});
    let ratio = lost(&noisy) / lost(&quiet);
    assert!(ratio > 2.0, "{ratio}");
}
