//! A packet that a tunnel decapsulated is received once more. At which events that may be was found out before
//! (`survey::tunnels`).

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::Draft;
use crate::journey::stitch::packet::order::{IDLE_GAP, Order};
use crate::journey::stitch::survey::tunnels::{TAKEN_UP, is_esp, is_wireguard};
use crate::kernel::{Event, EventIdx, Field, PacketId, Probe};

impl Stitcher<'_> {
    /// Whether a packet is where a tunnel decapsulates it: in the core or in IP, or at the tunnel's UDP socket
    /// (`net/ipv4/udp.c: udp_queue_rcv_one_skb` calls its `encap_rcv`, v6.12).
    pub fn may_be_unpacked(&self, draft: &Draft) -> bool {
        let last = draft
            .entries
            .last()
            .map(|last| self.run.probe[last.event.at()]);
        let is_at_socket = matches!(last, Some(Probe::UdpQueueRcvSkb | Probe::UdpQueueRcvOneSkb));
        is_at_socket || Order::NET_CORE <= draft.order && draft.order <= Order::TRANSPORT
    }

    /// Whether the packet was decapsulated and is received again at this event, on the same device or on another CPU.
    pub fn is_taken_up_apart(&self, packet: PacketId, index: EventIdx, event: &Event) -> bool {
        if !TAKEN_UP.has(event.probe) {
            return false;
        }
        let draft = &self.table[packet];
        let Some(last) = draft.entries.last() else {
            return false;
        };
        let is_in_core = self.may_be_unpacked(draft);
        let is_at_once = event.time.since(self.run.time(last.event)) <= IDLE_GAP;
        if !is_in_core || !is_at_once {
            return false;
        }
        let unpacked = &self.stacked.unpacked;
        let dev = self.run.field(index, Field::Dev);
        let is_decrypted = event.probe == Probe::NapiGroReceiveEntry
            && dev != draft.dev
            && dev.is_some_and(|dev| unpacked.decrypting.contains(&dev))
            && event
                .known_len()
                .is_some_and(|inner| is_wireguard(draft.headers.network_bytes, inner));
        is_decrypted
            || unpacked.again.contains(&index)
            || self.is_unpacked_in_hand(packet, index, event)
    }

    /// Whether the packet being received was an ESP packet whose `sk_buff` is a clone, such as an acknowledgement: it
    /// passes `netif_rx` instead of `gro_cells` (`include/net/gro_cells.h: gro_cells_receive`, v6.1). A packet that
    /// this host sends passes a device's queue first.
    fn is_unpacked_in_hand(&self, packet: PacketId, index: EventIdx, event: &Event) -> bool {
        let draft = &self.table[packet];
        let dev = self.run.field(index, Field::Dev);
        let receiving = self.cpus.receiving(event.cpu);
        matches!(event.probe, Probe::NetifRxEntry | Probe::NetifRx)
            && dev.is_some()
            && dev == draft.dev
            && receiving.is_some_and(|receiving| receiving.has_in_hand(packet, event))
            && event
                .known_len()
                .is_some_and(|inner| is_esp(draft.headers.network_bytes, inner))
    }

    /// Marks a decapsulated packet. Without recorded frees it is only inferred that it is the same packet.
    pub fn note_taken_up(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        if self.is_taken_up_apart(packet, index, event) {
            let draft = &mut self.table[packet];
            draft.headers.is_unpacked = true;
            draft.outcome.is_inferred |= self.stacked.are_pairs_inferred;
        }
    }
}
