//! Scenarios over a link, drawn at random: kernels, machines, loads, faults, and settings.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use sim::config::catalogue::Catalogue;
use sim::config::controls::{Allowed, Setting};
use sim::config::scenario::Scenario;
use sim::config::settings::SETTINGS;
use sim::engine::Simulation;

use super::kernels;

const LINK_WORKLOADS: &[&str] = &[
    "iperf-link",
    "netperf-stream",
    "netperf-rr",
    "connect-close",
    "paced-tcp",
    "paced-udp",
    "kperf-generator-tcp",
    "kperf-generator-udp",
];

/// Settings that each world has, in values that keep a host busy, and those that none has.
const NOT_DRAWN: &[&str] = &[
    // What each world has.
    "cpus",
    "connections",
    "message_bytes",
    "send_buffer_bytes",
    "receive_buffer_bytes",
    "link_loss_permille",
    "link_reorder_permille",
    // What many worlds have: a small ring, moderation that is felt, a link that is slower than the host.
    "rx_ring",
    "interrupt_delay_us",
    "interrupt_frames",
    "link_mbit",
    // Only read where there are no `connections`.
    "clients",
];

/// The largest values that are drawn of settings whose own largest values leave nothing to see in a world of 25 ms.
const AT_MOST: &[(&str, u64)] = &[
    // A program that computes and never sleeps: hundreds leave the others no time.
    ("background_hogs", 3),
    // Of each probe that an event passes.
    ("probe_cost_ns", 5000),
    ("link_delay_us", 2000),
    // Each has a socket and a task, which each look at the world goes through.
    ("threads", 8),
];

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::shipped().unwrap());

/// One of the values that a setting can have, by two numbers that were drawn. Of a range the lower end is likelier, where
/// limits are met.
fn value_of(setting: &Setting, width: u64, at: u64) -> Value {
    let one_of = |words: &[&str]| Value::from(words[at as usize % words.len()]);
    match setting.allowed {
        Allowed::Range(least, most) => {
            let limit = AT_MOST.iter().find(|(name, _)| *name == setting.name);
            let span = limit.map_or(most, |&(_, limit)| limit) - least;
            let most_bits = u64::from(u64::BITS - span.leading_zeros()) + 1;
            let bits = (width % most_bits).min((width >> 32) % most_bits);
            Value::from(least + (at % (1 << bits)).min(span))
        }
        Allowed::Flag => Value::from(at.is_multiple_of(2)),
        Allowed::Words(words) => one_of(words),
        Allowed::Cpus(words) => one_of(&[words, &["cpu0"]].concat()),
        Allowed::Machine => one_of(&CATALOGUE.machine_names()),
    }
}

/// Whether the model takes a scenario: nothing in it is without effect or impossible.
fn is_taken(scenario: &Value) -> bool {
    Scenario::parse(&scenario.to_string(), &CATALOGUE)
        .is_ok_and(|scenario| Simulation::new(&scenario, &CATALOGUE, false).is_ok())
}

pub fn link_scenario() -> impl Strategy<Value = String> {
    let who = (
        kernels(),
        prop::sample::select(LINK_WORKLOADS),
        prop::sample::select(vec![
            ("piii-700-8way", 8),
            ("pii-xeon-400-4way", 4),
            ("recorder", 2),
            ("recorder-e1000", 2),
            ("via-eden-553", 1),
            ("fermilab-pii-350", 1),
            // As many of today's NICs, which alone take an XDP program.
            ("current-server", 4),
            ("current-server", 4),
            ("current-server", 4),
        ]),
        1_u32..=4,
    );
    let how = (
        prop::sample::select(vec![100_u32, 1400, 4000, 26_000]),
        prop::sample::select(vec![4096_u32, 16_384, 65_536, 262_144]),
        prop::sample::select(vec![None, Some(2_u32), Some(8), Some(64)]),
        prop::sample::select(vec![0_u32, 0, 5, 50]),
        prop::sample::select(vec![0_u32, 0, 20]),
        prop::sample::select(vec![None, Some((0_u32, 4_u32)), Some((100, 0))]),
        prop::sample::select(vec![None, None, Some(5_u32), Some(100)]),
    );
    let faults = prop::collection::vec(
        (
            0_u32..20_000,
            prop::sample::select(vec![
                r#""do":"drop_frame""#,
                r#""do":"duplicate_frame""#,
                r#""do":"delay_frame","us":700"#,
                r#""do":"drop_frame","sent":true"#,
                r#""do":"reorder_frame","behind":3"#,
                r#""do":"reorder_frame","behind":20,"sent":true"#,
                r#""do":"damage_frame""#,
                r#""do":"damage_frame","sent":true"#,
                r#""do":"pin_interrupts","cpu":0"#,
                r#""do":"set_ring","descriptors":300"#,
                r#""do":"steal_cpu","cpu":0,"us":900"#,
                r#""do":"shrink_ring","descriptors":3"#,
            ]),
        ),
        0..4,
    );
    // Of each setting of the list whether a world has it, and its value.
    let drawn = prop::collection::vec((0..3, any::<u64>(), any::<u64>()), SETTINGS.len());
    (who, how, faults, drawn, 0_u64..1000).prop_map(|(who, how, faults, drawn, seed)| {
        let (kernel, workload, (machine, cpus), connections) = who;
        let (message, buffer, ring, loss, reorder, moderation, slow) = how;
        let faults = faults.iter().map(|(at, what)| {
            let fault = format!(r#"{{"at_us":{at},{what}}}"#);
            serde_json::from_str::<Value>(&fault).unwrap()
        });
        let mut scenario = json!({
            "machine": machine, "kernel": kernel, "workload": workload,
            "settings": {
                "cpus": cpus, "connections": connections, "message_bytes": message,
                "send_buffer_bytes": buffer, "receive_buffer_bytes": buffer,
                "link_loss_permille": loss, "link_reorder_permille": reorder,
            },
            "duration_us": 25000, "seed": seed, "faults": faults.collect::<Vec<_>>(),
        });
        let settings = &mut scenario["settings"];
        if let Some(ring) = ring {
            settings["rx_ring"] = ring.into();
        }
        if let Some((delay, frames)) = moderation {
            settings["interrupt_delay_us"] = delay.into();
            settings["interrupt_frames"] = frames.into();
        }
        if let Some(mbit) = slow {
            settings["link_mbit"] = mbit.into();
        }
        for (setting, (has, width, at)) in SETTINGS.iter().zip(drawn) {
            if has == 0 && !NOT_DRAWN.contains(&setting.name) {
                let before = scenario.clone();
                scenario["settings"][setting.name] = value_of(setting, width, at);
                if !is_taken(&scenario) {
                    scenario = before;
                }
            }
        }
        scenario.to_string()
    })
}

/// A setting that no world can have, as something else is always refused with it, would never be tried.
#[test]
fn each_setting_is_drawn() {
    let mut runner = TestRunner::new(super::cases(1));
    let mut never: Vec<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
    never.retain(|name| *name != "clients");
    for _ in 0..2000 {
        if never.is_empty() {
            break;
        }
        let text = link_scenario().new_tree(&mut runner).unwrap().current();
        let scenario: Value = serde_json::from_str(&text).unwrap();
        let settings = scenario["settings"].as_object().unwrap();
        never.retain(|name| !settings.contains_key(*name));
    }
    assert_eq!(never, Vec::<&str>::new());
}
