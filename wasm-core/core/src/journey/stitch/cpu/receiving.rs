//! The packets that each CPU is receiving, where the recording has tracepoints only.
//!
//! Between `netif_receive_skb` and the end of its poll or softirq a packet is processed to its end or up to its
//! socket's queue; events of the transport layer on that CPU, in that task and context, are about that packet. After
//! GRO several packets enter as a list before the first is processed (`net/core/dev.c:
//! __netif_receive_skb_list_core`, v6.12); they are processed in order.

use std::collections::VecDeque;

use crate::journey::stitch::packet::datagram::Datagram;
use crate::kernel::{Context, Event, EventIdx, PacketId, Pid, Verdict};

/// The packets that a CPU is receiving.
#[derive(Debug, Default)]
pub struct Receiving {
    /// Packets without a later event, in order.
    packets: VecDeque<PacketId>,
    /// The task and the context in which they were received.
    place: Option<(Pid, Context)>,
    /// They came as a list, from GRO.
    is_list: bool,
    /// How many packets entered since there were none: those of the list whose next are in hand.
    entered: usize,
    /// Earlier packets without a later event, the latest last: fragments, and segments for a backlog.
    unresolved: VecDeque<PacketId>,
    /// The packet received last.
    last: Option<PacketId>,
    /// The datagram queued last, until another event intervenes.
    queued: Option<PacketId>,
    /// The same datagram in its socket's queue, until another packet is received.
    datagram: Option<Datagram>,
    /// The first fragment of the datagram being reassembled.
    reassembled: Option<PacketId>,
    /// The event with which this list or packet began.
    since: Option<EventIdx>,
    /// The softirq in which they were received is still running.
    is_softirq_running: bool,
    /// A drop or consumption that may be of the current packet's clone, while a packet socket has the original
    /// `sk_buff`.
    ended: Option<(EventIdx, Verdict)>,
    /// The packet being segmented into datagrams.
    cutting: Option<Cutting>,
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
        self.forget(packet);
        if !(is_list && self.is_list && self.place == Some(place)) {
            self.finish();
            self.since = at;
        }
        (self.place, self.is_list, self.is_softirq_running) = (Some(place), is_list, true);
        self.entered = if self.packets.is_empty() {
            1
        } else {
            self.entered + 1
        };
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

    /// Whether the CPU is known to be receiving the packet in the event's task and context.
    pub fn has_in_hand(&self, packet: PacketId, event: &Event) -> bool {
        self.is_at(event) && self.packets.contains(&packet)
    }

    /// Whether it is known to be doing something else: it has received packets, and this is none of those in hand.
    pub fn is_known_to_lack(&self, packet: PacketId, event: &Event) -> bool {
        self.place.is_some() && !self.has_in_hand(packet, event)
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

    /// The same, if no other came with it: what is left of a list may be in a backlog, where it has no event, while another
    /// of that list is processed.
    pub fn alone(&self, event: &Event) -> Option<PacketId> {
        self.only(event).filter(|_| self.entered == 1)
    }

    /// The first packet being received for which `is_it` holds, with the first fragment of the reassembled datagram
    /// and the packets without a later event.
    pub fn in_hand(
        &mut self,
        event: &Event,
        is_it: impl Fn(PacketId) -> bool,
    ) -> Option<(PacketId, Option<PacketId>, &mut VecDeque<PacketId>)> {
        let packet = self.first_at(event, is_it)?;
        let (first, unresolved) = self.fragments();
        Some((packet, first, unresolved))
    }

    /// The first fragment of the datagram being reassembled, and the packets without a later event, of which its
    /// other fragments are some.
    pub fn fragments(&mut self) -> (Option<PacketId>, &mut VecDeque<PacketId>) {
        (self.reassembled.take(), &mut self.unresolved)
    }

    /// The next packet of the list, which is no longer being received.
    pub fn take_next(&mut self) -> Option<PacketId> {
        self.packets.pop_front()
    }

    /// Whether several packets are being received.
    pub fn are_several(&self) -> bool {
        self.packets.len() > 1
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

    /// The packet that arrived last before an event of the task on top of which its softirq ran, if all packets were
    /// received and no later event is of this one: it was left to that task.
    pub fn left_to_task(&self, event: &Event) -> Option<PacketId> {
        let (pid, _) = self.place?;
        let is_own = event.context == Context::Kernel && event.pid == pid;
        let last = self.last.filter(|_| self.packets.is_empty());
        last.filter(|last| is_own && self.unresolved.back() == Some(last))
    }

    /// A datagram of which no more is known than its packet was queued.
    pub const fn note_queued(&mut self, packet: PacketId) {
        self.queued = Some(packet);
    }

    /// The datagram queued last, if no other event intervened and this one is in its task and context.
    pub fn queued_at(&self, event: &Event) -> Option<PacketId> {
        self.queued.filter(|_| self.is_at(event))
    }

    /// Another event intervenes.
    pub const fn forget_queued(&mut self) {
        self.queued = None;
    }

    /// Whether the packet is the datagram that was queued last.
    pub fn has_queued(&self, packet: PacketId) -> bool {
        self.queued == Some(packet)
    }

    /// The datagram is in its socket's queue, and nothing was received since.
    pub const fn wait(&mut self, datagram: Datagram) {
        (self.queued, self.datagram) = (Some(datagram.packet), Some(datagram));
    }

    /// The datagram queued last, wherever.
    pub const fn datagram(&self) -> Option<Datagram> {
        self.datagram
    }

    /// What waits in a socket's queue is not the datagram but a clone of it.
    pub const fn forget_datagram(&mut self) {
        self.datagram = None;
    }

    /// The datagram queued last, if the event is in its task and context.
    pub fn queued_last(&self, event: &Event) -> Option<Datagram> {
        self.datagram.filter(|_| self.is_at(event))
    }

    /// The packets without a later event.
    pub const fn unresolved(&self) -> &VecDeque<PacketId> {
        &self.unresolved
    }

    /// The packet is freed to be segmented into datagrams.
    pub const fn cut(&mut self, cutting: Cutting) {
        self.cutting = Some(cutting);
    }

    /// The packet being segmented and the payload in bytes of its next segment.
    pub fn next_segment(&mut self) -> Option<(Cutting, u32)> {
        let cutting = self.cutting.as_mut()?;
        let bytes = cutting.segment.min(cutting.left);
        cutting.left -= bytes;
        let cutting = *cutting;
        self.cutting.take_if(|cutting| cutting.left == 0);
        Some((cutting, bytes))
    }

    /// A free may be of the current packet's clone.
    pub const fn end_as(&mut self, index: EventIdx, verdict: Verdict) {
        self.ended = Some((index, verdict));
    }

    /// Whether there was such a free.
    pub const fn has_ended(&self) -> bool {
        self.ended.is_some()
    }

    /// Such a free was of the current packet's clone.
    pub const fn take_ended(&mut self) -> Option<(EventIdx, Verdict)> {
        self.ended.take()
    }

    /// Whether the softirq in which the packets were received is still running.
    pub const fn is_softirq_running(&self) -> bool {
        self.is_softirq_running
    }

    /// Another softirq begins, or this one has ended.
    pub fn leave_softirq(&mut self) {
        self.finish();
        self.is_softirq_running = false;
    }

    /// The packet is another CPU's: neither being received here nor without a later event.
    pub fn forget(&mut self, packet: PacketId) {
        self.let_go(packet);
        self.unresolved.retain(|&other| other != packet);
    }

    /// Another CPU receives the packet in place of this one.
    pub fn hand_on(&mut self, packet: PacketId) {
        self.forget(packet);
        self.last.take_if(|&mut last| last == packet);
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
