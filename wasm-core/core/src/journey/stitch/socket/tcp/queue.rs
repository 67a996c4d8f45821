//! A segment enters its socket's receive queue or out-of-order queue: by the probes of these queues, or, with tracepoints
//! only, by `sk_data_ready`.
//!
//! Source: `net/ipv4/tcp_input.c: tcp_data_queue`, `tcp_queue_rcv` (v6.1).

use super::stream::{Heard, Stream};
use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::Entry;
use crate::journey::stitch::packet::headers::{TCP, TCP_HEADER};
use crate::kernel::{AddrId, Event, EventIdx, PacketId, Station, Verdict};

impl Stitcher<'_> {
    /// `tcp_data_queue`: a segment after a gap waits in the out-of-order queue.
    pub fn look_for_hole(&mut self, packet: PacketId, event: &Event) {
        let Some(seq) = self.drafts[packet.at()].seq else {
            return;
        };
        let stream = self.streams.entry(event.sk).or_default();
        let payload = event
            .known_len()
            .unwrap_or(0)
            .saturating_sub(stream.header());
        if stream.leaves_hole(seq) && payload > 0 {
            stream.queue_out_of_order(packet, seq, payload);
            let draft = &mut self.drafts[packet.at()];
            draft.is_out_of_order = true;
            draft.is_queued = true;
            draft.payload = payload;
            if let Some(last) = draft.entries.last_mut() {
                last.station = Some(Station::OutOfOrder);
            }
        }
    }

    /// `tcp_queue_rcv`: the segment's bytes are appended to the stream.
    pub fn queue_segment(&mut self, packet: PacketId, event: &Event) {
        if event.len == Event::NO_LEN {
            return;
        }
        let draft = &mut self.drafts[packet.at()];
        draft.payload = event.len;
        draft.is_queued = true;
        draft.protocol = TCP;
        let (seq, at_transport) = (draft.seq, draft.transport_bytes);
        let stream = self.streams.entry(event.sk).or_default();
        if at_transport > event.len && at_transport - event.len <= 60 {
            stream.header_bytes = at_transport - event.len;
        }
        for moved in stream.queue(packet, seq, event.len) {
            let draft = &mut self.drafts[moved.at()];
            draft.is_out_of_order = false;
            if let Some(&last) = self.drafts[packet.at()].entries.last() {
                let entry = Entry::new(last.event, Some(Station::ReceiveQueue));
                self.drafts[moved.at()].entries.push(entry);
            }
        }
    }

    pub fn queue_probed(&mut self, index: EventIdx, event: &Event) {
        if !self.reads.are_inferred(TCP) {
            return;
        }
        let cpu = self.cpu(event.cpu);
        let (probed, only) = (cpu.in_tcp.leave(event), cpu.receiving.only(event));
        let has_data = |packet: &PacketId| {
            let draft = &self.drafts[packet.at()];
            draft.payload > 0 && !draft.is_closed && draft.verdict == Verdict::Open
        };
        if let Some(packet) = probed.filter(has_data) {
            let sk = self.drafts[packet.at()].sk;
            self.queue(packet, index, event);
            self.reads.stream(sk).ready();
        } else if let Some(packet) = only {
            self.drafts[packet.at()].protocol = TCP;
            self.queue_unprobed(packet, index, event);
        } else {
            self.note_backlog(index, event);
        }
    }

    /// Adds a segment to a socket's stream.
    pub fn hear(&mut self, heard: Heard, sk: AddrId) {
        let drafts = &self.drafts;
        let is_dropped =
            |packet: PacketId| matches!(drafts[packet.at()].verdict, Verdict::Dropped { .. });
        self.reads.stream(sk).hear(heard, is_dropped);
    }
}

impl Stream {
    /// Length of the TCP header in its segments, in bytes.
    pub fn header(&self) -> u32 {
        if self.header_bytes == 0 {
            TCP_HEADER
        } else {
            self.header_bytes
        }
    }
}
