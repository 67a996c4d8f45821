//! Connection tracking: as many connections as the table has places, and a packet that it drops comes no further than
//! the hook where it is looked up.
//!
//! Source: `net/netfilter/nf_conntrack_core.c: nf_conntrack_in, __nf_conntrack_alloc, early_drop` and
//! `nf_conntrack_proto.c: nf_confirm` (v6.1): the table counts an entry from its first packet on, an assured one
//! goes only when it expires, and what other rules drop is never confirmed.

use ringside::kernel::DropReason;

use super::netfilter::{calls, dropped, flood};
use super::*;

/// Connections opened and closed by one client after the other, on a current server.
fn one_after_the_other(kernel: &str, settings: &Value) -> Measured {
    let mut scenario = json!({
        "machine": "current-server", "kernel": kernel, "workload": "connect-close",
        "settings": { "connections": 1, "cpus": 2 },
        "duration_us": 20_000, "seed": 1
    });
    for (name, value) in settings.as_object().unwrap() {
        scenario["settings"][name] = value.clone();
    }
    run(&scenario)
}

/// A handshake assures an entry, and TIME_WAIT keeps it for longer than any run lasts: so there are exactly as many
/// connections as places, whatever anything costs.
#[test]
fn as_many_connections_are_accepted_as_the_table_has_places() {
    for kernel in ["6.1", "6.18"] {
        let without = one_after_the_other(kernel, &json!({})).connections;
        assert!(without > 20, "{without}");
        for most in [1, 2, 8] {
            let got = one_after_the_other(kernel, &json!({ "nf_conntrack_max": most }));
            assert_eq!(got.connections, most, "{kernel}");
            assert!(got.dropped > 0, "the SYN of the next one");
        }
    }
}

#[test]
fn only_so_many_streams_get_on_as_the_table_has_places() {
    let served = |settings: &Value| {
        let mut scenario = stream("6.1", settings, (5, 30), 1);
        scenario["settings"]["connections"] = json!(8);
        let got = run(&scenario);
        got.socket_bytes.iter().filter(|&&bytes| bytes > 0).count()
    };
    assert_eq!(served(&json!({})), 8);
    for most in [2, 4] {
        let got = served(&json!({ "nf_conntrack_max": most }));
        assert!((1..=most).contains(&got), "{got} of {most}");
    }
}

#[test]
fn a_table_with_room_drops_nothing_and_takes_time_for_each_packet() {
    let (without, _) = flood(&json!({}));
    let (with, run) = flood(&json!({"nf_conntrack_max": 1000}));
    assert_eq!(dropped(&run, DropReason::NetfilterDrop).0, 0);
    assert!(dropped(&run, DropReason::SocketRcvbuff).0 > 500);
    // Every datagram is looked up once, and those that IP has just begun with come soon.
    let (at_ip, looked_up) = (calls(&with, "ip_rcv_core"), calls(&with, "nf_conntrack_in"));
    assert!(at_ip.abs_diff(looked_up) <= 8, "{at_ip}, {looked_up}");
    // A CPU that has as much time takes fewer packets.
    assert!(calls(&with, "udp_rcv") < calls(&without, "udp_rcv"));

    let gentle = |settings: &Value| {
        let mut scenario = json!({
            "machine": "current-server", "kernel": "6.1", "workload": "paced-udp",
            "settings": { "cpus": 1, "message_bytes": 1000 }, "duration_us": 50_000, "seed": 1
        });
        for (name, value) in settings.as_object().unwrap() {
            scenario["settings"][name] = value.clone();
        }
        let got = super::run(&scenario);
        assert!(got.frames_received > 10 && got.dropped == 0);
        (got.frames_received, got.softirq_fs)
    };
    let (frames, softirq_fs) = gentle(&json!({}));
    let (same, longer_fs) = gentle(&json!({"nf_conntrack_max": 16}));
    assert!(
        frames == same && softirq_fs < longer_fs,
        "{softirq_fs} {longer_fs}"
    );
}

/// A datagram in seven fragments is one packet to the table, and is put together before it is looked up; so it is also
/// routed once, where its fragments are routed one by one if nothing is looked up.
#[test]
fn fragments_are_looked_up_and_routed_as_one() {
    let got = |settings: Value| {
        let mut scenario = json!({
            "machine": "current-server", "kernel": "6.1", "workload": "kperf-generator-udp",
            "settings": settings, "duration_us": 20_000, "seed": 1
        });
        scenario["settings"]["message_bytes"] = json!(10_000);
        run(&scenario)
    };
    let without = got(json!({}));
    let got = got(json!({ "nf_conntrack_max": 16 }));
    let (at_ip, looked_up) = (calls(&got, "ip_rcv_core"), calls(&got, "nf_conntrack_in"));
    assert!(looked_up > 20 && at_ip.div_ceil(7).abs_diff(looked_up) <= 2);
    assert!(looked_up.abs_diff(calls(&got, "ip_local_deliver")) <= 1);
    assert!(calls(&got, "ip_local_deliver") * 2 < calls(&without, "ip_local_deliver"));
    assert_eq!(got.dropped, 0);
}

/// The rule is asked before an entry is confirmed, so a flood that it drops leaves the table's one place to the other flow
/// as soon as no packet of the flood is on its way to the rule.
#[test]
fn what_a_rule_drops_has_no_entry() {
    let rule = json!({"firewall_rules": 10, "firewall_drops_port": 9});
    let (by_rule, _) = flood(&rule);
    let mut tracked = rule;
    tracked["nf_conntrack_max"] = json!(1000);
    let (got, _) = flood(&tracked);
    assert!(
        calls(&got, "init_conntrack") > 500,
        "each of the flood makes an entry anew"
    );
    // The innocent flow's, with those of its packets that came in one list with the first.
    let confirmed = calls(&got, "__nf_conntrack_confirm");
    assert!((1..=8).contains(&confirmed), "{confirmed}");
    assert!(got.tasks["server"].delivered_bytes > 0);
    assert_eq!(calls(&by_rule, "nf_conntrack_in"), 0);
}

#[test]
fn a_table_that_nothing_is_looked_up_in_is_refused() {
    let catalogue = Catalogue::shipped().unwrap();
    for (kernel, workload) in [("2.6.9", "iperf-link"), ("6.1", "iperf")] {
        let scenario = json!({
            "machine": "current-server", "kernel": kernel, "workload": workload,
            "settings": {"nf_conntrack_max": 8}, "duration_us": 1000, "seed": 1
        });
        let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
        let refused = simulate(&scenario, &catalogue, false)
            .map(|_| ())
            .unwrap_err();
        assert!(
            refused.starts_with("settings.nf_conntrack_max"),
            "{refused}"
        );
    }
}
