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
use ringside::kernel::VerdictKind;

use crate::recordings::fewer::{Fewer, end_of, told_by};
use crate::recordings::{import, packed, unpacked, with_unnamed_probes, without_kprobes};

/// How the packets end that do not end the same, each in a line.
fn differing(fewer: &Fewer, how: &str) -> String {
    let mut lines = String::new();
    for &(seen, inferred) in &fewer.differing {
        writeln!(lines, "  {}, {how} {}", end_of(seen), end_of(inferred)).unwrap();
    }
    lines
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
        let fewer = told_by(&without, &run, &journeys);
        let (same, all) = (fewer.same, fewer.all);
        writeln!(told, "; {same} of {all} the same without kprobes").unwrap();
        told += &differing(&fewer, "without kprobes");
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
        let fewer = told_by(&unnamed, &run, &journeys);
        let (same, all) = (fewer.same, fewer.all);
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let (_, others) = import(&unnamed);
        let open = others.count(VerdictKind::Open);
        writeln!(told, "{name}: {same} of {all} the same, {open} open").unwrap();
        told += &differing(&fewer, "without a name");
    }
    expect_file!["kprobes/unnamed.golden"].assert_eq(&told);
}
