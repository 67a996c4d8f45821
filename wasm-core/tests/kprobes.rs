//! Recordings with kprobes, of kernel 6.12, and what the same lines tell without those: tracepoints alone infer an end, and it
//! is the one that the kprobes saw.
//!
//! `tests/kprobes/` has iperf3's runs over a bridge, the loopback device and tunnels between two network namespaces;
//! `record.sh` beside them made them. The golden file says how their packets end, and which of them end otherwise without
//! kprobes.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use expect_test::expect_file;
use ringside::journey::Journeys;
use ringside::kernel::{EventIdx, PacketId, Pid, Verdict, VerdictKind};
use ringside::run::Run;

use crate::recordings::{folder, import, unpacked};

/// The text with an empty line for each of a kprobe's, so that the others keep their numbers.
fn without_kprobes(text: &str) -> String {
    let kept = text.lines().map(|line| {
        let is_of_kprobe = line.contains(": (");
        if is_of_kprobe { "" } else { line }
    });
    kept.collect::<Vec<_>>().join("\n")
}

/// The packet of each event, by the event's line.
fn packets_by_line(run: &Run, journeys: &Journeys) -> BTreeMap<u32, PacketId> {
    let of = |packet: PacketId| {
        let events = journeys.events(packet).iter();
        events.map(move |&event| (run.line(event), packet))
    };
    journeys.ids().flat_map(of).collect()
}

/// The one of these packets that has most of the events.
fn most_of(run: &Run, events: &[EventIdx], by_line: &BTreeMap<u32, PacketId>) -> Option<PacketId> {
    let mut shares = BTreeMap::<PacketId, usize>::new();
    for &event in events {
        if let Some(&packet) = by_line.get(&run.line(event)) {
            *shares.entry(packet).or_default() += 1;
        }
    }
    let most = shares.into_iter().max_by_key(|&(_, events)| events);
    most.map(|(packet, _)| packet)
}

fn end_of(verdict: Verdict) -> String {
    let kind = verdict.kind();
    match verdict {
        Verdict::Delivered { pid, .. } if pid == Pid::UNKNOWN => format!("{kind} to someone"),
        Verdict::Delivered { pid, .. } => format!("{kind} to {}", pid.0),
        Verdict::Dropped { reason } => format!("{kind}: {}", reason.name()),
        _ => kind.to_string(),
    }
}

#[test]
fn tracepoints_alone_tell_the_ends_that_kprobes_see() {
    let mut files: Vec<PathBuf> = fs::read_dir(folder("tests/kprobes"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "gz"))
        .collect();
    files.sort();
    let mut told = String::new();
    for file in files {
        let text = unpacked(&file);
        let (run, journeys) = import(&text);
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        write!(told, "{name}: {} journeys", journeys.packets.len()).unwrap();
        for &kind in VerdictKind::ALL {
            write!(told, ", {} {kind}", journeys.count(kind)).unwrap();
        }
        let (fewer, others) = import(&without_kprobes(&text));
        let by_line = packets_by_line(&run, &journeys);
        let mut same = 0;
        let mut differing = String::new();
        for packet in others.ids() {
            let Some(seen) = most_of(&fewer, others.events(packet), &by_line) else {
                continue;
            };
            let end = |journeys: &Journeys, packet: PacketId| {
                end_of(journeys.packets[packet.at()].verdict)
            };
            let (seen, inferred) = (end(&journeys, seen), end(&others, packet));
            if seen == inferred {
                same += 1;
            } else {
                writeln!(differing, "  {seen}, without kprobes {inferred}").unwrap();
            }
        }
        writeln!(
            told,
            "; {same} of {} the same without kprobes",
            others.packets.len()
        )
        .unwrap();
        told += &differing;
    }
    expect_file!["kprobes/ends.golden"].assert_eq(&told);
}
