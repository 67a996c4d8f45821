//! XDP: what a program says of a frame is what happens to it, once, and before there is a packet.
//!
//! Source: `include/uapi/linux/bpf.h: enum xdp_action`; Høiland-Jørgensen and others, The eXpress
//! Data Path (CoNEXT 2018): the frame is judged in the driver, before memory is allocated for it.

use std::collections::BTreeMap;

use ringside::journey::Journeys;
use ringside::kernel::{DropReason, EventIdx, Field, Probe, Station, Verdict};
use ringside::run::Run;
use sim::engine::{Simulated, Simulation};

use super::*;

/// The flood on a current server with another NIC of the same kind.
fn flood_on(settings: &Value, kernel: &str, is_recording: bool) -> Result<Simulated, String> {
    let mut catalogue = Catalogue::shipped().unwrap();
    let mut machine = catalogue.machine("current-server").unwrap().clone();
    let second = machine.nics[0].clone();
    machine.nics.push(second);
    catalogue.put_machine(machine);
    let mut scenario = json!({
        "machine": "current-server", "kernel": kernel, "workload": "flood",
        "settings": { "cpus": 2, "connections": 5, "message_bytes": 18, "irq_affinity": "cpu0",
            "process_affinity": true, "peer": "flood-generator", "nics": 1 },
        "duration_us": 2000, "seed": 1
    });
    for (name, value) in settings.as_object().unwrap() {
        scenario["settings"][name] = value.clone();
    }
    let scenario = Scenario::parse(&scenario.to_string(), &catalogue).map_err(|e| e.to_string())?;
    let mut simulation = Simulation::new(&scenario, &catalogue, is_recording)?;
    while !simulation.advance(20_000) {
        assert_eq!(simulation.audit(), Vec::<String>::new(), "{settings}");
    }
    Ok(simulation.finish())
}

fn flood(settings: &Value) -> Measured {
    flood_on(settings, "6.1", false).unwrap().measured
}

fn recorded(settings: &Value) -> Run {
    flood_on(settings, "6.1", true).unwrap().run.unwrap()
}

fn calls(measured: &Measured, function: &str) -> u64 {
    measured.functions.get(function).map_or(0, |of| of.calls)
}

/// CPU cycles in the kernel, `ksoftirqd` among it, for each frame that the driver took.
fn cycles_a_frame(measured: &Measured) -> f64 {
    let busy = measured.softirq_fs + measured.hardirq_fs + measured.kernel_fs;
    busy as f64 / 1e15 * 2.9e9 / taken(measured) as f64
}

/// Frames that the driver took out of the rings.
fn taken(measured: &Measured) -> u64 {
    calls(measured, "mlx5e_handle_rx_cqe")
}

/// Bytes that the innocent flow's reader got.
fn innocent(measured: &Measured) -> u64 {
    measured.tasks["server"].delivered_bytes
}

/// A frame that reached the ring has one verdict; what has none yet is in the ring or in the poll.
#[test]
fn every_frame_of_the_ring_has_one_verdict() {
    let programs = [
        json!({"xdp": "drop"}),
        json!({"xdp": "pass"}),
        json!({"xdp": "tx"}),
        json!({"xdp": "redirect", "nics": 2}),
        json!({"xdp": "drop", "xdp_port": 9}),
        json!({"xdp": "tx", "xdp_permille": 300}),
        json!({"xdp": "redirect", "nics": 2, "xdp_permille": 500, "xdp_port": 9}),
        // More than the ring holds, and a ring that is almost none.
        json!({"xdp": "tx", "connections": 33}),
        json!({"xdp": "redirect", "nics": 2, "rx_ring": 2, "connections": 33}),
    ];
    for program in programs {
        let got = flood(&program);
        let judged: u64 = got.xdp.iter().sum();
        println!("{program}: {:?} of {}", got.xdp, got.frames_received);
        assert!(judged > 1000 && judged <= got.frames_received);
        // The rest is in the rings of the NIC's 32 queues, or a poll has it.
        let ring = program["rx_ring"].as_u64().unwrap_or(1024);
        assert!(got.frames_received - judged <= 32 * (ring + 1));
        // A program that runs as the measurement ends, on each of two CPUs, has judged nothing yet.
        let calls_of_programs = calls(&got, "bpf_prog_run_xdp");
        assert!((judged..=judged + 2).contains(&calls_of_programs));
        assert_eq!(
            got.xdp[1],
            calls(&got, "build_skb"),
            "a packet for each that passes"
        );
    }
}

/// The journeys of a run tell the same, each with one end.
#[test]
fn a_journey_ends_as_the_program_says() {
    for (program, ends) in [
        (json!({"xdp": "drop"}), Some(VerdictOf::Dropped)),
        (json!({"xdp": "tx"}), Some(VerdictOf::Sent)),
        (json!({"xdp": "redirect", "nics": 2}), Some(VerdictOf::Sent)),
        (json!({"xdp": "pass"}), None),
    ] {
        let run = recorded(&program);
        let journeys = Journeys::of(&run);
        let judged = (0..run.len()).filter(|&at| run.probe[at] == Probe::BpfProgRunXdp);
        let mut seen: BTreeMap<u32, u32> = BTreeMap::new();
        for at in judged {
            let id = journeys.packet_of[at];
            assert!(id.is_some(), "{program}: event {at} is no packet's");
            *seen.entry(id.0).or_default() += 1;
            let packet = &journeys.packets[id.at()];
            match (ends, packet.verdict) {
                (Some(VerdictOf::Dropped), Verdict::Dropped { reason }) => {
                    assert_eq!(reason, DropReason::Xdp);
                }
                (Some(VerdictOf::Sent), Verdict::Transmitted | Verdict::Open) => {}
                (None, other) => {
                    let reason = DropReason::Xdp;
                    assert_ne!(other, Verdict::Dropped { reason });
                }
                (Some(_), other) => panic!("{program}: {other:?}"),
            }
            let stays = journeys.stays(id);
            assert!(stays.iter().any(|stay| stay.station == Station::Xdp));
            let is_packet = stays.iter().any(|stay| stay.station == Station::Ip);
            assert!(!is_packet || ends.is_none(), "{program}: it came to IP");
        }
        assert!(seen.len() > 500, "{program}: {}", seen.len());
        assert!(seen.values().all(|&times| times == 1), "one verdict each");
    }
}

#[derive(Clone, Copy)]
enum VerdictOf {
    Dropped,
    Sent,
}

/// With drop no `sk_buff` is made and nothing comes to IP.
#[test]
fn what_is_dropped_is_never_a_packet() {
    let got = flood(&json!({"xdp": "drop"}));
    assert!(got.xdp[0] > 1000);
    for function in [
        "build_skb",
        "__alloc_skb",
        "ip_rcv_core",
        "dev_gro_receive",
        "udp_rcv",
    ] {
        assert_eq!(calls(&got, function), 0, "{function}");
    }
    assert_eq!(innocent(&got), 0);
}

/// Redirected frames leave by the other NIC and by no other; its driver and `xdp_devmap_xmit` tell
/// the same number.
#[test]
fn what_is_redirected_leaves_by_the_other_nic() {
    let run = recorded(&json!({"xdp": "redirect", "nics": 2, "connections": 2}));
    let (mut sent, mut handed, mut redirected) = (0, 0, 0);
    let (mut left_by, mut meant_for) = (BTreeMap::new(), BTreeMap::new());
    for at in (0..run.len() as u32).map(EventIdx) {
        let number = |field| run.field(at, field).unwrap_or_default();
        match run.probe[at.at()] {
            Probe::DriverXdpXmit => {
                sent += 1;
                let nic = run.field_name(at, Field::Dev).unwrap().to_owned();
                *left_by.entry(nic).or_insert(0) += 1;
            }
            Probe::XdpDevmapXmit => {
                handed += number(Field::Sent);
                // Index 1 is the loopback device's.
                let nic = format!("eth{}", number(Field::ToIfindex) - 2);
                *meant_for.entry(nic).or_insert(0) += number(Field::Sent);
                assert_ne!(number(Field::FromIfindex), number(Field::ToIfindex));
                assert!(number(Field::Sent) + number(Field::Drops) <= 16);
            }
            Probe::XdpRedirect => {
                redirected += 1;
                assert_ne!(number(Field::FromIfindex), number(Field::ToIfindex));
            }
            _ => {}
        }
    }
    println!("{redirected} redirected, {handed} handed over, {sent} sent");
    assert!(sent > 500 && sent == handed && redirected - sent < 16);
    assert_eq!(left_by, meant_for);
    let one = flood_on(&json!({"xdp": "redirect"}), "6.1", false);
    assert!(
        one.unwrap_err().starts_with("settings.xdp"),
        "there is one NIC"
    );
}

/// What is sent back leaves and is no packet here; that each frame sent arrives at the other host is
/// what the audit counts, which runs all the time.
#[test]
fn what_is_sent_back_comes_back() {
    let got = flood(&json!({"xdp": "tx"}));
    let sent = calls(&got, "mlx5e_xmit_xdp_frame");
    println!(
        "{:?}: {sent} sent back, {} frames sent",
        got.xdp, got.frames_sent
    );
    assert!(sent > 1000 && sent.abs_diff(got.frames_sent) < 64);
    assert_eq!(calls(&got, "build_skb"), 0);
}

/// Where a flood is dropped earlier it costs fewer cycles a frame, more of it can be taken, and the
/// innocent flow gets through.
#[test]
fn a_flood_is_cheaper_to_drop_before_it_is_packets() {
    let at_socket = flood(&json!({"receive_buffer_bytes": 8192, "rx_ring": 256}));
    let at_xdp =
        flood(&json!({"receive_buffer_bytes": 8192, "rx_ring": 256, "xdp": "drop", "xdp_port": 9}));
    for got in [&at_socket, &at_xdp] {
        println!(
            "{:.0} cycles a frame, {} frames taken, {} missed, {} bytes for the innocent",
            cycles_a_frame(got),
            taken(got),
            got.rx_missed,
            innocent(got)
        );
    }
    assert!(at_socket.dropped > 500, "their sockets have no room");
    assert!(cycles_a_frame(&at_xdp) * 2.0 < cycles_a_frame(&at_socket));
    assert!(taken(&at_xdp) > taken(&at_socket));
    assert!(innocent(&at_xdp) > innocent(&at_socket));
    assert_eq!(
        at_xdp.dropped, 0,
        "no packet of the flood comes to its socket"
    );
}

/// A kernel or a driver without XDP refuses a program; a port without a program says nothing.
#[test]
fn a_program_that_nobody_runs_is_refused() {
    for (kernel, settings) in [
        ("2.6.9", json!({"xdp": "drop"})),
        ("6.1", json!({"xdp_port": 9})),
        ("6.1", json!({"xdp_permille": 9})),
    ] {
        let refused = flood_on(&settings, kernel, false).unwrap_err();
        assert!(refused.starts_with("settings.xdp"), "{refused}");
    }
}
