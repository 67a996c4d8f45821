//! Datagrams whose read is known in advance (`survey::foretold`) wait for that read.

use std::collections::{BTreeMap, BTreeSet};

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::datagram::Datagram;
use crate::journey::stitch::survey::foretold::{Fate, match_reads};
use crate::kernel::{EventIdx, Field, PacketId, Pid, Probe, Verdict};
use crate::run::Run;

/// The reads found in advance.
#[derive(Debug, Default)]
pub struct Foretold {
    /// By the `sk_data_ready` event of each datagram.
    fates: BTreeMap<EventIdx, Fate>,
    /// Datagrams in a queue, by the read that will take them.
    waiting: BTreeMap<EventIdx, Datagram>,
    /// Hashes whose datagrams arrived at several sockets.
    pub spread: BTreeSet<u32>,
}

impl Foretold {
    /// Matches datagrams and reads of a run.
    pub fn of(run: &Run) -> Self {
        let (fates, spread) = match_reads(run);
        Self {
            fates,
            waiting: BTreeMap::new(),
            spread,
        }
    }

    /// The datagram that this read takes, if it is known in advance.
    pub fn read(&mut self, read: EventIdx) -> Option<Datagram> {
        self.waiting.remove(&read)
    }
}

impl Stitcher<'_> {
    /// A datagram is in its socket's queue, and is not known to be dropped there.
    pub fn wait_for_read(&mut self, datagram: Datagram) {
        let foretold = &mut self.reads.foretold;
        // The reader's buffer may have been too small for the whole datagram.
        let fits = |read| {
            let returned = self.run.field(read, Field::Ret);
            returned.is_some_and(|returned| returned <= datagram.bytes)
        };
        let fate = foretold.fates.get(&datagram.ready).copied();
        let datagram = Datagram {
            is_doubtful: matches!(fate, Some(Fate::Doubtful(_))),
            ..datagram
        };
        match fate {
            Some(Fate::Read(read) | Fate::Doubtful(Some(read))) if fits(read) => {
                foretold.waiting.insert(read, datagram);
            }
            _ => self.reads.datagrams.wait(datagram),
        }
    }

    /// The verdict of a packet whose free its reader deferred to another CPU (`net/core/skbuff.c:
    /// skb_attempt_defer_free`, v6.18), with the reader where it is known: from a read whose call returns a little
    /// later, or from a splice.
    pub fn who_read(&mut self, packet: PacketId, index: EventIdx, freed: Verdict) -> Verdict {
        let entries = self.drafts[packet.at()].entries.iter().rev();
        let mut events = entries.map(|entry| entry.event);
        let ready = events.find(|event| self.run.probe[event.at()] == Probe::SkDataReady);
        let fate = ready.and_then(|at| self.reads.foretold.fates.get(&at).copied());
        let draft = &self.drafts[packet.at()];
        let spliced = self.reads.splices.last_by(draft.sk);
        let came = draft.entries.last().map(|entry| entry.event);
        let read = match fate {
            Some(Fate::Read(read)) => Some((self.run.pid(read), read)),
            _ => spliced.filter(|&(_, at)| Some(at) > came),
        };
        match (freed, read) {
            (Verdict::Delivered { .. }, Some((pid, read))) if draft.verdict == Verdict::Open => {
                if read < index {
                    self.read_by(packet, read, read, pid);
                }
                self.drafts[packet.at()].is_inferred = true;
                Verdict::Delivered { pid, read }
            }
            _ => freed,
        }
    }

    /// One of several tasks has read the packet, at about this event.
    pub fn read_by_someone(&mut self, packet: PacketId, index: EventIdx) {
        let draft = &mut self.drafts[packet.at()];
        if draft.is_closed || draft.verdict != Verdict::Open {
            return;
        }
        draft.is_inferred = true;
        let pid = Pid::UNKNOWN;
        let verdict = Verdict::Delivered { pid, read: index };
        self.close(packet, verdict, self.run.time(index));
    }
}
