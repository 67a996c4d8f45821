//! Datagrams whose read is known in advance (`survey::read_assignment`) wait for that read.

use std::collections::{BTreeMap, BTreeSet};

use super::Udp;
use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::datagram::{Datagram, Doubt};
use crate::journey::stitch::survey::read_assignment::{AssignedRead, Matches, match_reads};
use crate::kernel::{AddrId, EventIdx, Field, PacketId, Probe, Verdict};
use crate::run::Run;

/// The reads found in advance.
#[derive(Debug, Default)]
pub struct ReadAssignment {
    /// By the `sk_data_ready` event of each datagram.
    assigned: BTreeMap<EventIdx, AssignedRead>,
    /// Datagrams in a queue, by the read that will take them.
    waiting: BTreeMap<EventIdx, Datagram>,
    /// Reads that took one of several ambiguous datagrams each.
    ambiguous_reads: BTreeSet<EventIdx>,
    /// Reads that took a datagram that stood in its queue when the recording began.
    unrecorded_reads: BTreeSet<EventIdx>,
    /// Reads of which it is open what they took, as too much stood in queues.
    crowded_reads: BTreeMap<EventIdx, Doubt>,
    /// Datagrams of which it is open whether they were read.
    ambiguous: BTreeSet<PacketId>,
    /// Hashes whose datagrams arrived at several sockets.
    pub spread: BTreeSet<u32>,
    /// The sockets of which all reads are taken to truncate.
    pub only_truncating: BTreeSet<AddrId>,
    /// When `sk_buff`s that no event names came to queues; `None` where events were lost.
    unaddressed: Option<Vec<EventIdx>>,
}

impl ReadAssignment {
    /// Matches datagrams and reads of a run.
    pub fn of(run: &Run) -> Self {
        let Matches {
            assigned,
            ambiguous_reads,
            unrecorded_reads,
            crowded_reads,
            spread,
            only_truncating,
            unaddressed,
        } = match_reads(run);
        Self {
            assigned,
            waiting: BTreeMap::new(),
            ambiguous_reads,
            unrecorded_reads,
            crowded_reads,
            ambiguous: BTreeSet::new(),
            spread,
            only_truncating,
            unaddressed: Some(unaddressed),
        }
    }

    /// Whether an `sk_buff` that no event names may have come to a queue between two events, at any address that was
    /// given back before.
    pub fn may_come_between(&self, from: EventIdx, to: EventIdx) -> bool {
        self.unaddressed.as_ref().is_none_or(|came| {
            let next = came.partition_point(|&at| at < from);
            came.get(next).is_some_and(|&at| at < to)
        })
    }

    /// Whether this read took one of several ambiguous datagrams.
    pub fn is_ambiguous(&self, read: EventIdx) -> bool {
        self.ambiguous_reads.contains(&read)
    }

    /// Whether this read took a datagram that stood in its queue when the recording began.
    pub fn is_of_unrecorded(&self, read: EventIdx) -> bool {
        self.unrecorded_reads.contains(&read)
    }

    /// How far it is known that this read took what seems to be its datagram, if it is not known in advance.
    pub fn doubt_of(&self, read: EventIdx) -> Doubt {
        self.crowded_reads.get(&read).copied().unwrap_or_default()
    }

    /// The datagram that this read takes, if it is known in advance.
    pub fn read(&mut self, read: EventIdx) -> Option<Datagram> {
        self.waiting.remove(&read)
    }
}

impl Udp {
    /// A datagram is in its socket's queue, and is not known to be dropped there.
    pub fn wait_for_read(&mut self, datagram: Datagram, run: &Run) {
        let assignment = &mut self.assignment;
        // The reader's buffer may have been too small for the whole datagram.
        let fits = |read| {
            let returned = run.field(read, Field::Ret);
            returned.is_some_and(|returned| returned <= datagram.bytes)
        };
        let assigned = assignment.assigned.get(&datagram.ready).copied();
        let datagram = Datagram {
            doubt: match assigned {
                Some(AssignedRead::Doubtful(_, doubt)) => doubt,
                _ => Doubt::None,
            },
            ..datagram
        };
        match assigned {
            Some(AssignedRead::Read(read) | AssignedRead::Doubtful(Some(read), _))
                if fits(read) =>
            {
                assignment.waiting.insert(read, datagram);
            }
            Some(AssignedRead::Ambiguous) => {
                assignment.ambiguous.insert(datagram.packet);
            }
            _ => self.datagrams.wait(datagram),
        }
    }

    /// Whether it is open if the packet was read, as more like it came than were read.
    pub fn is_ambiguous(&self, packet: PacketId) -> bool {
        self.assignment.ambiguous.contains(&packet)
    }
}

impl Stitcher<'_> {
    /// The verdict of a packet whose free its reader deferred to another CPU (`net/core/skbuff.c:
    /// skb_attempt_defer_free`, v6.18), with the reader where it is known: from a read whose call returns a little
    /// later, or from a splice.
    pub fn who_read(&mut self, packet: PacketId, index: EventIdx, freed: Verdict) -> Verdict {
        let entries = self.table[packet].entries.iter().rev();
        let mut events = entries.map(|entry| entry.event);
        let ready = events.find(|event| self.run.probe[event.at()] == Probe::SkDataReady);
        let assigned = ready.and_then(|at| self.udp.assignment.assigned.get(&at).copied());
        let draft = &self.table[packet];
        let spliced = self.tcp.last_spliced(draft.sk);
        let came = draft.entries.last().map(|entry| entry.event);
        let by_some_call = |doubt| matches!(doubt, Doubt::Call | Doubt::Socket);
        let is_by_some_call =
            matches!(assigned, Some(AssignedRead::Doubtful(_, doubt)) if by_some_call(doubt));
        let read = match assigned {
            Some(AssignedRead::Read(read)) => Some((self.run.pid(read), read)),
            Some(AssignedRead::Doubtful(Some(read), doubt)) if by_some_call(doubt) => {
                Some((self.run.pid(read), read))
            }
            _ => spliced.filter(|&(_, at)| Some(at) > came),
        };
        match (freed, read) {
            (Verdict::Delivered { .. }, Some((pid, read)))
                if draft.outcome.verdict == Verdict::Open =>
            {
                if read < index && !is_by_some_call {
                    self.table.read_by(packet, read, read, pid);
                }
                let outcome = &mut self.table[packet].outcome;
                (outcome.is_inferred, outcome.is_call_unknown) = (true, is_by_some_call);
                Verdict::Delivered { pid, read }
            }
            _ => freed,
        }
    }
}
