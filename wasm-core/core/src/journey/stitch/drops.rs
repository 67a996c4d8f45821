//! Packets known only from their drop: drops are mostly recorded by `skb:kfree_skb` alone.
//!
//! In a recording that shows receiving and sending, every dropped packet was seen before; what is freed at an unused
//! address is then a clone, made for a packet socket or a raw socket.

use super::Stitcher;
use super::draft::Draft;
use super::ends::frees_others;
use super::order::Order;
use crate::kernel::{
    Direction, DropReason, Event, EventIdx, Field, PacketId, Probe, Probes, Verdict,
};

/// Whether the recording lacks all events of receiving below the socket, and all events of sending.
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
    /// `kfree_skb` at an address without a live packet: the journey begins and ends here.
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

    /// Whether the event alone shows that a packet was dropped. Messages of AF_UNIX and netlink have no protocol, and
    /// a packet socket's clone is not a packet. Without a specific reason the packet may have served its purpose,
    /// such as a FIN purged with its socket's queue (`net/core/stream.c: sk_stream_kill_queues`, v6.18). Before v5.17
    /// the event has no reason field, and every `kfree_skb` counts as a drop.
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

    /// Whether the dropped packet is not the last one known at its address: that one was freed, or was read by a
    /// task, which rules out a drop with a specific reason.
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

/// Whether the reason is specific, so that the kernel meant a drop.
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
