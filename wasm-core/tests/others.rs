//! What other programs say of the same recording, held against what Ringside reads: `perf script`
//! against the kernel's own text, `trace-cmd report` in three forms against it, and tshark's
//! reading of captures frame by frame. `tests/others/README.md` says how the files were made.

#![allow(
    clippy::unwrap_used,
    reason = "a fixture that cannot be read fails the test"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use ringside::import::{Format, Import, Imported, Input};
use ringside::kernel::{AddrId, CpuId, EventIdx, FieldKind, NameId, Nanos};
use ringside::run::Run;
use ringside::wire::{Capture, Frame, Tcp};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> Input {
    let mut import = Import::new();
    import.push(&fs::read(path).unwrap());
    import.finish_any().unwrap()
}

fn trace(name: &str, format: Format) -> Imported {
    let path = root().join("wasm-core/tests/others").join(name);
    let Input::Trace(imported) = read(&path) else {
        panic!("{name} is a capture");
    };
    assert_eq!(imported.format, format, "{name}");
    assert_eq!(imported.ledger.malformed_kept, [], "{name}");
    assert_eq!(imported.ledger.unknown_lines(), 0, "{name}");
    *imported
}

/// An address by when it first came: the kernel hashes those that it prints itself.
#[derive(Default)]
struct Addresses(BTreeMap<u64, usize>);

impl Addresses {
    fn name(&mut self, run: &Run, id: AddrId) -> String {
        match run.addresses.value(id) {
            0 => "none".to_owned(),
            address => {
                let next = self.0.len();
                format!("#{}", self.0.entry(address).or_insert(next))
            }
        }
    }
}

/// An event without its time and its context, which not all forms have.
fn row(run: &Run, at: EventIdx, addresses: &mut Addresses) -> String {
    let event = run.event(at);
    let (skb, sk) = (
        addresses.name(run, event.skb),
        addresses.name(run, event.sk),
    );
    let mut row = format!(
        "{} {:?} skb {skb} sk {sk} len {}",
        event.probe, event.pid, event.len
    );
    for (field, value) in run.fields(at) {
        let value = match field.kind() {
            FieldKind::Name => name(run.names.text(NameId(value))).to_owned(),
            FieldKind::Addr => addresses.name(run, AddrId(value)),
            _ => value.to_string(),
        };
        write!(row, " {field} {value}").unwrap();
    }
    row
}

/// A place in the code is printed with and without the length of its function, and with and
/// without `0x` where the function is not known.
fn name(text: &str) -> &str {
    let place = text.rsplit_once("/0x").map_or(text, |(place, _)| place);
    place.strip_prefix("0x").unwrap_or(place)
}

/// The events of each CPU in their order, with their times.
fn by_cpu(run: &Run) -> BTreeMap<CpuId, (Vec<String>, Vec<Nanos>)> {
    let mut addresses = Addresses::default();
    let mut cpus: BTreeMap<CpuId, (Vec<String>, Vec<Nanos>)> = BTreeMap::new();
    for at in run.indices() {
        let (rows, times) = cpus.entry(run.cpu[at.at()]).or_default();
        rows.push(row(run, at, &mut addresses));
        times.push(run.time(at));
    }
    cpus
}

/// Holds two readings of one recording against each other, event by event; the times of an event
/// differ by no more than this.
fn assert_same(name: &str, one: &Run, other: &Run, within: u64) {
    let (one, other) = (by_cpu(one), by_cpu(other));
    assert_eq!(
        one.keys().collect::<Vec<_>>(),
        other.keys().collect::<Vec<_>>()
    );
    for (cpu, (rows, times)) in &one {
        let (other_rows, other_times) = &other[cpu];
        for (row, other) in rows.iter().zip(other_rows) {
            assert_eq!(row, other, "{name}, CPU {}", cpu.0);
        }
        assert_eq!(rows.len(), other_rows.len(), "{name}, CPU {}", cpu.0);
        for ((row, time), other) in rows.iter().zip(times).zip(other_times) {
            let apart = time.0.abs_diff(other.0);
            assert!(apart <= within, "{name}: {row} is {apart} ns apart");
        }
    }
}

/// Both print microseconds: what is written as one may be half of one away from what was.
const MICROSECOND: u64 = 1000;

#[test]
fn trace_cmd_reports_the_events_that_the_kernel_prints() {
    let kernel = trace("trace-cmd/trace.txt.gz", Format::Ftrace).run;
    assert_eq!(kernel.len(), 600);
    for (name, format) in [
        ("trace-cmd/report.txt.gz", Format::TraceCmd),
        ("trace-cmd/report-latency.txt.gz", Format::TraceCmdLatency),
        ("trace-cmd/report-nanoseconds.txt.gz", Format::TraceCmd),
    ] {
        assert_same(name, &kernel, &trace(name, format).run, MICROSECOND / 2);
    }
}

#[test]
fn the_latency_format_of_trace_cmd_has_the_contexts_of_the_kernel() {
    let kernel = trace("trace-cmd/trace.txt.gz", Format::Ftrace).run;
    let name = "trace-cmd/report-latency.txt.gz";
    let reported = trace(name, Format::TraceCmdLatency).run;
    assert_eq!(kernel.context, reported.context);
}

/// Two tracers at one tracepoint read the clock one after the other.
const BETWEEN_TRACERS: u64 = 5 * MICROSECOND;

#[test]
fn perf_records_the_events_that_ftrace_records() {
    let kernel = trace("perf/trace.txt.gz", Format::Ftrace).run;
    let perf = trace("perf/perf-script.txt.gz", Format::PerfScript).run;
    assert!(kernel.len() > 150);
    assert_same("perf", &kernel, &perf, BETWEEN_TRACERS);
}

/// A frame as `tests/others/captures/rows.sh` writes what tshark says of it.
fn frame_row(frame: &Frame) -> String {
    let Frame {
        number,
        time,
        length,
        captured,
        payload,
        ..
    } = frame;
    let mut row = format!("{number} {} {length} {captured}", time.0);
    let Some(ip) = frame.ip else {
        return row + " - - - - - - -";
    };
    write!(row, " {} {} {}", ip.source, ip.destination, ip.proto).unwrap();
    match ip.id {
        Some(id) => {
            let (dont, more) = (ip.frag_off >> 14 & 1, ip.frag_off >> 13 & 1);
            write!(row, " {id:#06x} {dont} {more} {}", ip.offset() / 8).unwrap();
        }
        None => row.push_str(" - - - -"),
    }
    if let Some(transport) = frame.transport {
        write!(row, " {} {}", transport.sport, transport.dport).unwrap();
        if let Some(Tcp {
            seq, ack, flags, ..
        }) = transport.tcp
        {
            write!(row, " seq {seq} ack {ack} flags {flags:#06x}").unwrap();
        }
    }
    write!(row, " payload {payload}").unwrap();
    row
}

fn capture(path: &Path) -> Capture {
    let Input::Capture(capture) = read(path) else {
        panic!("{} is a trace", path.display());
    };
    assert_eq!(capture.damage, None, "{}", path.display());
    *capture
}

#[test]
fn tshark_reads_the_same_frames() {
    let folder = root().join("wasm-core/tests/others/captures");
    let mut compared = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let rows = entry.unwrap().path();
        if rows.extension().is_none_or(|extension| extension != "rows") {
            continue;
        }
        let name = rows.file_stem().unwrap().to_str().unwrap();
        let candidates = [
            folder.join(format!("{name}.pcapng")),
            folder.join(format!("{name}.pcap.gz")),
            folder.join(format!("{name}.pcapng.gz")),
            root().join(format!("traces/{name}/wire.pcap.gz")),
        ];
        let file = candidates.iter().find(|path| path.exists()).unwrap();
        let read: Vec<String> = capture(file).frames.iter().map(frame_row).collect();
        let expected = fs::read_to_string(&rows).unwrap();
        for (frame, expected) in read.iter().zip(expected.lines()) {
            assert_eq!(frame, expected, "{name}");
        }
        assert_eq!(read.len(), expected.lines().count(), "{name}");
        compared += read.len();
    }
    assert_eq!(compared, 979, "frames of nine captures");
}
