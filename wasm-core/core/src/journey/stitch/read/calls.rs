//! When a segment's journey ends: with the call that copied its last byte, or with the one that closed its socket.
//!
//! Its `sk_buff` may be freed much later, by the CPU that allocated it and when that CPU next receives
//! (`net/ipv4/tcp.c: tcp_eat_recv_skb`, `net/core/skbuff.c: skb_attempt_defer_free`, v6.18); until then it may hold
//! segments that were coalesced into it (`net/ipv4/tcp_input.c: tcp_try_coalesce`). A call with `MSG_PEEK`, or one
//! that read no packet, ends no journey.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::Entry;
use crate::kernel::{DropReason, Event, EventIdx, PacketId, Pid, Station, Verdict};

impl Stitcher<'_> {
    /// Records a copy of `count` bytes from the packet, or from a segment that was coalesced into it.
    pub fn read_copied(&mut self, packet: PacketId, index: EventIdx, event: &Event, count: u32) {
        if !self.drafts[packet.at()].is_read_out(count) {
            self.read_datagram(packet, index, event);
        }
    }

    /// A call returns that copied from the packet: if the packet was delivered to that task, its journey ends here.
    pub fn end_with_call(&mut self, packet: PacketId, event: &Event) {
        let draft = &mut self.drafts[packet.at()];
        if matches!(draft.verdict, Verdict::Delivered { pid, .. } if pid == event.pid) {
            draft.end = draft.end.or(Some(event.time));
        }
    }

    /// A socket is closed with this segment in its receive queue. Unread segments are freed in the same way as read
    /// ones (`net/ipv4/tcp.c: __tcp_close`, `tcp_eat_recv_skb`, v6.18), sometimes by another CPU before the event of
    /// the close: a segment that no call is known to have read is unread.
    pub fn take_for_unread(&mut self, packet: PacketId) {
        let is_all_told = self.lost.is_empty();
        let draft = &mut self.drafts[packet.at()];
        let is_freed_by_someone =
            matches!(draft.verdict, Verdict::Delivered { pid, .. } if pid == Pid::UNKNOWN);
        if is_all_told && is_freed_by_someone && draft.copied.is_none() {
            draft.verdict = Verdict::Dropped {
                reason: DropReason::SocketClose,
            };
            draft.is_inferred = true;
        }
    }

    /// A task has read the packet, as inferred: it was copied at `copy`, and the call returned at `index`.
    pub fn read_by(&mut self, packet: PacketId, index: EventIdx, copy: EventIdx, pid: Pid) {
        let draft = &mut self.drafts[packet.at()];
        if draft.is_closed || draft.verdict != Verdict::Open {
            return;
        }
        draft.is_inferred = true;
        draft.entries.push(Entry::new(copy, Some(Station::Process)));
        if copy != index {
            draft.entries.push(Entry::new(index, None));
        }
        let verdict = Verdict::Delivered { pid, read: index };
        self.close(packet, verdict, self.run.time(index));
    }
}
