//! What is said of a packet on its way down to the link.

use super::{Teller, Telling, say};
use crate::journey::{Packet, Stay};
use crate::kernel::{Direction, PacketId, Pid, Probe, Station};
use crate::saying::Saying;
use crate::told::nics::Stacked;

impl Teller<'_> {
    pub(super) fn goes_down(&self, row: &Packet, stay: &Stay, at: u32) -> Telling {
        let run = &self.replay.run;
        let bytes = u64::from(row.bytes);
        let event = run.event(stay.event);
        let stays = &self.replay.journeys.stays;
        match stay.station {
            Station::SendCall => {
                let bytes = if row.payload > 0 {
                    u64::from(row.payload)
                } else {
                    bytes
                };
                let is_task = event.pid != Pid::UNKNOWN && event.pid != Pid::IDLE;
                let plain = if is_task {
                    say::sends(event.pid, bytes)
                } else {
                    say::sends_bare(bytes)
                };
                (plain, say::short_sends(), None)
            }
            Station::WriteQueue => (say::write_queue(), say::short_write_queue(), None),
            Station::TcpSend if event.probe == Probe::TcpRetransmitSkb => {
                (say::retransmits(), say::short_retransmits(), None)
            }
            Station::TcpSend => (say::tcp_sends(bytes), say::short_tcp_sends(), None),
            Station::UdpSend => (say::udp_sends(), say::short_udp_sends(), None),
            Station::TransportSend => (say::transport_sends(), say::short_transport_sends(), None),
            Station::IpSend if self.is_ack(row, at) => {
                (say::acknowledges(), say::short_acknowledges(), None)
            }
            Station::IpSend => (say::ip_sends(), say::short_ip_sends(), None),
            Station::Qdisc => {
                let plain = match self.depth(at, stay.enter) {
                    Some((depth, _)) if depth > 1 => say::qdisc_depth(u64::from(depth)),
                    _ => say::qdisc(),
                };
                (plain, say::short_qdisc(), None)
            }
            Station::DriverSend => {
                let next = (at + 1 < row.stays.end).then(|| stays[at as usize + 1].station);
                // Loopback and veth: what is sent is received next, by this host.
                let returns = next.is_some_and(|next| next.direction() == Direction::Receive);
                let packet = self.replay.journeys.packet_of[stay.event.at()];
                let other = || self.told.nics.other(self.replay, packet);
                let plain = if returns {
                    say::driver_returns()
                } else if let Some(stacked) = Stacked::on_the_way_down(self.replay, row, at) {
                    if stacked.is_tunnel() {
                        let headers = u64::from(stacked.headers);
                        say::driver_wraps(stacked.device, stacked.lower, headers)
                    } else {
                        say::driver_passes_on(stacked.device, stacked.lower)
                    }
                } else if let Some(device) = packet.is_some().then(other).flatten() {
                    say::driver_sends_to_device(device)
                } else {
                    say::driver_sends()
                };
                (plain, say::short_driver_sends(), None)
            }
            Station::TxRing => {
                let packet = self.replay.journeys.packet_of[stay.event.at()];
                let other = || self.told.nics.other(self.replay, packet);
                let plain = match packet.is_some().then(other).flatten() {
                    Some(device) => say::taken_by_device(device),
                    None => say::tx_ring(),
                };
                (plain, say::short_tx_ring(), None)
            }
            _ => (say::leaves(), say::short_leaves(), None),
        }
    }

    /// How the memory of a packet that was sent came back.
    pub(super) fn completion(&self, packet: PacketId) -> Option<Saying> {
        let (run, journeys) = (&self.replay.run, &self.replay.journeys);
        let row = self.packet(packet);
        let event = *journeys.events(packet).last()?;
        let cpu = run.cpu[event.at()];
        let last = journeys.stays(packet).last()?;
        let waited = row.end.since(last.enter);
        // Where its memory is freed was recorded; else its last event is when the NIC had it.
        let is_handed_over = matches!(
            run.probe[event.at()],
            Probe::NetDevXmit
                | Probe::NetDevStartXmit
                | Probe::NdoStartXmit
                | Probe::WireTx
                // It comes behind what was sent.
                | Probe::TcpRetransmitSkb
        );
        if !cpu.is_known() || is_handed_over {
            return None;
        }
        match last.station {
            Station::WireSend => Some(say::why_completion(cpu, waited)),
            Station::TxRing => Some(say::why_completion_ring(cpu, waited)),
            _ => None,
        }
    }

    /// TCP sends it of itself and it has no data: its first station is IP's, and it is small.
    fn is_ack(&self, row: &Packet, at: u32) -> bool {
        /// Headers with options and a SYN's are shorter than this in bytes.
        const HEADERS: u32 = 80;
        let is_tcp = self
            .replay
            .journeys
            .flow(row.flow)
            .is_some_and(|flow| flow.protocol == 6);
        row.stays.start == at && is_tcp && row.payload == 0 && row.bytes <= HEADERS
    }
}
