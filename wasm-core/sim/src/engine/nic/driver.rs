//! The receiving side of a driver: frames in memory are found by an interrupt handler or a poll.
//!
//! Source: `drivers/net/3c59x.c: boomerang_interrupt`, `drivers/net/e1000/e1000_main.c:
//! e1000_intr, e1000_clean_rx_irq` (v2.4.17, v2.6.9).

use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
use crate::engine::ids::{NicId, QueueId};
use crate::engine::net::Net;
use crate::time::SimTime;

impl Net {
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
            self.stacks[host].nics[nic].tx.free(bytes);
            let done = Op::run(Path::DriverTransmitDone, About::skb(skb));
            core.then(cpu, [done, Op::Complete { skb }]);
        }
        self.stacks[host].nics[nic].tx.completed(core.now());
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

    /// Whether frames that a poll of this queue is to free have been sent.
    pub fn has_sent(&self, host: usize, queue: QueueId) -> bool {
        let stack = &self.stacks[host];
        let device = &stack.nics[stack.queues[queue].nic];
        let is_polled = device.first_queue == queue && !device.driver.tx_in_handler;
        is_polled && !device.tx.sent.is_empty()
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
            self.stacks[host].nics[nic].tx.free(bytes);
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
        device.tx.completed(core.now());
        if !device.tx.can_go_on(core.now()) {
            self.watch(core, cpu, nic);
            return false;
        }
        core.push(cpu, again);
        self.restart_queue(core, cpu, nic);
        true
    }
}

#[cfg(test)]
mod tests;
