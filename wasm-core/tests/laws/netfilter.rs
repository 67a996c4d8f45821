//! Netfilter: packets for a host go through its rules once each, whole, and one that is dropped comes no
//! further.
//!
//! Source: `net/ipv4/ip_input.c: ip_local_deliver` (v6.1): fragments are gathered before the hook
//! `NF_INET_LOCAL_IN`, and the transport protocol comes behind it.

use ringside::journey::Journeys;
use ringside::kernel::{DropReason, Station, Verdict};
use ringside::run::Run;

use super::*;

/// The flood of four senders to port 9 and an innocent flow, on a current server.
pub fn flood(settings: &Value) -> (Measured, Run) {
    let catalogue = Catalogue::shipped().unwrap();
    let mut scenario = json!({
        "machine": "current-server", "kernel": "6.1", "workload": "flood",
        "settings": { "cpus": 2, "connections": 5, "message_bytes": 18, "irq_affinity": "cpu0",
            "process_affinity": true, "peer": "flood-generator", "receive_buffer_bytes": 8192,
            "rx_ring": 256 },
        "duration_us": 2000, "seed": 1
    });
    for (name, value) in settings.as_object().unwrap() {
        scenario["settings"][name] = value.clone();
    }
    let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
    let simulated = simulate(&scenario, &catalogue, true).unwrap();
    (simulated.measured, simulated.run.unwrap())
}

pub fn calls(measured: &Measured, function: &str) -> u64 {
    measured.functions.get(function).map_or(0, |of| of.calls)
}

/// How many packets of a run ended in a drop for this reason, and whether any of them came to UDP.
pub fn dropped(run: &Run, asked: DropReason) -> (u64, bool) {
    let journeys = Journeys::of(run);
    let mut count = 0;
    let mut is_at_udp = false;
    for id in journeys.ids() {
        if journeys.packets[id.at()].verdict == (Verdict::Dropped { reason: asked }) {
            count += 1;
            let stays = journeys.stays(id);
            is_at_udp |= stays.iter().any(|stay| stay.station == Station::Udp);
        }
    }
    (count, is_at_udp)
}

#[test]
fn what_a_rule_drops_comes_no_further_and_all_else_does() {
    let (got, run) = flood(&json!({"firewall_rules": 10, "firewall_drops_port": 9}));
    let (by_rule, is_at_udp) = dropped(&run, DropReason::NetfilterDrop);
    let (at_socket, _) = dropped(&run, DropReason::SocketRcvbuff);
    assert!(by_rule > 500, "the flood: {by_rule}");
    assert!(!is_at_udp, "a packet that a rule has dropped is at UDP");
    assert_eq!(by_rule + at_socket, got.dropped);
    // What went through the rules was dropped, or went on to UDP, or is just between them.
    let judged = calls(&got, "nft_do_chain");
    let went_on = calls(&got, "udp_rcv");
    assert!(
        judged - by_rule - went_on <= 2,
        "{judged}: {by_rule}, {went_on}"
    );
    assert!(went_on > 0 && got.tasks["server"].delivered_bytes > 0);
}

#[test]
fn rules_without_a_verdict_change_no_packets_end() {
    let (without, run) = flood(&json!({}));
    let (with, same) = flood(&json!({"firewall_rules": 10}));
    assert_eq!(dropped(&run, DropReason::NetfilterDrop).0, 0);
    assert_eq!(dropped(&same, DropReason::NetfilterDrop).0, 0);
    assert!(dropped(&run, DropReason::SocketRcvbuff).0 > 500);
    // They take time, so fewer packets come as far.
    assert!(calls(&with, "udp_rcv") < calls(&without, "udp_rcv"));
}

/// The earlier a flood is dropped the more of it is taken, if what finds it is cheap: a long list of rules
/// takes longer than a full socket does.
#[test]
fn a_long_list_of_rules_takes_more_than_it_saves() {
    let taken = |settings: Value| calls(&flood(&settings).0, "mlx5e_handle_rx_cqe");
    let at_socket = taken(json!({}));
    let by_rule = |rules: u32| taken(json!({"firewall_rules": rules, "firewall_drops_port": 9}));
    let by_xdp = taken(json!({"xdp": "drop", "xdp_port": 9}));
    let (one, thousand) = (by_rule(1), by_rule(1000));
    println!(
        "{at_socket} at the socket, {one} by a rule, {thousand} by the thousandth, {by_xdp} by XDP"
    );
    assert!(thousand < at_socket && at_socket < one && one < by_xdp);
}

/// A datagram in seven fragments is one packet at the hook.
#[test]
fn fragments_pass_the_rules_as_one() {
    let got = run(&json!({
        "machine": "current-server", "kernel": "6.1", "workload": "kperf-generator-udp",
        "settings": { "message_bytes": 10_000, "firewall_rules": 1 },
        "duration_us": 20_000, "seed": 1
    }));
    let (at_ip, judged) = (calls(&got, "ip_rcv_core"), calls(&got, "nft_do_chain"));
    println!("{at_ip} packets at IP, {judged} at the hook");
    assert!(judged > 20 && at_ip.div_ceil(7).abs_diff(judged) <= 2);
}

#[test]
fn rules_that_nothing_goes_through_are_refused() {
    let catalogue = Catalogue::shipped().unwrap();
    for (kernel, settings) in [
        ("2.6.9", json!({"firewall_rules": 3})),
        ("6.1", json!({"firewall_drops_port": 9})),
        (
            "6.1",
            json!({"firewall_rules": 0, "firewall_drops_port": 9}),
        ),
    ] {
        let scenario = json!({
            "machine": "current-server", "kernel": kernel, "workload": "iperf", "settings": settings,
            "duration_us": 1000, "seed": 1
        });
        let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
        let refused = simulate(&scenario, &catalogue, false)
            .map(|_| ())
            .unwrap_err();
        assert!(refused.starts_with("settings.firewall_"), "{refused}");
    }
}
