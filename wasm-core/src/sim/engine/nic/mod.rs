//! NICs and links: descriptors, the device's queue, the wire.
//!
//! Simplified here: one interrupt vector serves a queue's receive and transmit sides, all
//! transmit queues of a NIC are one, and a received frame takes its descriptor when it
//! arrives (chips keep it in a FIFO until the bus is free). A learner sees the same limits:
//! descriptors, bus time, frames for each interrupt.

pub(crate) mod bus;
pub(crate) mod driver;
pub(crate) mod moderation;
pub(crate) mod transmit;

use std::collections::VecDeque;

use crate::sim::cache::ObjectId;
use crate::sim::config::kernel::Per;
use crate::sim::config::machine;
use crate::sim::config::scenario::Scenario;
use crate::sim::tcp::Segment;
use crate::sim::time::SimTime;

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::code::key;
use crate::sim::engine::nic::bus::bus_of;
use crate::sim::engine::state::{Fragment, Packet};

/// Bytes of an Ethernet header: what a bus moves beside the IP packet.
pub(crate) const ETHERNET_HEADER: u32 = 14;
/// A network interface.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says whether the chip can do something"
)]
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
    /// Its bus and which input it is there; None: no bus costs anything.
    pub bus: Option<(u8, u8)>,
    /// Longest wait for an interrupt.
    pub itr_delay: SimTime,
    /// Frames that end it; 0: no limit.
    pub itr_frames: u32,
    /// Whether each frame starts that wait anew.
    pub delay_restarts: bool,
    /// Sent packets that make a cause; 0: none do.
    pub tx_frames: u32,
    /// How long that cause waits.
    pub tx_delay: SimTime,
    /// Whether the interrupt handler takes sent packets back, though the driver polls.
    pub tx_in_handler: bool,
    /// Whether only the last packet queued makes one.
    pub tx_last: bool,
    /// Packets sent since the driver looked last.
    pub unreported: u32,
    /// Whether the driver polls.
    pub napi: bool,
    /// Packets of one poll.
    pub weight: u32,
    /// Used descriptors at which it refills.
    pub refill_after: u32,
    /// Whether a tasklet does it.
    pub refill_in_tasklet: bool,
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
#[expect(clippy::struct_excessive_bools, reason = "bits of the chip")]
pub struct Queue {
    /// Its NIC.
    pub nic: u8,
    /// Its objects.
    pub objects: ObjectId,
    /// Descriptors.
    pub limit: u32,
    /// Its tasklet is scheduled.
    pub refill_waits: bool,
    /// Buffers in free descriptors.
    pub posted: VecDeque<u32>,
    /// Frames in memory that the driver has not seen.
    pub ready: VecDeque<u32>,
    /// Frames that cross the buses.
    pub in_dma: u32,
    /// A cause stands in the chip's register.
    pub has_cause: bool,
    /// The driver has turned its interrupt off.
    pub is_masked: bool,
    /// An interrupt is under way to a CPU.
    pub is_raised: bool,
    /// The handler runs.
    pub is_in_service: bool,
    /// When received frames have waited enough.
    pub rx_due: SimTime,
    /// When sent ones have.
    pub tx_due: SimTime,
    /// The moderation's next time in the heap.
    pub wakes_at: SimTime,
    /// Frames since the last interrupt.
    pub waiting: u32,
    /// The CPU that serves it where interrupts do not move, within the host.
    pub cpu: u16,
}

impl Nic {
    /// Whether a transmit descriptor is free: those of packets sent are, once the driver
    /// has cleaned them up.
    pub fn has_room(&self) -> bool {
        self.in_flight + (self.sent.len() as u32) < self.tx_limit
    }
}

impl Queue {
    /// Descriptors whose frames the driver has taken.
    pub(crate) fn empty_descriptors(&self) -> u32 {
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

impl Engine {
    /// Gives a host the NICs of its machine.
    pub(crate) fn add_nics(&mut self, host: usize, scenario: &Scenario) -> Result<(), String> {
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
        let bus = bus_of(machine, model, index)?.map(|bus| {
            let input = self.hosts[host].buses[usize::from(bus)].add_input();
            (bus, input)
        });
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
                refill_waits: false,
                posted: VecDeque::new(),
                ready: VecDeque::new(),
                in_dma: 0,
                has_cause: false,
                is_masked: false,
                is_raised: false,
                is_in_service: false,
                rx_due: SimTime::NEVER,
                tx_due: SimTime::NEVER,
                wakes_at: SimTime::NEVER,
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
        let weight = match model.napi_weight {
            0 => self.hosts[host].receive.weight,
            own => own,
        };
        self.hosts[host].nics.push(Nic {
            first_queue,
            queues: model.queues.max(1),
            peer: (1 - host as u8, 0),
            byte_fs: 8_000_000_000 / model.rate_mbit.max(1),
            delay: SimTime::from_us(u64::from(delay)),
            bus,
            itr_delay: SimTime::from_ns(
                own(settings.interrupt_delay_us).map_or(model.interrupt_delay_ns, ns),
            ),
            itr_frames: own(settings.interrupt_frames).unwrap_or(model.interrupt_frames),
            delay_restarts: model.delay_restarts,
            tx_frames: model.tx_interrupt_frames.min(model.tx_ring.div_ceil(2)),
            tx_delay: SimTime::from_ns(model.tx_interrupt_delay_ns),
            tx_in_handler: model.tx_in_handler && napi,
            tx_last: model.tx_interrupt_last,
            unreported: 0,
            napi,
            weight,
            refill_after: model.refill_after,
            refill_in_tasklet: model.refill_in_tasklet && !napi,
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
    pub(crate) fn plug(&mut self) {
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
    pub(crate) fn ring_buffer(&mut self, cpu: usize) -> u32 {
        let host = usize::from(self.cpus[cpu].host);
        let bytes = self.hosts[host].mtu + 18;
        let buffer = self.alloc_buffer(cpu, bytes);
        let packet = Packet {
            buffer,
            ..Packet::default()
        };
        self.alloc_packet(cpu, packet)
    }
}

/// One way, where the scenario says nothing: a switch and some metres of cable, in µs.
const DEFAULT_DELAY_US: u32 = 10;
