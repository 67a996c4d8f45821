//! Urgent data: a call with `MSG_OOB` takes the urgent byte out of its place in the stream (`net/ipv4/tcp.c:
//! tcp_recv_urg`, v6.18).
//!
//! The call copies it from the socket, not from its `sk_buff`, which stays in the receive queue: the next segments may
//! be coalesced into it, and later reads step over the byte (`tcp_recvmsg_locked`).

use super::{SEARCH_WINDOW, Stream};
use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::Entry;
use crate::kernel::{Event, EventIdx, PacketId, Station, Verdict};

impl Stream {
    /// Takes the urgent byte out of the stream. Returns its segment if that held nothing else, as is usual; it keeps
    /// its place. Otherwise the byte is taken from the last segment.
    fn take_urgent(&mut self, bytes: u32) -> Option<PacketId> {
        if bytes == 0 {
            return None;
        }
        let mut near = self.in_order.iter_mut().take(SEARCH_WINDOW);
        if let Some(alone) = near.find(|segment| segment.unread == bytes) {
            alone.unread = 0;
            alone.read += bytes;
            return Some(alone.packet);
        }
        let last = self.in_order.back_mut()?;
        last.unread = last.unread.saturating_sub(bytes);
        None
    }
}

impl Stitcher<'_> {
    /// A call with `MSG_OOB` took urgent data out of its place in the stream.
    pub fn read_urgent(&mut self, index: EventIdx, event: &Event, bytes: u32) {
        let Some(packet) = self.tcp.inferred(event.sk).take_urgent(bytes) else {
            return;
        };
        let draft = &mut self.table[packet];
        if !draft.outcome.is_open() {
            return;
        }
        draft.copied = Some(bytes);
        draft
            .entries
            .push(Entry::new(index, Some(Station::Process)));
        let outcome = &mut draft.outcome;
        (outcome.is_inferred, outcome.end) = (true, Some(event.time));
        outcome.verdict = Verdict::Delivered {
            pid: event.pid,
            read: index,
        };
    }
}
