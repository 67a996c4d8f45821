//! The receiving side of a NIC and its driver: a frame takes a descriptor, crosses the
//! bus, and is found by an interrupt handler or a poll.
//!
//! Source: `drivers/net/3c59x.c: boomerang_interrupt`, `drivers/net/e1000/e1000_main.c:
//! e1000_intr, e1000_clean_rx_irq` (v2.4.17, v2.6.9).

use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
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
        let flow = frame.from.map_or(0, |from| core.socks[from].flow);
        let stack = &mut self.stacks[host];
        let queue = stack.nics[nic].queue_of_flow(flow);
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

    /// The interrupt handler: poll later (NAPI), or take all frames now.
    pub fn nic_interrupt(&mut self, core: &mut Core, cpu: usize, queue: QueueId) {
        let host = core.cpus[cpu].host;
        core.hosts[host].totals.interrupts += 1;
        let apic = &mut core.cpus[cpu].apic;
        apic.requested = apic.requested.saturating_sub(1);
        self.softnet[cpu].device = queue;
        let stack = &mut self.stacks[host];
        let state = &mut stack.queues[queue];
        state.interrupt.is_raised = false;
        state.interrupt.has_cause = false;
        let frames = state.ring.ready.len() as u32;
        let about = About::nic(state.nic);
        let driver = stack.nics[state.nic].driver;
        if driver.napi {
            // What is pushed last happens first.
            if driver.tx_in_handler {
                let nic = state.nic;
                self.complete_tx_in_handler(core, host, cpu, nic);
            }
            let state = &mut self.stacks[host].queues[queue];
            if !driver.tx_in_handler || frames > 0 || state.napi.is_taken() {
                state.interrupt.is_masked = true;
                if state.napi.schedule_prep() {
                    self.napi_schedule(core, cpu, queue);
                }
            }
            core.push(cpu, Op::run(Path::DriverRound, about));
        } else {
            state.interrupt.is_in_service = true;
            core.push(cpu, Op::DriverRound { queue, round: 0 });
        }
        core.push(cpu, Op::run(Path::DriverInterrupt, about.counting(frames)));
    }

    /// TX completion in the interrupt handler; the softirq frees the packets (`dev_kfree_skb_irq`).
    fn complete_tx_in_handler(&mut self, core: &mut Core, host: usize, cpu: usize, nic: NicId) {
        for skb in std::mem::take(&mut self.stacks[host].nics[nic].tx.sent) {
            let bytes = self.bytes_of_frames(core, host, skb);
            self.stacks[host].nics[nic].tx.free(bytes, core.now());
            let done = Op::run(Path::DriverTransmitDone, About::skb(skb));
            core.then(cpu, [done, Op::Complete { skb }]);
        }
    }

    /// Without NAPI: the handler reads the chip's causes until none is left, or `most_rounds` times.
    pub fn driver_round(&mut self, core: &mut Core, cpu: usize, queue: QueueId, round: u32) {
        let host = core.cpus[cpu].host;
        self.softnet[cpu].device = queue;
        let stack = &mut self.stacks[host];
        let state = &mut stack.queues[queue];
        let about = About::nic(state.nic);
        let most = stack.nics[state.nic].driver.most_rounds;
        if round > 0 && (!state.interrupt.has_cause || round >= most) {
            state.interrupt.is_in_service = false;
            core.cpus[cpu].apic.last_sent = core.now();
            if state.interrupt.has_cause {
                self.raise(core, host, queue);
            }
            return;
        }
        state.interrupt.has_cause = false;
        stack.nics[state.nic].moderation.unreported = 0;
        core.then(
            cpu,
            [
                Op::run(Path::DriverRound, about),
                Op::DriverLoop { queue },
                Op::DriverRound {
                    queue,
                    round: round + 1,
                },
            ],
        );
    }

    /// Without NAPI: the next frame goes to this CPU's backlog, all within the interrupt.
    pub fn driver_loop(&mut self, core: &mut Core, cpu: usize, queue: QueueId) {
        let host = core.cpus[cpu].host;
        let again = Op::DriverLoop { queue };
        let frame = self.stacks[host].queues[queue].ring.ready.front();
        // Only a driver that polls receives a frame before there is an `sk_buff`.
        if let Some(skb) = frame.and_then(|rx| rx.skb) {
            let about = About::skb(skb);
            let len = core.skbs[skb].len();
            core.then(
                cpu,
                [
                    Op::run(Path::DriverReceive, about.counting(len)),
                    Op::LeaveRing { queue },
                    Op::run(Path::NetifRx, about),
                    Op::Enqueue { skb },
                    again,
                ],
            );
        } else if !self.clean_tx(core, cpu, queue, again) {
            self.refill_if_due(core, cpu, queue);
            self.has_looked(host, queue);
        }
    }

    /// The driver is done with the oldest frame's descriptor.
    pub fn leave_ring(&mut self, core: &Core, cpu: usize, queue: QueueId) {
        let host = core.cpus[cpu].host;
        self.stacks[host].queues[queue].ring.ready.pop_front();
    }

    /// The driver has taken all frames, so the interrupt delay is stopped. A
    /// chip whose delay each frame restarts is not told, and interrupts later.
    pub fn has_looked(&mut self, host: usize, queue: QueueId) {
        let stack = &mut self.stacks[host];
        let state = &mut stack.queues[queue];
        state.interrupt.waiting = 0;
        let nic = &mut stack.nics[state.nic];
        if !nic.moderation.restarts {
            state.interrupt.rx_due = SimTime::NEVER;
        }
        if nic.first_queue == queue {
            nic.moderation.unreported = 0;
        }
    }

    /// TX completion in a poll: frees one packet, or restarts the
    /// queue of the device; false when there is nothing to do.
    pub fn clean_tx(&mut self, core: &mut Core, cpu: usize, queue: QueueId, again: Op) -> bool {
        let host = core.cpus[cpu].host;
        let stack = &mut self.stacks[host];
        let nic = stack.queues[queue].nic;
        let device = &mut stack.nics[nic];
        if device.first_queue != queue {
            return false;
        }
        if !device.driver.tx_in_handler
            && let Some(skb) = device.tx.sent.pop_front()
        {
            let bytes = self.bytes_of_frames(core, host, skb);
            self.stacks[host].nics[nic].tx.free(bytes, core.now());
            let about = About::skb(skb);
            core.then(
                cpu,
                [
                    Op::run(Path::DriverTransmitDone, about),
                    Op::run(Path::SkbFree, about),
                    Op::Free { skb },
                    again,
                ],
            );
            return true;
        }
        if !device.tx.can_go_on(core.now()) {
            self.watch(core, cpu, nic);
            return false;
        }
        core.push(cpu, again);
        self.restart_queue(core, cpu, nic);
        true
    }

    /// Whether so many descriptors are used that the driver gives the chip new buffers.
    pub fn is_refill_due(&self, host: usize, queue: QueueId) -> bool {
        let stack = &self.stacks[host];
        let state = &stack.queues[queue];
        let after = stack.nics[state.nic].driver.refill_after;
        // A ring that shrank must not wait for more than it has.
        state.ring.empty() >= after.min(state.ring.limit / 2).max(1)
    }

    /// Refills, or has a tasklet do it, if so many descriptors are used.
    pub fn refill_if_due(&mut self, core: &mut Core, cpu: usize, queue: QueueId) {
        let host = core.cpus[cpu].host;
        if !self.is_refill_due(host, queue) {
            return;
        }
        let stack = &mut self.stacks[host];
        let state = &mut stack.queues[queue];
        if !stack.nics[state.nic].driver.refill_in_tasklet {
            self.begin_refill(core, cpu, queue);
        } else if !std::mem::replace(&mut state.refill_waits, true) {
            self.softnet[cpu].tasklets.push_back(queue);
            core.cpus[cpu].softirq.is_pending = true;
        }
    }

    fn begin_refill(&mut self, core: &mut Core, cpu: usize, queue: QueueId) {
        let host = core.cpus[cpu].host;
        let state = &self.stacks[host].queues[queue];
        let about = About::nic(state.nic).counting(state.ring.empty());
        let refill = Op::run(Path::DriverRefill, about);
        core.then(cpu, [refill, Op::Refill { queue }]);
    }

    /// `tasklet_action`: the next ring that waits for buffers; false when none does.
    pub fn run_tasklet(&mut self, core: &mut Core, cpu: usize, again: Op) -> bool {
        let Some(queue) = self.softnet[cpu].tasklets.pop_front() else {
            return false;
        };
        let host = core.cpus[cpu].host;
        self.softnet[cpu].device = queue;
        self.stacks[host].queues[queue].refill_waits = false;
        core.push(cpu, again);
        self.begin_refill(core, cpu, queue);
        true
    }

    /// A descriptor gets a buffer; then the next one.
    pub fn refill(&mut self, core: &mut Core, cpu: usize, queue: QueueId) {
        let host = core.cpus[cpu].host;
        if self.stacks[host].queues[queue].ring.empty() == 0 {
            return;
        }
        let nic = self.stacks[host].queues[queue].nic;
        let RxBuffer { buffer, skb } = self.ring_buffer(core, cpu, nic);
        let post = Op::Post { buffer, skb, queue };
        core.then(cpu, [post, Op::Refill { queue }]);
        if let Some(skb) = skb {
            let alloc = core.allocation(About::skb(skb));
            core.then(cpu, alloc);
        } else {
            core.push(cpu, Op::run(Path::PageAlloc, About::NOTHING));
        }
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

#[cfg(test)]
mod tests;
