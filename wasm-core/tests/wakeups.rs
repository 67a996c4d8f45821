//! What it takes to wake a CPU that has halted, as the books have it: later answers, a waker that is
//! kept, and no more wake-ups than there are sleeps.

#![allow(clippy::unwrap_used, reason = "a test")]

use ringside::run::measured::Measured;
use serde_json::{Value, json};
use sim::config::catalogue::Catalogue;
use sim::config::machine::Processors;
use sim::config::scenario::Scenario;
use sim::engine::simulate;

const MACHINE: &str = "epyc-zen5-2cpu-vm";
const MS: u64 = 1_000_000_000_000;

fn scenario(workload: &str) -> Value {
    json!({
        "machine": MACHINE, "kernel": "6.18", "workload": workload,
        "settings": { "cpus": 2, "connections": 1, "message_bytes": 64 },
        "duration_us": 50_000, "warmup_us": 10_000, "seed": 1
    })
}

/// A workload on the machine with other processors.
fn run(workload: &str, change: impl Fn(&mut Processors)) -> Measured {
    let mut catalogue = Catalogue::shipped().unwrap();
    let mut machine = catalogue.machine(MACHINE).unwrap().clone();
    change(&mut machine.processors);
    catalogue.put_machine(machine);
    let scenario = Scenario::parse(&scenario(workload).to_string(), &catalogue).unwrap();
    simulate(&scenario, &catalogue, false).unwrap().measured
}

fn rounds(measured: &Measured) -> f64 {
    measured.tasks["asker"].rounds as f64
}

/// Each round has two wake-ups, so it takes longer by twice what one does.
#[test]
fn a_round_between_two_cpus_takes_two_wake_ups() {
    let round_us = |halted_ns| {
        let measured = run("host-request-apart", |processors| {
            processors.halted_ipi_ns = halted_ns;
            processors.halted_send_ns = 0;
        });
        measured.elapsed_fs as f64 / rounds(&measured) / 1e9
    };
    let (short, long) = (round_us(10_000), round_us(30_000));
    let more = long - short;
    assert!((39.0..41.0).contains(&more), "{short} to {long}");
}

/// A waker that is kept busy sends fewer datagrams, by about the time that its wake-ups take.
#[test]
fn waking_keeps_the_waker() {
    let sent = |send_ns| {
        let measured = run("host-datagrams-apart", |processors| {
            processors.halted_send_ns = send_ns;
        });
        let kept = measured.functions.get("native_smp_send_reschedule");
        let kept = kept.map_or(0, |function| function.fs);
        (measured.delivered_bytes / 64, kept)
    };
    let ((free, none), (kept, time)) = (sent(0), sent(6000));
    assert_eq!(none, 0);
    assert!(kept < free && time > 5 * MS, "{kept} of {free}, {time} fs");
}

/// An idle CPU that looks for work all the time is woken by none of it.
#[test]
fn a_cpu_that_polls_has_not_halted() {
    let rounds_of = |halted_ns| {
        rounds(&run("host-request-apart", |processors| {
            processors.idle_polls = true;
            processors.halted_ipi_ns = halted_ns;
        }))
    };
    assert_eq!(rounds_of(10_000).to_bits(), rounds_of(90_000).to_bits());
}
