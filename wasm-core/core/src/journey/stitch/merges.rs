//! Packets that go on inside others, and what of an input cannot have happened so.
//!
//! A packet merges only into another that has not ended, and ends with that. So no packet merges
//! into itself, no merges go in a circle, and none outlives what took it in. What an input says
//! beside that is counted and told ([`Oddities`]); the packet then ends merged into one that was
//! not observed.

use super::Stitcher;
use crate::journey::words;
use crate::kernel::{EventIdx, Nanos, PacketId, Verdict};
use crate::run::Run;
use crate::saying::Saying;

/// What no kernel records, and what its record does not tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Odd {
    /// A packet merges into itself.
    IntoItself,
    /// A packet merges into one that has ended.
    IntoEnded,
    /// A fragment is put into a second datagram.
    SecondDatagram,
    /// A packet is somewhere after its end.
    AfterEnd,
    /// A packet comes in by a device of the name of the one by which it left: two network namespaces each have one, and
    /// the trace tells devices by their names alone.
    OneName,
}

/// How often each came, and where first.
#[derive(Debug, Default)]
pub(super) struct Oddities {
    found: [Option<(u64, EventIdx)>; 5],
}

impl Oddities {
    pub fn add(&mut self, odd: Odd, index: EventIdx) {
        let (count, _) = self.found[odd as usize].get_or_insert((0, index));
        *count += 1;
    }

    /// What the ledger tells of them.
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
    /// The packet goes on inside `into` from this event on, unless that cannot be.
    pub(super) fn merge(&mut self, packet: PacketId, into: PacketId, index: EventIdx) {
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

    /// The packet that had merged is on its own again.
    pub(super) fn unmerge(&mut self, packet: PacketId) {
        let draft = &mut self.drafts[packet.at()];
        let gave = std::mem::take(&mut draft.gave_parts);
        if let Verdict::Merged { into } = draft.verdict
            && let Some(head) = self.drafts.get_mut(into.at())
        {
            head.took_parts -= u64::from(gave);
        }
    }

    /// A packet that has merged was seen at its new place a little later than it set out there.
    pub(super) fn merged_by(&mut self, packet: PacketId, end: Nanos) {
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
