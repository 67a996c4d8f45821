//! `ringside journeys [--json] FILE [--packet N]`: every packet's way, or one's.

use std::io::{self, Write};

use ringside::journey::{self, Journeys};
use ringside::kernel::{PacketId, Verdict};
use ringside::run::Run;
use serde::Serialize;

use crate::options::PART;
use crate::{Failure, complain, input, options, output};

/// A journey as `--json` prints it, one object a line. Times are nanoseconds on the
/// trace's clock, lengths of time nanoseconds.
#[derive(Serialize)]
struct Row {
    packet: u32,
    direction: &'static str,
    start_ns: u64,
    end_ns: u64,
    service_ns: u64,
    wait_ns: u64,
    bytes: u32,
    payload: u32,
    /// How much of the payload its reader took.
    read: u32,
    parts: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload_frames: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ip_id: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flow: Option<String>,
    verdict: &'static str,
    /// What happened beside it tells the verdict, and no event of it.
    is_inferred: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reader_pid: Option<u32>,
    /// Its reader took it in one of several calls, and nothing recorded tells which: `end_ns`, and with it the last stay's
    /// times, are then those of a likely one. Of what no process read it is false.
    is_call_unknown: bool,
    /// Who read parts of it before that one, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    earlier_reader_pids: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    merged_into: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_from: Option<u32>,
    stays: Vec<StayRow>,
    events: Vec<EventRow>,
}

#[derive(Serialize)]
struct StayRow {
    station: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<u16>,
    context: &'static str,
    piece: u32,
    enter_ns: u64,
    leave_ns: u64,
    service_ns: u64,
    wait_ns: u64,
}

#[derive(Serialize)]
struct EventRow {
    probe: &'static str,
    time_ns: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<u16>,
    line: u32,
}

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options::read(arguments, &["--wire", "--packet", PART], &["--json"])?;
    let packet = options.value("--packet").map(number).transpose()?;
    let [file] = options.files.as_slice() else {
        return Err(Failure::Usage("journeys of which one file?".to_owned()));
    };
    let opened = input::open(file, options.wire, options.excerpt()?).map_err(|error| {
        complain(&error);
        Failure::Import
    })?;
    let journeys = &opened.journeys;
    let ids = match packet {
        None => journeys.ids().collect(),
        Some(id) if (id as usize) < journeys.packets.len() => vec![PacketId(id)],
        Some(id) => {
            return Err(Failure::Usage(format!(
                "no packet {id}: {file} has {}",
                journeys.packets.len()
            )));
        }
    };
    print(&opened.run, journeys, &ids, options.is_json).map_err(Failure::Output)
}

/// The number of a packet.
pub fn number(text: &str) -> Result<u32, Failure> {
    // A sign is none of a number's digits.
    let digits = text.parse().ok().filter(|_| !text.starts_with('+'));
    digits.ok_or_else(|| Failure::Usage("--packet needs a packet's number".to_owned()))
}

fn print(run: &Run, journeys: &Journeys, ids: &[PacketId], is_json: bool) -> io::Result<()> {
    let mut output = io::BufWriter::new(output::stdout(is_json));
    for &id in ids {
        if is_json {
            serde_json::to_writer(&mut output, &row(run, journeys, id))?;
            writeln!(output)?;
        } else {
            output.write_all(journey::picture(run, journeys, id).as_bytes())?;
        }
    }
    output.flush()
}

fn row(run: &Run, journeys: &Journeys, id: PacketId) -> Row {
    let packet = &journeys.packets[id.at()];
    let known_cpu = |cpu: ringside::kernel::CpuId| cpu.is_known().then_some(cpu.0);
    let (mut reason, mut reader_pid, mut merged_into) = (None, None, None);
    match packet.verdict {
        Verdict::Dropped { reason: why } => reason = Some(why.name()),
        Verdict::Delivered { pid, .. } => {
            reader_pid = Some(pid.0).filter(|_| pid != ringside::kernel::Pid::UNKNOWN);
        }
        Verdict::Merged { into } => merged_into = Some(into.0).filter(|_| into.is_some()),
        Verdict::Transmitted | Verdict::Consumed | Verdict::Open => {}
    }
    Row {
        packet: id.0,
        direction: packet.direction.name(),
        start_ns: packet.start.0,
        end_ns: packet.end.0,
        service_ns: journeys.service(id),
        wait_ns: journeys.wait(id),
        bytes: packet.bytes,
        payload: packet.payload,
        read: packet.read,
        parts: packet.parts,
        thread: packet.mark.map(|mark| mark.thread),
        seq: packet.mark.map(|mark| mark.packet),
        payload_frames: packet.mark.map(|_| packet.payload / journey::PAYLOAD_FRAME),
        ip_id: packet.ip_id,
        flow: journeys.flow(packet.flow).map(ToString::to_string),
        verdict: packet.verdict.kind().name(),
        is_inferred: packet.is_inferred,
        reason,
        reader_pid,
        is_call_unknown: journeys.is_call_unknown(id),
        earlier_reader_pids: journeys.read_before(id).iter().map(|pid| pid.0).collect(),
        merged_into,
        cut_from: Some(packet.cut_from.0).filter(|_| packet.cut_from.is_some()),
        stays: journeys
            .stays(id)
            .iter()
            .map(|stay| StayRow {
                station: stay.station.name(),
                cpu: known_cpu(stay.cpu),
                context: stay.context.name(),
                piece: stay.piece,
                enter_ns: stay.enter.0,
                leave_ns: stay.leave.0,
                service_ns: stay.service,
                wait_ns: stay.wait(),
            })
            .collect(),
        events: journeys
            .events(id)
            .iter()
            .map(|&index| {
                let event = run.event(index);
                EventRow {
                    probe: event.probe.name(),
                    time_ns: event.time.0,
                    cpu: known_cpu(event.cpu),
                    line: event.line,
                }
            })
            .collect(),
    }
}
