//! How long a softirq runs: the limits of `net_rx_action`, restarts of `__do_softirq`,
//! and what they leave to ksoftirqd; and the freeing of transmitted packets.
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
    /// Leaves the rest of a softirq to ksoftirqd. The rest may also run after the next interrupt,
    /// and when a task enables bottom halves; in a kernel without ksoftirqd, only then.
    pub fn defer_softirq(&mut self, cpu: usize) {
        let softirq = &mut self.cpus[cpu].softirq;
        softirq.is_deferred = true;
        if let Some(daemon) = softirq.daemon {
            self.wake(cpu, daemon, None, false);
        }
    }

    /// Whether softirqs may start on a CPU now: there are some, nothing keeps bottom halves off, and they are not
    /// `ksoftirqd`'s (`ksoftirqd_running`).
    pub fn may_enter_softirq(&self, cpu: usize) -> bool {
        let state = &self.cpus[cpu];
        let softirq = &state.softirq;
        let waits = softirq.waits_for_daemon
            && softirq.daemon.is_some_and(|daemon| {
                state.current != Some(daemon) && !self.tasks[daemon].is_asleep
            });
        state.can_enter_softirq() && !waits
    }

    /// `local_bh_enable`: with the outermost call, softirqs that were raised or deferred may run.
    pub fn enable_bottom_halves(&mut self, cpu: usize) {
        let softirq = &mut self.cpus[cpu].softirq;
        softirq.count -= 1;
        softirq.is_deferred &= softirq.count > 0;
    }

    /// Ticks of the host's timer since a time (a difference of `jiffies`).
    fn ticks_since(&self, cpu: usize, since: SimTime) -> u64 {
        let tick = self.host_of(cpu).tick.0;
        self.now().0 / tick - since.0 / tick
    }
}

impl Net {
    /// Begins a call of `net_rx_action`: its budget, its list of devices and its start time.
    pub fn begin_round(&mut self, core: &Core, cpu: usize, of: usize) {
        self.softnet[cpu].round = Round {
            work: 0,
            left: self.softnet[of].polls.len(),
            is_done: false,
            began: core.now(),
        };
    }

    /// Whether `net_rx_action` has to return: its budget of packets is spent, each
    /// device was polled once (where the kernel stops then), or its time is over.
    pub fn is_round_over(&self, core: &Core, cpu: usize) -> bool {
        let receive = &self.stack_of(core, cpu).receive;
        let round = &self.softnet[cpu].round;
        let ticks = u64::from(receive.round_ticks);
        receive.budget > 0 && round.work >= receive.budget
            || receive.polls_once && round.is_done
            || ticks > 0 && core.ticks_since(cpu, round.began) > ticks
    }

    /// Whether ksoftirqd gets the rest, after too many restarts of `__do_softirq`
    /// (`MAX_SOFTIRQ_RESTART`), too much time (`MAX_SOFTIRQ_TIME`), or because a task should run.
    pub fn must_leave_rest(&self, core: &Core, cpu: usize) -> bool {
        let state = &core.cpus[cpu];
        let receive = &self.stacks[state.host].receive;
        let ticks = u64::from(receive.softirq_ticks);
        state.softirq.rounds >= receive.softirq_rounds
            || ticks > 0 && core.ticks_since(cpu, state.softirq.began) >= ticks
            || receive.yields_to_tasks && state.need_resched
    }

    /// TX completion in the interrupt handler: leaves a transmitted
    /// packet to `net_tx_action` (`dev_kfree_skb_irq`).
    pub fn complete(&mut self, core: &mut Core, cpu: usize, skb: SkbId) {
        self.softnet[cpu].completions.push(skb);
        let softirq = &mut core.cpus[cpu].softirq;
        softirq.is_pending |= !softirq.is_running;
    }

    /// `net_tx_action`: frees transmitted packets, and restarts
    /// a queue that may have waited for their descriptors.
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
