//! Generic receive offload: segments that go on inside the head of their flow.

use super::Stitcher;
use crate::kernel::{AddrId, Event, EventIdx, Field, PacketId, Verdict};

impl Stitcher<'_> {
    /// `net/core/gro.c: skb_gro_receive` (v6.1): the packet goes on inside its head.
    pub(super) fn gro_merge(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let Some(head) = self
            .run
            .field(index, Field::Into)
            .and_then(|into| self.packet_at(AddrId(into)))
        else {
            return;
        };
        if head == packet {
            return;
        }
        let frames = self.drafts[packet.at()].parts;
        self.drafts[head.at()].parts += frames;
        self.close(packet, Verdict::Merged { into: head }, event.time);
    }

    /// The result of `napi_gro_receive` (`enum gro_result`, v6.1): 0 merged, 1 merged
    /// and freed, 2 held, 3 normal, 4 consumed. It names no packet: it is the one
    /// that entered last on this CPU.
    pub(super) fn gro_exit(&mut self, index: EventIdx, event: &Event) {
        let Some(packet) = self.cpu(event.cpu).in_gro.pop() else {
            return;
        };
        let is_merged = matches!(self.run.field(index, Field::Ret), Some(0 | 1));
        let draft = &mut self.drafts[packet.at()];
        match (is_merged, draft.verdict) {
            (true, Verdict::Open) => {
                let into = PacketId::NONE;
                self.close(packet, Verdict::Merged { into }, event.time);
            }
            // It did not fit into the head after all and goes its own way.
            (false, Verdict::Merged { into }) => {
                draft.verdict = Verdict::Open;
                draft.is_closed = false;
                draft.end = None;
                let frames = draft.parts;
                if let Some(head) = self.drafts.get_mut(into.at()) {
                    head.parts = head.parts.saturating_sub(frames);
                }
            }
            (true, Verdict::Merged { .. }) => draft.end = Some(event.time),
            _ => {}
        }
    }
}
