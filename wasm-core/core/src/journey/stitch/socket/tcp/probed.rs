//! `tcp_probe` of kernels before v6.10, which names no `sk_buff` (`include/trace/events/tcp.h: tcp_probe`, v6.1) and
//! no socket address; the socket cookie serves as one.
//!
//! The order shows which segment TCP processes: a softirq passes TCP what it has just received, in order; a task
//! takes from its socket's backlog, also in order, what arrived for the socket and was not reported yet
//! (`net/core/sock.c: __release_sock`). `sk_data_ready` and `sock_recv_length` exist since v6.3. Before, a segment
//! with data enters the stream when `tcp_probe` reports it, and is read by a copy.

use std::collections::VecDeque;

use super::stream::ArrivedSegment;
use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::{Draft, Entry};
use crate::journey::stitch::packet::flow::Ends;
use crate::journey::stitch::packet::headers::{TCP, TCP_HEADER_MOST, UDP};
use crate::journey::stitch::packet::order::Order;
use crate::journey::stitch::survey::probe_naming::ProbeNaming;
use crate::kernel::{AddrId, Context, Event, EventIdx, Field, PacketId, Probe, Station, Verdict};

/// How many packets without a later event are searched; a recording may have thousands of CPUs.
const SEARCH_WINDOW: usize = 4096;

/// How many segments that joined to more than 2^16 bytes are looked at.
const MOST_JOINED: usize = 16;

/// The first of consecutive packets whose payloads, none of them empty, add up to `payload`. Each packet is looked at
/// once: one that begins too early for the sum begins too early for every later packet too.
fn first_that_add_up(
    packets: impl Iterator<Item = (PacketId, u32)>,
    payload: u32,
) -> Option<PacketId> {
    let mut joined = VecDeque::new();
    let mut sum = 0;
    for (packet, own) in packets {
        joined.push_back((packet, own));
        sum += u64::from(own);
        while sum > u64::from(payload) {
            let (_, own) = joined.pop_front()?;
            sum -= u64::from(own);
        }
        if sum == u64::from(payload)
            && let Some(&(first, _)) = joined.front()
        {
            return Some(first);
        }
    }
    None
}

/// What `tcp_probe` reports of a segment that it does not name.
#[derive(Debug, Clone, Copy)]
struct ProbeReport {
    sk: AddrId,
    /// Payload in bytes, modulo 2^16.
    payload: u32,
}

impl ProbeReport {
    /// Length in bytes of the packet's TCP header if it has this payload.
    fn header_of(self, draft: &Draft) -> u32 {
        draft.headers.tcp_header(self.payload)
    }

    /// Whether the packet can have this payload with a valid TCP header.
    fn fits(self, draft: &Draft) -> bool {
        draft.headers.may_carry(self.payload)
    }

    /// Whether other segments may have been coalesced into it in a backlog, up to this payload (`net/ipv4/tcp_ipv4.c:
    /// tcp_add_backlog`, v6.1).
    fn may_have_grown(self, draft: &Draft, header: u32) -> bool {
        let own = draft.headers.tcp_payload(header);
        0 < own && own < self.payload
    }
}

impl Stitcher<'_> {
    /// `tcp_probe` without an address: of the segment that a kprobe has just reported in `tcp_rcv_established`, or
    /// else of the one that the order identifies.
    pub fn tell_segment(&mut self, index: EventIdx, event: &Event) {
        let looked_at = self.cpus.at(event.cpu).in_tcp.at(event);
        let looked_at = looked_at.filter(|packet| !self.table[*packet].is_probed);
        if let Some(packet) = looked_at {
            self.learn_flow(packet, index);
        }
        let field = |field| self.run.field(index, field);
        let (Some(cookie), Some(payload)) = (field(Field::Cookie), field(Field::Payload)) else {
            return;
        };
        // A kprobe names the socket by its address.
        let named = looked_at.map(|packet| self.table[packet].sk);
        let named = named.filter(|sk| sk.is_some());
        let report = ProbeReport {
            sk: named.unwrap_or(AddrId(cookie)),
            payload,
        };
        if !self.tcp.infers_reads() {
            return;
        }
        self.commit_stream(report.sk);
        let found = looked_at
            .or_else(|| self.segment_in_hand(event, report))
            .or_else(|| self.segment_in_backlog(event, report));
        let Some(packet) = found else {
            return;
        };
        let named = Event {
            sk: report.sk,
            skb: self.table[packet].skb,
            ..*event
        };
        self.table.append(packet, index, &named);
        let order = Order::of(Probe::TcpProbe).unwrap_or(Order::TRANSPORT);
        self.table[packet].order = order;
        self.probe_segment(packet, index, &named);
        let draft = &mut self.table[packet];
        if draft.payload > 0 {
            draft
                .entries
                .push(Entry::new(index, Some(Station::ReceiveQueue)));
        }
    }

    /// `tcp_probe` reports the ends of the segment's flow, with this host as the source.
    fn learn_flow(&mut self, packet: PacketId, index: EventIdx) {
        let ends = Ends::of(self.run, index).turned();
        let draft = &mut self.table[packet];
        draft.take_ends(ends);
        if draft.flow.protocol != UDP {
            draft.flow.protocol = TCP;
        }
    }

    /// Whether TCP may still have to process the packet.
    fn may_be_reported(&self, packet: PacketId) -> bool {
        let draft = &self.table[packet];
        !draft.outcome.is_closed
            && !draft.is_probed
            && draft.outcome.verdict == Verdict::Open
            && (Order::NET_CORE..Order::TRANSPORT).contains(&draft.order)
            && matches!(draft.flow.protocol, 0 | TCP)
    }

    /// The segment that the CPU has just received: of several being received, the first that fits.
    fn segment_in_hand(&self, event: &Event, report: ProbeReport) -> Option<PacketId> {
        let receiving = self.cpus.receiving(event.cpu)?;
        let are_several = receiving.are_several();
        receiving.first_at(event, |packet| {
            let draft = &self.table[packet];
            let socket = self.tcp.socket_of(draft.hash);
            let is_of_socket = !are_several || socket.is_none_or(|sk| sk == report.sk);
            self.may_be_reported(packet) && report.fits(draft) && is_of_socket
        })
    }

    /// The segment that waited for the task that owned the socket: the first that arrived for the socket, or, if no
    /// hash identifies those, the last one received on the task's CPU.
    fn segment_in_backlog(&mut self, event: &Event, report: ProbeReport) -> Option<PacketId> {
        if event.context != Context::Kernel {
            return None;
        }
        let header = self.tcp.inferred(report.sk).header();
        let came = || {
            let came = self.tcp.closing.unreported_at(report.sk);
            came.filter(|&packet| self.may_be_reported(packet))
        };
        let is_next = |packet: &PacketId| {
            let draft = &self.table[*packet];
            report.header_of(draft) == header
                || report.may_have_grown(draft, header)
                || self.have_grown_beyond(*packet, report, header)
        };
        let fits = |packet: &PacketId| report.fits(&self.table[*packet]);
        let next = came().find(is_next).or_else(|| came().find(fits));
        let next = next.or_else(|| self.overtaken(report, header));
        next.or_else(|| {
            let unresolved = self.cpus.receiving(event.cpu)?.unresolved();
            let last = unresolved.back().copied()?;
            let draft = &self.table[last];
            let is_free = self.tcp.socket_of(draft.hash).is_none();
            (is_free && self.may_be_reported(last) && report.fits(draft)).then_some(last)
        })
        .or_else(|| self.joined_unknown(report, header))
    }

    /// Whether the segment and the next ones that arrived for the socket add up to more than 2^16 bytes, of which the
    /// report tells the lower bits.
    fn have_grown_beyond(&self, packet: PacketId, report: ProbeReport, header: u32) -> bool {
        let came = self.tcp.closing.unreported_at(report.sk);
        let behind = came.skip_while(|&other| other != packet).take(MOST_JOINED);
        let own = behind.map(|other| self.table[other].headers.tcp_payload(header));
        let mut sum = 0;
        own.take_while(|&own| own > 0).enumerate().any(|(at, own)| {
            sum += own;
            at > 0 && sum > 0xffff && sum & 0xffff == report.payload
        })
    }

    /// The first of consecutive segments on one CPU without a known hash whose payloads add up to the reported
    /// payload: the others were coalesced into it.
    fn joined_unknown(&self, report: ProbeReport, header: u32) -> Option<PacketId> {
        let mut left = SEARCH_WINDOW;
        self.cpus.each_receiving().find_map(|receiving| {
            let unresolved = receiving.unresolved();
            let looked_at = unresolved.iter().copied().take(left);
            left = left.saturating_sub(unresolved.len());
            let own = looked_at.filter_map(|packet| {
                let draft = &self.table[packet];
                let own = draft.headers.tcp_payload(header);
                let is_free = draft.hash == 0 && own > 0 && self.may_be_reported(packet);
                is_free.then_some((packet, own))
            });
            first_that_add_up(own, report.payload)
        })
    }

    /// A segment of the socket that another one overtook: the CPU that received it may add it to the backlog later
    /// than another CPU adds a segment that it received afterwards.
    fn overtaken(&self, report: ProbeReport, header: u32) -> Option<PacketId> {
        if !self.tcp.closing.knows(report.sk) {
            return None;
        }
        let mut unresolved = self.cpus.unresolved().take(SEARCH_WINDOW);
        unresolved.find(|&packet| {
            let draft = &self.table[packet];
            let is_of_socket = self.tcp.socket_of(draft.hash) == Some(report.sk);
            is_of_socket && self.may_be_reported(packet) && report.header_of(draft) == header
        })
    }

    /// Whether a copy names the segment that `tcp_probe` reports at `reported`.
    pub fn is_head(&self, packet: PacketId, reported: EventIdx) -> bool {
        let entries = self.table[packet].entries.iter().rev();
        let mut events = entries.map(|entry| entry.event);
        let came = |at: &EventIdx| self.run.probe[at.at()] == Probe::NetifReceiveSkb;
        let at = if self.tcp.probe_naming.is_unnamed() {
            events.find(came)
        } else {
            Some(reported)
        };
        at.is_some_and(|at| self.tcp.copied_skbs.has(at))
    }

    /// Adds the segment reported last to its socket's stream, unless TCP has dropped it since.
    pub fn commit_stream(&mut self, sk: AddrId) {
        let table = &self.table;
        let is_dropped = |packet: PacketId| table[packet].outcome.is_dropped();
        if let Some(stream) = self.tcp.inferred.get_mut(&sk)
            && self.tcp.probe_naming == ProbeNaming::InOrderAndInStream
        {
            stream.commit_tentative(is_dropped);
        }
    }

    /// `tcp_probe` of the segment that `tcp_rcv_established` processes.
    pub fn probe_segment(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let cpu = self.cpus.at(event.cpu);
        cpu.in_tcp.turn_to(packet, event);
        cpu.receiving.let_go(packet);
        let payload = self.run.field(index, Field::Payload).unwrap_or(0);
        let draft = &mut self.table[packet];
        draft.flow.protocol = TCP;
        draft.is_probed = true;
        self.tcp.know_socket(draft.hash, event.sk);
        if let Some(cookie) = self.run.field(index, Field::Cookie) {
            let ends = Ends::of(self.run, index);
            let left = self.tcp.know_cookie(cookie, event.sk, ends);
            self.leave_open(left);
            self.tcp.closing.know(event.sk, ends);
        }
        self.tcp.closing.tell(event.sk, packet);
        // The payload is reported modulo 2^16, so 0 may also mean 64 KiB.
        let draft = &self.table[packet];
        let has_payload = payload > 0 || draft.headers.ip_payload() > TCP_HEADER_MOST;
        if has_payload && event.sk.is_some() && self.tcp.infers_reads() {
            let payload = self.take_backlogged(packet, index, payload, event.sk);
            self.table[packet].payload = payload;
            let arrived = ArrivedSegment {
                packet,
                bytes: payload,
                is_head: self.is_head(packet, index),
            };
            self.enqueue_tentative(arrived, event.sk);
        }
    }
}

#[cfg(test)]
mod tests;
