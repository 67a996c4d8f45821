//! Packets in stacked devices (bridges, bonds, VLANs, tunnels): they enter one device while they are in another, or
//! come back from one. Which devices do so was found out before (`survey::stacked`).

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::order::Order;
use crate::journey::stitch::survey::stacked::may_go_on;
use crate::journey::stitch::survey::tunnels::is_wireguard;
use crate::journey::stitch::table::merges::Anomaly;
use crate::kernel::{Event, EventIdx, Field, PacketId, Probe, Probes};

/// Probes within `ndo_start_xmit` of a device that sends through another; they name no device. A tunnel sends by IP
/// (`net/ipv4/ip_tunnel_core.c: iptunnel_xmit`, v6.12), a VLAN passes the packet to the device layer.
const fn is_call_below(probe: Probe) -> bool {
    matches!(
        probe,
        Probe::IpLocalOut | Probe::IpOutput | Probe::IpFinishOutput2 | Probe::DevQueueXmit
    )
}

/// Probes at which a packet may enter a device while it is in another.
const MAY_ENTER: Probes = Probes::of(&[
    Probe::NetDevQueue,
    Probe::QdiscEnqueue,
    Probe::NetDevStartXmit,
    Probe::NapiGroReceiveEntry,
    Probe::NetifRxEntry,
    Probe::NetifRx,
    Probe::NetifReceiveSkbEntry,
]);

impl Stitcher<'_> {
    /// Whether the packet continues at this event after a device that passes it back, or that encrypts it and sends
    /// it by IP, whose probe names no device.
    pub fn comes_back(&self, packet: PacketId, index: EventIdx, event: &Event) -> bool {
        let draft = &self.table[packet];
        let is_back = Order::of(Probe::NetDevXmit) == Some(draft.order)
            && draft
                .dev
                .is_some_and(|by| self.stacked.returning.contains(&by));
        let len = event.known_len();
        match event.probe {
            _ if !is_back => false,
            // Before v6.6 a kprobe reports no length. Packets of other senders have passed `ip_send_skb` or
            // `__ip_queue_xmit` before.
            Probe::IpLocalOut => len.is_none_or(|len| is_wireguard(len, draft.bytes)),
            Probe::NetifReceiveSkbEntry | Probe::NetDevQueue => {
                let dev = self.run.field(index, Field::Dev);
                let is_other = dev.is_some() && dev != draft.dev;
                is_other && len.is_some_and(|len| may_go_on(draft.bytes, len))
            }
            _ => false,
        }
    }

    /// Counts a packet that is received on a device with the name of the one that sent it just before; legitimate for
    /// loopback only.
    pub fn note_return(&mut self, packet: PacketId, index: EventIdx, order: Order) {
        let draft = &self.table[packet];
        let is_sent = Order::DRIVER_SEND <= draft.order && draft.order < Order::ARRIVE;
        if !is_sent || order <= Order::ARRIVE {
            return;
        }
        let dev = self.run.field(index, Field::Dev);
        let is_one_name = dev.is_some() && dev == draft.dev;
        if is_one_name && self.run.field_name(index, Field::Dev) != Some("lo") {
            self.table.note(Anomaly::OneName, index);
        }
    }

    /// Whether a generic XDP program sends the packet out of the device by which it comes (`XDP_TX`), a veth, and so
    /// back to the device that sent it. No probe tells of that sending (`net/core/dev.c: generic_xdp_tx`, v6.18).
    fn is_sent_back(&self, packet: PacketId, event: &Event, dev: Option<u32>) -> bool {
        let draft = &self.table[packet];
        let is_at_program = Order::of(Probe::NetifReceiveSkb) == Some(draft.order);
        let is_whole = event.known_len() == Some(draft.headers.network_bytes);
        let receiving = self.cpus.receiving(event.cpu);
        let is_in_hand = receiving.is_some_and(|it| it.has_in_hand(packet, event));
        let mut events = draft.entries.iter().map(|entry| entry.event);
        let was_sent_by = |at: EventIdx| {
            self.run.probe[at.at()] == Probe::NetDevStartXmit
                && self.run.field(at, Field::Dev) == dev
        };
        is_at_program && is_whole && is_in_hand && events.any(was_sent_by)
    }

    /// Whether the packet enters another device at this event without having left the previous one. The order of the
    /// probes cannot distinguish that from another packet at the same address.
    pub fn enters_another_device(
        &self,
        packet: PacketId,
        index: EventIdx,
        event: &Event,
        order: Order,
    ) -> bool {
        if self.is_taken_up_apart(packet, index, event) {
            return true;
        }
        let draft = &self.table[packet];
        let Some(last) = draft.entries.last().map(|entry| entry.event) else {
            return false;
        };
        let is_here =
            self.run.cpu[last.at()] == event.cpu && self.run.context[last.at()] == event.context;
        if is_here && is_call_below(event.probe) {
            return draft.order == Order::DRIVER_SEND && self.stacked.has(draft.dev);
        }
        if !is_here || !MAY_ENTER.has(event.probe) || draft.dev.is_none() {
            return false;
        }
        let dev = self.run.field(index, Field::Dev);
        if dev.is_none() || dev == draft.dev {
            return false;
        }
        let is_in_core = Order::NET_CORE <= draft.order && draft.order <= Order::TRANSPORT;
        match event.probe {
            Probe::NetifRxEntry | Probe::NetifRx if self.is_sent_back(packet, event, dev) => true,
            // Called within `ndo_start_xmit` of the device above.
            Probe::NetDevQueue | Probe::QdiscEnqueue | Probe::NetDevStartXmit => {
                draft.order == Order::DRIVER_SEND
                    && Order::DEV_QUEUE <= order
                    && self.stacked.has(draft.dev)
            }
            // A tunnel device receives what it has decapsulated (`include/net/gro_cells.h: gro_cells_receive`,
            // v6.12). PPP puts it on its CPU's backlog (`drivers/net/ppp/ppp_generic.c: ppp_receive_nonmp_frame`,
            // v6.12).
            Probe::NapiGroReceiveEntry | Probe::NetifRxEntry | Probe::NetifRx => {
                self.may_be_unpacked(draft) && self.stacked.has(dev)
            }
            // A bridge receives frames for its host, or broadcast ones, while the core processes the port's frame
            // (`net/bridge/br_input.c: br_pass_frame_up`, v6.12).
            Probe::NetifReceiveSkbEntry => {
                let cpu = self.cpus.get(event.cpu);
                is_in_core && cpu.is_none_or(|cpu| !cpu.receiving.is_known_to_lack(packet, event))
            }
            _ => false,
        }
    }
}
