//! Packets of which nothing is known but that they were dropped: drops are mostly recorded by `skb:kfree_skb` alone.
//!
//! Where a recording tells what comes and what is sent, a packet that is dropped was seen before, and what is freed at an
//! address where nothing was is a clone of it: of a packet socket, or of a raw one.

use super::Stitcher;
use super::draft::Draft;
use super::ends::frees_others;
use super::order::Order;
use crate::kernel::{
    Direction, DropReason, Event, EventIdx, Field, PacketId, Probe, Probes, Verdict,
};

/// Whether a recording tells nothing of what comes before it is at its socket, and nothing of what is sent.
#[derive(Debug)]
pub(super) struct Untold {
    receiving: bool,
    pub sending: bool,
}

impl Untold {
    pub fn of(passed: &Probes) -> Self {
        let recorded = Probe::ALL.iter().filter(|&&probe| passed.has(probe));
        let orders: Vec<Order> = recorded.filter_map(|&probe| Order::of(probe)).collect();
        let has_none = |from, to| !orders.iter().any(|&order| from <= order && order < to);
        Self {
            receiving: has_none(Order::ARRIVE, Order::TRANSPORT),
            sending: has_none(Order::DEV_QUEUE, Order::ARRIVE),
        }
    }
}

impl Stitcher<'_> {
    /// `kfree_skb` at an address where nothing is that could end: the journey begins and ends here.
    pub(super) fn drop_unseen(&mut self, index: EventIdx, event: &Event) {
        if !self.tells_a_drop(index) {
            return;
        }
        let reason = self.drop_reason(index);
        let direction = direction(reason);
        let packet = self.create(Draft::new(direction, event.skb));
        self.append(packet, index, event);
        self.learn_place(packet, index);
        self.close(packet, Verdict::Dropped { reason }, event.time);
    }

    /// Whether the event alone tells that a packet was thrown away. Messages of AF_UNIX and netlink have no protocol; a
    /// packet socket's share is no packet; and without a reason of its own the packet may have served its purpose, as a
    /// FIN that is purged with its socket's queue has (`net/core/stream.c: sk_stream_kill_queues`, v6.18). Before v5.17
    /// the event has no reason, and all that the kernel frees so it throws away.
    fn tells_a_drop(&self, index: EventIdx) -> bool {
        let field = |field| self.run.field(index, field);
        let reason = self.drop_reason(index);
        let is_untold = match direction(reason) {
            Direction::Receive => self.untold.receiving,
            Direction::Transmit => self.untold.sending,
        };
        let is_packet = field(Field::Protocol).is_some_and(|protocol| protocol != 0);
        let location = self.run.field_name(index, Field::Location);
        let is_other = self.is_share(index) || location.is_some_and(frees_others);
        let is_told = is_own(reason) || field(Field::Reason).is_none();
        is_untold && is_packet && !is_other && is_told
    }

    /// Whether what is dropped is not the packet that was last at the address: that one's memory was given back, or a
    /// task has read it, which nobody does with what is dropped for a reason.
    pub(super) fn was_before_drop(&self, packet: PacketId, index: EventIdx) -> bool {
        let draft = &self.drafts[packet.at()];
        let last = draft.entries.last();
        let probe = last.map(|last| self.run.probe[last.event.at()]);
        let is_freed = matches!(probe, Some(Probe::ConsumeSkb | Probe::KfreeSkb));
        let is_read = matches!(draft.verdict, Verdict::Delivered { .. });
        let is_gone = draft.is_closed && is_freed || is_read && is_own(self.drop_reason(index));
        is_gone && self.tells_a_drop(index)
    }
}

/// Whether the kernel names why it drops what it frees.
const fn is_own(reason: DropReason) -> bool {
    !matches!(
        reason,
        DropReason::NotSpecified | DropReason::QueuePurge | DropReason::SocketClose
    )
}

const fn direction(reason: DropReason) -> Direction {
    if reason.is_of_sending() {
        Direction::Transmit
    } else {
        Direction::Receive
    }
}
