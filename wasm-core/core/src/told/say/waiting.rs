//! What is said of a packet that waits: in which queue, how long in all, and for what.

use crate::kernel::{PacketId, Station, Verdict};
use crate::saying::Saying;

use super::super::waits::Wait;
use super::super::words as say;
use super::{Teller, Telling};

impl Teller<'_> {
    pub(super) fn waits(&self, wait: &Wait) -> Telling {
        let plain = self.wait_of(wait.packet, wait.stay);
        let stay = &self.replay.journeys.stays[wait.stay as usize];
        let short = if self.is_to_the_end(wait.packet, wait.stay) {
            say::short_waits_on(stay.station)
        } else {
            say::short_waits(stay.station, stay.duration())
        };
        (plain, short, None)
    }

    /// Whether nothing is known of a packet after one of its stays.
    fn is_to_the_end(&self, packet: PacketId, stay: u32) -> bool {
        let row = self.packet(packet);
        row.verdict == Verdict::Open && stay + 1 == row.stays.end
    }

    /// Where a packet waits, how long in all, and for what.
    pub(super) fn wait_of(&self, packet: PacketId, stay: u32) -> Saying {
        let is_to_the_end = self.is_to_the_end(packet, stay);
        let stay = &self.replay.journeys.stays[stay as usize];
        let waits = stay.duration();
        if is_to_the_end {
            return say::waits_on(packet, stay.station);
        }
        match stay.station {
            Station::RxRing => say::waits_in_ring(packet, waits),
            Station::Gro => say::waits_in_gro(packet, waits),
            Station::Backlog => say::waits_in_backlog(packet, waits),
            Station::Reassembly => say::waits_in_reassembly(packet, waits),
            Station::SocketBacklog => say::waits_in_socket_backlog(packet, waits),
            Station::Prequeue => say::waits_in_prequeue(packet, waits),
            Station::OutOfOrder => say::waits_out_of_order(packet, waits),
            Station::ReceiveQueue => say::waits_in_receive_queue(packet, waits),
            Station::WriteQueue => say::waits_in_write_queue(packet, waits),
            Station::Qdisc => say::waits_in_qdisc(packet, waits),
            Station::TxRing => say::waits_in_tx_ring(packet, waits),
            station => say::waits(packet, station, waits),
        }
    }
}
