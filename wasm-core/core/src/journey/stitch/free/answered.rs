//! Packets that this host answers with an error: the event of the answer reports their ends.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::flow::Ends;
use crate::journey::stitch::packet::headers::{TCP, UDP};
use crate::kernel::{Event, EventIdx, Probe};

impl Stitcher<'_> {
    /// `icmp_send`, `tcp_send_reset`: the host refuses the packet that the event names. Ports are those of a UDP
    /// datagram in the one, and of the reset, which goes the other way, in the other (`include/trace/events/icmp.h`,
    /// `tcp.h`, v6.18). A listening socket has no peer.
    pub fn learn_answered(&mut self, index: EventIdx, event: &Event) {
        let ends = Ends::of(self.run, index);
        let (protocol, ends) = match event.probe {
            Probe::IcmpSend => (UDP, ends),
            _ => (TCP, ends.turned()),
        };
        let are_known = ends.0.iter().all(|&(_, port)| port.unwrap_or(0) != 0);
        if let Some(packet) = self.table.packet_at(event.skb)
            && are_known
            && !self.table[packet].outcome.is_closed
        {
            let draft = &mut self.table[packet];
            draft.flow.protocol = protocol;
            draft.take_ends(ends);
        }
    }
}
