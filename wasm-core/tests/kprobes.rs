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

use crate::recordings::{
    import, packed, packet_of_lines, packets_by_line, unpacked, without_kprobes,
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
        let (fewer, others) = import(&without_kprobes(&text));
        let by_line = packets_by_line(&run, &journeys);
        let mut same = 0;
        let mut differing = String::new();
        for packet in others.ids() {
            let Some(seen) = packet_of_lines(&fewer, &others, packet, &by_line) else {
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
