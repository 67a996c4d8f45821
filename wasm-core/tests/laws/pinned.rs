//! The interrupt of one receive queue is pinned to a CPU: it goes there, and the other queues' stay.

use ringside::kernel::Probe;
use ringside::run::Run;

use super::forks::with;
use super::scenarios::record;
use super::*;

/// Two flows of one NIC, in the queues 0 and 2, whose interrupts go to the CPUs of these numbers.
fn queues(settings: &Value) -> Value {
    let mut all = json!({
        "cpus": 4, "connections": 2, "gro": false, "irq_affinity": "spread", "peer": "current-server"
    });
    for (name, value) in settings.as_object().unwrap() {
        all[name] = value.clone();
    }
    json!({
        "machine": "current-server", "kernel": "6.1", "workload": "iperf-link",
        "settings": all, "duration_us": 4000, "seed": 1
    })
}

/// The CPUs on which TCP gets segments within a stretch.
fn received_on(run: &Run, from: u64, to: u64) -> Vec<u16> {
    let within = run
        .indices()
        .filter(|&at| (from..to).contains(&run.time(at).0));
    let mut cpus: Vec<u16> = within
        .filter(|&at| run.probe[at.at()] == Probe::TcpV4Rcv)
        .map(|at| run.cpu[at.at()].0)
        .collect();
    cpus.sort_unstable();
    cpus.dedup();
    cpus
}

#[test]
fn the_interrupt_of_one_queue_is_pinned_and_the_others_stay() {
    let pinned = json!({"at_us": 1000, "do": "pin_queue", "queue": 2, "cpu": 1});
    let fork = record(&with(&queues(&json!({})), &pinned)).1.run;
    assert_eq!(received_on(&fork, 0, 1_000_000), [0, 2]);
    assert_eq!(received_on(&fork, 1_500_000, 4_000_000), [0, 1]);
    // From the start, as a setting; the machine spreads its queues by itself.
    let set = json!({"irq_affinity": "cpu1", "irq_queue": 2});
    let run = record(&queues(&set)).1.run;
    assert_eq!(received_on(&run, 0, 4_000_000), [0, 1]);
}

#[test]
fn a_queue_that_is_not_there_cannot_be_pinned() {
    let refusal = |scenario: &Value| {
        let catalogue = Catalogue::shipped().unwrap();
        let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
        simulate(&scenario, &catalogue, false).unwrap_err()
    };
    let pinned = json!({"at_us": 1000, "do": "pin_queue", "queue": 32, "cpu": 0});
    assert_eq!(
        refusal(&with(&queues(&json!({})), &pinned)),
        "faults.0.queue is 32, must be 0 to 31 here"
    );
    assert_eq!(
        refusal(&queues(&json!({"irq_affinity": "cpu0", "irq_queue": 32}))),
        "settings.irq_queue is 32, must be 0 to 31 here"
    );
    assert_eq!(
        refusal(&queues(&json!({"irq_queue": 2}))),
        "settings.irq_queue is 2, but no CPU is named for it; settings.irq_affinity must be \"cpu0\" to \"cpu3\""
    );
}
