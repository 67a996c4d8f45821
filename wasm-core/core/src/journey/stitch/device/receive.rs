//! A packet passes from its device to the protocols.

use crate::journey::stitch::Stitcher;
use crate::kernel::{Event, PacketId, Probe};

impl Stitcher<'_> {
    /// `netif_receive_skb`: a packet enters the protocols.
    pub fn receive(&mut self, packet: PacketId, event: &Event) {
        let draft = &mut self.table[packet];
        draft.queues.is_held = false;
        // A decapsulated packet belongs to the CPU on which the tunnel passed it on, wherever it was first received.
        let is_unpacked = draft.headers.network_bytes > 0;
        draft.headers.network_bytes = event.known_len().unwrap_or(draft.headers.network_bytes);
        draft.headers.take_off_tag();
        let at = draft.entries.last().map(|entry| entry.event);
        // What a veth pair hands over was sent before that, on whichever CPU.
        let mut before = draft.entries.iter().rev().map(|entry| entry.event);
        let arrived = before.find(|at| draft.origin == Some(self.run.probe[at.at()]));
        let first = draft.entries.first().map(|entry| entry.event);
        let came = if is_unpacked { at } else { arrived.or(first) };
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
        self.cpus.receive(packet, at, event, is_list);
    }
}
