//! A frame on its way into a host: it takes a descriptor, crosses the buses, and is in memory, where a cause of an
//! interrupt stands for it.

use crate::engine::core::Core;
use crate::engine::cpu::op::About;
use crate::engine::events::Event;
use crate::engine::ids::{Device, FlightId, NicId, QueueId};
use crate::engine::memory::skbuff::{Frame, RxBuffer};
use crate::engine::net::Net;
use crate::time::SimTime;
use ringside::kernel::{Context, Field, Probe};

use super::ETHERNET_HEADER;
use super::bus::{Cargo, Progress};
use super::link::{Flight, FrameFault};
use super::transmit::{FRAME_BYTES, LEAST_FRAME};

impl Net {
    /// A frame arrives: it takes a descriptor, or it is lost.
    pub fn arrive(&mut self, core: &mut Core, flight: FlightId) {
        let Flight {
            to: (host, nic),
            frame,
            fault: _,
        } = self.link.land(flight);
        let hash = core.hash_of(&frame, Device::Nic(nic));
        let stack = &mut self.stacks[host];
        let queue = stack.nics[nic].queue_of_flow(hash);
        let ring = &mut stack.queues[queue].ring;
        let Some(rx) = ring.take_descriptor() else {
            self.missed(core, host, queue);
            return;
        };
        let totals = &mut core.hosts[host].totals;
        totals.least_free = totals.least_free.min(ring.free());
        totals.frames_received += 1;
        core.buffers[rx.buffer].frame = frame;
        if let Some(skb) = rx.skb {
            core.skbs[skb].receive(frame, Device::Nic(nic));
        }
        let bytes = frame.segment.len + self.headers(host, &frame) + ETHERNET_HEADER;
        self.cross(core, host, nic, bytes, Cargo::Received { queue, rx });
    }

    /// No descriptor was free.
    fn missed(&mut self, core: &mut Core, host: usize, queue: QueueId) {
        let state = &self.stacks[host].queues[queue];
        let (limit, nic) = (state.ring.limit, state.nic);
        core.hosts[host].totals.rx_missed += 1;
        core.hosts[host].totals.least_free = 0;
        let cpu = core.hosts[host].first_cpu + usize::from(state.cpu);
        if core.emit_device(cpu, Probe::RxMissed, About::NOTHING, Device::Nic(nic)) {
            core.field(Field::Depth, limit);
            core.field(Field::Limit, limit);
            core.field(Field::Packets, 1);
        }
        if self.stacks[host].nics[nic].moderation.restarts {
            // An overrun is a cause of its own (RXO).
            self.assert_cause(core, host, queue);
        }
    }

    /// A frame of a NIC wants to cross the buses between it and memory.
    pub fn cross(&mut self, core: &mut Core, host: usize, nic: NicId, bytes: u32, cargo: Cargo) {
        let stack = &mut self.stacks[host];
        match stack.nics[nic].bus {
            None => self.crossed(core, host, cargo),
            Some(input) => {
                stack.buses.cross(input, bytes, cargo, core.now());
                self.buses_go_on(core, host);
            }
        }
    }

    /// A frame has crossed a bus.
    pub fn bus_done(&mut self, core: &mut Core, host: usize, bus: u8) {
        self.stacks[host].buses.done(bus, core.now());
        self.buses_go_on(core, host);
    }

    fn buses_go_on(&mut self, core: &mut Core, host: usize) {
        let progress = self.stacks[host].buses.take_progress();
        for &one in &progress {
            match one {
                Progress::Busy { bus, until } => {
                    let host = host as u8;
                    core.at(until, Event::BusDone { host, bus });
                }
                Progress::Crossed(cargo) => self.crossed(core, host, cargo),
            }
        }
        self.stacks[host].buses.keep(progress);
    }

    /// A frame has crossed all buses.
    fn crossed(&mut self, core: &mut Core, host: usize, cargo: Cargo) {
        match cargo {
            Cargo::Received { queue, rx } => self.in_memory(core, host, queue, rx),
            Cargo::Sending(sending) => self.on_wire(core, host, sending),
        }
    }

    /// DMA of a frame is complete: its lines leave all caches, and the frame may raise an interrupt.
    fn in_memory(&mut self, core: &mut Core, host: usize, queue: QueueId, rx: RxBuffer) {
        if host == 0 && self.is_dropped_by_fault(core, queue, rx) {
            return;
        }
        let len = core.buffers[rx.buffer].frame.segment.len;
        core.written_by_dma(host, rx.buffer, len);
        let state = &mut self.stacks[host].queues[queue];
        let depth = state.ring.received(rx);
        let (limit, device) = (state.ring.limit, Device::Nic(state.nic));
        let cpu = core.hosts[host].first_cpu + usize::from(state.cpu);
        if core.emit_frame(cpu, Probe::RxDma, rx, 0) {
            core.amend_context(Context::Unknown);
            core.device_field(device);
            core.field(Field::Depth, depth);
            core.field(Field::Limit, limit);
        }
        let was_raised = self.stacks[host].queues[queue].interrupt.is_raised;
        let is_at_work = core.cpus[core.hosts[host].turn.cpu].until != SimTime::NEVER;
        self.rx_cause(core, host, queue);
        if is_at_work && !was_raised && self.stacks[host].queues[queue].interrupt.is_raised {
            core.hosts[host].turn.cut_short(core.events.now);
        }
    }

    /// Whether a fault by hand befell a frame to the watched host on its way, so that it is not there now.
    ///
    /// Simplified ("faults of the link"): the fault is looked for when the frame would be in memory, the moment at
    /// which a run tells it, so that the frame one sees there is the one that is meant. Until then it has a
    /// descriptor and its share of the bus, which a frame that is lost on the wire never takes.
    fn is_dropped_by_fault(&mut self, core: &mut Core, queue: QueueId, rx: RxBuffer) -> bool {
        let now = core.now();
        if let Some(fault) = self.link.due(now, false) {
            if fault == FrameFault::Damage {
                core.buffers[rx.buffer].frame.is_damaged = true;
                if let Some(skb) = rx.skb {
                    core.skbs[skb].frame.is_damaged = true;
                }
            }
            let nic = self.stacks[0].queues[queue].nic;
            let frame = core.buffers[rx.buffer].frame;
            let wire = frame.segment.len + self.headers(0, &frame) + FRAME_BYTES;
            let frame_fs = u64::from(wire.max(LEAST_FRAME)) * self.stacks[0].nics[nic].byte_fs;
            let flight = Flight {
                to: (0, nic),
                frame,
                fault: None,
            };
            if !self.link.apply_fault(core, fault, flight, now, frame_fs) {
                core.hosts[0].totals.frames_received -= 1;
                self.stacks[0].queues[queue].ring.give_back(rx);
                return true;
            }
        }
        self.link.overtakes(core, 0, now);
        false
    }

    /// Bytes of IP and transport headers in a frame.
    pub fn headers(&self, host: usize, frame: &Frame) -> u32 {
        match (frame.is_udp, frame.fragment.offset > 0) {
            (true, true) => 20,
            (true, false) => 28,
            (false, _) => self.stacks[host].header_bytes,
        }
    }
}
