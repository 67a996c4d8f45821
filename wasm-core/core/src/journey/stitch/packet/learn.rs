//! What an event adds to the knowledge about its packet.

use super::draft::Draft;
use super::order::Order;
use crate::journey::Mark;
use crate::journey::stitch::packet::flow::Ends;
use crate::kernel::{Event, EventIdx, Field, Probe, Station};
use crate::run::Run;

impl Draft {
    /// Learns what an event reports of this packet.
    pub fn learn(&mut self, run: &Run, index: EventIdx, event: &Event) {
        // In the receive queue an `sk_buff` also holds what was coalesced into it, so its length is not the packet's.
        let is_in_stream = matches!(
            event.probe.station(),
            Some(Station::ReceiveQueue | Station::Process)
        );
        if event.len != Event::NO_LEN && !is_in_stream {
            // Until headers are removed, the largest length seen is the packet's own.
            self.bytes = self.bytes.max(event.len);
        }
        if event.sk.is_some() {
            self.sk = event.sk;
        }
        let mut has_ends = false;
        let mut thread = None;
        let mut packet = None;
        for (field, value) in run.fields(index) {
            match field {
                Field::IpId => self.headers.ip_id = Some(value as u16),
                Field::FragOff => self.headers.frag_off = value as u16,
                Field::Proto => self.flow.protocol = value as u8,
                Field::Saddr
                | Field::Daddr
                | Field::Saddrv6
                | Field::Daddrv6
                | Field::Sport
                | Field::Dport => has_ends = true,
                Field::Protocol => self.headers.ethertype = value,
                Field::Hash => self.hash = value,
                Field::SeqNo if self.seq.is_none() => self.seq = Some(value),
                Field::Payload => self.payload = value,
                Field::Dev => self.dev = Some(value),
                Field::GsoSegs if value > 1 => self.frames.count_own(value),
                // After the first device the event may describe the outer header of a tunnel.
                Field::IpHeader if self.order < Order::DRIVER_SEND => {
                    self.headers.longer_header = value;
                }
                Field::Thread => thread = Some(value),
                Field::Packet => packet = Some(value),
                _ => {}
            }
        }
        if has_ends {
            let ends = Ends::of(run, index);
            // `tcp_probe` reports the socket's ends: its source is the segment's destination.
            let is_socket = event.probe == Probe::TcpProbe;
            self.take_ends(if is_socket { ends.turned() } else { ends });
        }
        if let (None, Some(thread), Some(packet)) = (self.mark, thread, packet) {
            self.mark = Some(Mark { thread, packet });
        }
    }
}
