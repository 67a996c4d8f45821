//! A segment enters its socket's receive queue or out-of-order queue: by the probes of these queues, or, with
//! tracepoints only, by `sk_data_ready`.
//!
//! Source: `net/ipv4/tcp_input.c: tcp_data_queue`, `tcp_queue_rcv` (v6.1).

use super::stream::{ArrivedSegment, Stream};
use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::Entry;
use crate::journey::stitch::packet::headers::{TCP, TCP_HEADER};
use crate::kernel::{AddrId, Event, EventIdx, PacketId, Station};

impl Stitcher<'_> {
    /// `tcp_data_queue`: a segment after a gap waits in the out-of-order queue.
    pub fn queue_out_of_order(&mut self, packet: PacketId, event: &Event) {
        let Some(seq) = self.table[packet].seq else {
            return;
        };
        let stream = self.tcp.observed(event.sk);
        let payload = event
            .known_len()
            .unwrap_or(0)
            .saturating_sub(stream.header());
        if stream.is_out_of_order(seq) && payload > 0 {
            stream.insert_out_of_order(packet, seq, payload);
            let draft = &mut self.table[packet];
            draft.queues.enter_out_of_order();
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
        let draft = &mut self.table[packet];
        draft.payload = event.len;
        draft.queues.enter();
        draft.flow.protocol = TCP;
        let (seq, at_transport) = (draft.seq, draft.headers.transport_bytes);
        let stream = self.tcp.observed(event.sk);
        if at_transport > event.len && at_transport - event.len <= 60 {
            stream.header_bytes = at_transport - event.len;
        }
        for moved in stream.queue(packet, seq, event.len) {
            let draft = &mut self.table[moved];
            draft.queues.fill_gap();
            if let Some(&last) = self.table[packet].entries.last() {
                let entry = Entry::new(last.event, Some(Station::ReceiveQueue));
                self.table[moved].entries.push(entry);
            }
        }
    }

    pub fn queue_probed(&mut self, index: EventIdx, event: &Event) {
        if !self.tcp.infers_reads() {
            return;
        }
        let cpu = self.cpus.at(event.cpu);
        if let Some(packet) = cpu.in_tcp.signalled(event) {
            let sk = self.table[packet].sk;
            if self.tcp.inferred(sk).note_urgent(packet) {
                return;
            }
        }
        let cpu = self.cpus.at(event.cpu);
        let (probed, only) = (cpu.in_tcp.signal(event), cpu.receiving.only(event));
        let has_data = |packet: &PacketId| {
            let draft = &self.table[*packet];
            draft.payload > 0 && draft.outcome.is_open()
        };
        if let Some(packet) = probed.filter(has_data) {
            let sk = self.table[packet].sk;
            self.queue(packet, index, event);
            self.tcp.inferred(sk).ready();
        } else if let Some(packet) = only {
            self.table[packet].flow.protocol = TCP;
            self.queue_unprobed(packet, index, event);
        } else {
            self.note_backlog(index, event);
        }
    }

    /// Adds a segment to a socket's stream.
    pub fn enqueue_tentative(&mut self, arrived: ArrivedSegment, sk: AddrId) {
        let table = &self.table;
        let is_dropped = |packet: PacketId| table[packet].outcome.is_dropped();
        self.tcp.inferred(sk).enqueue_tentative(arrived, is_dropped);
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
