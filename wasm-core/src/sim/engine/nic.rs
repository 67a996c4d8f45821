//! NICs and links: descriptors, DMA over buses, moderated interrupts, the wire.
//!
//! Simplified here: one interrupt vector serves a queue's receive and transmit sides,
//! and a frame crosses the bus as a whole; chips split bursts and interleave. A
//! learner sees the same limits: descriptors, bus time, frames for each interrupt.

use std::collections::VecDeque;

use crate::kernel::{Context, Field, Probe};
use crate::sim::cache::ObjectId;
use crate::sim::config::machine::{self, Routing};
use crate::sim::config::scenario::Scenario;
use crate::sim::tcp::Segment;
use crate::sim::time::SimTime;

use super::code::{Path, key};
use super::state::{Fragment, NONE, Op, OpKind, Packet, Poll};
use super::{Engine, Happening};
use crate::sim::config::kernel::Per;

/// Bytes that a frame has on the wire beside its IP packet: Ethernet header and check
/// sequence, preamble and gap (IEEE 802.3).
const FRAME_BYTES: u32 = 38;
/// The shortest frame on the wire, with preamble and gap.
const LEAST_FRAME: u32 = 84;

/// A network interface.
#[derive(Debug)]
pub struct Nic {
    /// Its first queue among those of the host.
    pub first_queue: u16,
    /// Receive queues.
    pub queues: u16,
    /// Host and NIC at the other end of the link.
    pub peer: (u8, u8),
    /// Time of a byte on the wire in fs.
    pub byte_fs: u64,
    /// One way.
    pub delay: SimTime,
    /// The buses to memory, by number, nearest first.
    pub buses: Vec<u8>,
    /// Longest wait for an interrupt.
    pub itr_delay: SimTime,
    /// Frames that end it; 0: no limit.
    pub itr_frames: u32,
    /// Whether the driver polls.
    pub napi: bool,
    /// Used descriptors at which it refills.
    pub refill_after: u32,
    /// Whether received data lie aligned.
    pub aligned: bool,
    /// When the wire is free.
    pub wire_free: SimTime,
    /// Packets given to the chip and not sent.
    pub in_flight: u32,
    /// Most of them.
    pub tx_limit: u32,
    /// The queue before the driver.
    pub qdisc: VecDeque<u32>,
    /// Packets sent, not yet freed.
    pub sent: VecDeque<u32>,
}

/// A receive queue.
#[derive(Debug)]
pub struct Queue {
    /// Its NIC.
    pub nic: u8,
    /// Its objects.
    pub objects: ObjectId,
    /// Descriptors.
    pub limit: u32,
    /// Buffers in free descriptors.
    pub posted: VecDeque<u32>,
    /// Frames in memory that the driver has not seen.
    pub ready: VecDeque<u32>,
    /// Frames that cross the buses.
    pub in_dma: u32,
    /// The driver has turned its interrupt off.
    pub is_masked: bool,
    /// An interrupt is under way to a CPU.
    pub is_raised: bool,
    /// When the moderation timer fires.
    pub timer_at: SimTime,
    /// Since when a frame waits for the interrupt.
    pub waiting_since: SimTime,
    /// Frames since the last interrupt.
    pub waiting: u32,
    /// The CPU that serves it where interrupts do not move, within the host.
    pub cpu: u16,
}

impl Queue {
    /// Descriptors whose frames the driver has taken.
    pub(super) fn empty_descriptors(&self) -> u32 {
        let full = self.posted.len() as u32 + self.ready.len() as u32 + self.in_dma;
        self.limit.saturating_sub(full)
    }
}

/// A frame on the wire.
#[derive(Debug, Clone, Copy)]
pub struct Flight {
    /// Where it arrives.
    pub to: (u8, u8),
    /// What it carries.
    pub segment: Segment,
    /// Whether it is a datagram.
    pub is_udp: bool,
    /// Its place in a larger one.
    pub fragment: Fragment,
    /// Sockets.
    pub sockets: (u32, u32),
}

/// Most packets in a device's queue (`tx_queue_len` of `ether_setup`: 100 before v2.6.?,
/// 1000 since).
const QDISC_PACKETS: usize = 1000;

impl Engine {
    /// Gives a host the NICs of its machine.
    pub(super) fn add_nics(&mut self, host: usize, scenario: &Scenario) -> Result<(), String> {
        let machine = self.hosts[host].machine.clone();
        let is_watched = host == 0;
        let settings = &scenario.settings;
        for model in &machine.nics {
            for _ in 0..model.count {
                if is_watched
                    && settings
                        .nics
                        .is_some_and(|most| self.hosts[host].nics.len() >= usize::from(most))
                {
                    continue;
                }
                self.add_nic(host, &machine, model, scenario)?;
            }
        }
        Ok(())
    }

    fn add_nic(
        &mut self,
        host: usize,
        machine: &machine::Machine,
        model: &machine::Nic,
        scenario: &Scenario,
    ) -> Result<(), String> {
        let settings = &scenario.settings;
        let is_watched = host == 0;
        let index = self.hosts[host].nics.len();
        let mut buses = Vec::new();
        let mut next = model.buses.get(index).or(model.buses.last()).cloned();
        while let Some(name) = next.take() {
            let position = machine.buses.iter().position(|bus| bus.name == name);
            let position = position.ok_or_else(|| {
                format!(
                    "machine {}: nics.buses: no bus is called {name}",
                    machine.name
                )
            })?;
            buses.push(position as u8);
            next.clone_from(&machine.buses[position].behind);
        }
        let ns = |us: u32| u64::from(us) * 1000;
        let own = |setting: Option<u32>| setting.filter(|_| is_watched);
        let first_queue = self.hosts[host].queues.len() as u16;
        let limit = own(settings.rx_ring).unwrap_or(model.rx_ring);
        for queue in 0..model.queues.max(1) {
            let kinds = self.hosts[host].code.lines[key(Per::Queue)].clone();
            let objects = self.new_objects(host, &kinds);
            let serves = usize::from(first_queue + queue) % self.hosts[host].cpu_count;
            let mut state = Queue {
                nic: index as u8,
                objects,
                limit,
                posted: VecDeque::new(),
                ready: VecDeque::new(),
                in_dma: 0,
                is_masked: false,
                is_raised: false,
                timer_at: SimTime::NEVER,
                waiting_since: SimTime::ZERO,
                waiting: 0,
                cpu: self.hosts[host].irq_cpu.unwrap_or(serves as u16),
            };
            for _ in 0..limit {
                let pkt = self.ring_buffer(self.hosts[host].first_cpu);
                state.posted.push_back(pkt);
            }
            self.hosts[host].queues.push(state);
        }
        let delay = settings.link_delay_us.unwrap_or(DEFAULT_DELAY_US);
        let napi = model.napi && self.hosts[host].receive.napi;
        self.hosts[host].nics.push(Nic {
            first_queue,
            queues: model.queues.max(1),
            peer: (1 - host as u8, 0),
            byte_fs: 8_000_000_000 / model.rate_mbit.max(1),
            delay: SimTime::from_us(u64::from(delay)),
            buses,
            itr_delay: SimTime::from_ns(
                own(settings.interrupt_delay_us).map_or(model.interrupt_delay_ns, ns),
            ),
            itr_frames: own(settings.interrupt_frames).unwrap_or(model.interrupt_frames),
            napi,
            refill_after: model.refill_after.min(limit / 2).max(1),
            aligned: model.aligned,
            wire_free: SimTime::ZERO,
            in_flight: 0,
            tx_limit: model.tx_ring.max(1),
            qdisc: VecDeque::new(),
            sent: VecDeque::new(),
        });
        Ok(())
    }

    /// Connects the NICs of two hosts one to one; a link is as fast as its slower end.
    pub(super) fn plug(&mut self) {
        let counts = [self.hosts[0].nics.len(), self.hosts[1].nics.len()];
        for host in 0..2 {
            for nic in 0..counts[host] {
                let other = nic % counts[1 - host];
                let rate = self.hosts[1 - host].nics[other].byte_fs;
                let state = &mut self.hosts[host].nics[nic];
                state.peer = (1 - host as u8, other as u8);
                state.byte_fs = state.byte_fs.max(rate);
            }
        }
    }

    /// A packet head with a buffer for a frame, as a descriptor has it.
    fn ring_buffer(&mut self, cpu: usize) -> u32 {
        let host = usize::from(self.cpus[cpu].host);
        let bytes = self.hosts[host].mtu + 18;
        let buffer = self.alloc_buffer(cpu, bytes);
        let packet = Packet {
            buffer,
            ..Packet::default()
        };
        self.alloc_packet(cpu, packet)
    }

    // ---- sending ------------------------------------------------------------------

    /// `dev_queue_xmit`: to the driver, or into the device's queue while it is full.
    pub(super) fn dev_xmit(&mut self, cpu: usize, pkt: u32) {
        let host = usize::from(self.cpus[cpu].host);
        let nic = usize::from(self.packets[pkt as usize].nic);
        let state = &mut self.hosts[host].nics[nic];
        if state.in_flight >= state.tx_limit {
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
            return;
        }
        state.in_flight += 1;
        self.push(cpu, Op::act(OpKind::HardXmit, pkt, NONE, 0));
        self.push(cpu, Op::run(Path::DriverTransmit, pkt, NONE, 0));
    }

    /// The chip has the packet: it crosses the bus and goes onto the wire frame by frame.
    pub(super) fn hard_xmit(&mut self, cpu: usize, pkt: u32) {
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
        let header = if packet.is_udp {
            if packet.fragment.offset > 0 { 20 } else { 28 }
        } else {
            self.hosts[host].header_bytes
        };
        let mut sent = 0;
        let to = self.hosts[host].nics[nic].peer;
        loop {
            let len = (packet.segment.len - sent).min(most);
            let wire = (len + header + FRAME_BYTES).max(LEAST_FRAME);
            let ready = self.cross_buses(host, nic, len + header + 14);
            let state = &mut self.hosts[host].nics[nic];
            let start = state.wire_free.max(ready);
            state.wire_free = SimTime(start.0 + u64::from(wire) * state.byte_fs);
            let arrival = SimTime(state.wire_free.0 + state.delay.0);
            self.hosts[host].totals.frames_sent += 1;
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
            self.fly(
                flight,
                arrival,
                u64::from(wire) * self.hosts[host].nics[nic].byte_fs,
            );
            sent += len;
            if is_last {
                break;
            }
        }
        let end = self.hosts[host].nics[nic].wire_free;
        self.at(end, Happening::Sent(host as u8, nic as u8, pkt));
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
    pub(super) fn sent(&mut self, host: usize, nic: usize, pkt: u32) {
        let state = &mut self.hosts[host].nics[nic];
        state.in_flight -= 1;
        state.sent.push_back(pkt);
        let is_udp = self.packets[pkt as usize].is_udp;
        let due =
            is_udp || state.sent.len() as u32 * 4 >= state.tx_limit || !state.qdisc.is_empty();
        if due {
            let queue = state.first_queue;
            self.cause(host, queue);
        }
    }

    // ---- receiving ----------------------------------------------------------------

    /// A frame arrives: it takes a descriptor, or it is lost.
    pub(super) fn arrive(&mut self, flight: u32) {
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
        let spread = self.sockets[to as usize].flow % u32::from(nic_state.queues);
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
            counts: 0,
            ..old
        };
        let header = self.hosts[host].header_bytes;
        let done = self.cross_buses(host, usize::from(nic), segment.len + header + 14);
        if done > self.now {
            self.at(done, Happening::InMemory(host as u8, queue, pkt));
        } else {
            self.in_memory(host, queue, pkt);
        }
    }

    /// The time at which so many bytes have crossed all buses of a NIC.
    fn cross_buses(&mut self, host: usize, nic: usize, bytes: u32) -> SimTime {
        let host = &mut self.hosts[host];
        let mut at = self.now;
        for &bus in &host.nics[nic].buses {
            let config = &host.machine.buses[usize::from(bus)];
            let bits = u64::from(bytes) * 1_000_000_000;
            let busy = bits / config.bytes_per_second * 1_000_000
                + bits % config.bytes_per_second * 1_000_000 / config.bytes_per_second
                + config.frame_overhead_ns * 1_000_000;
            let free = &mut host.buses[usize::from(bus)];
            *free = SimTime(at.max(*free).0 + busy);
            at = *free;
        }
        at
    }

    /// A frame is in memory: its lines leave all caches, and the NIC thinks of an interrupt.
    pub(super) fn in_memory(&mut self, host: usize, queue: u16, pkt: u32) {
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

    /// Something happened at a queue that an interrupt should tell.
    fn cause(&mut self, host: usize, queue: u16) {
        let now = self.now;
        let state = &mut self.hosts[host].queues[usize::from(queue)];
        state.waiting += 1;
        if state.waiting == 1 {
            state.waiting_since = now;
        }
        if state.is_masked || state.is_raised {
            return;
        }
        let (waiting, nic, cpu) = (state.waiting, state.nic, state.cpu);
        let has_timer = state.timer_at != SimTime::NEVER;
        let device = &self.hosts[host].nics[usize::from(nic)];
        let (delay, frames) = (device.itr_delay, device.itr_frames);
        if delay == SimTime::ZERO || (frames > 0 && waiting >= frames) {
            self.raise(host, queue);
        } else if !has_timer {
            let due = SimTime(now.0 + delay.0);
            self.hosts[host].queues[usize::from(queue)].timer_at = due;
            self.at(due, Happening::Moderation(host as u8, queue));
            let cpu = self.hosts[host].first_cpu + usize::from(cpu);
            if self.emit_device(cpu, Probe::RxItr, NONE, nic) {
                self.record.field(Field::Waited, delay.nanos().0 as u32);
                self.record.field(Field::Depth, waiting);
            }
        }
    }

    /// The moderation timer fires.
    pub(super) fn moderation(&mut self, host: usize, queue: u16) {
        let state = &mut self.hosts[host].queues[usize::from(queue)];
        if state.timer_at != self.now || state.is_masked || state.is_raised {
            return;
        }
        self.raise(host, queue);
    }

    /// The interrupt goes to a CPU.
    fn raise(&mut self, host: usize, queue: u16) {
        let cpu = self.route(host, queue);
        let had_timer = self.hosts[host].nics
            [usize::from(self.hosts[host].queues[usize::from(queue)].nic)]
        .itr_delay
            != SimTime::ZERO;
        let state = &mut self.hosts[host].queues[usize::from(queue)];
        state.is_raised = true;
        state.timer_at = SimTime::NEVER;
        let (waiting, nic) = (state.waiting, state.nic);
        state.waiting = 0;
        if had_timer && self.emit_device(cpu, Probe::RxItr, NONE, nic) {
            self.record.field(Field::Waited, 0);
            self.record.field(Field::Depth, waiting);
        }
        let delay = SimTime::from_ns(self.hosts[host].machine.processors.interrupt_ns);
        self.at(self.now + delay, Happening::NicInterrupt(cpu as u16, queue));
    }

    /// The CPU that gets a queue's interrupt, among those of all hosts.
    fn route(&mut self, host: usize, queue: u16) -> usize {
        let own = self.hosts[host].queues[usize::from(queue)].cpu;
        let state = &mut self.hosts[host];
        let (first, count) = (state.first_cpu, state.cpu_count);
        match state.routing {
            Routing::Fixed => first + state.irq_cpu.map_or(0, usize::from),
            Routing::Spread => first + usize::from(own),
            Routing::Dynamic => {
                let next = state.next_cpu;
                let idle = (0..count)
                    .map(|step| (next + step) % count)
                    .find(|&cpu| self.cpus[first + cpu].is_idle());
                let chosen = idle.unwrap_or(next);
                self.hosts[host].next_cpu = (chosen + 1) % count;
                first + chosen
            }
        }
    }

    // ---- the driver ---------------------------------------------------------------

    /// The interrupt handler: poll later (NAPI), or take all frames now.
    pub(super) fn nic_interrupt(&mut self, cpu: usize, queue: u32) {
        let host = usize::from(self.cpus[cpu].host);
        self.hosts[host].totals.interrupts += 1;
        let state = &mut self.hosts[host].queues[queue as usize];
        state.is_raised = false;
        let nic = usize::from(state.nic);
        if self.hosts[host].nics[nic].napi {
            self.hosts[host].queues[queue as usize].is_masked = true;
            let cpu_state = &mut self.cpus[cpu];
            if cpu_state.polls.is_empty() {
                cpu_state.quota = self.hosts[host].receive.weight;
            }
            cpu_state.polls.push_back(Poll::Queue(queue as u16));
            cpu_state.softirq = true;
            self.push(cpu, Op::run(Path::NapiSchedule, NONE, NONE, 0));
        } else {
            self.push(cpu, Op::act(OpKind::DriverLoop, NONE, NONE, queue));
        }
        self.push(cpu, Op::run(Path::DriverInterrupt, NONE, NONE, 0));
    }

    /// Without NAPI: the next frame goes to this CPU's backlog, all within the interrupt.
    pub(super) fn driver_loop(&mut self, cpu: usize, queue: u32) {
        let host = usize::from(self.cpus[cpu].host);
        let again = Op::act(OpKind::DriverLoop, NONE, NONE, queue);
        if let Some(pkt) = self.hosts[host].queues[queue as usize].ready.pop_front() {
            self.push(cpu, again);
            self.push(cpu, Op::act(OpKind::Enqueue, pkt, NONE, 0));
            self.push(cpu, Op::run(Path::NetifRx, pkt, NONE, 0));
            self.push(cpu, Op::run(Path::DriverReceive, pkt, NONE, 0));
        } else if !self.reap(cpu, queue, again) {
            self.refill_if_due(cpu, queue);
            self.hosts[host].queues[queue as usize].waiting = 0;
        }
    }

    /// Frees one packet that was sent and lets the device's queue go on; false when none is left.
    pub(super) fn reap(&mut self, cpu: usize, queue: u32, again: Op) -> bool {
        let host = usize::from(self.cpus[cpu].host);
        let nic = usize::from(self.hosts[host].queues[queue as usize].nic);
        if self.hosts[host].nics[nic].first_queue != queue as u16 {
            return false;
        }
        let device = &mut self.hosts[host].nics[nic];
        if let Some(pkt) = device.sent.pop_front() {
            self.push(cpu, again);
            self.push(cpu, Op::act(OpKind::Free, pkt, NONE, 1));
            self.push(cpu, Op::run(Path::SkbFree, pkt, NONE, 0));
            self.push(cpu, Op::run(Path::DriverTransmitDone, pkt, NONE, 0));
            return true;
        }
        if device.in_flight < device.tx_limit
            && let Some(pkt) = device.qdisc.pop_front()
        {
            let depth = device.qdisc.len() as u32;
            if self.emit(cpu, Probe::QdiscDequeue, pkt, NONE) {
                self.record.field(Field::Depth, depth);
            }
            self.push(cpu, again);
            self.push(cpu, Op::act(OpKind::DevXmit, pkt, NONE, 0));
            return true;
        }
        false
    }

    pub(super) fn refill_if_due(&mut self, cpu: usize, queue: u32) {
        let host = usize::from(self.cpus[cpu].host);
        let state = &self.hosts[host].queues[queue as usize];
        let empty = state.empty_descriptors();
        if empty >= self.hosts[host].nics[usize::from(state.nic)].refill_after {
            self.push(cpu, Op::act(OpKind::Refill, NONE, NONE, queue));
            self.push(cpu, Op::run(Path::DriverRefill, NONE, NONE, empty));
        }
    }

    /// A descriptor gets a buffer; then the next one.
    pub(super) fn refill(&mut self, cpu: usize, queue: u32) {
        let host = usize::from(self.cpus[cpu].host);
        if self.hosts[host].queues[queue as usize].empty_descriptors() == 0 {
            return;
        }
        let pkt = self.ring_buffer(cpu);
        self.hosts[host].queues[queue as usize]
            .posted
            .push_back(pkt);
        self.push(cpu, Op::act(OpKind::Refill, NONE, NONE, queue));
        self.push_alloc(cpu, NONE, NONE);
    }

    /// A packet that has nowhere to go.
    pub(super) fn drop_packet(&mut self, cpu: usize, pkt: u32) {
        let host = usize::from(self.cpus[cpu].host);
        self.hosts[host].totals.dropped += 1;
        self.emit(cpu, Probe::KfreeSkb, pkt, NONE);
        self.free_packet(cpu, pkt);
    }

    /// An event of a device: no context, and the device's name.
    pub(super) fn emit_device(&mut self, cpu: usize, probe: Probe, pkt: u32, nic: u8) -> bool {
        if !self.emit(cpu, probe, pkt, NONE) {
            return false;
        }
        let name = self.record.device(nic);
        self.record.amend_context(Context::Unknown);
        self.record.field(Field::Dev, name);
        true
    }
}

/// One way, where the scenario says nothing: a switch and some metres of cable, in µs.
const DEFAULT_DELAY_US: u32 = 10;

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
