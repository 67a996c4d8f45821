//! What a device sends that passes packets to another device of this host, as one end of a veth pair does, is received
//! by that one. Which devices do so was found out before (`survey::pairs`).

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::Draft;
use crate::journey::stitch::packet::order::{Order, can_follow};
use crate::journey::stitch::survey::pairs::{LOOPBACK, is_shorter};
use crate::kernel::{Event, EventIdx, Field, PacketId, Probe};

impl Stitcher<'_> {
    /// Whether the packet, sent by such a device, is received by the other device at this event.
    pub fn is_handed_over(&self, packet: PacketId, index: EventIdx, event: &Event) -> bool {
        let draft = &self.table[packet];
        let is_entry = matches!(
            event.probe,
            Probe::NetifRxEntry
                | Probe::NetifRx
                | Probe::NapiGroReceiveEntry
                | Probe::NetifReceiveSkb
        );
        let is_sent = Order::DEV_QUEUE <= draft.order && draft.order < Order::ARRIVE;
        if !is_entry || !is_sent || !self.stacked.hands_over(draft.dev) {
            return false;
        }
        let dev = self.run.field(index, Field::Dev);
        if dev.is_none() {
            return false;
        }
        let is_other = dev != draft.dev
            || self.stacked.hands_to_namesake(draft.dev)
            || self.run.field_name(index, Field::Dev) == Some(LOOPBACK);
        // What TCP tells of a segment that it has sent again has no length.
        let mut before = draft.entries.iter().rev();
        let sent = before.find_map(|entry| self.run.event(entry.event).known_len());
        is_other && sent.is_some_and(|sent| is_shorter(sent, event.len))
    }

    /// Marks the packet as inferred if it continues at this event only because its device was recognised as one that
    /// passes packets on. Loopback is recognised by its name, which is certain.
    pub fn note_hand_over(
        &mut self,
        packet: PacketId,
        index: EventIdx,
        event: &Event,
        order: Order,
    ) {
        let is_inferred = self.stacked.are_pairs_inferred
            && !can_follow(self.table[packet].order, order)
            && self.run.field_name(index, Field::Dev) != Some(LOOPBACK)
            && self.is_handed_over(packet, index, event);
        self.table[packet].outcome.is_inferred |= is_inferred;
    }

    /// Whether the packet has left this host, as far as is known: it was given to the driver of a real device. Of a name
    /// that a NIC shares with a device that passes packets on, that one's packets are received again.
    pub fn has_left(&self, draft: &Draft) -> bool {
        let is_sent = draft.order >= Order::DRIVER_SEND && draft.order < Order::ARRIVE;
        is_sent && (!self.stacked.hands_over(draft.dev) || self.stacked.is_shared(draft.dev))
    }
}
