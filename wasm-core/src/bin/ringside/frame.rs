//! `ringside frame --at TIME FILE --json`: the state of everything at one moment.

use std::collections::BTreeMap;
use std::io::{self, Write};

use ringside::kernel::{Context, CpuId, DropReason, Nanos, Pid, Station, VerdictKind};
use ringside::opened::Opened;
use ringside::replay::{Frame, NONE};
use serde::Serialize;

use crate::moment::Moment;
use crate::options::PART;
use crate::{Failure, complain, input, options, output};

/// A frame in words. Times are nanoseconds on the trace's clock.
#[derive(Serialize)]
struct View {
    time_ns: u64,
    packets: Vec<PacketView>,
    cpus: Vec<CpuView>,
    queues: Vec<QueueView>,
    counters: BTreeMap<&'static str, u64>,
}

#[derive(Serialize)]
struct PacketView {
    packet: u32,
    piece: u32,
    station: Option<&'static str>,
    cpu: Option<u16>,
    since_ns: u64,
    until_ns: u64,
    next_station: Option<&'static str>,
    is_served: bool,
    bytes: u32,
    parts: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

#[derive(Serialize)]
struct CpuView {
    cpu: u16,
    context: Option<&'static str>,
    pid: Option<u32>,
    comm: Option<String>,
    packet: Option<u32>,
}

#[derive(Serialize)]
struct QueueView {
    queue: &'static str,
    label: String,
    unit: &'static str,
    depth: u32,
    limit: Option<u32>,
}

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options::read(arguments, &["--at", "--wire", PART], &["--json"])?;
    let moment = options
        .value("--at")
        .ok_or("--at is missing: a frame of which time?".to_owned())
        .and_then(|text| Moment::parse(text).map_err(|why| format!("--at: {why}")))
        .map_err(Failure::Usage)?;
    let [file] = options.files.as_slice() else {
        return Err(Failure::Usage("a frame of which one file?".to_owned()));
    };
    let opened = input::open(file, options.wire, options.excerpt()?).map_err(|error| {
        complain(&error);
        Failure::Import
    })?;
    let start = opened.run.start();
    let time = match moment {
        Moment::OnClock(nanos) => Nanos(nanos),
        Moment::SinceStart(nanos) => Nanos(start.0.saturating_add(nanos)),
    };
    if let Some(why) = outside(&opened, time) {
        complain(&format!("{file}: {why}"));
    }
    let frame = opened.replay.at(time, 0);
    let view = view(&opened, &frame, time);
    let mut output = output::stdout(options.is_json);
    let printed = if options.is_json {
        serde_json::to_writer(&mut output, &view).map_err(io::Error::from)
    } else {
        print_text(&mut output, &view)
    };
    printed
        .and_then(|()| writeln!(output))
        .map_err(Failure::Output)
}

fn view(opened: &Opened, frame: &Frame, time: Nanos) -> View {
    let start = opened.run.start().0;
    let on_clock = |since_start: f64| start + since_start.max(0.0) as u64;
    let packets = &frame.packets;
    let station = |index: u8| Station::from_index(index).map(Station::name);
    let cpu = |cpu: u16| CpuId(cpu).is_known().then_some(cpu);
    let counters = &frame.counters;
    View {
        time_ns: time.0,
        packets: (0..packets.packet.len())
            .map(|row| PacketView {
                packet: packets.packet[row],
                piece: packets.piece[row],
                station: station(packets.station[row]),
                cpu: cpu(packets.cpu[row]),
                since_ns: on_clock(packets.since[row]),
                until_ns: on_clock(packets.until[row]),
                next_station: station(packets.next_station[row]),
                is_served: packets.is_served[row] == 1,
                bytes: packets.bytes[row],
                parts: packets.parts[row],
                verdict: VerdictKind::from_index(packets.verdict[row]).map(VerdictKind::name),
                reason: DropReason::from_index(packets.drop_reason[row]).map(DropReason::name),
            })
            .collect(),
        cpus: opened
            .replay
            .lanes
            .lanes
            .iter()
            .enumerate()
            .map(|(row, lane)| {
                let pid = Some(frame.cpus.pid[row]).filter(|&pid| pid != NONE);
                CpuView {
                    cpu: lane.cpu.0,
                    context: Context::from_index(frame.cpus.context[row]).map(Context::name),
                    pid,
                    comm: pid
                        .and_then(|pid| opened.run.comm(Pid(pid)))
                        .map(str::to_owned),
                    packet: Some(frame.cpus.packet[row]).filter(|&packet| packet != NONE),
                }
            })
            .collect(),
        queues: opened
            .replay
            .queues
            .iter()
            .enumerate()
            .map(|(row, queue)| QueueView {
                queue: queue.kind.name(),
                label: queue.label.clone(),
                unit: queue.unit,
                depth: frame.queue_depth[row],
                limit: Some(frame.queue_limit[row]).filter(|&limit| limit > 0),
            })
            .collect(),
        counters: BTreeMap::from([
            ("delivered", counters.delivered),
            ("merged", counters.merged),
            ("dropped", counters.dropped),
            ("transmitted", counters.transmitted),
            ("consumed", counters.consumed),
            ("bytes_delivered", counters.bytes_delivered),
            ("interrupts", counters.interrupts),
            ("polls", counters.polls),
            ("frames_polled", counters.frames_polled),
            ("cross_cpu", counters.cross_cpu),
        ]),
    }
}

/// What there is to say of a time at which nothing was recorded any more, or yet.
fn outside(opened: &Opened, time: Nanos) -> Option<String> {
    let (Nanos(first), Nanos(last), Nanos(time)) = (opened.run.start(), opened.run.end(), time);
    if opened.run.is_empty() {
        Some("there is no event in it".to_owned())
    } else if time < first {
        Some(format!(
            "{time} ns is before its first event, at {first} ns"
        ))
    } else if time > last {
        Some(format!("{time} ns is after its last event, at {last} ns"))
    } else {
        None
    }
}

fn print_text(output: &mut impl Write, view: &View) -> io::Result<()> {
    writeln!(output, "at {} ns", view.time_ns)?;
    for cpu in &view.cpus {
        let context = cpu.context.unwrap_or("unknown");
        let comm = cpu.comm.as_deref().unwrap_or("");
        writeln!(output, "  CPU {}: {context} {comm}", cpu.cpu)?;
    }
    for queue in &view.queues {
        let QueueView {
            queue,
            label,
            unit,
            depth,
            ..
        } = queue;
        writeln!(output, "  {queue} {label}: {depth} {unit}")?;
    }
    for packet in &view.packets {
        let station = packet.station.unwrap_or("nowhere");
        writeln!(
            output,
            "  #{} {} B in {station} since {} ns",
            packet.packet, packet.bytes, packet.since_ns
        )?;
    }
    write!(output, "  {:?}", view.counters)
}
