//! What fewer lines of a recording tell of the ends that all of them tell.

use ringside::journey::Journeys;
use ringside::kernel::{PacketId, Pid, Verdict};
use ringside::run::Run;

use super::{import, packet_of_lines, packets_by_line};

/// The ends of the packets that fewer lines show.
pub struct Fewer {
    /// How many packets these lines show.
    pub all: usize,
    /// How many of them all lines show none of.
    pub unknown: usize,
    /// How many of them end the same.
    pub same: usize,
    /// How each of the others ends by all lines, and by the fewer.
    pub differing: Vec<(Verdict, Verdict)>,
}

/// How a packet ended, with who read it or why it was dropped.
pub fn end_of(verdict: Verdict) -> String {
    let kind = verdict.kind();
    match verdict {
        Verdict::Delivered { pid, .. } if pid == Pid::UNKNOWN => format!("{kind} to someone"),
        Verdict::Delivered { pid, .. } => format!("{kind} to {}", pid.0),
        Verdict::Dropped { reason } => format!("{kind}: {}", reason.name()),
        _ => kind.to_string(),
    }
}

/// Which packets end in `fewer` lines of a recording as in all of them.
pub fn told_by(fewer: &str, run: &Run, journeys: &Journeys) -> Fewer {
    let (fewer, others) = import(fewer);
    let by_line = packets_by_line(run, journeys);
    let mut told = Fewer {
        all: others.packets.len(),
        unknown: 0,
        same: 0,
        differing: Vec::new(),
    };
    for packet in others.ids() {
        let Some(seen) = packet_of_lines(&fewer, &others, packet, &by_line) else {
            told.unknown += 1;
            continue;
        };
        let verdict = |journeys: &Journeys, packet: PacketId| journeys.packets[packet.at()].verdict;
        let (seen, inferred) = (verdict(journeys, seen), verdict(&others, packet));
        if end_of(seen) == end_of(inferred) {
            told.same += 1;
        } else {
            told.differing.push((seen, inferred));
        }
    }
    told
}
