//! When a segment's journey ends: with the call that copied its last byte.
//!
//! Its memory may be given back much later, by the CPU that allocated it and when that next receives
//! (`net/ipv4/tcp.c: tcp_eat_recv_skb`, `net/core/skbuff.c: skb_attempt_defer_free`, v6.18), and meanwhile the
//! `sk_buff` may hold what was joined to it (`net/ipv4/tcp_input.c: tcp_try_coalesce`).

use super::Stitcher;
use super::draft::Draft;
use crate::kernel::{Event, EventIdx, PacketId, Verdict};

impl Stitcher<'_> {
    /// So many bytes are copied from the packet, or from what was joined to it.
    pub(super) fn read_copied(
        &mut self,
        packet: PacketId,
        index: EventIdx,
        event: &Event,
        count: u32,
    ) {
        if !self.drafts[packet.at()].is_read_out(count) {
            self.read_datagram(packet, index, event);
        }
    }

    /// A call returns that copied from the packet: if it is read by that, it ends here.
    pub(super) fn end_with_call(&mut self, packet: PacketId, event: &Event) {
        let draft = &mut self.drafts[packet.at()];
        if matches!(draft.verdict, Verdict::Delivered { pid, .. } if pid == event.pid) {
            draft.end = draft.end.or(Some(event.time));
        }
    }
}

impl Draft {
    /// Whether calls that have returned copied all of this segment before these bytes.
    fn is_read_out(&self, bytes: u32) -> bool {
        let is_read = matches!(self.verdict, Verdict::Delivered { .. }) && self.end.is_some();
        let before = self.copied.unwrap_or(0).saturating_sub(bytes);
        is_read && self.is_probed && self.payload > 0 && self.payload <= before
    }
}
