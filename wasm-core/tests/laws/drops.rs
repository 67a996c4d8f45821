//! A packet that is dropped was dropped for a reason, in the kernel's word for it
//! (`include/net/dropreason-core.h`).

use std::collections::BTreeSet;

use ringside::journey::Journeys;
use ringside::kernel::{DropReason, EventIdx, Field, Probe, Verdict};
use ringside::run::Run;
use serde_json::{Value, json};
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::engine::simulate;

use crate::shipped;

fn record(scenario: &Scenario, catalogue: &Catalogue) -> Run {
    simulate(scenario, catalogue, true).unwrap().run.unwrap()
}

/// The reasons for which packets of a run ended.
fn reasons(run: &Run) -> BTreeSet<&'static str> {
    let journeys = Journeys::of(run);
    let verdicts = journeys
        .ids()
        .map(|id| journeys.packets[id.at()].verdict)
        .filter_map(|verdict| match verdict {
            Verdict::Dropped { reason } => Some(reason.name()),
            _ => None,
        });
    verdicts.collect()
}

/// Datagrams or segments that some queue on their way cannot hold.
fn overloaded(kernel: &str, workload: &str, settings: &Value) -> Run {
    let scenario = json!({
        "machine": "current-server", "kernel": kernel, "workload": workload,
        "settings": settings, "duration_us": 200_000, "seed": 1
    });
    let catalogue = Catalogue::shipped().unwrap();
    let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
    record(&scenario, &catalogue)
}

#[test]
fn no_shipped_scenario_drops_for_no_reason() {
    for simulated in shipped::all() {
        let reasons = reasons(simulated.run());
        assert!(
            !reasons.contains(DropReason::NotSpecified.name()),
            "{}: {reasons:?}",
            simulated.shipped.name
        );
    }
}

/// What runs full says what it was: the receive buffer, the queue of connections to accept,
/// the device's queue.
#[test]
fn what_has_no_room_says_so() {
    let reasons_of =
        |kernel, workload, settings: &Value| reasons(&overloaded(kernel, workload, settings));
    let small = json!({ "receive_buffer_bytes": 2048, "message_bytes": 100, "cpus": 1,
        "connections": 8 });
    let of = reasons_of("6.1", "kperf-generator-udp", &small);
    assert_eq!(of, BTreeSet::from(["SOCKET_RCVBUFF"]));
    // Under EEVDF; CFS lets who accepts come before 16 tasks that compute.
    let crowd = json!({ "cpus": 1, "connections": 4096, "background_hogs": 16 });
    let of = reasons_of("6.18", "web", &crowd);
    assert_eq!(of, BTreeSet::from(["TCP_LISTEN_OVERFLOW"]), "listen");
    // TCP keeps its queues small; datagrams wait in the device's queue as far as their buffers reach.
    let flood = json!({ "connections": 64, "message_bytes": 8192, "largest_buffer_bytes": 1 << 26, "send_buffer_bytes": 1 << 24,
        "receive_buffer_bytes": 1 << 24, "watch": "sender" });
    let of = reasons_of("6.1", "kperf-generator-udp", &flood);
    assert_eq!(of, BTreeSet::from(["QDISC_DROP"]));
}

/// A kernel before v5.17 has no reasons: as in a recording of it, a dropped packet tells the
/// place where it was.
#[test]
fn an_old_kernel_tells_the_place_and_no_reason() {
    let small = json!({ "receive_buffer_bytes": 2048, "message_bytes": 1400, "background_hogs": 8,
        "cpus": 1, "connections": 8 });
    let run = overloaded("2.6.9", "kperf-generator-udp", &small);
    let drops: Vec<EventIdx> = (0..run.len() as u32)
        .map(EventIdx)
        .filter(|event| run.probe[event.at()] == Probe::KfreeSkb)
        .collect();
    assert!(!drops.is_empty());
    for event in drops {
        assert_eq!(run.field(event, Field::Reason), None);
        let place = run.field_name(event, Field::Location);
        assert_eq!(place, Some("udp_queue_rcv_skb"));
    }
}
