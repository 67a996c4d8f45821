//! What is said about a queue without room for a packet: how full it is, and why it may exceed its limit.

use super::{Teller, say};
use crate::journey::Packet;
use crate::kernel::{EventIdx, Field, Nanos, PacketId, Probe};
use crate::saying::Saying;

/// A queue at the moment of a drop.
pub(super) struct Full {
    pub(super) depth: u32,
    pub(super) limit: u32,
    is_bytes: bool,
    /// The function that brought the packet to the queue.
    pub(super) function: Probe,
}

impl Full {
    /// Whether it holds more bytes than its limit. The kernel checks for room before it adds a packet's `truesize`
    /// (`net/ipv4/udp.c: __udp_enqueue_schedule_skb`, `net/core/sock.c: __sock_queue_rcv_skb`, v6.1), so the last
    /// accepted packet may exceed the limit. Linux 2.4 and 2.6 added it before the check (`include/net/sock.h:
    /// sock_queue_rcv_skb`, v2.4.20).
    pub(super) const fn is_past(&self) -> bool {
        self.is_bytes && self.depth > self.limit
    }

    pub(super) fn why(&self) -> Saying {
        let (depth, limit) = (u64::from(self.depth), u64::from(self.limit));
        match (self.is_bytes, self.depth >= self.limit) {
            (true, _) if self.is_past() => say::why_past(depth, limit),
            (true, true) => say::why_full(depth, limit),
            (true, false) => say::why_no_room(depth, limit),
            (false, _) => say::why_full_packets(depth, limit),
        }
    }
}

impl Teller<'_> {
    /// Depth and limit of the queue that had no room for a packet.
    pub(super) fn full(&self, packet: PacketId) -> Option<Full> {
        let row = self.packet(packet);
        let stay = self.replay.journeys.lost_to_full_queue(packet)?;
        let queue = self.queue(stay);
        let known = queue.map(|queue| (queue.at(row.end), queue.unit == "bytes"));
        let known = known.filter(|&((_, limit), _)| limit > 0);
        let ((depth, limit), is_bytes) = known.or_else(|| Some((self.told_full(row)?, true)))?;
        Some(Full {
            depth,
            limit,
            is_bytes,
            function: self.replay.run.probe[self.replay.journeys.stays[stay as usize].event.at()],
        })
    }

    /// Depth and limit as the socket's own event reports them at the drop, if the queue's depth is not known
    /// otherwise.
    fn told_full(&self, row: &Packet) -> Option<(u32, u32)> {
        /// The limit of nanoseconds between that event and the packet's end.
        const NEAR: u64 = 5_000;
        let run = &self.replay.run;
        let from = run.first_at(Nanos(row.end.0.saturating_sub(NEAR)));
        let to = run.first_at(Nanos(row.end.0 + 1));
        let mut near = (from.0..to.0).rev().map(EventIdx);
        let event = near.find(|event| {
            let is_its = row.sk.is_some() && run.sk(*event) == row.sk;
            is_its && run.probe[event.at()] == Probe::SockRcvqueueFull
        })?;
        let number = |field| run.field(event, field);
        Some((number(Field::Rmem)?, number(Field::Rcvbuf)?))
    }
}
