//! What a machine's noise does to runs: it takes its share of the time, and more where who was held up owes.

use ringside::run::measured::Measured;
use serde_json::{Value, json};
use sim::config::machine::Noise;

use crate::directions::{loopback, mbit, run_on};

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
    let before = run_on(&loopback(), |_| {});
    let with_noise = run_on(&loopback(), |machine| {
        // A tenth of the time.
        machine.processors.noise = vec![Noise {
            per_second: 2000,
            ns: 50_000,
        }];
    });
    let ratio = mbit(&with_noise) / mbit(&before);
    assert!((0.87..=0.93).contains(&ratio), "{ratio}");
    let with_exits = run_on(&loopback(), |machine| {
        machine.processors.timer_exits_ns = 50_000;
    });
    // A thousand ticks a second take a twentieth.
    let ratio = mbit(&with_exits) / mbit(&before);
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
