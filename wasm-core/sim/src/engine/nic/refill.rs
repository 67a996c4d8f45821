//! The driver gives the chip new buffers: when so many descriptors are used, at once or in a tasklet.
//!
//! Source: `drivers/net/e1000/e1000_main.c: e1000_alloc_rx_buffers` (v2.6.9); a tasklet does it where the machine file says so
//! (`refill_in_tasklet`).

use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
use crate::engine::ids::QueueId;
use crate::engine::memory::skbuff::RxBuffer;
use crate::engine::net::Net;

impl Net {
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
}
