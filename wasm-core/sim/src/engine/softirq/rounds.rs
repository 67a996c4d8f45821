//! How long a softirq goes on: rounds of `net_rx_action`, their limits, and what they leave to
//! ksoftirqd; and the packets that were sent and wait to be freed.
//!
//! Source: `kernel/softirq.c: __do_softirq`, `net/core/dev.c: net_rx_action, net_tx_action`
//! (v2.6.12, v6.1).

use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
use crate::engine::ids::{Device, SkbId};
use crate::engine::net::Net;
use crate::time::SimTime;

use crate::engine::softnet::Round;

impl Core {
    /// What is left of a softirq is ksoftirqd's. It may go on behind the next interrupt too, and when a task lets
    /// bottom halves run again; where there is no ksoftirqd it does only then.
    pub fn defer_softirq(&mut self, cpu: usize) {
        let softirq = &mut self.cpus[cpu].softirq;
        softirq.is_deferred = true;
        if let Some(daemon) = softirq.daemon {
            self.wake(cpu, daemon, None, false);
        }
    }

    /// `local_bh_enable`: what was raised or left runs when the last holder lets bottom halves run again.
    pub fn enable_bottom_halves(&mut self, cpu: usize) {
        let softirq = &mut self.cpus[cpu].softirq;
        softirq.count -= 1;
        softirq.is_deferred &= softirq.count > 0;
    }

    /// Timer interrupts of a CPU's host between a time and now (`jiffies`).
    fn ticks_since(&self, cpu: usize, since: SimTime) -> u64 {
        let tick = self.host_of(cpu).tick.0;
        self.now().0 / tick - since.0 / tick
    }
}

impl Net {
    /// `net_rx_action` begins anew.
    pub fn begin_round(&mut self, core: &Core, cpu: usize, of: usize) {
        self.softnet[cpu].round = Round {
            work: 0,
            left: self.softnet[of].polls.len(),
            is_done: false,
            began: core.now(),
        };
    }

    /// Whether the round has done what it may: packets, devices, time.
    pub fn is_round_over(&self, core: &Core, cpu: usize) -> bool {
        let receive = &self.stacks[core.cpus[cpu].host].receive;
        let round = &self.softnet[cpu].round;
        let ticks = u64::from(receive.round_ticks);
        receive.budget > 0 && round.work >= receive.budget
            || receive.polls_once && round.is_done
            || ticks > 0 && core.ticks_since(cpu, round.began) > ticks
    }

    /// Whether no further round may begin: the rest is ksoftirqd's.
    pub fn must_leave_rest(&self, core: &Core, cpu: usize) -> bool {
        let state = &core.cpus[cpu];
        let receive = &self.stacks[state.host].receive;
        let ticks = u64::from(receive.softirq_ticks);
        state.softirq.rounds >= receive.softirq_rounds
            || ticks > 0 && core.ticks_since(cpu, state.softirq.began) >= ticks
            || receive.yields_to_tasks && state.need_resched
    }

    /// A sent packet is taken back in the interrupt handler.
    pub fn complete(&mut self, core: &mut Core, cpu: usize, skb: SkbId) {
        self.softnet[cpu].completions.push(skb);
        let softirq = &mut core.cpus[cpu].softirq;
        softirq.is_pending |= !softirq.is_running;
    }

    /// `net_tx_action`: frees what was sent, and lets queues go on that waited for descriptors.
    pub fn run_completions(&mut self, core: &mut Core, cpu: usize) {
        let list = std::mem::take(&mut self.softnet[cpu].completions);
        let restart = list
            .first()
            .and_then(|&first| match core.skbs[first].device {
                Device::Nic(nic) => Some(Op::RestartQueue { nic }),
                Device::Loopback => None,
            });
        let complete = Op::run(Path::TxCompletion, About::NOTHING);
        let frees = list.into_iter().flat_map(|skb| {
            let free = Op::run(Path::SkbFree, About::skb(skb));
            [free, Op::Free { skb }]
        });
        let ops = std::iter::once(complete).chain(frees).chain(restart);
        core.then(cpu, ops);
    }
}

#[cfg(test)]
mod tests;
