//! The transmit path: qdisc, driver ring, NIC, link.
//!
//! Source: `net/core/dev.c: dev_queue_xmit`, `net/sched/sch_generic.c: qdisc_restart` (v2.6.3): a device has
//! one queue, which is stopped while the ring is full.

use crate::ecn::Ecn;
use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
use crate::engine::events::Event;
use crate::engine::ids::{Device, Id as _, NicId, SkbId};
use crate::engine::memory::skbuff::Frame;
use crate::engine::net::Net;
use crate::qdisc::{Dropped, Queued, Skb, Verdicts};
use crate::time::SimTime;
use ringside::kernel::{Field, Probe};

use super::ETHERNET_HEADER;
use super::bus::{Cargo, Held, Sending};
use super::link::Flight;

/// Bytes that a frame occupies on the wire in addition to its IP packet: Ethernet header and frame check
/// sequence, preamble and inter-packet gap (IEEE 802.3).
pub(super) const FRAME_BYTES: u32 = 38;
/// Bytes of the shortest frame on the wire, with preamble and gap.
pub(super) const LEAST_FRAME: u32 = 84;

impl From<SkbId> for Skb {
    fn from(skb: SkbId) -> Self {
        Self(skb.index() as u32)
    }
}

impl From<Skb> for SkbId {
    fn from(skb: Skb) -> Self {
        Self::from_index(skb.0 as usize)
    }
}

impl Net {
    /// `dev_queue_xmit`: hands the packet to the driver, or appends it to a non-empty qdisc.
    ///
    /// Simplified ("drops of the own qdisc"): the sender is not told that its packet was refused.
    pub fn dev_xmit(&mut self, core: &mut Core, cpu: usize, skb: SkbId) {
        let host = core.cpus[cpu].host;
        let Device::Nic(nic) = core.skbs[skb].device else {
            return;
        };
        let queued = self.as_queued(core, host, skb);
        let tx = &mut self.stacks[host].nics[nic].tx;
        if let Some(from) = core.skbs[skb].frame.from {
            core.socks[from].is_paced = tx.qdisc.paces();
        }
        if tx.qdisc.can_bypass() && tx.qdisc.is_empty() && tx.has_room() {
            self.start_xmit(core, cpu, nic, skb);
            return;
        }
        let dropped = tx.qdisc.enqueue(queued);
        let (depth, limit) = (tx.qdisc.len(), tx.qdisc.limit());
        let (own, others): (Vec<_>, Vec<_>) =
            dropped.into_iter().partition(|it| it.skb == queued.skb);
        for Dropped { skb, reason } in others.into_iter().chain(own.iter().copied()) {
            core.drop_skb(cpu, SkbId::from(skb), reason, |place| &place.device_queue);
        }
        if !own.is_empty() {
            return;
        }
        if core.emit(cpu, Probe::QdiscEnqueue, About::skb(skb)) {
            core.device_field(Device::Nic(nic));
            core.field(Field::Depth, depth);
            core.field(Field::Limit, limit);
        }
        self.restart_queue(core, cpu, nic);
    }

    /// The bytes of all frames that a packet leaves as (`qdisc_pkt_len_init`).
    pub fn bytes_of_frames(&self, core: &Core, host: usize, skb: SkbId) -> u32 {
        let packet = &core.skbs[skb];
        let headers = self.headers(host, &packet.frame) + ETHERNET_HEADER;
        let frames = match packet.frame.gso_size {
            0 => 1,
            gso_size => packet.len().div_ceil(gso_size),
        };
        packet.len() + frames * headers
    }

    /// A packet as its device's queueing discipline sees it.
    fn as_queued(&self, core: &Core, host: usize, skb: SkbId) -> Queued {
        let packet = &core.skbs[skb];
        Queued {
            skb: skb.into(),
            flow: packet.frame.from.map_or(0, |from| core.socks[from].flow),
            bytes: self.bytes_of_frames(core, host, skb),
            memory: self.stacks[host].sent_memory(packet),
            departs: packet.frame.segment.departs,
            at: core.now(),
            ecn: packet.frame.segment.ecn,
        }
    }

    /// Hands the first packet of the qdisc to the driver if a descriptor is free.
    pub fn restart_queue(&mut self, core: &mut Core, cpu: usize, nic: NicId) {
        let host = core.cpus[cpu].host;
        let tx = &mut self.stacks[host].nics[nic].tx;
        if !tx.has_room() {
            return;
        }
        let mut verdicts = Verdicts::default();
        let next = tx.qdisc.dequeue(core.now(), &mut verdicts);
        for skb in verdicts.dropped {
            let congested = tx.qdisc.congested();
            let (reason, function) = congested.expect("a discipline that drops says why");
            core.drop_skb_in(cpu, skb.into(), reason, function);
        }
        let depth = tx.qdisc.len();
        self.watch(core, cpu, nic);
        let Some(skb) = next.map(SkbId::from) else {
            return;
        };
        if verdicts.is_marked {
            core.skbs[skb].frame.segment.ecn = Ecn::Ce;
            core.hosts[host].totals.ecn_mark += 1;
        }
        if core.emit(cpu, Probe::QdiscDequeue, About::skb(skb)) {
            core.device_field(Device::Nic(nic));
            core.field(Field::Depth, depth);
            if verdicts.is_marked {
                core.field(Field::Ecn, Ecn::Ce as u32);
            }
        }
        self.start_xmit(core, cpu, nic, skb);
    }

    /// Hands packets of the qdisc to the driver while descriptors are free.
    pub fn wake_tx_queue(&mut self, core: &mut Core, cpu: usize, nic: NicId) {
        let host = core.cpus[cpu].host;
        if self.stacks[host].nics[nic].tx.can_go_on(core.now()) {
            core.push(cpu, Op::RestartQueue { nic });
            self.restart_queue(core, cpu, nic);
        } else {
            self.watch(core, cpu, nic);
        }
    }

    /// Sets the watchdog of a NIC's qdisc on this CPU where packets wait and none may leave yet
    /// (`qdisc_watchdog_schedule_range_ns`).
    pub fn watch(&mut self, core: &mut Core, cpu: usize, nic: NicId) {
        let host = core.cpus[cpu].host;
        let due = self.stacks[host].nics[nic].tx.set_watchdog(core.now());
        if let Some(due) = due {
            let cpu = cpu as u16;
            core.at(due, Event::QdiscWatchdog { cpu, nic });
        }
    }

    /// The time of a qdisc's watchdog has come; false if it was set anew.
    pub fn watchdog_goes_off(&mut self, core: &Core, cpu: usize, nic: NicId) -> bool {
        let host = core.cpus[cpu].host;
        let watchdog = &mut self.stacks[host].nics[nic].tx.watchdog;
        let is_due = *watchdog == Some(core.now());
        if is_due {
            *watchdog = None;
        }
        is_due
    }

    /// `__netif_schedule`: the softirq is to dequeue from the qdisc.
    pub fn netif_schedule(&mut self, core: &mut Core, cpu: usize, nic: NicId) {
        self.softnet[cpu].output_queue.push_back(nic);
        core.cpus[cpu].softirq.is_pending = true;
    }

    fn start_xmit(&mut self, core: &mut Core, cpu: usize, nic: NicId, skb: SkbId) {
        let host = core.cpus[cpu].host;
        let bytes = self.bytes_of_frames(core, host, skb);
        self.stacks[host].nics[nic].tx.post(bytes);
        let about = About::skb(skb).counting(core.skbs[skb].len());
        let direct = Op::run(Path::SchDirectXmit, About::skb(skb));
        let transmit = Op::run(Path::DriverTransmit, about);
        core.then(cpu, [direct, transmit, Op::HardXmit { skb }]);
    }

    /// The NIC has the packet: it crosses the bus and is sent frame by frame (TSO).
    pub fn hard_xmit(&mut self, core: &mut Core, cpu: usize, skb: SkbId) {
        let host = core.cpus[cpu].host;
        let packet = core.skbs[skb];
        let Device::Nic(nic) = packet.device else {
            return;
        };
        if let Some(buffer) = packet.buffer {
            core.read_by_dma(host, buffer);
        }
        if core.emit(cpu, Probe::NetDevXmit, About::skb(skb)) {
            core.device_field(packet.device);
            core.field(Field::Rc, 0);
        }
        let header = self.headers(host, &packet.frame);
        let to = self.stacks[host].nics[nic].peer;
        // If TSO splits the packet, the fault concerns its first frame.
        let mut fault = (host == 0)
            .then(|| self.link.due(core.now(), true))
            .flatten();
        let mut frames = packet.frame.segment.cut(packet.frame.gso_size).peekable();
        while let Some(segment) = frames.next() {
            let frame = Frame {
                segment,
                gso_size: 0,
                ..packet.frame
            };
            let sending = Sending {
                flight: Flight {
                    to,
                    frame,
                    fault: fault.take(),
                },
                nic,
                wire: (segment.len + header + FRAME_BYTES).max(LEAST_FRAME),
                last_of: frames.peek().is_none().then_some(Held::Skb(skb)),
            };
            let bytes = segment.len + header + ETHERNET_HEADER;
            self.cross(core, host, nic, bytes, Cargo::Sending(sending));
        }
    }

    /// A frame has reached the NIC: it is sent after those before it.
    pub fn on_wire(&mut self, core: &mut Core, host: usize, sending: Sending) {
        let Sending {
            flight,
            nic,
            wire,
            last_of,
        } = sending;
        core.hosts[host].totals.frames_sent += 1;
        let state = &mut self.stacks[host].nics[nic];
        let frame_fs = u64::from(wire) * state.byte_fs;
        state.wire_free = SimTime(state.wire_free.max(core.now()).0 + frame_fs);
        let end = state.wire_free;
        let arrival = end + state.delay;
        self.link.fly(core, flight, arrival, frame_fs);
        let host = host as u8;
        match last_of {
            Some(Held::Skb(skb)) => core.at(end, Event::Sent { host, nic, skb }),
            Some(Held::Bare(buffer)) => core.at(end, Event::XdpSent { host, nic, buffer }),
            None => {}
        }
    }

    /// A packet has been sent completely.
    pub fn sent(&mut self, core: &mut Core, host: usize, nic: NicId, skb: SkbId) {
        let tx = &mut self.stacks[host].nics[nic].tx;
        tx.in_flight -= 1;
        tx.sent.push_back(skb);
        self.tx_cause(core, host, nic, skb);
    }
}

#[cfg(test)]
mod tests;
