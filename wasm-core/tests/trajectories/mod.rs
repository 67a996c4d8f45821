//! The first events of six tiny scenarios as text, so that a change of a mechanism is read as a
//! diff: what happened when, on which CPU and in which context, to which packet. The rest of what
//! is shipped is held by fingerprints (`tests/fingerprints.rs`).
//!
//! `UPDATE_EXPECT=1 cargo test --test all trajectories` writes what is now. Left out are cache lines,
//! time slices and the order of run queues, of which there are several to every step.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write as _;

use expect_test::expect_file;
use ringside::journey::Journeys;
use ringside::kernel::{EventIdx, Field, PacketId, Probe, Verdict};
use ringside::run::Run;
use serde_json::{Value, json};
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::engine::simulate;

/// Lines of a golden.
const LINES: usize = 64;
/// Of them so many before what a golden is about.
const BEFORE: usize = 16;

/// What of an event is worth a word, in this order.
const FIELDS: &[(Field, &str)] = &[
    (Field::SeqNo, "seq"),
    (Field::AckNo, "ack"),
    (Field::Off, "from"),
    (Field::End, "to"),
    (Field::SndCwnd, "window"),
    (Field::Ssthresh, "threshold"),
    (Field::RcvWnd, "offered"),
    (Field::Depth, "depth"),
    (Field::Limit, "limit"),
    (Field::TargetCpu, "for CPU"),
    (Field::Count, "bytes"),
    (Field::Packets, "frames"),
    (Field::NextPid, "next task"),
];

fn record(settings: &Value, machine: &str, workload: &str) -> Run {
    let scenario = json!({
        "machine": machine, "kernel": "6.1", "workload": workload, "settings": settings,
        "duration_us": 20_000, "seed": 1
    });
    let catalogue = Catalogue::shipped().unwrap();
    let scenario = Scenario::parse(&scenario.to_string(), &catalogue).unwrap();
    simulate(&scenario, &catalogue, true).unwrap().run.unwrap()
}

/// The first lines of a run, or those around the first event of a probe.
fn told(run: &Run, around: Option<Probe>) -> String {
    let journeys = Journeys::of(run);
    let events: Vec<EventIdx> = run.indices().filter(|&event| is_told(run, event)).collect();
    let middle = match around {
        Some(probe) => {
            let is_it = |event: &EventIdx| run.probe[event.at()] == probe;
            let found = events.iter().position(is_it);
            found.unwrap_or_else(|| panic!("no {} in this run", probe.name()))
        }
        None => 0,
    };
    let shown = events
        .iter()
        .skip(middle.saturating_sub(BEFORE))
        .take(LINES);
    shown.map(|&event| line(run, &journeys, event)).collect()
}

fn is_told(run: &Run, event: EventIdx) -> bool {
    !matches!(
        run.probe[event.at()],
        Probe::CacheLineFill
            | Probe::CacheLineMove
            | Probe::CacheLineEvict
            | Probe::CacheLineState
            | Probe::RunQueue
            | Probe::RunQueueTask
            | Probe::TimeSlice
            | Probe::ProbeCost
    )
}

fn line(run: &Run, journeys: &Journeys, index: EventIdx) -> String {
    let event = run.event(index);
    let nanos = event.time.since(run.start());
    let mut text = format!("{:>6}.{:03} us  ", nanos / 1000, nanos % 1000);
    let cpu = if event.cpu.is_known() {
        format!("CPU {}", event.cpu.0)
    } else {
        "-".to_owned()
    };
    let context = event.context.name();
    let packet = journeys.packet_of[index.at()];
    let verdict = journeys.packets.get(packet.at()).map(|of| of.verdict);
    let packet = if packet == PacketId::NONE {
        String::new()
    } else {
        format!("packet {}", packet.0)
    };
    let _ = write!(
        text,
        "{cpu:6} {context:8}  {:30} {packet:10}",
        event.probe.name()
    );
    if ![0, u32::MAX].contains(&event.len) {
        let _ = write!(text, "  len {}", event.len);
    }
    for &(field, word) in FIELDS {
        if let Some(value) = run.field(index, field) {
            let _ = write!(text, "  {word} {value}");
        }
    }
    if let Some(Verdict::Dropped { reason }) = verdict.filter(|_| event.probe == Probe::KfreeSkb) {
        let _ = write!(text, "  {}", reason.name());
    }
    text.trim_end().to_owned() + "\n"
}

#[test]
fn one_datagram() {
    let settings = json!({ "connections": 1, "message_bytes": 100, "cpus": 1 });
    let run = record(&settings, "current-server", "paced-udp");
    expect_file!["one-datagram.txt"].assert_eq(&told(&run, None));
}

#[test]
fn a_handshake_and_a_segment() {
    let settings = json!({ "connections": 1, "cpus": 1 });
    let run = record(&settings, "current-server", "web");
    expect_file!["handshake.txt"].assert_eq(&told(&run, None));
}

#[test]
fn fragments_and_their_reassembly() {
    let settings = json!({ "connections": 1, "message_bytes": 4000, "cpus": 1 });
    let run = record(&settings, "current-server", "paced-udp");
    expect_file!["fragments.txt"].assert_eq(&told(&run, None));
}

#[test]
fn a_full_socket_buffer() {
    let settings = json!({ "connections": 8, "message_bytes": 100, "cpus": 1,
        "receive_buffer_bytes": 2048 });
    let run = record(&settings, "current-server", "kperf-generator-udp");
    expect_file!["full-socket-buffer.txt"].assert_eq(&told(&run, Some(Probe::KfreeSkb)));
}

#[test]
fn a_packet_is_handed_to_another_cpu() {
    let settings = json!({ "connections": 4, "message_bytes": 1400, "cpus": 2, "rps": true });
    let run = record(&settings, "recorder-e1000", "iperf-link");
    let text = told(&run, Some(Probe::RpsTriggerSoftirq));
    expect_file!["rps.txt"].assert_eq(&text);
}

#[test]
fn a_frame_finds_no_descriptor() {
    let settings = json!({ "connections": 1, "message_bytes": 100, "cpus": 1, "rx_ring": 3 });
    let run = record(&settings, "recorder-e1000", "kperf-generator-udp");
    expect_file!["full-ring.txt"].assert_eq(&told(&run, Some(Probe::RxMissed)));
}
