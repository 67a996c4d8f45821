//! Verdicts held to planted causes: of two scenarios one thing is changed, and that thing has to be
//! among what the verdict says first. What it says is pinned; a seed alone explains nothing.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::fmt::Write as _;
use std::ops::Range;

use expect_test::expect_file;
use ringside::compare::{Comparison, Verdict};
use ringside::english::say_of_file;
use ringside::figures::Figures;
use ringside::opened::Opened;
use ringside::run::measured::Measured;
use serde_json::{Value, json};
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::engine::simulate;

use crate::recorded::recorded;

/// Runs on each side.
const SEEDS: u64 = 6;
/// The thing that was changed has to be among so many causes.
const FIRST: usize = 3;

/// A change, and what has to explain what comes of it: a quantity, and a part where it matters.
struct Planted {
    what: &'static str,
    base: &'static str,
    /// Both sides have these, too.
    both: Value,
    change: Value,
    because: &'static [(&'static str, &'static str)],
}

#[rustfmt::skip]
fn planted() -> Vec<Planted> {
    let plant = |what, base, both, change, because| Planted {
        what,
        base,
        both,
        change,
        because,
    };
    vec![
        plant("interrupts and processes are bound", "ah-affinity-none", json!({}), json!({"irq_affinity": "spread", "process_affinity": true}), &[("fetch_each", "")]),
        plant("four CPUs for one", "ah-affinity-none", json!({"cpus": 1}), json!({"cpus": 4}), &[("fetch_each", ""), ("wait_each", "prequeue")]),
        plant("XDP drops the flood", "today-flood-socket", json!({}), json!({"xdp": "drop", "xdp_port": 9}), &[("dropped", "XDP")]),
        plant("XDP drops half of the flood", "today-flood-socket", json!({}), json!({"xdp": "drop", "xdp_port": 9, "xdp_permille": 500}), &[("dropped", "XDP")]),
        plant("a firewall drops the flood", "today-flood-socket", json!({"firewall_rules": 10}), json!({"firewall_drops_port": 9}), &[("dropped", "NETFILTER_DROP")]),
        plant("a long list of rules", "today-gro", json!({"firewall_rules": 0}), json!({"firewall_rules": 1000}), &[("function_each", "nft_do_chain")]),
        plant("a short ring", "go-fragments", json!({}), json!({"rx_ring": 2}), &[("dropped", "RX_RING_FULL")]),
        plant("a large socket buffer", "today-flood-socket", json!({}), json!({"largest_buffer_bytes": 4_000_000, "receive_buffer_bytes": 4_000_000}), &[("dropped", "SOCKET_RCVBUFF")]),
        plant("frames are lost on the link", "today-gro", json!({}), json!({"link_loss_permille": 20}), &[("lost_on_link", "")]),
        plant("the same for the host that sends", "today-gro", json!({"watch": "sender"}), json!({"link_loss_permille": 20}), &[("lost_on_link", ""), ("retransmitted", "")]),
        plant("frames overtake each other", "today-gro", json!({}), json!({"link_reorder_permille": 100}), &[("wait_each", "out-of-order"), ("merged", "")]),
        plant("no GRO", "today-gro", json!({}), json!({"gro": false}), &[("merged", "")]),
        plant("larger requests", "br-rr-2.2", json!({}), json!({"message_bytes": 1000}), &[("payload_each", "")]),
        plant("interrupts are held back", "ah-affinity-both", json!({}), json!({"interrupt_delay_us": 200, "interrupt_frames": 64}), &[("wait_each", "rx ring"), ("cpu_each", "hardirq")]),
        plant("probes cost", "clean", json!({"probe_cost_ns": 2000}), json!({"probes": true}), &[("probes_each", "")]),
        plant("small datagrams", "clean", json!({"largest_buffer_bytes": 4_000_000, "receive_buffer_bytes": 4_000_000, "link_mbit": 100}), json!({"message_bytes": 100}), &[("payload_each", "")]),
        plant("a receive buffer of a few datagrams", "clean", json!({"largest_buffer_bytes": 4_000_000, "receive_buffer_bytes": 4_000_000}), json!({"receive_buffer_bytes": 4096}), &[("dropped", "SOCKET_RCVBUFF")]),
        plant("hogs take the CPU", "today-gro", json!({"cpus": 2, "link_mbit": 5000}), json!({"background_hogs": 16}), &[("bystanders_each", "make")]),
        plant("steering to other CPUs", "today-rps", json!({"rps": false}), json!({"rps": true}), &[("busy", "CPU"), ("wait_each", "receive queue")]),
        plant("small messages", "ba-fig5-uni", json!({}), json!({"message_bytes": 128}), &[("payload_each", "")]),
        plant("a larger MTU", "go-fragments", json!({}), json!({"mtu_bytes": 9000}), &[("wait_each", "reassembly")]),
        plant("a kernel for two CPUs, one at work", "ba-fig5-uni", json!({}), json!({"cpus": 2, "process_affinity": true}), &[("function_each", "sockfd_lookup")]),
        plant("a kernel without the one lock", "br-rr-2.2", json!({}), json!({"kernel": "2.4.20"}), &[("lock_each", "")]),
        plant("a receive buffer of two segments", "today-gro", json!({}), json!({"receive_buffer_bytes": 4096}), &[("merged", "")]),
        plant("a longer link, and a window to wait for", "today-gro", json!({"watch": "sender", "receive_buffer_bytes": 65_536}), json!({"link_delay_us": 400}), &[("round_trip", "")]),
        plant("a longer link, and a window of 2.4", "ah-affinity-both", json!({"watch": "sender", "receive_buffer_bytes": 8192}), json!({"link_delay_us": 1000}), &[("round_trip", "")]),
        plant("a longer link between questions and answers", "br-rr-2.3", json!({"connections": 1}), json!({"link_delay_us": 500}), &[("round_trip", "")]),
        plant("fq_codel for a fifo beside uploads", "today-bloat-fifo", json!({}), json!({"qdisc": "fq_codel"}), &[("wait_each", "qdisc")]),
        plant("two NICs for four", "ah-affinity-both", json!({}), json!({"nics": 2}), &[("busy", "CPU")]),
    ]
}

/// Those in which a round trip decides, with as much of it on both sides, too.
fn another_seed_alone() -> Vec<(&'static str, Value)> {
    vec![
        ("ah-affinity-none", json!({})),
        ("ba-fig5-smp-1", json!({})),
        ("today-gro", json!({})),
        ("today-flood-socket", json!({})),
        ("br-rr-2.2", json!({})),
        ("today-rps", json!({})),
        (
            "today-gro",
            json!({"watch": "sender", "receive_buffer_bytes": 65_536, "link_delay_us": 400}),
        ),
        (
            "ah-affinity-both",
            json!({"watch": "sender", "receive_buffer_bytes": 8192, "link_delay_us": 1000}),
        ),
    ]
}

fn scenario(base: &str, settings: &[&Value]) -> Value {
    let catalogue = Catalogue::shipped().unwrap();
    let mut scenario: Value = match catalogue.scenario(base) {
        Some(shipped) => serde_json::from_str(&shipped.scenario.to_json()).unwrap(),
        // The 2005 generator, as it was recorded anew.
        None => json!({
            "machine": "recorder", "kernel": "6.1", "instrumentation": ["kperf-kprobes"],
            "workload": "kperf-generator-udp",
            "duration_us": 100_000, "seed": 1, "settings": {"message_bytes": 1000}
        }),
    };
    for more in settings {
        for (name, value) in more.as_object().unwrap() {
            if name == "kernel" {
                scenario[name] = value.clone();
            } else {
                scenario["settings"][name] = value.clone();
            }
        }
    }
    scenario
}

fn simulated(scenario: &Value, seed: u64) -> (Opened, Measured) {
    let catalogue = Catalogue::shipped().unwrap();
    let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
    let simulated = simulate(&Scenario { seed, ..scenario }, &catalogue, true).unwrap();
    (Opened::from(simulated.run.unwrap()), simulated.measured)
}

fn figures(scenario: &Value, seeds: Range<u64>) -> Vec<Figures> {
    let of_seed = |seed| {
        let (opened, measured) = simulated(scenario, seed);
        Figures::of(&opened, Some(&measured))
    };
    seeds.map(of_seed).collect()
}

fn picture(text: &mut String, what: &str, verdict: &Verdict) {
    let _ = writeln!(text, "{what}");
    for one in &verdict.outcomes {
        let _ = writeln!(text, "  {}", say_of_file(&one.saying));
    }
    for one in &verdict.causes {
        let _ = writeln!(text, "    {}", say_of_file(&one.saying));
    }
    let _ = writeln!(text);
}

#[test]
fn what_was_changed_is_what_explains_it() {
    let mut text = String::new();
    let mut wrong = Vec::new();
    for Planted {
        what,
        base,
        both,
        change,
        because,
    } in planted()
    {
        let before = figures(&scenario(base, &[&both]), 1..1 + SEEDS);
        let after = figures(&scenario(base, &[&both, &change]), 1..1 + SEEDS);
        let verdict = Comparison::of(&before, &after).verdict();
        picture(&mut text, what, &verdict);
        let first = verdict.causes.iter().take(FIRST);
        let is_it = first.into_iter().any(|one| {
            because.iter().any(|&(quantity, of)| {
                one.quantity.name() == quantity && one.of.name().contains(of)
            })
        });
        if !is_it {
            wrong.push(what);
        }
    }
    expect_file!["verdicts.txt"].assert_eq(&text);
    assert!(wrong.is_empty(), "not explained: {wrong:#?}\n{text}");
}

#[test]
fn another_seed_explains_nothing() {
    let mut wrong = String::new();
    for (base, both) in another_seed_alone() {
        let scenario = scenario(base, &[&both]);
        let [before, after] =
            [1..1 + SEEDS, 101..101 + SEEDS].map(|seeds| figures(&scenario, seeds));
        let verdict = Comparison::of(&before, &after).verdict();
        if !verdict.causes.is_empty() || verdict.outcomes[0].saying.code != "verdict.alike" {
            picture(&mut wrong, base, &verdict);
        }
    }
    assert_eq!(wrong, "");
}

/// One run a side, as two recordings are: what is larger than a run wavers in itself is told, and what a
/// second seed changes as a whole no stretch of one run can know. The picture shows which those are.
#[test]
fn one_run_a_side_is_told_by_its_stretches() {
    let mut text = String::new();
    for (base, both) in another_seed_alone() {
        let scenario = scenario(base, &[&both]);
        let [before, after] = [1, 101].map(|seed| {
            let (opened, measured) = simulated(&scenario, seed);
            [Figures::of(&opened, Some(&measured)).with_stretches(&opened, None)]
        });
        let verdict = Comparison::of(&before, &after).verdict();
        picture(&mut text, base, &verdict);
    }
    expect_file!["verdicts-of-one-run.txt"].assert_eq(&text);
}

#[test]
fn two_recordings_tell_what_was_recorded_otherwise() {
    let mut text = String::new();
    for (one, other) in [
        ("tcp-gro-off", "tcp-gro-on"),
        ("tcp-same-cpu", "tcp-cross-cpu"),
        ("udp-small", "busy-receiver"),
        ("udp-small", "udp-fragments"),
        ("send-tcp-no-tso", "send-tcp-tso"),
        ("tcp-gro-on", "tcp-loss"),
    ] {
        let [before, after] = [one, other].map(|slug| {
            let opened = recorded(slug);
            [Figures::of(&opened, None).with_stretches(&opened, None)]
        });
        let verdict = Comparison::of(&before, &after).verdict();
        picture(&mut text, &format!("{one}, then {other}"), &verdict);
    }
    expect_file!["verdicts-of-recordings.txt"].assert_eq(&text);
}
