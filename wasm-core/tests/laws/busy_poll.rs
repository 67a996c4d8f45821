//! Busy polling: a reader that polls its NIC's queue is neither interrupted for nor woken, gets its packet
//! sooner, and pays for it with CPU time; one that polls in vain sleeps as ever.
//!
//! Source: `net/core/dev.c: napi_busy_loop` (v6.1); E. Dumazet, Busy Polling: Past, Present, Future (netdev 2.1).

use ringside::kernel::Probe;
use ringside::run::Run;
use sim::engine::{Simulated, Simulation};

use super::*;

/// A run on a current server, with what holds at any moment checked on the way.
fn served(workload: &str, kernel: &str, settings: &Value, is_recording: bool) -> Simulated {
    let catalogue = Catalogue::shipped().unwrap();
    served_by(&catalogue, workload, kernel, settings, is_recording)
}

fn served_by(
    catalogue: &Catalogue,
    workload: &str,
    kernel: &str,
    settings: &Value,
    is_recording: bool,
) -> Simulated {
    let mut scenario = json!({
        "machine": "current-server", "kernel": kernel, "workload": workload,
        "settings": { "cpus": 2, "connections": 1, "message_bytes": 64, "irq_affinity": "cpu0" },
        "duration_us": 20_000, "warmup_us": 2000, "seed": 1
    });
    for (name, value) in settings.as_object().unwrap() {
        scenario["settings"][name] = value.clone();
    }
    let scenario = Scenario::parse(&scenario.to_string(), catalogue).unwrap();
    let mut simulation = Simulation::new(&scenario, catalogue, is_recording).unwrap();
    while !simulation.advance(20_000) {
        assert_eq!(simulation.audit(), Vec::<String>::new(), "{settings}");
    }
    simulation.finish()
}

fn measured(workload: &str, kernel: &str, settings: &Value) -> Measured {
    served(workload, kernel, settings, false).measured
}

/// The mean time in ns from a frame in memory to its first byte at the reader, of a run with one packet
/// under way at a time.
fn latency(run: &Run) -> f64 {
    let mut came = None;
    let mut waits = Vec::new();
    for at in run.indices() {
        match run.probe[at.at()] {
            Probe::RxDma => came = Some(run.time(at).0),
            Probe::SkbCopyDatagramIter => {
                waits.extend(came.take().map(|came| (run.time(at).0 - came) as f64));
            }
            _ => {}
        }
    }
    assert!(waits.len() > 3, "{} packets", waits.len());
    waits.iter().sum::<f64>() / waits.len() as f64
}

fn calls(measured: &Measured, function: &str) -> u64 {
    measured.functions.get(function).map_or(0, |of| of.calls)
}

fn per_round(of: u64, measured: &Measured) -> f64 {
    of as f64 / measured.rounds as f64
}

#[test]
fn who_polls_gets_a_packet_sooner_and_uses_more_cpu() {
    for (workload, kernel) in [
        ("netperf-rr", "6.1"),
        ("netperf-rr", "6.18"),
        ("paced-udp", "6.1"),
    ] {
        for delay in [0, 20] {
            let with = |us: u32| {
                let settings = json!({ "busy_poll_us": us, "interrupt_delay_us": delay });
                served(workload, kernel, &settings, true)
            };
            let (sleeps, polls) = (with(0), with(10_000));
            let [before, after] = [&sleeps, &polls].map(|it| latency(it.run.as_ref().unwrap()));
            println!("{workload} {kernel}, {delay} us: {before} ns asleep, {after} ns polling");
            let (sleeps, polls) = (sleeps.measured, polls.measured);
            assert!(
                after < before,
                "{workload} {kernel}: {before} to {after} ns"
            );
            assert!(polls.busy_fs() > sleeps.busy_fs(), "polling costs CPU time");
            assert!(polls.rounds >= sleeps.rounds);
            // Nobody sleeps, so nobody is woken.
            assert!(calls(&sleeps, "sk_wait_data") > 0);
            assert_eq!(calls(&polls, "sk_wait_data"), 0, "{workload} {kernel}");
            assert_eq!(calls(&polls, "try_to_wake_up"), 0, "{workload} {kernel}");
            assert_eq!(polls.switches, 0);
            if delay > 0 {
                // The poll finds the frame before its interrupt is due.
                assert_eq!(polls.interrupts, 0, "{workload} {kernel}");
            }
        }
    }
}

#[test]
fn without_a_time_to_poll_a_run_is_what_it_was() {
    for workload in ["netperf-rr", "paced-udp"] {
        let events = |settings: &Value| {
            let run = served(workload, "6.1", settings, true).run.unwrap();
            let events = run.indices().map(|at| {
                let at_cpu = (run.time(at), run.cpu[at.at()], run.probe[at.at()]);
                format!("{at_cpu:?}")
            });
            events.collect::<Vec<_>>()
        };
        let before = events(&json!({}));
        assert!(before.len() > 50);
        assert_eq!(before, events(&json!({ "busy_poll_us": 0 })));
    }
}

/// The answer takes a millisecond: the reader polls for its time, once in a call, then sleeps.
#[test]
fn who_polls_in_vain_sleeps_as_before() {
    const POLLS_US: u32 = 50;
    let with = |us: u32| {
        let settings = json!({ "busy_poll_us": us, "link_delay_us": 500 });
        measured("netperf-rr", "6.1", &settings)
    };
    let (before, after) = (with(0), with(POLLS_US));
    assert_eq!(before.rounds, after.rounds, "a round is the link's");
    for function in ["sk_wait_data", "try_to_wake_up", "context_switch"] {
        assert_eq!(
            calls(&before, function),
            calls(&after, function),
            "{function}"
        );
    }
    assert_eq!(before.interrupts, after.interrupts);
    let more = after.kernel_fs - before.kernel_fs;
    let polled_us = per_round(more, &after) / 1e9;
    println!("{polled_us} us more a round");
    // Units of 1024 ns, one begun and one turn over, and the way in and out.
    let least = f64::from(POLLS_US) * 1.024;
    assert!((least..least + 2.5).contains(&polled_us), "{polled_us} us");
}

/// Readers, softirqs and interrupts meet at one queue, and at one socket: each packet is read once. With a
/// budget of one packet nearly every last poll leaves the rest to the softirq.
#[test]
fn readers_and_softirqs_share_queues() {
    let shipped = Catalogue::shipped().unwrap();
    let mut hasty = shipped.clone();
    let mut kernel = Catalogue::fields("kernels/6.1").unwrap();
    kernel["receive"]["busy_poll_budget"] = 1.into();
    hasty.put_kernel(kernel).unwrap();
    for (workload, settings) in [
        (
            "netperf-rr",
            json!({ "connections": 40, "cpus": 4, "irq_affinity": "spread" }),
        ),
        (
            "netperf-rr",
            json!({ "connections": 3, "background_hogs": 2 }),
        ),
        (
            "netperf-rr",
            json!({ "link_loss_permille": 5, "rx_ring": 4, "connections": 9 }),
        ),
        (
            "iperf-link",
            json!({ "message_bytes": 65536, "link_mbit": 1000 }),
        ),
        (
            "iperf-link",
            json!({ "message_bytes": 9000, "link_mbit": 100, "connections": 5, "gro": false }),
        ),
        (
            "iperf-link",
            json!({ "cpus": 32, "message_bytes": 65536, "link_mbit": 10_000, "connections": 4, "gro": false,
                "irq_affinity": "spread" }),
        ),
        (
            "flood",
            json!({ "connections": 5, "peer": "flood-generator", "xdp": "drop", "xdp_port": 9 }),
        ),
        (
            "flood",
            json!({ "connections": 5, "peer": "flood-generator", "interrupt_delay_us": 0 }),
        ),
        (
            "kperf-generator-udp",
            json!({ "threads": 3, "process_affinity": true, "message_bytes": 1400 }),
        ),
    ] {
        for us in [1, 20, 10_000] {
            let mut settings = settings.clone();
            settings["busy_poll_us"] = json!(us);
            for catalogue in [&shipped, &hasty] {
                let polls = served_by(catalogue, workload, "6.1", &settings, false).measured;
                assert!(calls(&polls, "napi_busy_loop") > 0, "{workload} {settings}");
                assert!(polls.delivered_bytes > 0, "{workload} {settings}");
            }
        }
    }
}

/// A task that only computes shares the reader's CPU: who polls lets it run when it is its turn.
#[test]
fn who_polls_lets_others_run() {
    let scenario = json!({
        "machine": "current-server", "kernel": "6.1", "workload": "paced-udp",
        "settings": { "cpus": 1, "background_hogs": 1, "busy_poll_us": 10_000 },
        // Some fifty turns of each.
        "duration_us": 400_000, "seed": 1
    });
    let catalogue = Catalogue::shipped().unwrap();
    let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
    let shared = simulate(&scenario, &catalogue, false).unwrap().measured;
    let share = shared.tasks["hog"].cpu_fs as f64 / shared.elapsed_fs as f64;
    println!("the hog has {share} of the CPU");
    assert!((0.45..0.55).contains(&share), "{share}");
}

#[test]
fn a_setting_that_changes_nothing_is_refused() {
    let refusal_on = |machine: &str, kernel: &str, workload: &str| {
        let scenario = json!({
            "machine": machine, "kernel": kernel, "workload": workload,
            "settings": { "busy_poll_us": 50 }, "duration_us": 1000, "seed": 1
        });
        let catalogue = Catalogue::shipped().unwrap();
        let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
        simulate(&scenario, &catalogue, false).unwrap_err()
    };
    let refusal = |kernel, workload| refusal_on("current-server", kernel, workload);
    assert_eq!(
        refusal("2.6.9", "netperf-rr"),
        "settings.busy_poll_us changes nothing in the kernel \"2.6.9\", whose file has no code for it; it must be \
         absent"
    );
    assert_eq!(
        refusal("6.1", "iperf"),
        "settings.busy_poll_us changes nothing in the workload \"iperf\", whose packets stay in the host; it \
         must be absent"
    );
    // Its driver hands each frame to `netif_rx` from its interrupt handler: two CPUs took one frame from the ring.
    assert_eq!(
        refusal_on("pii-xeon-400-4way", "6.1", "netperf-rr"),
        "settings.busy_poll_us: the driver of Intel 82558/82559 (eepro100) has no poll function (NAPI) with the kernel \
         6.1; it must be absent"
    );
}
