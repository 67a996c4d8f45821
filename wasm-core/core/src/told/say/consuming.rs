//! What a packet's end says that no process reads.

use super::{Teller, say};
use crate::kernel::{Field, PacketId};
use crate::saying::Saying;

impl Teller<'_> {
    /// Who has used a packet up: TCP, unless the function that freed it is another's.
    pub(super) fn consumed(&self, packet: PacketId) -> Saying {
        let (run, journeys) = (&self.replay.run, &self.replay.journeys);
        let last = journeys.events(packet).last();
        let freed_in = last.and_then(|&event| run.field_name(event, Field::Location));
        let others = [
            ("icmpv6_", "ICMPv6"),
            ("icmp_", "ICMP"),
            ("igmp_", "IGMP"),
            ("arp_", "ARP"),
        ];
        let is_by = |function: &str| freed_in.is_some_and(|name| name.starts_with(function));
        let by = others.into_iter().find(|(function, _)| is_by(function));
        by.map_or_else(say::consumed, |(_, name)| say::consumed_by(name.to_owned()))
    }
}
