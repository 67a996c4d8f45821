//! What an event adds to the knowledge about its packet.

use super::draft::{Draft, Entry};
use super::headers::{ETH_P_IPV6, IP_HEADER_MOST, TCP};
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
        if self.has_no_link_header(run, event) {
            return;
        }
        // The event does not report the IP version; an IPv6 header has neither identification nor fragment offset
        // (RFC 8200 section 3).
        let is_read_as_ipv4 =
            event.probe == Probe::DevQueueXmit && self.headers.ethertype == ETH_P_IPV6;
        let mut has_ends = false;
        let mut thread = None;
        let mut packet = None;
        for (field, value) in run.fields(index) {
            match field {
                Field::IpId | Field::FragOff | Field::Proto if is_read_as_ipv4 => {}
                Field::IpId => self.headers.ip_id = Some(value as u16),
                Field::FragOff => self.headers.frag_off = value as u16,
                Field::Proto => self.flow.protocol = value as u8,
                Field::Saddr
                | Field::Daddr
                | Field::Saddrv6
                | Field::Daddrv6
                | Field::Sport
                | Field::Dport => has_ends = true,
                Field::Protocol => {
                    if value == ETH_P_IPV6 && self.headers.ethertype != value {
                        self.forget_ipv4(run);
                    }
                    self.headers.ethertype = value;
                }
                Field::Hash => self.hash = value,
                Field::SeqNo if self.seq.is_none() => self.seq = Some(value),
                Field::Payload => self.payload = value,
                Field::Dev => self.dev = Some(value),
                Field::GsoSegs if value > 1 => self.frames.count_own(value),
                // After the first device the event may describe the outer header of a tunnel.
                Field::IpHeader if self.order < Order::DRIVER_SEND => {
                    self.headers.header_with_options = value.min(IP_HEADER_MOST);
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

    /// Clears what was read as an IPv4 header before an event reported IPv6, including the protocol.
    fn forget_ipv4(&mut self, run: &Run) {
        (self.headers.ip_id, self.headers.frag_off) = (None, 0);
        let has_passed = |probe| {
            let mut entries = self.entries.iter();
            entries.any(|entry| run.probe[entry.event.at()] == probe)
        };
        if has_passed(Probe::DevQueueXmit) {
            let is_segment = has_passed(Probe::TcpTransmitSkb);
            self.flow.protocol = if is_segment { TCP } else { 0 };
        }
    }

    /// Whether `__dev_queue_xmit` gets the packet as IP passed it on: IP tunnel and WireGuard devices add no link
    /// header (`include/linux/netdevice.h: net_device::hard_header_len`, v6.18). The fields that the event read
    /// behind an Ethernet header are then invalid.
    fn has_no_link_header(&self, run: &Run, event: &Event) -> bool {
        let by_ip = |last: &Entry| run.probe[last.event.at()] == Probe::IpFinishOutput2;
        event.probe == Probe::DevQueueXmit
            && self
                .entries
                .last()
                .filter(|last| by_ip(last))
                .is_some_and(|last| run.event(last.event).known_len() == event.known_len())
    }
}
