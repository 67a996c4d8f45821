//! A load beside itself: a stretch of it that a host recorded, and the same in the simulator. Writer and reader of one
//! CPU take the same turns, and in each the same segments and ACKs arrive.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use std::collections::BTreeMap;

use ringside::kernel::{Field, Probe};
use ringside::run::Run;
use serde_json::json;
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::engine::simulate;

use crate::recordings::recording;

/// Of each turn, between two switches, the bytes of the segments that arrived; an ACK has none.
fn turns(run: &Run) -> Vec<String> {
    let mut turns = Vec::new();
    let mut arrived: Vec<String> = Vec::new();
    for index in run.indices() {
        match run.event(index).probe {
            Probe::SchedSwitch => turns.push(std::mem::take(&mut arrived).join(" ")),
            Probe::TcpProbe => {
                let bytes = run.field(index, Field::Payload).unwrap();
                arrived.push(if bytes == 0 {
                    "ACK".to_owned()
                } else {
                    bytes.to_string()
                });
            }
            _ => {}
        }
    }
    turns
}

/// So many turns that come again most often, begun with the last in order.
fn cycle(turns: &[String], length: usize) -> Vec<String> {
    let mut counts: BTreeMap<Vec<String>, u32> = BTreeMap::new();
    for window in turns.windows(length) {
        let rotations = (0..length).map(|by| [&window[by..], &window[..by]].concat());
        *counts.entry(rotations.max().unwrap()).or_default() += 1;
    }
    let (cycle, count) = counts.into_iter().max_by_key(|&(_, count)| count).unwrap();
    assert!(
        count as usize * 2 > turns.len(),
        "no {length} turns come again"
    );
    cycle
}

/// 1 KiB a write and 64 KiB a read, with Nagle's algorithm: the second of two single writes is not acknowledged when
/// it is read, so that the writer gathers until there is a whole segment.
#[test]
fn gathered_writes_take_the_turns_that_a_host_recorded() {
    let recorded = cycle(&turns(&recording("turns-of-gathered-writes").0), 6);
    assert_eq!(
        recorded,
        ["ACK 53 ACK", "1024", "ACK", "1024", "", "65483"],
        "the reader's and the writer's in turn"
    );
    let scenario = json!({
        "machine": "epyc-zen5-2cpu-vm", "kernel": "6.18", "workload": "host-gathered",
        "settings": { "cpus": 1, "message_bytes": 1024, "process_affinity": true },
        "duration_us": 25_000, "warmup_us": 20_000, "seed": 1
    });
    let catalogue = Catalogue::shipped().unwrap();
    let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
    let run = simulate(&scenario, &catalogue, true).unwrap().run.unwrap();
    // Once the window has grown, as the recorded one had.
    let simulated = turns(&run);
    let settled = &simulated[simulated.len() - 150..];
    assert_eq!(cycle(settled, 6), recorded);
}
