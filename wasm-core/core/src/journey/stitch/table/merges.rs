//! Packets merged into others or cut from others, and contradictions in a recording about merges.
//!
//! A packet is merged only into another one that has not ended, and ends with that. So no packet is merged into
//! itself, there are no cycles, and no merged packet outlives its head. Input that contradicts this is counted and
//! reported ([`Anomalies`]); the packet then ends merged into an unobserved one.

use super::Table;
use crate::journey::words;
use crate::kernel::{EventIdx, Nanos, PacketId, Verdict};
use crate::run::Run;
use crate::saying::Saying;

/// Events that no kernel can produce, and one that a recording cannot resolve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anomaly {
    /// A packet is merged into itself.
    IntoItself,
    /// A packet is merged into one that has ended.
    IntoEnded,
    /// A fragment is inserted into a second datagram.
    SecondDatagram,
    /// A packet has events at a station after its end.
    AfterEnd,
    /// A packet arrives on a device with the name of the one on which it left: two network namespaces each have such
    /// a device, and the recording identifies devices by name only.
    OneName,
    /// A packet leaves by a device whose name a NIC and a device that passes packets on have.
    SharedName,
}

/// The number of occurrences of each, and the first.
#[derive(Debug, Default)]
pub struct Anomalies {
    found: [Option<(u64, EventIdx)>; 6],
}

impl Anomalies {
    pub fn add(&mut self, anomaly: Anomaly, index: EventIdx) {
        let (count, _) = self.found[anomaly as usize].get_or_insert((0, index));
        *count += 1;
    }

    /// The messages about them for the ledger.
    pub fn told(&self, run: &Run) -> Vec<Saying> {
        let say = [
            (Anomaly::IntoItself, words::into_itself as fn(u64, u64) -> _),
            (Anomaly::IntoEnded, words::into_ended),
            (Anomaly::SecondDatagram, words::second_datagram),
            (Anomaly::AfterEnd, words::after_end),
            (Anomaly::OneName, words::one_name),
            (Anomaly::SharedName, words::shared_name),
        ];
        let told = say.into_iter().filter_map(|(anomaly, say)| {
            let (count, first) = self.found[anomaly as usize]?;
            Some(say(count, u64::from(run.event(first).line)))
        });
        told.collect()
    }
}

impl Table<'_> {
    /// Counts a contradiction in the recording.
    pub fn note(&mut self, anomaly: Anomaly, index: EventIdx) {
        self.anomalies.add(anomaly, index);
    }

    /// Takes the contradictions out, for the ledger.
    pub fn take_anomalies(&mut self) -> Anomalies {
        std::mem::take(&mut self.anomalies)
    }

    /// Merges the packet into `into` at this event, unless that is impossible.
    pub fn merge(&mut self, packet: PacketId, into: PacketId, index: EventIdx) {
        let end = self.run.time(index);
        let head = &self[into];
        if packet == into {
            self.anomalies.add(Anomaly::IntoItself, index);
            return;
        }
        if !head.outcome.is_open() {
            self.anomalies.add(Anomaly::IntoEnded, index);
            let into = PacketId::NONE;
            self.close(packet, Verdict::Merged { into }, end);
            return;
        }
        self.close(packet, Verdict::Merged { into }, end);
        let frames = self[packet].frames.give();
        self[into].frames.take(frames, end);
    }

    /// Reverses a merge: the packet continues by itself.
    pub fn unmerge(&mut self, packet: PacketId) {
        let draft = &mut self[packet];
        let gave = draft.frames.take_back();
        if let Verdict::Merged { into } = draft.outcome.verdict
            && let Some(head) = self.drafts.get_mut(into.at())
        {
            head.frames.give_back(gave);
        }
    }

    /// A merge lasts until this later time: the function that merged the packet returned then.
    pub fn merged_by(&mut self, packet: PacketId, end: Nanos) {
        let Verdict::Merged { into } = self[packet].outcome.verdict else {
            return;
        };
        if let Some(head) = self.drafts.get_mut(into.at()) {
            if head.outcome.is_closed {
                return;
            }
            head.frames.grow(end);
        }
        self[packet].outcome.end = Some(end);
    }

    /// `packet` is a fragment or segment of `parent`.
    pub fn cut(&mut self, parent: PacketId, packet: PacketId) {
        let from = &self[parent];
        let (sk, mark, flow) = (from.sk, from.mark, from.flow);
        let draft = &mut self[packet];
        draft.cut_from = parent;
        (draft.sk, draft.mark, draft.flow) = (sk, mark, flow);
    }
}
