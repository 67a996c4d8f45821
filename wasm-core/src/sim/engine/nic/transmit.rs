//! The sending side: the device's queue, the driver's ring, the chip, the wire, the link.
//!
//! Source: `net/core/dev.c: dev_queue_xmit`, `net/sched/sch_generic.c: qdisc_restart`
//! (v2.6.3): a device has one queue, which stops while the ring is full.

use crate::kernel::{Field, Probe};
use crate::sim::time::SimTime;

use crate::sim::engine::cpu::code::Path;
use crate::sim::engine::cpu::op::{Op, OpKind};
use crate::sim::engine::nic::bus::{Cargo, Sending};
use crate::sim::engine::nic::{ETHERNET_HEADER, Flight};
use crate::sim::engine::state::{Fragment, NONE};
use crate::sim::engine::{Engine, Happening};

/// Bytes that a frame has on the wire beside its IP packet: Ethernet header and check
/// sequence, preamble and gap (IEEE 802.3).
const FRAME_BYTES: u32 = 38;
/// The shortest frame on the wire, with preamble and gap.
const LEAST_FRAME: u32 = 84;

/// Most packets in a device's queue (`tx_queue_len` of `ether_setup`: 100 before v2.6.?,
/// 1000 since).
pub(crate) const QDISC_PACKETS: usize = 1000;

impl Engine {
    /// `dev_queue_xmit`: to the driver, or behind what waits in the device's queue.
    pub(crate) fn dev_xmit(&mut self, cpu: usize, pkt: u32) {
        let host = usize::from(self.cpus[cpu].host);
        let nic = usize::from(self.packets[pkt as usize].nic);
        let state = &mut self.hosts[host].nics[nic];
        if state.qdisc.is_empty() && state.has_room() {
            self.start_xmit(cpu, nic, pkt);
            return;
        }
        if state.qdisc.len() >= QDISC_PACKETS {
            self.drop_packet(cpu, pkt);
            return;
        }
        state.qdisc.push_back(pkt);
        let depth = state.qdisc.len() as u32;
        if self.emit(cpu, Probe::QdiscEnqueue, pkt, NONE) {
            self.record.field(Field::Depth, depth);
            self.record.field(Field::Limit, QDISC_PACKETS as u32);
        }
        self.restart_queue(cpu, nic);
    }

    /// The first packet of the device's queue goes to the driver if there is a descriptor.
    pub(crate) fn restart_queue(&mut self, cpu: usize, nic: usize) {
        let host = usize::from(self.cpus[cpu].host);
        let state = &mut self.hosts[host].nics[nic];
        if !state.has_room() {
            return;
        }
        let Some(pkt) = state.qdisc.pop_front() else {
            return;
        };
        let depth = state.qdisc.len() as u32;
        if self.emit(cpu, Probe::QdiscDequeue, pkt, NONE) {
            self.record.field(Field::Depth, depth);
        }
        self.start_xmit(cpu, nic, pkt);
    }

    fn start_xmit(&mut self, cpu: usize, nic: usize, pkt: u32) {
        let host = usize::from(self.cpus[cpu].host);
        self.hosts[host].nics[nic].in_flight += 1;
        self.push(cpu, Op::act(OpKind::HardXmit, pkt, NONE, 0));
        let len = self.packets[pkt as usize].segment.len;
        self.push(cpu, Op::run(Path::DriverTransmit, pkt, NONE, len));
    }

    /// The chip has the packet: it crosses the bus and goes onto the wire frame by frame.
    pub(crate) fn hard_xmit(&mut self, cpu: usize, pkt: u32) {
        let host = usize::from(self.cpus[cpu].host);
        let packet = self.packets[pkt as usize];
        let nic = usize::from(packet.nic);
        self.read_by_dma(host, packet.buffer);
        if self.emit(cpu, Probe::NetDevXmit, pkt, NONE) {
            let name = self.record.device(packet.nic);
            self.record.field(Field::Dev, name);
            self.record.field(Field::Rc, 0);
        }
        let most = if packet.is_udp {
            packet.segment.len.max(1)
        } else {
            self.sockets[packet.from as usize].tcb.mss().max(1)
        };
        let header = self.headers(host, packet.is_udp, packet.fragment);
        let mut sent = 0;
        let to = self.hosts[host].nics[nic].peer;
        loop {
            let len = (packet.segment.len - sent).min(most);
            let is_last = sent + len >= packet.segment.len;
            let mut segment = packet.segment;
            segment.seq += u64::from(sent);
            segment.len = len;
            if !is_last {
                segment.flags = segment.flags.without(crate::sim::tcp::Flags::PSH);
            }
            let flight = Flight {
                to,
                segment,
                is_udp: packet.is_udp,
                fragment: packet.fragment,
                sockets: (packet.from, packet.to),
            };
            let sending = Sending {
                flight,
                nic: nic as u8,
                wire: (len + header + FRAME_BYTES).max(LEAST_FRAME),
                last_of: is_last.then_some(pkt),
            };
            let bytes = len + header + ETHERNET_HEADER;
            self.cross(host, nic as u8, bytes, Cargo::Sending(sending));
            sent += len;
            if is_last {
                break;
            }
        }
    }

    /// A frame is in the chip: it goes onto the wire behind the ones before it.
    pub(crate) fn on_wire(&mut self, host: usize, sending: Sending) {
        let Sending {
            flight,
            nic,
            wire,
            last_of,
        } = sending;
        self.hosts[host].totals.frames_sent += 1;
        let state = &mut self.hosts[host].nics[usize::from(nic)];
        let frame_fs = u64::from(wire) * state.byte_fs;
        state.wire_free = SimTime(state.wire_free.max(self.now).0 + frame_fs);
        let end = state.wire_free;
        let arrival = end + state.delay;
        self.fly(flight, arrival, frame_fs);
        if let Some(pkt) = last_of {
            self.at(end, Happening::Sent(host as u8, nic, pkt));
        }
    }

    /// Bytes of IP and transport headers in a frame.
    pub(crate) fn headers(&self, host: usize, is_udp: bool, fragment: Fragment) -> u32 {
        match (is_udp, fragment.offset > 0) {
            (true, true) => 20,
            (true, false) => 28,
            (false, _) => self.hosts[host].header_bytes,
        }
    }

    /// Sets a frame off, unless the link loses it.
    fn fly(&mut self, flight: Flight, arrival: SimTime, frame_fs: u64) {
        let mut arrival = arrival;
        if self.loss_permille > 0 && self.rng.happens(self.loss_permille) {
            self.lost_on_link += 1;
            return;
        }
        if self.reorder_permille > 0 && self.rng.happens(self.reorder_permille) {
            // Three frames overtake it: enough for three duplicate acknowledgements.
            arrival.0 += 4 * frame_fs;
        }
        match self.faults.on_frame(self.now, flight.to.0) {
            None => {}
            Some(FrameFault::Drop) => {
                self.lost_on_link += 1;
                return;
            }
            Some(FrameFault::Delay(by)) => arrival.0 += by.0,
            Some(FrameFault::Duplicate) => {
                self.duplicated_on_link += 1;
                let again = self.keep_flight(flight);
                self.at(SimTime(arrival.0 + frame_fs), Happening::Arrive(again));
            }
        }
        let index = self.keep_flight(flight);
        self.at(arrival, Happening::Arrive(index));
    }

    fn keep_flight(&mut self, flight: Flight) -> u32 {
        if let Some(free) = self.free_flights.pop() {
            self.flights[free as usize] = flight;
            return free;
        }
        self.flights.push(flight);
        self.flights.len() as u32 - 1
    }

    /// A packet's last bit is on the wire.
    pub(crate) fn sent(&mut self, host: usize, nic: usize, pkt: u32) {
        let state = &mut self.hosts[host].nics[nic];
        state.in_flight -= 1;
        state.sent.push_back(pkt);
        self.cause_sent(host, nic, pkt);
    }
}

/// What a fault by hand does to a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameFault {
    /// It is lost.
    Drop,
    /// It comes later.
    Delay(SimTime),
    /// It comes twice.
    Duplicate,
}
