//! Packets merged into others, and contradictions in a recording about merges.
//!
//! A packet is merged only into another one that has not ended, and ends with that. So no packet is merged into
//! itself, there are no cycles, and no merged packet outlives its head. Input that contradicts this is counted and
//! reported ([`Oddities`]); the packet then ends merged into an unobserved one.

use crate::journey::stitch::Stitcher;
use crate::journey::words;
use crate::kernel::{EventIdx, Nanos, PacketId, Verdict};
use crate::run::Run;
use crate::saying::Saying;

/// Events that no kernel can produce, and one that a recording cannot resolve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Odd {
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
}

/// The number of occurrences of each, and the first.
#[derive(Debug, Default)]
pub struct Oddities {
    found: [Option<(u64, EventIdx)>; 5],
}

impl Oddities {
    pub fn add(&mut self, odd: Odd, index: EventIdx) {
        let (count, _) = self.found[odd as usize].get_or_insert((0, index));
        *count += 1;
    }

    /// The messages about them for the ledger.
    pub fn told(&self, run: &Run) -> Vec<Saying> {
        let say = [
            (Odd::IntoItself, words::into_itself as fn(u64, u64) -> _),
            (Odd::IntoEnded, words::into_ended),
            (Odd::SecondDatagram, words::second_datagram),
            (Odd::AfterEnd, words::after_end),
            (Odd::OneName, words::one_name),
        ];
        let told = say.into_iter().filter_map(|(odd, say)| {
            let (count, first) = self.found[odd as usize]?;
            Some(say(count, u64::from(run.event(first).line)))
        });
        told.collect()
    }
}

impl Stitcher<'_> {
    /// Merges the packet into `into` at this event, unless that is impossible.
    pub fn merge(&mut self, packet: PacketId, into: PacketId, index: EventIdx) {
        let end = self.run.time(index);
        let head = &self.drafts[into.at()];
        if packet == into {
            self.oddities.add(Odd::IntoItself, index);
            return;
        }
        if head.is_closed || head.verdict != Verdict::Open {
            self.oddities.add(Odd::IntoEnded, index);
            let into = PacketId::NONE;
            self.close(packet, Verdict::Merged { into }, end);
            return;
        }
        self.close(packet, Verdict::Merged { into }, end);
        let frames = self.drafts[packet.at()].parts();
        self.drafts[packet.at()].gave_parts = frames;
        let head = &mut self.drafts[into.at()];
        head.took_parts += u64::from(frames);
        head.grows(end);
    }

    /// Reverses a merge: the packet continues by itself.
    pub fn unmerge(&mut self, packet: PacketId) {
        let draft = &mut self.drafts[packet.at()];
        let gave = std::mem::take(&mut draft.gave_parts);
        if let Verdict::Merged { into } = draft.verdict
            && let Some(head) = self.drafts.get_mut(into.at())
        {
            head.took_parts -= u64::from(gave);
        }
    }

    /// A merge lasts until this later time: the function that merged the packet returned then.
    pub fn merged_by(&mut self, packet: PacketId, end: Nanos) {
        let Verdict::Merged { into } = self.drafts[packet.at()].verdict else {
            return;
        };
        if let Some(head) = self.drafts.get_mut(into.at()) {
            if head.is_closed {
                return;
            }
            head.grows(end);
        }
        self.drafts[packet.at()].end = Some(end);
    }
}
