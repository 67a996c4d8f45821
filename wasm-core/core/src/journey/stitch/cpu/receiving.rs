//! The packets that each CPU is receiving, where the recording has tracepoints only.
//!
//! Between `netif_receive_skb` and the end of its poll or softirq a packet is processed to its end or up to its
//! socket's queue; events of the transport layer on that CPU, in that task and context, are about that packet. After
//! GRO several packets enter as a list before the first is processed (`net/core/dev.c:
//! __netif_receive_skb_list_core`, v6.12); they are processed in order.

use std::collections::VecDeque;

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::datagram::Datagram;
use crate::kernel::{Context, Event, EventIdx, PacketId, Pid, Probe, Verdict};

/// The packets that a CPU is receiving.
#[derive(Debug, Default)]
pub struct Receiving {
    /// Packets without a later event, in order.
    pub packets: VecDeque<PacketId>,
    /// The task and the context in which they were received.
    pub place: Option<(Pid, Context)>,
    /// They came as a list, from GRO.
    is_list: bool,
    /// Earlier packets without a later event, the latest last: fragments, and segments for a backlog.
    pub unresolved: VecDeque<PacketId>,
    /// The packet received last.
    pub last: Option<PacketId>,
    /// The datagram queued last, until another event intervenes.
    pub queued: Option<PacketId>,
    /// The same datagram in its socket's queue, until another packet is received.
    pub datagram: Option<Datagram>,
    /// The first fragment of the datagram being reassembled.
    pub reassembled: Option<PacketId>,
    /// The event with which this list or packet began, and whether its softirq is still running.
    since: Option<EventIdx>,
    pub is_softirq_running: bool,
    /// A drop or consumption that may be of the current packet's clone, while a packet socket has the original
    /// `sk_buff`.
    pub ended: Option<(EventIdx, Verdict)>,
    /// The packet being segmented into datagrams.
    pub cutting: Option<Cutting>,
}

/// The rest of a packet that is being segmented.
#[derive(Debug, Clone, Copy)]
pub struct Cutting {
    pub whole: PacketId,
    /// The event that freed it.
    pub freed: EventIdx,
    /// Bytes of payload not yet in a segment, and the bytes of one segment.
    pub left: u32,
    pub segment: u32,
}

/// Above the number of packets that GRO passes on at once, and of fragments of a 64 KiB datagram.
const MAX_PACKETS: usize = 256;

impl Receiving {
    /// A packet enters the protocols; one that re-enters is listed once.
    pub fn enter(
        &mut self,
        packet: PacketId,
        at: Option<EventIdx>,
        place: (Pid, Context),
        is_list: bool,
    ) {
        (self.ended, self.cutting, self.datagram) = (None, None, None);
        if self.packets.back() == Some(&packet) {
            return;
        }
        self.let_go(packet);
        self.unresolved.retain(|&other| other != packet);
        if !(is_list && self.is_list && self.place == Some(place)) {
            self.finish();
            self.since = at;
        }
        (self.place, self.is_list, self.is_softirq_running) = (Some(place), is_list, true);
        self.packets.push_back(packet);
        self.last = Some(packet);
        if self.packets.len() > MAX_PACKETS {
            self.packets.pop_front();
        }
    }

    /// Processing of the packets that entered has ended.
    pub fn finish(&mut self) {
        self.unresolved.append(&mut self.packets);
        let surplus = self.unresolved.len().saturating_sub(MAX_PACKETS);
        self.unresolved.drain(..surplus);
        (self.queued, self.reassembled, self.cutting) = (None, None, None);
        self.datagram = None;
    }

    /// Whether the packet can be forwarded to another device now: as far as known, the CPU is still receiving it.
    pub fn may_hold(&self, packet: PacketId, event: &Event) -> bool {
        self.place.is_none() || self.has_in_hand(packet, event)
    }

    /// Whether the CPU is receiving the packet in the event's task and context.
    pub fn has_in_hand(&self, packet: PacketId, event: &Event) -> bool {
        self.is_at(event) && self.packets.contains(&packet)
    }

    /// `inet_frag_reasm_prepare` frees the `sk_buff` of a datagram's first fragment: the datagram is complete.
    pub fn reassemble(&mut self, first: PacketId, event: &Event) {
        if self.is_at(event) {
            self.reassembled = Some(first);
        }
    }

    /// The packet being received, if it is the only one.
    pub fn only(&self, event: &Event) -> Option<PacketId> {
        let is_only = self.is_at(event) && self.packets.len() == 1;
        self.packets.front().copied().filter(|_| is_only)
    }

    /// The first packet being received for which `is_it` holds, with the first fragment of the reassembled datagram
    /// and the packets without a later event.
    pub fn in_hand(
        &mut self,
        event: &Event,
        is_it: impl Fn(PacketId) -> bool,
    ) -> Option<(PacketId, Option<PacketId>, &mut VecDeque<PacketId>)> {
        let mut packets = self.packets.iter().copied();
        let packet = packets.find(|&packet| self.is_at(event) && is_it(packet))?;
        Some((packet, self.reassembled.take(), &mut self.unresolved))
    }

    /// The event with which the current list or packet began.
    pub fn since(&self, event: &Event) -> Option<EventIdx> {
        self.since.filter(|_| self.is_at(event))
    }

    /// The packet received last, if the event is in its task and context.
    pub fn last_at(&self, event: &Event) -> Option<PacketId> {
        self.last.filter(|_| self.is_at(event))
    }

    /// The same, if it has no later event yet.
    pub fn in_hand_last(&self, event: &Event) -> Option<PacketId> {
        let last = self.packets.back().copied();
        last.filter(|_| self.is_at(event) && self.last == last)
    }

    /// Whether the packet is the datagram that was queued last.
    pub fn has_queued(&self, packet: PacketId) -> bool {
        self.queued == Some(packet)
    }

    /// The datagram is in its socket's queue, and nothing was received since.
    pub const fn wait(&mut self, datagram: Datagram) {
        (self.queued, self.datagram) = (Some(datagram.packet), Some(datagram));
    }

    /// The datagram queued last, if the event is in its task and context.
    pub fn queued_last(&self, event: &Event) -> Option<Datagram> {
        self.datagram.filter(|_| self.is_at(event))
    }

    /// The packets without a later event.
    pub const fn unresolved(&self) -> &VecDeque<PacketId> {
        &self.unresolved
    }

    /// The CPU no longer processes the packet.
    pub fn let_go(&mut self, packet: PacketId) {
        self.packets.retain(|&other| other != packet);
    }

    pub fn is_at(&self, event: &Event) -> bool {
        self.place == Some((event.pid, event.context))
    }

    /// The first packet being received in the event's task and context for which `is_it` holds.
    pub fn first_at(&self, event: &Event, is_it: impl Fn(PacketId) -> bool) -> Option<PacketId> {
        let mut packets = self.packets.iter().copied();
        packets.find(|&packet| self.is_at(event) && is_it(packet))
    }
}

impl Stitcher<'_> {
    /// `netif_receive_skb`: a packet enters the protocols.
    pub fn receive(&mut self, packet: PacketId, event: &Event) {
        let draft = &mut self.table[packet];
        draft.is_held = false;
        // A decapsulated packet belongs to the CPU on which the tunnel passed it on, wherever it was first received.
        let is_unpacked = draft.network_bytes > 0;
        draft.network_bytes = event.known_len().unwrap_or(draft.network_bytes);
        let at = draft.entries.last().map(|entry| entry.event);
        let first = draft.entries.first().map(|entry| entry.event);
        let came = if is_unpacked { at } else { first };
        let came_here = self.cpumaps.are_at_work(event)
            || came.is_some_and(|came| self.run.cpu[came.at()] == event.cpu);
        let is_list = came_here
            && matches!(
                draft.origin,
                Some(
                    Probe::NapiGroReceiveEntry
                        | Probe::NapiGroFragsEntry
                        | Probe::NetifReceiveSkbListEntry
                )
            );
        self.came_last.note(event.cpu, packet);
        self.reads.coalesced.receive(packet, draft.hash);
        let cpu = self.cpu(event.cpu);
        // TCP has finished with its last segment before the CPU receives another packet.
        cpu.in_tcp.leave(event);
        cpu.receiving
            .enter(packet, at, (event.pid, event.context), is_list);
    }
}
