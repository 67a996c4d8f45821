//! A journey as text: what the command line prints and golden files hold.

use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};

use super::name::name_of_piece;
use super::{Flow, FlowId, Journeys};
use crate::kernel::{PacketId, Pid, Verdict};
use crate::run::Run;

/// One journey: a line for the packet, then a line for each stay with how long it
/// took and how much of that was service, in microseconds.
pub fn picture(run: &Run, journeys: &Journeys, packet: PacketId) -> String {
    let row = &journeys.packets[packet.at()];
    let service = journeys.service(packet);
    let total = row.end.since(row.start);
    let name = journeys.name(packet);
    let mut text = format!("packet {name}: {} ", row.direction.name());
    // Nothing may have told how long it is.
    match row.bytes {
        0 => text.push_str("? B"),
        bytes => {
            let _ = write!(text, "{bytes} B");
        }
    }
    if let Some(mark) = row.mark {
        let _ = write!(
            text,
            ", kperf thread {} number {}",
            mark.thread, mark.packet
        );
    }
    if row.parts > 1 {
        let _ = write!(text, " in {} parts", row.parts);
    }
    if let Some(flow) = journeys.flow(row.flow) {
        let _ = write!(text, " {flow}");
    }
    let _ = writeln!(
        text,
        ", {}: {} µs, {} in service",
        ending(run, journeys, packet),
        micros(total),
        micros(service)
    );
    let told_apart = journeys.told_apart(packet);
    for stay in journeys.stays(packet) {
        let cpu = if stay.cpu.is_known() {
            format!("cpu{}", stay.cpu.0)
        } else {
            "cpu?".to_owned()
        };
        let piece = if stay.piece == 0 {
            String::new()
        } else {
            format!(" {}", name_of_piece(packet, &told_apart, stay.piece))
        };
        let _ = writeln!(
            text,
            "  +{:<10} {:<5} {:<8} {:<18} {} = {} service + {} wait{piece}",
            micros(stay.enter.since(row.start)),
            cpu,
            stay.context,
            stay.station,
            micros(stay.duration()),
            micros(stay.service),
            micros(stay.wait()),
        );
    }
    text
}

/// How a packet's journey ended, in words.
pub fn ending(run: &Run, journeys: &Journeys, packet: PacketId) -> String {
    let row = &journeys.packets[packet.at()];
    let mut text = match row.verdict {
        Verdict::Delivered { pid, .. } if pid == Pid::UNKNOWN => "delivered".to_owned(),
        Verdict::Delivered { pid, .. } => {
            let mut text = format!("delivered to {}", task(run, pid));
            let before = journeys.read_before(packet).iter();
            let before: Vec<String> = before.map(|&pid| task(run, pid)).collect();
            if !before.is_empty() {
                let _ = write!(text, ", parts of it before to {}", before.join(", "));
            }
            if journeys.is_call_unknown(packet) {
                text.push_str(", by which of its calls is not recorded");
            }
            text
        }
        Verdict::Merged { into } if into.is_some() => {
            format!("merged into packet {}", journeys.name(into))
        }
        Verdict::Merged { .. } => "merged into a head that was not observed".to_owned(),
        Verdict::Dropped { reason } => format!("dropped: {reason}"),
        Verdict::Transmitted => "transmitted".to_owned(),
        Verdict::Consumed => "consumed by the stack".to_owned(),
        Verdict::Open if journeys.is_ambiguous(packet) => {
            "end not observed: more like it came than were read".to_owned()
        }
        Verdict::Open => "end not observed".to_owned(),
    };
    if row.is_inferred {
        text.push_str(" (inferred)");
    }
    text
}

/// A task by its command, if that is known, and number.
fn task(run: &Run, pid: Pid) -> String {
    match run.comm(pid) {
        Some(comm) => format!("{comm} ({})", pid.0),
        None => format!("pid {}", pid.0),
    }
}

impl Journeys {
    /// The flow behind an id, if the recording told it.
    pub fn flow(&self, id: FlowId) -> Option<&Flow> {
        self.flows.get(id.0 as usize)
    }
}

impl std::fmt::Display for Flow {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let protocol = match self.protocol {
            1 => "ICMP ".to_owned(),
            6 => "TCP ".to_owned(),
            17 => "UDP ".to_owned(),
            58 => "ICMPv6 ".to_owned(),
            0 => String::new(),
            other => format!("protocol {other} "),
        };
        write!(
            formatter,
            "{protocol}{} → {}",
            end(self.source, self.source_port),
            end(self.destination, self.destination_port),
        )
    }
}

fn end(address: Option<IpAddr>, port: u16) -> String {
    match (address, port) {
        (Some(address), 0) => address.to_string(),
        (Some(address), port) => SocketAddr::new(address, port).to_string(),
        (None, 0) => "?".to_owned(),
        (None, port) => format!("?:{port}"),
    }
}

/// Nanoseconds as microseconds, to the nanosecond and no longer than needed.
fn micros(nanos: u64) -> String {
    if nanos.is_multiple_of(1000) {
        (nanos / 1000).to_string()
    } else {
        format!("{}.{:03}", nanos / 1000, nanos % 1000)
    }
}
