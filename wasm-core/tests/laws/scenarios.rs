//! Scenarios drawn at random, the same ones every time, and what a recording of one shows.

use std::rc::Rc;

use ringside::journey::Journeys;
use ringside::replay::Replay;
use sim::rng::Rng;

use super::*;

const OVER_A_LINK: &[(&str, u64)] = &[
    ("recorder-e1000", 2),
    ("via-eden-553", 1),
    ("fermilab-piii-1000", 1),
    ("piii-700-8way", 8),
    ("pii-xeon-400-4way", 4),
];
const INSIDE: &[(&str, u64)] = &[
    ("xeon-3.2-dual", 2),
    ("piii-xeon-550-8way", 8),
    ("p4-1.6", 1),
];
const KERNELS: &[&str] = &["2.2.14", "2.4.20", "2.6.3", "2.6.9", "6.1"];

/// So many scenarios: in turn over a link, with TCP and UDP, some with loss or a short ring,
/// and over the loopback device. Each is recorded from its first event.
pub fn drawn(count: u64) -> Vec<Value> {
    (0..count).map(one).collect()
}

fn one(number: u64) -> Value {
    let mut rng = Rng::new(number + 1);
    let mut of = |all: &[u64]| all[rng.below(all.len() as u64) as usize];
    let is_link = number.is_multiple_of(2);
    let machines = if is_link { OVER_A_LINK } else { INSIDE };
    let workloads: &[&str] = if is_link {
        &[
            "iperf-link",
            "netperf-rr",
            "kperf-generator-udp",
            "connect-close",
        ]
    } else {
        &["iperf", "chat", "connect-close-local"]
    };
    let mut place = |count: usize| of(&(0..count as u64).collect::<Vec<_>>()) as usize;
    let (machine, most) = machines[place(machines.len())];
    let workload = workloads[place(workloads.len())];
    let kernel = KERNELS[place(KERNELS.len())];
    let mut settings = json!({
        "cpus": of(&[1, 2, 4]).min(most),
        "connections": of(&[1, 2, 4, 8]),
        "message_bytes": of(&[100, 1400, 8192, 26_000]),
        "receive_buffer_bytes": of(&[32_768, 131_072]),
    });
    if is_link {
        settings["link_loss_permille"] = json!(of(&[0, 0, 10]));
        if of(&[0, 1]) == 1 {
            settings["rx_ring"] = json!(of(&[8, 64]));
        }
    } else {
        settings["background_hogs"] = json!(of(&[0, 1, 2]));
    }
    json!({
        "machine": machine, "kernel": kernel, "workload": workload, "settings": settings,
        "duration_us": 20_000, "seed": number
    })
}

/// A scenario's totals and its recording.
pub fn record(scenario: &Value) -> (Measured, Replay) {
    let catalogue = Catalogue::shipped().unwrap();
    let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
    let simulated = simulate(&scenario, &catalogue, true).unwrap();
    let run = simulated.run.unwrap();
    let journeys = Journeys::of(&run);
    let replay = Replay::new(Rc::new(run), Rc::new(journeys));
    (simulated.measured, replay)
}
