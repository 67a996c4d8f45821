//! Recordings with kprobes, of kernels 6.12 and 6.1, and what the same lines tell without those: tracepoints alone infer an end, and it
//! is the one that the kprobes saw.
//!
//! `tests/kprobes/` has iperf3's runs over a bridge, the loopback device and tunnels between two network namespaces;
//! `record.sh` beside them made them. The golden file says how their packets end, and which of them end otherwise without
//! kprobes.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use std::fmt::Write as _;

use expect_test::expect_file;
use ringside::journey::Journeys;
use ringside::kernel::{PacketId, Pid, Verdict, VerdictKind};
use ringside::run::Run;

use crate::recordings::{
    import, packed, packet_of_lines, packets_by_line, unpacked, with_unnamed_probes,
    without_kprobes,
};

/// How a packet ended, with who read it or why it was dropped.
fn end_of(verdict: Verdict) -> String {
    let kind = verdict.kind();
    match verdict {
        Verdict::Delivered { pid, .. } if pid == Pid::UNKNOWN => format!("{kind} to someone"),
        Verdict::Delivered { pid, .. } => format!("{kind} to {}", pid.0),
        Verdict::Dropped { reason } => format!("{kind}: {}", reason.name()),
        _ => kind.to_string(),
    }
}

/// Which packets end in `fewer` lines of a recording as in all of them: how many of how many, and how the others do.
fn told_by(fewer: &str, how: &str, run: &Run, journeys: &Journeys) -> (usize, usize, String) {
    let (fewer, others) = import(fewer);
    let by_line = packets_by_line(run, journeys);
    let mut same = 0;
    let mut differing = String::new();
    for packet in others.ids() {
        let Some(seen) = packet_of_lines(&fewer, &others, packet, &by_line) else {
            continue;
        };
        let end =
            |journeys: &Journeys, packet: PacketId| end_of(journeys.packets[packet.at()].verdict);
        let (seen, inferred) = (end(journeys, seen), end(&others, packet));
        if seen == inferred {
            same += 1;
        } else {
            writeln!(differing, "  {seen}, {how} {inferred}").unwrap();
        }
    }
    (same, others.packets.len(), differing)
}

#[test]
fn tracepoints_alone_tell_the_ends_that_kprobes_see() {
    let mut told = String::new();
    for file in packed("tests/kprobes") {
        let text = unpacked(&file);
        let (run, journeys) = import(&text);
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        write!(told, "{name}: {} journeys", journeys.packets.len()).unwrap();
        for &kind in VerdictKind::ALL {
            write!(told, ", {} {kind}", journeys.count(kind)).unwrap();
        }
        let without = without_kprobes(&text);
        let (same, all, differing) = told_by(&without, "without kprobes", &run, &journeys);
        writeln!(told, "; {same} of {all} the same without kprobes").unwrap();
        told += &differing;
    }
    expect_file!["kprobes/ends.golden"].assert_eq(&told);
}

/// Kernels 6.3 to 6.9 tell what a read returned, and no segment in `tcp_probe`: their recordings are those of 6.12 without the
/// one field.
#[test]
fn a_kernel_that_names_no_segment_in_tcp_probe_tells_the_same_ends() {
    let mut told = String::new();
    for file in packed("tests/kprobes") {
        let text = unpacked(&file);
        let unnamed = with_unnamed_probes(&without_kprobes(&text));
        let (run, journeys) = import(&text);
        let (same, all, differing) = told_by(&unnamed, "without a name", &run, &journeys);
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let (_, others) = import(&unnamed);
        let open = others.count(VerdictKind::Open);
        writeln!(told, "{name}: {same} of {all} the same, {open} open").unwrap();
        told += &differing;
    }
    expect_file!["kprobes/unnamed.golden"].assert_eq(&told);
}
