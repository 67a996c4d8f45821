//! The link beside the trace: received frames that became packets, transmitted frames, and frames for which the NIC
//! had no descriptor.

use std::collections::{BTreeMap, VecDeque};

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::Draft;
use crate::journey::stitch::packet::order::Order;
use crate::kernel::{AddrId, Direction, DropReason, Event, EventIdx, PacketId, Verdict};

/// The frames on the link.
#[derive(Debug)]
pub struct Wire {
    /// Frames that arrived, by the address of the packet that they became.
    arrived: BTreeMap<AddrId, VecDeque<EventIdx>>,
    /// The last frame that arrived for which the trace has no packet.
    unmatched: PacketId,
}

impl Default for Wire {
    fn default() -> Self {
        Self {
            arrived: BTreeMap::new(),
            unmatched: PacketId::NONE,
        }
    }
}

impl Stitcher<'_> {
    /// A frame arrives and waits in the ring for the packet that it becomes.
    pub fn arrive(&mut self, index: EventIdx, event: &Event) {
        if event.skb.is_some() {
            self.wire
                .arrived
                .entry(event.skb)
                .or_default()
                .push_back(index);
        } else {
            let packet = self
                .table
                .create(Draft::new(Direction::Receive, AddrId::NONE));
            self.table.append(packet, index, event);
            self.wire.unmatched = packet;
        }
    }

    /// The NIC had no descriptor for the last frame that arrived.
    pub fn miss(&mut self, index: EventIdx, event: &Event) {
        if self.wire.unmatched.is_some() {
            let packet = self.wire.unmatched;
            self.table.append(packet, index, event);
            let reason = DropReason::RxRingFull;
            self.table
                .close(packet, Verdict::Dropped { reason }, event.time);
        }
    }

    /// A transmitted frame is seen on the link.
    pub fn leave(&mut self, index: EventIdx, event: &Event) {
        if let Some(packet) = self.table.packet_at(event.skb)
            && self.table[packet].direction == Direction::Transmit
            && self.table[packet].order >= Order::DEV_QUEUE
        {
            self.table.append(packet, index, event);
            self.table[packet].order = Order::WIRE_SEND;
        }
    }

    pub fn begin_from_wire(&mut self, packet: PacketId, event: &Event) {
        let frames = self.wire.arrived.get_mut(&event.skb);
        let Some(frame) = frames.and_then(VecDeque::pop_front) else {
            return;
        };
        let arrival = self.run.event(frame);
        self.table.append(packet, frame, &arrival);
    }
}
