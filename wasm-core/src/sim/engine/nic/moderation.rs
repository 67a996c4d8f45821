//! When a NIC interrupts, and which CPU.
//!
//! A chip notes a cause (a frame received, a frame sent) and may keep it back for a time or
//! a number of frames. It interrupts when a cause stands and neither an interrupt is under
//! way nor the driver at work: a level-triggered line stays masked until the handler ends.
//!
//! Source: Intel 8254x Software Developer's Manual, section 3.2.7 (RDTR, TIDV, RDMTS);
//! `arch/i386/kernel/io_apic.c` (v2.4).

use std::collections::VecDeque;

use crate::kernel::{Field, Probe};
use crate::sim::config::machine::Routing;
use crate::sim::time::SimTime;

use crate::sim::engine::cpu::op::Op;
use crate::sim::engine::setup::host::Host;
use crate::sim::engine::state::NONE;
use crate::sim::engine::{Engine, Happening};

/// A CPU's local interrupt controller.
#[derive(Debug, Clone, Default)]
pub struct Apic {
    /// Interrupts of NICs that wait until the CPU takes them (IRR).
    pub requested: u32,
    /// When it last sent something on the bus that all share.
    pub last_sent: SimTime,
    /// Interrupts that came while another one was in service.
    pub pending: VecDeque<Op>,
}

impl Engine {
    /// A frame was received, or one was sent that a NIC without a rule of its own for those
    /// tells in the same way.
    pub(crate) fn cause(&mut self, host: usize, queue: u16) {
        let now = self.now;
        let Host { queues, nics, .. } = &mut self.hosts[host];
        let state = &mut queues[usize::from(queue)];
        state.waiting += 1;
        let (waiting, nic, cpu) = (state.waiting, state.nic, state.cpu);
        let device = &nics[usize::from(nic)];
        let (delay, frames, restarts) =
            (device.itr_delay, device.itr_frames, device.delay_restarts);
        if !restarts && (state.is_masked || state.is_raised) {
            // Whoever comes will find it.
            return;
        }
        // A ring half empty does not wait (RDMTS).
        let is_short = restarts && state.posted.len() as u32 * 2 <= state.limit;
        if delay == SimTime::ZERO || (frames > 0 && waiting >= frames) || is_short {
            self.note(host, queue);
        } else if restarts || state.rx_due == SimTime::NEVER {
            let due = now + delay;
            self.hosts[host].queues[usize::from(queue)].rx_due = due;
            self.arm_moderation(host, queue);
            let cpu = self.hosts[host].first_cpu + usize::from(cpu);
            if self.emit_device(cpu, Probe::RxItr, NONE, nic) {
                self.record.field(Field::Waited, delay.nanos().0 as u32);
                self.record.field(Field::Depth, waiting);
            }
        }
    }

    /// A packet was sent: tell the driver now, later, or with something else.
    pub(crate) fn cause_sent(&mut self, host: usize, nic: usize, pkt: u32) {
        let device = &mut self.hosts[host].nics[nic];
        device.unreported += 1;
        let (queue, frames, delay) = (device.first_queue, device.tx_frames, device.tx_delay);
        let is_stuck = device.in_flight == 0 && !device.qdisc.is_empty();
        let restarts = device.delay_restarts;
        if device.tx_in_handler {
            // Polling masks what was received only.
            let state = &mut self.hosts[host].queues[usize::from(queue)];
            state.has_cause = true;
            if !state.is_raised {
                self.raise(host, queue);
            }
            return;
        }
        if device.tx_last {
            // Those before had their interrupt taken back when the next one was queued.
            if device.in_flight == 0 {
                self.cause(host, queue);
            }
            return;
        }
        let packet = &self.packets[pkt as usize];
        if frames == 0 {
            // Only somebody who waits for the memory makes it urgent.
            let is_urgent = packet.is_udp
                || device.sent.len() as u32 * 4 >= device.tx_limit
                || !device.qdisc.is_empty();
            if is_urgent {
                self.cause(host, queue);
            }
            return;
        }
        let is_idle = device.in_flight == 0;
        if device.unreported >= frames {
            if delay == SimTime::ZERO && !restarts {
                self.cause(host, queue);
            } else if delay == SimTime::ZERO {
                self.note(host, queue);
            } else {
                let due = self.now + delay;
                let state = &mut self.hosts[host].queues[usize::from(queue)];
                if restarts || state.tx_due == SimTime::NEVER {
                    state.tx_due = due;
                    self.arm_moderation(host, queue);
                }
            }
        } else if is_stuck || (is_idle && self.is_sender_full(pkt)) {
            // The last frame is out and somebody waits (TXQE).
            self.note(host, queue);
        }
    }

    /// Whether the sender of a datagram has to wait until it is freed.
    fn is_sender_full(&self, pkt: u32) -> bool {
        let packet = &self.packets[pkt as usize];
        if !packet.is_udp {
            return false;
        }
        let socket = &self.sockets[packet.from as usize];
        socket.in_transit >= self.hosts[usize::from(socket.host)].datagram_send_buffer
    }

    /// A cause stands in the chip's register: it interrupts if it may.
    pub(crate) fn note(&mut self, host: usize, queue: u16) {
        let state = &mut self.hosts[host].queues[usize::from(queue)];
        state.has_cause = true;
        if !state.is_masked && !state.is_raised && !state.is_in_service {
            self.raise(host, queue);
        }
    }

    /// Has the moderation's next time in the heap.
    fn arm_moderation(&mut self, host: usize, queue: u16) {
        let state = &mut self.hosts[host].queues[usize::from(queue)];
        let due = state.rx_due.min(state.tx_due);
        if due < state.wakes_at {
            state.wakes_at = due;
            self.at(due, Happening::Moderation(host as u8, queue));
        }
    }

    /// A moderation timer fires, unless it was started anew meanwhile.
    pub(crate) fn moderation(&mut self, host: usize, queue: u16) {
        let now = self.now;
        let state = &mut self.hosts[host].queues[usize::from(queue)];
        if state.wakes_at != now {
            return;
        }
        state.wakes_at = SimTime::NEVER;
        let mut fires = false;
        for due in [&mut state.rx_due, &mut state.tx_due] {
            if *due <= now {
                *due = SimTime::NEVER;
                fires = true;
            }
        }
        if fires {
            self.note(host, queue);
        }
        self.arm_moderation(host, queue);
    }

    /// The interrupt goes to a CPU.
    pub(crate) fn raise(&mut self, host: usize, queue: u16) {
        let cpu = self.route(host, queue);
        let nic = self.hosts[host].queues[usize::from(queue)].nic;
        let device = &self.hosts[host].nics[usize::from(nic)];
        let (has_timer, restarts) = (device.itr_delay != SimTime::ZERO, device.delay_restarts);
        let state = &mut self.hosts[host].queues[usize::from(queue)];
        state.is_raised = true;
        if !restarts {
            state.rx_due = SimTime::NEVER;
        }
        let waiting = std::mem::take(&mut state.waiting);
        if has_timer && self.emit_device(cpu, Probe::RxItr, NONE, nic) {
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
            Routing::LowestPriority => {
                let rank = |cpu: &usize| {
                    (
                        self.cpus[*cpu].apic.requested,
                        self.cpus[*cpu].apic.last_sent,
                    )
                };
                let chosen = (first..first + count).min_by_key(rank).unwrap_or(first);
                self.cpus[chosen].apic.requested += 1;
                chosen
            }
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
}
