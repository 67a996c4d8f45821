//! `sk_data_ready`: a socket signals its reader that data has arrived.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::headers::{TCP, is_udp};
use crate::kernel::{Event, EventIdx, Field, MPTCP, PacketId, Station};

impl Stitcher<'_> {
    /// `sk_data_ready`: a socket signals its reader that data has arrived.
    pub fn data_ready(&mut self, index: EventIdx, event: &Event) {
        match self.run.field(index, Field::Proto) {
            proto if is_udp(proto) => self.queue_datagram(index, event),
            Some(proto) if proto == u32::from(TCP) => self.queue_probed(index, event),
            // A subflow, whose own event came before, has moved its data (`net/mptcp/protocol.c: mptcp_data_ready`,
            // v6.18).
            Some(MPTCP) => {}
            Some(proto) => self.queue_raw(index, event, proto),
            None => self.tell_others(index, event),
        }
    }

    /// The event shows that the packet is in its socket's queue.
    pub fn queue(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        self.table.append(packet, index, event);
        if let Some(last) = self.table[packet].entries.last_mut() {
            last.station = Some(Station::ReceiveQueue);
        }
    }
}
