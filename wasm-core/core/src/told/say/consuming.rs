//! What is said about the end of a packet that no process reads.

use super::{Teller, say};
use crate::kernel::{Field, PacketId, Station};
use crate::saying::Saying;

/// IP protocol number (RFC 9293).
const TCP: u8 = 6;

impl Teller<'_> {
    /// The protocol that consumed a packet: that of the function which freed it, or TCP for a segment or a packet
    /// that reached TCP.
    pub(super) fn consumed(&self, packet: PacketId) -> Saying {
        let (run, journeys) = (&self.replay.run, &self.replay.journeys);
        let mut events = journeys.events(packet).iter().rev();
        let freed_in = events.find_map(|&event| run.field_name(event, Field::Location));
        let others = [
            ("icmpv6_", "ICMPv6"),
            ("icmp_", "ICMP"),
            ("igmp_", "IGMP"),
            ("arp_", "ARP"),
        ];
        let is_by = |function: &str| freed_in.is_some_and(|name| name.starts_with(function));
        let by = others.into_iter().find(|(function, _)| is_by(function));
        if let Some((_, name)) = by {
            return say::consumed_by(name.to_owned());
        }
        let row = self.packet(packet);
        let flow = journeys.flows.get(row.flow.0 as usize);
        let stays = &journeys.stays[row.stays.start as usize..row.stays.end as usize];
        let is_segment = flow.is_some_and(|flow| flow.protocol == TCP)
            || stays.iter().any(|stay| stay.station == Station::Tcp)
            || is_by("tcp_");
        match freed_in.and_then(|place| place.split('+').next()) {
            _ if is_segment => say::consumed(),
            Some(function) => say::consumed_in(function.to_owned()),
            None => say::consumed_by_none(),
        }
    }
}
