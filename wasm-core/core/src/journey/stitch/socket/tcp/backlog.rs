//! A socket's backlog: segments that arrive while a task owns the socket, and that TCP processes in that task's
//! context when it releases the socket (`net/core/sock.c: __release_sock`). Recordings with tracepoints only do not
//! show the backlog; there it is inferred.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::Draft;
use crate::journey::stitch::packet::headers::{TCP, TCP_HEADER, is_tcp_header};
use crate::kernel::{AddrId, Context, Event, EventIdx, Field, PacketId};

/// States that a connection leaves on receipt of a segment (RFC 9293 section 3.3.2).
const LEFT_BY_SEGMENTS: [&str; 4] = [
    "TCP_SYN_SENT",
    "TCP_FIN_WAIT1",
    "TCP_CLOSING",
    "TCP_LAST_ACK",
];

impl Stitcher<'_> {
    /// `tcp_add_backlog`: a task owns the socket, so the segment waits until the task releases it. If the event names
    /// the segment into which this one was coalesced, the two are merged; the kernel's own event does not name it.
    pub fn queue_backlog(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let head = self.merge_told(packet, index);
        let stream = self.tcp.observed(event.sk);
        if let Some(head) = head {
            let header = stream.header();
            let payload = self.table[packet]
                .headers
                .transport_bytes
                .saturating_sub(header);
            let grown = &mut self.table[head].headers.transport_bytes;
            *grown = grown.saturating_add(payload);
            return;
        }
        stream.backlog.push_back(packet);
        self.table[packet].queues.backlog = Some(event.sk);
    }

    /// `tcp_v4_do_rcv`: TCP processes the segment, in the softirq or from the backlog. A segment that left the
    /// backlog longer than it entered it has coalesced the segments behind it (`tcp_add_backlog`, for which there is
    /// no event).
    pub fn leave_backlog(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let stream = self.tcp.observed(event.sk);
        if self.table[packet].queues.backlog != Some(event.sk) {
            // In softirq context no task owns the socket, so its backlog is empty: segments without payload that are
            // still listed were coalesced into a segment that was processed.
            if event.context == Context::Softirq {
                for left in std::mem::take(&mut stream.backlog) {
                    let draft = &mut self.table[left];
                    draft.queues.backlog = draft
                        .queues
                        .backlog
                        .filter(|_| !draft.may_be_bare_segment());
                }
            }
            return;
        }
        let Some(place) = stream.backlog.iter().position(|&queued| queued == packet) else {
            return;
        };
        for left in stream.backlog.drain(..=place) {
            self.table[left].queues.backlog = None;
        }
        let header = stream.header();
        let arrived_with = self.table[packet].headers.transport_bytes;
        let came_out_with = match arrived_with {
            0 => 0,
            _ => event.known_len().unwrap_or(0),
        };
        let mut grown = came_out_with.saturating_sub(arrived_with);
        while grown > 0 {
            let stream = self.tcp.observed(event.sk);
            let Some(&next) = stream.backlog.front() else {
                break;
            };
            let payload = self.table[next]
                .headers
                .transport_bytes
                .saturating_sub(header);
            if payload == 0 || payload.saturating_sub(TCP_HEADER) > grown {
                break;
            }
            stream.backlog.pop_front();
            self.table[next].queues.backlog = None;
            grown = grown.saturating_sub(payload);
            self.table.merge(next, packet, index);
        }
    }

    /// A segment with more payload than it arrived with waited in the socket's backlog and coalesced the segments
    /// behind it (`net/ipv4/tcp_ipv4.c: tcp_add_backlog`, v6.12): the next segments of its flow on its CPU, as many
    /// as add up to the payload that `tcp_probe` reports modulo 2^16. Returns the payload of all of them in bytes.
    pub fn take_backlogged(
        &mut self,
        packet: PacketId,
        index: EventIdx,
        told: u32,
        sk: AddrId,
    ) -> u32 {
        let head = &self.table[packet];
        let is_told = |bytes: u32| bytes & 0xffff == told & 0xffff;
        let stream = self.tcp.inferred(sk);
        let header = head.headers.tcp_header(told);
        if is_tcp_header(header) {
            stream.header_bytes = header;
        }
        let header = stream.header();
        let own = |draft: &Draft| draft.headers.tcp_payload(header);
        let mut bytes = own(head);
        let received = head.entries.iter().rev().nth(1);
        let is_of_no_flow =
            head.hash == 0 && !head.headers.is_unpacked && !self.tcp.probe_naming.is_unnamed();
        if bytes == 0 || is_told(bytes) || is_of_no_flow {
            return if is_told(bytes) { bytes } else { told };
        }
        let cpu = received.and_then(|entry| self.cpus.get(self.run.cpu[entry.event.at()]));
        let unresolved = cpu.into_iter().flat_map(|cpu| cpu.receiving.unresolved());
        let behind = unresolved.copied().skip_while(|&other| other != packet);
        let mut taken = Vec::new();
        for other in behind.skip(1) {
            let draft = &self.table[other];
            let may_be_of_flow = if head.hash == 0 {
                draft.hash == 0
                    && draft.headers.is_unpacked == head.headers.is_unpacked
                    && draft.dev == head.dev
            } else {
                draft.hash == head.hash
            };
            if !may_be_of_flow || draft.outcome.is_closed || draft.is_probed {
                continue;
            }
            bytes = bytes.saturating_add(own(draft));
            taken.push(other);
            if is_told(bytes) {
                for other in taken {
                    self.table[other].flow.protocol = TCP;
                    self.table[other].outcome.is_inferred = true;
                    self.table.merge(other, packet, index);
                }
                return bytes;
            }
        }
        told
    }

    /// The segment without payload that waited in the backlog of the socket that the interrupted task owned: it was
    /// the last to arrive on the task's CPU, in a softirq on top of that task, and TCP now processes it in the task's
    /// context (`net/core/sock.c: __release_sock`, v6.12).
    pub fn backlogged(&self, index: EventIdx, event: &Event) -> Option<PacketId> {
        // Other states are also left because of the task's own system calls.
        let before = self.run.field_name(index, Field::Oldstate);
        let is_left = before != self.run.field_name(index, Field::Newstate);
        let is_waiting_for_one =
            before.is_none_or(|state| is_left && LEFT_BY_SEGMENTS.contains(&state));
        if !is_waiting_for_one {
            return None;
        }
        let last = self.cpus.receiving(event.cpu)?.left_to_task(event)?;
        let draft = &self.table[last];
        let is_waiting = !draft.is_superseded && !draft.is_probed && !draft.outcome.is_closed;
        (is_waiting && draft.may_be_bare_segment()).then_some(last)
    }
}
