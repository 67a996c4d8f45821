//! Where a journey begins and ends as who waits for a packet counts it, and which way a run's payload goes.

use super::{Journeys, Stay};
use crate::kernel::{Nanos, PacketId, Station, VerdictKind};

/// A host that sends more than so many packets for each that its processes read, and more bytes than these hold, is one that
/// sends. One that answers requests is not, though its answers hold more.
const SENT_FOR_READ: u64 = 4;

impl Stay {
    /// Whether the packet is with the NIC, or its driver, to be sent.
    pub(super) const fn is_at_nic(&self) -> bool {
        matches!(
            self.station,
            Station::DriverSend | Station::TxRing | Station::WireSend
        )
    }
}

impl Journeys {
    /// When a packet set out: a datagram that came in fragments with the first of them, though its own journey begins with
    /// the one that made it whole.
    pub fn set_out(&self, packet: PacketId) -> Nanos {
        let row = &self.packets[packet.at()];
        let group = row.fragment.map(|fragment| fragment.group);
        let own = group.filter(|group| self.groups[group.0 as usize].whole == packet);
        let fragments = own.map_or(&[][..], |group| self.fragments(group));
        let starts = fragments.iter().map(|part| self.packets[part.at()].start);
        starts.fold(row.start, Nanos::min)
    }

    /// When a transmitted packet was given to the NIC; later stays are about the driver freeing its buffer.
    pub fn given_to_nic(&self, packet: PacketId) -> Nanos {
        let given = self.stays(packet).iter().rfind(|stay| stay.is_at_nic());
        given.map_or(self.packets[packet.at()].end, |stay| stay.enter)
    }

    /// The stays of a packet from its first one at a sending driver.
    pub fn behind_driver(&self, packet: PacketId) -> &[Stay] {
        let stays = self.stays(packet);
        let is_sent = |stay: &Stay| stay.station == Station::DriverSend;
        let sent = stays.iter().position(is_sent);
        &stays[sent.unwrap_or(stays.len())..]
    }

    /// Whether a packet that set out on the host came in there again: over the loopback device, or a pair of veth.
    pub fn comes_back(&self, packet: PacketId) -> bool {
        let mut stations = self.behind_driver(packet).iter().map(|stay| stay.station);
        stations.any(|station| matches!(station, Station::NetCore | Station::Backlog | Station::Ip))
    }

    /// Whether a run is mostly about what the host sends: what it takes in beside that is acknowledgements and requests.
    pub fn mostly_sends(&self) -> bool {
        let of = |kind| {
            let its = self.packets.iter().filter(|row| row.verdict.kind() == kind);
            its.fold((0_u64, 0_u64), |(packets, bytes), row| {
                (packets + 1, bytes + u64::from(row.bytes))
            })
        };
        let (sent, sent_bytes) = of(VerdictKind::Transmitted);
        let (read, read_bytes) = of(VerdictKind::Delivered);
        sent > SENT_FOR_READ * read && sent_bytes > read_bytes
    }
}
