//! The order in which a packet passes the probes. It distinguishes two packets at one address: a packet never goes
//! back, except in the few ways below.

use crate::kernel::{DropReason, Probe, Station};

/// Nanoseconds: a packet at a station that is not a queue does not stay longer; the next packet at its address is
/// another one.
pub const IDLE_GAP: u64 = 1_000_000_000;
/// Nanoseconds: a packet whose next hop's neighbour is being asked for does not stay longer. Three requests are sent, a
/// second apart, and a timer may be late (`net/ipv4/arp.c: arp_tbl`, `net/ipv6/ndisc.c: nd_tbl`: `MCAST_PROBES` and
/// `RETRANS_TIME`, v6.18).
pub const NEIGHBOUR_WAIT: u64 = 4_000_000_000;

/// A probe's position on a packet's path, first down the stack, then up. Only the order of the numbers matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Order(pub u8);

impl Order {
    /// Before the first probe.
    pub const START: Self = Self(0);
    /// In IP, sending.
    pub const IP_OUTPUT: Self = Self(16);
    /// In the device layer (`net/core/dev.c`), sending.
    pub const DEV_QUEUE: Self = Self(24);
    /// In the queue of a device, sending.
    pub const QUEUED: Self = Self(26);
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
pub fn refused_at(reason: DropReason) -> Option<Order> {
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
pub const fn is_origin(probe: Probe) -> bool {
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
pub const fn can_follow(last: Order, next: Order) -> bool {
    if next.0 >= last.0 {
        let turns_around = last.0 < Order::ARRIVE.0 && next.0 >= Order::ARRIVE.0;
        // Loopback and veth pass the packet to the receiving side within the driver. A physical device does not; what
        // arrives at the address later is another packet.
        let is_handed_over = last.0 == Order::DRIVER_SEND.0 && next.0 >= 56 && next.0 <= 58;
        return !turns_around || last.0 == Order::START.0 || is_handed_over;
    }
    let is_below_transport = last.0 >= Order::NET_CORE.0 && last.0 < Order::TRANSPORT.0;
    // What a bridge or a tunnel receives passes the core once per device. A VLAN's or a bond's has one event there, which
    // stands before `another_round` (`net/core/dev.c: __netif_receive_skb_core`, v6.18).
    let reenters_core = is_below_transport && next.0 >= Order::NET_CORE.0;
    // A router forwards what it received; the packet then passes no transport-layer probe of sending.
    let is_forwarded = is_below_transport && next.0 >= 20 && next.0 <= Order::DRIVER_SEND.0;
    // On loopback and veth the transmit function returns after reception began, and with a capture of the link after
    // the frame was seen there.
    let returns_from_transmit = next.0 == 32 && (last.0 >= 56 || last.0 == Order::WIRE_SEND.0);
    reenters_core || is_forwarded || returns_from_transmit
}

/// Whether the probe reports that data is copied from a packet to its reader.
pub const fn is_copy(probe: Probe) -> bool {
    matches!(
        probe,
        Probe::SkbCopyDatagramIter | Probe::SkbCopyDatagramIovec
    )
}
