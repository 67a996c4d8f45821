//! The order in which a packet passes the probes. It distinguishes two packets at one address: a packet never goes
//! back, except in the few ways below.

use super::Stitcher;
use super::draft::Draft;
use crate::kernel::{DropReason, Event, EventIdx, Field, PacketId, Probe, Station};

/// Nanoseconds: a packet at a station that is not a queue does not stay longer; the next packet at its address is
/// another one.
pub(super) const IDLE_GAP: u64 = 1_000_000_000;

/// How many of a packet's last events are examined: each stacked device adds a return from its driver.
const LATEST: usize = 4;

/// A probe's position on a packet's path, first down the stack, then up. Only the order of the numbers matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Order(pub u8);

impl Order {
    /// Before the first probe.
    pub const START: Self = Self(0);
    /// In IP, sending.
    pub const IP_OUTPUT: Self = Self(16);
    /// In the device layer (`net/core/dev.c`), sending.
    pub const DEV_QUEUE: Self = Self(24);
    /// In the driver, sending.
    pub const DRIVER_SEND: Self = Self(30);
    /// On the link, sent.
    pub const WIRE_SEND: Self = Self(34);
    /// On the link, arriving.
    pub const ARRIVE: Self = Self(50);
    /// In `__netif_receive_skb_core`.
    pub const NET_CORE: Self = Self(61);
    /// In the transport layer, receiving: beyond forwarding and decapsulation.
    pub const TRANSPORT: Self = Self(74);

    /// The position of `probe`; `None` for a probe that is not on a packet's path.
    pub const fn of(probe: Probe) -> Option<Self> {
        let order = match probe {
            Probe::TcpTransmitSkb | Probe::TcpRetransmitSkb => 14,
            Probe::IpSendSkb | Probe::IpQueueXmit => 16,
            Probe::IpLocalOut => 18,
            Probe::IpOutput | Probe::IpDoFragment => 20,
            Probe::IpFinishOutput2 => 22,
            Probe::DevQueueXmit => 24,
            Probe::NetDevQueue | Probe::QdiscEnqueue => 26,
            Probe::QdiscDequeue | Probe::SchDirectXmit => 28,
            Probe::DevHardStartXmit | Probe::NetDevStartXmit | Probe::NdoStartXmit => 30,
            Probe::NetDevXmit => 32,
            Probe::WireTx => 34,
            Probe::WireRx | Probe::RxDma => 50,
            Probe::BpfProgRunXdp | Probe::BuildSkb | Probe::DriverXdpXmit => 51,
            Probe::NapiGroReceive => 52,
            Probe::NapiGroReceiveEntry | Probe::NapiGroFragsEntry => 53,
            Probe::SkbGroReceive => 54,
            Probe::NetifReceiveSkbEntry | Probe::NetifReceiveSkbListEntry => 55,
            Probe::NetifRxEntry => 56,
            Probe::NetifRx => 57,
            Probe::EnqueueToBacklog => 58,
            Probe::NetifReceiveSkbCore => 61,
            Probe::NetifReceiveSkb => 62,
            Probe::IpRcv | Probe::IpRcvCore => 64,
            Probe::IpLocalDeliver => 66,
            Probe::IpDefrag => 68,
            Probe::InetFragQueueInsert => 69,
            Probe::InetFragReasmFinish => 70,
            Probe::IpProtocolDeliverRcu => 72,
            Probe::TcpV4Rcv | Probe::UdpRcv | Probe::TcpBadCsum => 74,
            Probe::TcpAddBacklog | Probe::TcpPrequeue => 76,
            Probe::TcpV4DoRcv => 78,
            Probe::TcpRcvEstablished
            | Probe::TcpRcvStateProcess
            | Probe::TcpProbe
            | Probe::TcpAck => 80,
            Probe::TcpDataQueue | Probe::UdpQueueRcvSkb | Probe::UdpQueueRcvOneSkb => 82,
            Probe::TcpQueueRcv | Probe::UdpEnqueueScheduleSkb => 84,
            Probe::TcpTryCoalesce => 85,
            Probe::SkbRecvUdpRet
            | Probe::SkbCopyDatagramIter
            | Probe::SkbCopyDatagramIovec
            | Probe::SkbConsumeUdp => 90,
            _ => return None,
        };
        Some(Self(order))
    }
}

/// The position at which a full queue drops a packet with this reason.
pub(super) fn refused_at(reason: DropReason) -> Option<Order> {
    let probe = match reason.refused_at()? {
        Station::Qdisc => Probe::QdiscEnqueue,
        Station::Backlog => Probe::EnqueueToBacklog,
        Station::SocketBacklog => Probe::TcpAddBacklog,
        Station::OutOfOrder | Station::ReceiveQueue => Probe::TcpQueueRcv,
        _ => return None,
    };
    Order::of(probe)
}

/// Whether a packet passes `probe` only once, so that a second event is of another packet.
pub(super) const fn is_origin(probe: Probe) -> bool {
    matches!(
        probe,
        Probe::WireRx
            | Probe::RxDma
            | Probe::NapiGroReceive
            | Probe::NapiGroReceiveEntry
            | Probe::NapiGroFragsEntry
            | Probe::NetifReceiveSkbEntry
            | Probe::NetifReceiveSkbListEntry
            | Probe::NetifRxEntry
            | Probe::TcpTransmitSkb
            | Probe::IpQueueXmit
            | Probe::IpSendSkb
            | Probe::UdpRcv
            | Probe::TcpV4Rcv
    )
}

/// Whether a packet whose last position is `last` can pass a probe at `next`.
pub(super) const fn can_follow(last: Order, next: Order) -> bool {
    if next.0 >= last.0 {
        let turns_around = last.0 < Order::ARRIVE.0 && next.0 >= Order::ARRIVE.0;
        // Loopback and veth pass the packet to the receiving side within the driver. A physical device does not; what
        // arrives at the address later is another packet.
        let is_handed_over = last.0 == Order::DRIVER_SEND.0 && next.0 >= 56 && next.0 <= 58;
        return !turns_around || last.0 == Order::START.0 || is_handed_over;
    }
    let is_below_transport = last.0 >= Order::NET_CORE.0 && last.0 < Order::TRANSPORT.0;
    // VLANs, bridges and tunnels pass the core once per device.
    let reenters_core = is_below_transport && next.0 >= Order::NET_CORE.0;
    // A router forwards what it received; the packet then passes no transport-layer probe of sending.
    let is_forwarded = is_below_transport && next.0 >= 20 && next.0 <= Order::DRIVER_SEND.0;
    // On loopback and veth the transmit function returns after reception began, and with a capture of the link after
    // the frame was seen there.
    let returns_from_transmit = next.0 == 32 && (last.0 >= 56 || last.0 == Order::WIRE_SEND.0);
    reenters_core || is_forwarded || returns_from_transmit
}

impl Stitcher<'_> {
    /// Whether `event` can be the next one of `packet`, the live packet at its address.
    pub(super) fn goes_on(
        &self,
        packet: PacketId,
        index: EventIdx,
        event: &Event,
        order: Order,
    ) -> bool {
        let draft = &self.drafts[packet.at()];
        let is_looked_at_again = event.probe == Probe::TcpProbe && draft.is_probed;
        let is_of_another = self.holds_less(packet, index, event)
            || self.is_other_segment(packet, index, event)
            || self.is_of_earlier_round(packet, event);
        if draft.is_closed || draft.is_taken || is_looked_at_again || is_of_another {
            return false;
        }
        if self.enters_another_device(packet, index, event, order)
            || self.comes_back(packet, index, event)
            || self.leaves_cpumap(packet, index, event)
        {
            return true;
        }
        if is_origin(event.probe) && draft.origin == Some(event.probe) {
            return false;
        }
        // The fragments that leave `ip_do_fragment` are new packets; the first has the whole datagram's address.
        let cutting = self.cpus.get(&event.cpu).and_then(|cpu| cpu.cutting);
        let is_cut = cutting.is_some_and(|(whole, _)| whole == packet);
        if is_cut && order > draft.order && order < Order::ARRIVE {
            return false;
        }
        let Some(last) = draft.entries.last() else {
            return true;
        };
        let rests = draft.station().is_some_and(Station::is_queue);
        if !rests && event.time.since(self.run.time(last.event)) > IDLE_GAP {
            return false;
        }
        let turns_down = draft.order >= Order::NET_CORE && order <= Order::DRIVER_SEND;
        if turns_down {
            // A router forwards to another device, from the softirq that received the packet.
            let dev = self.run.field(index, Field::Dev);
            let came = self.came_by(draft).unwrap_or(last.event);
            let is_same_cpu = self.run.cpu[came.at()] == event.cpu;
            let is_in_hand = is_same_cpu
                && self.run.context[came.at()] == event.context
                && self
                    .cpus
                    .get(&event.cpu)
                    .is_none_or(|cpu| cpu.receiving.may_hold(packet, event));
            return can_follow(draft.order, order)
                && (is_in_hand
                    || self.waited_for_neighbour(packet, event)
                    || self.is_let_pass(packet, event))
                && (dev.is_none() || dev != draft.dev);
        }
        if can_follow(draft.order, order) || self.is_handed_over(packet, index, event) {
            return true;
        }
        // With few probes, reception on loopback is recognised by the device's name only.
        let turns_around = draft.order >= Order::DRIVER_SEND
            && draft.order < Order::ARRIVE
            && order >= Order::NET_CORE;
        turns_around && self.run.field_name(index, Field::Dev) == Some("lo")
    }

    /// The event that brought the packet to its current place. The sending CPU may return from its driver after that;
    /// such events are skipped.
    pub(super) fn came_by(&self, draft: &Draft) -> Option<EventIdx> {
        let events = draft.entries.iter().rev().map(|entry| entry.event);
        let mut latest = events.take(LATEST);
        latest.find(|event| self.run.probe[event.at()] != Probe::NetDevXmit)
    }
}
