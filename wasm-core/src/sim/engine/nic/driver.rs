//! The receiving side of a NIC and its driver: a frame takes a descriptor, crosses the
//! bus, and is found by an interrupt handler or a poll.
//!
//! Source: `drivers/net/3c59x.c: boomerang_interrupt`, `drivers/net/e1000/e1000_main.c:
//! e1000_intr, e1000_clean_rx_irq` (v2.4.17, v2.6.9).

use crate::kernel::{Context, Field, Probe};
use crate::sim::time::SimTime;

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::code::Path;
use crate::sim::engine::cpu::op::{Op, OpKind};
use crate::sim::engine::nic::bus::Cargo;
use crate::sim::engine::nic::{ETHERNET_HEADER, Flight};
use crate::sim::engine::setup::host::Host;
use crate::sim::engine::state::{NONE, Packet, Poll};

/// Most looks at the causes in one interrupt (`E1000_MAX_INTR`, 10).
const MOST_ROUNDS: u32 = 10;

impl Engine {
    /// A frame arrives: it takes a descriptor, or it is lost.
    pub(crate) fn arrive(&mut self, flight: u32) {
        let Flight {
            to: (host, nic),
            segment,
            is_udp,
            fragment,
            sockets,
        } = self.flights[flight as usize];
        self.free_flights.push(flight);
        let host = usize::from(host);
        let to = sockets.1;
        let nic_state = &self.hosts[host].nics[usize::from(nic)];
        let spread = self.sockets[sockets.0 as usize].flow % u32::from(nic_state.queues);
        let queue = nic_state.first_queue + spread as u16;
        let state = &mut self.hosts[host].queues[usize::from(queue)];
        let Some(pkt) = state.posted.pop_front() else {
            let (limit, cpu) = (state.limit, state.cpu);
            self.hosts[host].totals.rx_missed += 1;
            self.hosts[host].totals.least_free = 0;
            let cpu = self.hosts[host].first_cpu + usize::from(cpu);
            if self.emit_device(cpu, Probe::RxMissed, NONE, nic) {
                self.record.field(Field::Depth, limit);
                self.record.field(Field::Limit, limit);
                self.record.field(Field::Packets, 1);
            }
            if self.hosts[host].nics[usize::from(nic)].delay_restarts {
                // An overrun is a cause of its own (RXO).
                self.note(host, queue);
            }
            return;
        };
        state.in_dma += 1;
        let free = state.posted.len() as u32;
        let totals = &mut self.hosts[host].totals;
        totals.least_free = totals.least_free.min(free);
        totals.frames_received += 1;
        let old = self.packets[pkt as usize];
        self.packets[pkt as usize] = Packet {
            segment,
            is_udp,
            fragment,
            from: sockets.0,
            to,
            next: NONE,
            frames: 1,
            nic,
            offset: 0,
            unread: segment.len,
            own: segment.len,
            last: NONE,
            sum_with_copy: false,
            is_steered: false,
            joined: 0,
            counts: 0,
            ..old
        };
        let bytes = segment.len + self.headers(host, is_udp, fragment) + ETHERNET_HEADER;
        self.cross(host, nic, bytes, Cargo::Received(queue, pkt));
    }

    /// A frame is in memory: its lines leave all caches, and the NIC thinks of an interrupt.
    pub(crate) fn in_memory(&mut self, host: usize, queue: u16, pkt: u32) {
        let buffer = self.packets[pkt as usize].buffer;
        self.written_by_dma(host, buffer, self.packets[pkt as usize].segment.len);
        let state = &mut self.hosts[host].queues[usize::from(queue)];
        state.in_dma -= 1;
        state.ready.push_back(pkt);
        let (depth, limit, cpu, nic) =
            (state.ready.len() as u32, state.limit, state.cpu, state.nic);
        let cpu = self.hosts[host].first_cpu + usize::from(cpu);
        if self.emit_device(cpu, Probe::RxDma, pkt, nic) {
            self.record.field(Field::Depth, depth);
            self.record.field(Field::Limit, limit);
        }
        self.cause(host, queue);
    }

    /// The interrupt handler: poll later (NAPI), or take all frames now.
    pub(crate) fn nic_interrupt(&mut self, cpu: usize, queue: u32) {
        let host = usize::from(self.cpus[cpu].host);
        self.hosts[host].totals.interrupts += 1;
        self.cpus[cpu].apic.requested = self.cpus[cpu].apic.requested.saturating_sub(1);
        self.cpus[cpu].device = queue as u16;
        let state = &mut self.hosts[host].queues[queue as usize];
        state.is_raised = false;
        state.has_cause = false;
        let frames = state.ready.len() as u32;
        let nic = usize::from(state.nic);
        let polls = self.hosts[host].nics[nic].napi;
        let takes_back = self.hosts[host].nics[nic].tx_in_handler;
        let state = &mut self.hosts[host].queues[queue as usize];
        if polls {
            if takes_back {
                self.take_back(cpu, nic);
            }
            let state = &mut self.hosts[host].queues[queue as usize];
            if !takes_back || frames > 0 && !state.is_masked {
                state.is_masked = true;
                self.add_poll(cpu, Poll::Queue(queue as u16));
                self.cpus[cpu].softirq = true;
                self.push(cpu, Op::run(Path::NapiSchedule, NONE, NONE, 0));
            }
            self.push(cpu, Op::run(Path::DriverRound, NONE, NONE, 0));
        } else {
            state.is_in_service = true;
            self.push(cpu, Op::act(OpKind::DriverRound, NONE, NONE, queue));
        }
        self.push(cpu, Op::run(Path::DriverInterrupt, NONE, NONE, frames));
    }

    /// The handler takes back what was sent; the softirq frees it (`dev_kfree_skb_irq`).
    fn take_back(&mut self, cpu: usize, nic: usize) {
        let host = usize::from(self.cpus[cpu].host);
        for pkt in std::mem::take(&mut self.hosts[host].nics[nic].sent) {
            self.push(cpu, Op::act(OpKind::Complete, pkt, NONE, 0));
            self.push(cpu, Op::run(Path::DriverTransmitDone, pkt, NONE, 0));
        }
    }

    /// Without NAPI: the handler looks at the chip's causes until there are none, or often
    /// enough. The number of the look is in the upper half.
    pub(crate) fn driver_round(&mut self, cpu: usize, arg: u32) {
        let host = usize::from(self.cpus[cpu].host);
        let (queue, round) = (arg & 0xffff, arg >> 16);
        self.cpus[cpu].device = queue as u16;
        let state = &mut self.hosts[host].queues[queue as usize];
        if round > 0 && (!state.has_cause || round >= MOST_ROUNDS) {
            state.is_in_service = false;
            self.cpus[cpu].apic.last_sent = self.now;
            let state = &self.hosts[host].queues[queue as usize];
            if state.has_cause {
                self.raise(host, queue as u16);
            }
            return;
        }
        state.has_cause = false;
        let nic = usize::from(state.nic);
        self.hosts[host].nics[nic].unreported = 0;
        let next = queue | (round + 1) << 16;
        self.push(cpu, Op::act(OpKind::DriverRound, NONE, NONE, next));
        self.push(cpu, Op::act(OpKind::DriverLoop, NONE, NONE, queue));
        self.push(cpu, Op::run(Path::DriverRound, NONE, NONE, 0));
    }

    /// Without NAPI: the next frame goes to this CPU's backlog, all within the interrupt.
    pub(crate) fn driver_loop(&mut self, cpu: usize, queue: u32) {
        let host = usize::from(self.cpus[cpu].host);
        let again = Op::act(OpKind::DriverLoop, NONE, NONE, queue);
        if let Some(pkt) = self.hosts[host].queues[queue as usize].ready.pop_front() {
            self.push(cpu, again);
            self.push(cpu, Op::act(OpKind::Enqueue, pkt, NONE, 0));
            self.push(cpu, Op::run(Path::NetifRx, pkt, NONE, 0));
            let len = self.packets[pkt as usize].segment.len;
            self.push(cpu, Op::run(Path::DriverReceive, pkt, NONE, len));
        } else if !self.reap(cpu, queue, again) {
            self.refill_if_due(cpu, queue);
            self.has_looked(host, queue);
        }
    }

    /// The driver has found all that there is: nothing waits for an interrupt any more. A
    /// chip whose delay every frame starts anew does not know that, and interrupts later.
    pub(crate) fn has_looked(&mut self, host: usize, queue: u32) {
        let Host { queues, nics, .. } = &mut self.hosts[host];
        let state = &mut queues[queue as usize];
        state.waiting = 0;
        let device = &mut nics[usize::from(state.nic)];
        if !device.delay_restarts {
            state.rx_due = SimTime::NEVER;
        }
        if device.first_queue == queue as u16 {
            device.unreported = 0;
        }
    }

    /// Frees one packet that was sent and lets the device's queue go on; false when none is left.
    pub(crate) fn reap(&mut self, cpu: usize, queue: u32, again: Op) -> bool {
        let host = usize::from(self.cpus[cpu].host);
        let nic = usize::from(self.hosts[host].queues[queue as usize].nic);
        let device = &mut self.hosts[host].nics[nic];
        if device.first_queue != queue as u16 {
            return false;
        }
        if !device.tx_in_handler
            && let Some(pkt) = device.sent.pop_front()
        {
            self.push(cpu, again);
            self.push(cpu, Op::act(OpKind::Free, pkt, NONE, 1));
            self.push(cpu, Op::run(Path::SkbFree, pkt, NONE, 0));
            self.push(cpu, Op::run(Path::DriverTransmitDone, pkt, NONE, 0));
            return true;
        }
        if device.qdisc.is_empty() || !device.has_room() {
            return false;
        }
        self.push(cpu, again);
        self.restart_queue(cpu, nic);
        true
    }

    /// Whether so many descriptors are used that the driver gives the chip new buffers.
    pub(crate) fn is_refill_due(&self, host: usize, queue: u32) -> bool {
        let state = &self.hosts[host].queues[queue as usize];
        let after = self.hosts[host].nics[usize::from(state.nic)].refill_after;
        // A ring that shrank must not wait for more than it has.
        state.empty_descriptors() >= after.min(state.limit / 2).max(1)
    }

    pub(crate) fn refill_if_due(&mut self, cpu: usize, queue: u32) {
        let host = usize::from(self.cpus[cpu].host);
        if !self.is_refill_due(host, queue) {
            return;
        }
        let Host { queues, nics, .. } = &mut self.hosts[host];
        let state = &mut queues[queue as usize];
        if !nics[usize::from(state.nic)].refill_in_tasklet {
            self.begin_refill(cpu, queue);
        } else if !std::mem::replace(&mut state.refill_waits, true) {
            self.cpus[cpu].tasklets.push_back(queue);
            self.cpus[cpu].softirq = true;
        }
    }

    fn begin_refill(&mut self, cpu: usize, queue: u32) {
        let host = usize::from(self.cpus[cpu].host);
        let empty = self.hosts[host].queues[queue as usize].empty_descriptors();
        self.push(cpu, Op::act(OpKind::Refill, NONE, NONE, queue));
        self.push(cpu, Op::run(Path::DriverRefill, NONE, NONE, empty));
    }

    /// `tasklet_action`: the next ring that waits for buffers; false when none does.
    pub(crate) fn run_tasklet(&mut self, cpu: usize, again: Op) -> bool {
        let Some(queue) = self.cpus[cpu].tasklets.pop_front() else {
            return false;
        };
        let host = usize::from(self.cpus[cpu].host);
        self.cpus[cpu].device = queue as u16;
        self.hosts[host].queues[queue as usize].refill_waits = false;
        self.push(cpu, again);
        self.begin_refill(cpu, queue);
        true
    }

    /// A descriptor gets a buffer; then the next one.
    pub(crate) fn refill(&mut self, cpu: usize, queue: u32) {
        let host = usize::from(self.cpus[cpu].host);
        if self.hosts[host].queues[queue as usize].empty_descriptors() == 0 {
            return;
        }
        let pkt = self.ring_buffer(cpu);
        self.push(cpu, Op::act(OpKind::Refill, NONE, NONE, queue));
        self.push(cpu, Op::act(OpKind::Post, pkt, NONE, queue));
        self.push_alloc(cpu, pkt, NONE);
    }

    /// The chip may use a new buffer, unless the ring shrank meanwhile.
    pub(crate) fn post(&mut self, cpu: usize, pkt: u32, queue: u32) {
        let host = usize::from(self.cpus[cpu].host);
        let state = &mut self.hosts[host].queues[queue as usize];
        if state.empty_descriptors() > 0 {
            state.posted.push_back(pkt);
        } else {
            self.free_packet(cpu, pkt);
        }
    }

    /// A packet that has nowhere to go.
    pub(crate) fn drop_packet(&mut self, cpu: usize, pkt: u32) {
        let host = usize::from(self.cpus[cpu].host);
        self.hosts[host].totals.dropped += 1;
        self.emit(cpu, Probe::KfreeSkb, pkt, NONE);
        self.free_packet(cpu, pkt);
    }

    /// An event of a device: no context, and the device's name.
    pub(crate) fn emit_device(&mut self, cpu: usize, probe: Probe, pkt: u32, nic: u8) -> bool {
        if !self.emit(cpu, probe, pkt, NONE) {
            return false;
        }
        let name = self.record.device(nic);
        self.record.amend_context(Context::Unknown);
        self.record.field(Field::Dev, name);
        true
    }
}
