//! Urgent data: a byte that is no part of what a reader takes from the stream, unless it asked for that
//! (`SO_OOBINLINE`).
//!
//! TCP keeps a copy of the byte in the socket, and signals the reader once more (`net/ipv4/tcp_input.c: tcp_urg`,
//! v6.18). A call with `MSG_OOB` fetches that copy (`net/ipv4/tcp.c: tcp_recv_urg`). The byte itself stays in the
//! receive queue: the next segments may be coalesced into its `sk_buff`. A read ends before it, and the next one steps
//! over it, fetched or not (`tcp_recvmsg_locked`).

use super::{SEARCH_WINDOW, Segment, Stream};
use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::copies::CopyOf;
use crate::journey::stitch::packet::draft::Entry;
use crate::kernel::{AddrId, Event, EventIdx, PacketId, Pid, Station, Verdict};

impl Stream {
    /// The socket signalled twice for the segment that was queued last: its last byte is urgent. Returns whether it is
    /// that segment.
    pub fn note_urgent(&mut self, packet: PacketId) -> bool {
        let last = self.in_order.back_mut();
        let last = last.filter(|last| last.packet == packet && last.unread > 0);
        last.map(|last| last.is_urgent = true).is_some()
    }

    /// Takes the urgent byte out of the stream, from the segment that is known to end in it, or else from one that holds
    /// nothing else, as is usual, or from the last. The segment keeps its place. Returns it with the bytes read of it, if
    /// that was its last unread byte.
    fn take_urgent(&mut self, bytes: u32) -> Option<(PacketId, u32)> {
        if bytes == 0 {
            return None;
        }
        let find = |is_it: fn(&Segment, u32) -> bool| {
            let mut near = self.in_order.iter().take(SEARCH_WINDOW);
            near.position(|segment| is_it(segment, bytes))
        };
        let known = find(|segment, _| segment.is_urgent);
        let alone = known.or_else(|| find(|segment, bytes| segment.unread == bytes));
        let at = alone.or(self.in_order.len().checked_sub(1))?;
        let segment = self.in_order.get_mut(at)?;
        segment.is_urgent = false;
        let is_last = segment.unread == bytes;
        segment.unread = segment.unread.saturating_sub(bytes);
        if !is_last {
            return None;
        }
        segment.read += bytes;
        Some((segment.packet, segment.read))
    }

    /// A copy of `bytes` bytes begins. Takes the next byte out of the stream if it is an urgent one that the copy
    /// steps over, and returns its segment. With `SO_OOBINLINE` the copy takes it: it then ends at a segment's end with
    /// that byte, and not without it.
    fn step_over_urgent(&mut self, bytes: u32) -> Option<PacketId> {
        let mut near = self.in_order.iter().take(SEARCH_WINDOW);
        let at = near.position(|segment| segment.unread > 0)?;
        if !self.in_order[at].is_urgent || self.in_order[at].unread > 1 {
            return None;
        }
        // How many bytes behind it the segments have that a copy of so many bytes reaches.
        let reached = |bytes: u32| {
            let behind = self.in_order.iter().skip(at + 1);
            let ends = behind.scan(0u32, |end, segment| {
                *end = end.saturating_add(segment.unread);
                Some(*end)
            });
            std::iter::once(0).chain(ends).find(|&end| end >= bytes)
        };
        let is_in_line = reached(bytes) != Some(bytes) && reached(bytes - 1) == Some(bytes - 1);
        if reached(bytes).is_none() || is_in_line {
            return None;
        }
        let urgent = self.in_order.get_mut(at)?;
        (urgent.unread, urgent.is_urgent) = (0, false);
        Some(urgent.packet)
    }
}

impl Stitcher<'_> {
    /// A call with `MSG_OOB` took urgent data out of its place in the stream.
    pub fn read_urgent(&mut self, index: EventIdx, event: &Event, bytes: u32) {
        let Some((packet, read)) = self.tcp.inferred(event.sk).take_urgent(bytes) else {
            return;
        };
        let draft = &mut self.table[packet];
        if !draft.outcome.is_open() {
            return;
        }
        draft.copied = Some(read);
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

    /// A copy begins, at which an urgent byte may be stepped over: nobody gets it. If its segment held nothing else, it
    /// ends with that; what else it held has been read.
    pub fn step_over_urgent(&mut self, sk: AddrId, copy: CopyOf, pid: Pid) {
        if copy.bytes == 0 {
            return;
        }
        let Some(packet) = self.tcp.inferred(sk).step_over_urgent(copy.bytes) else {
            return;
        };
        let draft = &mut self.table[packet];
        draft.passed_over = 1;
        if draft.payload > 1 {
            self.table.read_by(packet, copy.at, copy.at, pid);
            return;
        }
        draft.outcome.is_inferred = true;
        draft.outcome.verdict = Verdict::Consumed;
        draft.outcome.end = Some(self.run.time(copy.at));
        // The copy may name its `sk_buff`, but takes what joined it there.
        for entry in &mut draft.entries {
            if entry.event == copy.at {
                entry.station = None;
            }
        }
        self.tasks.forget(pid, packet);
    }
}
