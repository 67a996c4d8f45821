//! A read of a packet whose address is unknown: a segment of a datagram that was cut for its reader, or a clone.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::copies::CopyOf;
use crate::kernel::{Event, EventIdx, PacketId};

impl Stitcher<'_> {
    /// A read whose copy names an `sk_buff` that was never seen before: a segment or a clone. Returns whether a
    /// waiting one fits.
    pub fn read_unaddressed(
        &mut self,
        index: EventIdx,
        event: &Event,
        bytes: u32,
        copied: &[CopyOf],
    ) -> bool {
        let Some(&CopyOf {
            packet: named,
            at: copy,
            ..
        }) = copied.last()
        else {
            return false;
        };
        let skb = self.table[named].skb;
        let first = self.table[named].entries.first();
        let is_new = first.is_some_and(|first| copied.iter().any(|copy| first.event == copy.at));
        if !self.udp.has_unaddressed() || !is_new {
            return false;
        }
        let Some(packet) = self.read_waiting(index, event, bytes, copy) else {
            return false;
        };
        self.undo_foreign_copies(copied, event.pid);
        for copy in copied {
            self.table.attribute(copy.at, PacketId::NONE);
        }
        let draft = &mut self.table[packet];
        // Without a known reader, this copy cannot be attributed to the packet either.
        if draft.entries.iter().any(|entry| entry.event == copy) {
            draft.skb = skb;
            self.table.attribute(copy, packet);
        }
        true
    }
}
