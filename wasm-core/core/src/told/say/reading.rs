//! What is said of a packet that comes to its reader.

use super::{Teller, Telling, say};
use crate::journey::Packet;
use crate::kernel::{Field, PacketId, Pid, Probe, Verdict};
use crate::saying::Saying;
use crate::told::beats::ends_as_it_comes;
use crate::told::cues::CueKind;

impl Teller<'_> {
    /// A packet's bytes are copied to its reader: who that is, and what has to be fetched for it.
    pub(super) fn copies(&self, packet: PacketId, row: &Packet, at: u32) -> Telling {
        let stay = &self.replay.journeys.stays[at as usize];
        let before = self.replay.journeys.before(packet, at);
        let bytes = self.copied(packet, row, at);
        let plain = match row.verdict {
            Verdict::Delivered { pid, .. } if pid != Pid::UNKNOWN => {
                self.reader_copies(packet, at, pid, bytes)
            }
            _ => say::copies_bare(bytes),
        };
        let crossed = before
            .filter(|before| before.hands_over_to(stay))
            .map(|before| before.cpu);
        let copies = &self.replay.machine.copies;
        let priced = copies
            .fetched(packet, stay.cpu, [stay.enter, row.end])
            .map(|fetched| say::why_lines(fetched.lines, fetched.from, fetched.cycles));
        // A recording has no event of a cache: that lines cross follows from where it was handled.
        let inferred = || crossed.map(|from| say::why_crossed(from, stay.cpu).inferred());
        let journeys = &self.replay.journeys;
        let took = || {
            let took = row.end.since(journeys.set_out(packet));
            let waited = journeys.wait(packet).min(took);
            ends_as_it_comes(journeys, packet).then(|| say::why_so_far(took, waited))
        };
        (
            plain,
            say::short_copies(),
            priced.or_else(inferred).or_else(took),
        )
    }

    /// How much of a packet its reader's copies took: all of it, unless they or the call say that it was less.
    fn copied(&self, packet: PacketId, row: &Packet, at: u32) -> u64 {
        let (run, journeys) = (&self.replay.run, &self.replay.journeys);
        let whole = u64::from(if row.payload > 0 {
            row.payload
        } else {
            row.bytes
        });
        // Two probes may see one copy: those of one kind are added up.
        let probe = run.event(journeys.stays[at as usize].event).probe;
        if !matches!(
            probe,
            Probe::SkbCopyDatagramIovec | Probe::SkbCopyDatagramIter
        ) {
            return if row.read > 0 {
                u64::from(row.read)
            } else {
                whole
            };
        }
        let events = journeys.events(packet).iter();
        let copies = events.filter(|&&event| run.event(event).probe == probe);
        let taken: u64 = copies
            .map(|&event| {
                run.field(event, Field::Count)
                    .unwrap_or(run.event(event).len)
            })
            .map(u64::from)
            .sum();
        if taken > 0 { whole.min(taken) } else { whole }
    }

    /// A reader takes a packet, with what brought it to that while the packet waited.
    fn reader_copies(&self, packet: PacketId, at: u32, reader: Pid, bytes: u64) -> Saying {
        let has_waited = self.packet(packet).stays.start < at;
        let waiting = has_waited.then(|| self.told.cues_in(&self.replay.journeys, at - 1));
        let last = |kind| waiting.clone()?.filter(|cue| cue.kind == kind).last();
        let pushed = last(CueKind::Preempted);
        let woken =
            last(CueKind::Wakeup).filter(|woken| pushed.is_none_or(|cue| cue.time < woken.time));
        match (woken, last(CueKind::Runs)) {
            (Some(woken), Some(runs)) if woken.time < runs.time => {
                let (cpu, after) = (self.cpu(runs), runs.time.since(woken.time));
                say::copies_woken(reader, cpu, after, bytes)
            }
            (_, Some(runs)) => say::copies_on(reader, self.cpu(runs), bytes),
            (_, None) => say::copies(reader, bytes),
        }
    }
}
