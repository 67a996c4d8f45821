//! Laws that hold of every network stack, whatever its parameters are: what no number of a
//! kernel's or a machine's file can reach, only its mechanisms.
//!
//! Each law stands with its source in the file of what it speaks of. Bounds are stated with
//! their reason; they are not fitted to what the simulator gives.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests; what they print is shown when they fail"
)]

mod busy_poll;
mod congestion;
mod conntrack;
mod damage;
mod drops;
mod ecn;
mod forks;
mod given_cpus;
mod held;
mod little;
mod netfilter;
mod nics;
mod overload;
mod pinned;
mod qdisc;
mod recorded;
mod scenarios;
mod send_buffer;
mod small_queues;
mod tcp;
mod xdp;

use ringside::run::measured::Measured;
use serde_json::{Value, json};
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::engine::simulate;

/// One stream over a link between two current servers. Where `settings` do not name buffers,
/// the kernel sizes them.
fn stream(kernel: &str, settings: &Value, (from_ms, to_ms): (u32, u32), seed: u64) -> Value {
    let mut scenario = json!({
        "machine": "current-server", "kernel": kernel, "workload": "iperf-link",
        "settings": { "connections": 1, "message_bytes": 65536 },
        "warmup_us": from_ms * 1000, "duration_us": to_ms * 1000, "seed": seed
    });
    for (name, value) in settings.as_object().unwrap() {
        scenario["settings"][name] = value.clone();
    }
    scenario
}

fn run(scenario: &Value) -> Measured {
    let catalogue = Catalogue::shipped().unwrap();
    let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
    simulate(&scenario, &catalogue, false).unwrap().measured
}

fn mbit(measured: &Measured) -> f64 {
    measured.throughput_kbit() as f64 / 1e3
}

/// The middle one of an odd number of values.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
