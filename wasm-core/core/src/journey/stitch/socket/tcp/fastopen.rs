//! TCP Fast Open: data in a SYN.
//!
//! The listening socket consumes the SYN, and a clone of it becomes the first `sk_buff` in the new socket's receive
//! queue (`net/ipv4/tcp_fastopen.c: tcp_fastopen_add_skb`, v6.18). The copy to the reader is the only event of that
//! clone.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::headers::{TCP_HEADER_LEAST, TCP_HEADER_MOST};
use crate::journey::stitch::packet::order::is_copy;
use crate::journey::stitch::packet::reported::{copied_at, is_freed_in};
use crate::kernel::{Event, EventIdx, PacketId, Verdict};

/// The limit of unread SYNs kept.
const MAX_OPENINGS: usize = 64;

impl Stitcher<'_> {
    /// Whether more is copied from this address than the segment without payload could hold: its address has been
    /// reused.
    pub fn holds_less(&self, packet: PacketId, index: EventIdx, event: &Event) -> bool {
        let draft = &self.table[packet];
        let held = draft.headers.tcp_payload(TCP_HEADER_LEAST);
        is_copy(event.probe)
            && draft.payload == 0
            && draft.is_bare_segment()
            && copied_at(self.run, index, event) > held
    }

    /// Remembers a consumed SYN with data, freed by a listening socket.
    pub fn note_opening(&mut self, packet: PacketId, index: EventIdx) {
        let draft = &self.table[packet];
        let has_data = draft.headers.tcp_payload(TCP_HEADER_MOST) > 0;
        let is_opening = is_freed_in(self.run, index, "tcp_rcv_state_process")
            && draft.outcome.verdict == Verdict::Consumed
            && self.tcp.infers_reads();
        if has_data && is_opening {
            self.tcp.openings.push_back(packet);
            if self.tcp.openings.len() > MAX_OPENINGS {
                self.tcp.openings.pop_front();
            }
        }
    }

    /// A copy at an address without a live packet: it reads the first remembered SYN of matching length.
    pub fn opened_fast(&mut self, index: EventIdx, event: &Event) -> Option<PacketId> {
        if !is_copy(event.probe) {
            return None;
        }
        let count = copied_at(self.run, index, event);
        let fits = |&packet: &PacketId| self.table[packet].headers.may_carry(count);
        let at = self.tcp.openings.iter().position(fits)?;
        let packet = self.tcp.openings.remove(at)?;
        let draft = &mut self.table[packet];
        draft.outcome.reopen();
        draft.outcome.is_inferred = true;
        (draft.payload, draft.is_probed) = (count, true);
        draft.skb = event.skb;
        self.table.bind_address(packet, event.skb);
        Some(packet)
    }
}
