//! How long a softirq goes on: rounds of `net_rx_action`, their limits, and what they leave to
//! ksoftirqd; and the packets that were sent and wait to be freed.
//!
//! Source: `kernel/softirq.c: __do_softirq`, `net/core/dev.c: net_rx_action, net_tx_action`
//! (v2.6.12, v6.1).

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::code::Path;
use crate::sim::engine::cpu::op::{Op, OpKind};
use crate::sim::engine::state::NONE;

impl Engine {
    /// `net_rx_action` begins anew.
    pub(crate) fn begin_round(&mut self, cpu: usize, of: usize) {
        let polls = self.cpus[of].polls.len();
        let state = &mut self.cpus[cpu];
        state.softirq_work = 0;
        state.round_polls = polls;
        state.round_done = false;
        state.round_began = self.now;
    }

    /// A device has had its share of the round, or has no more packets.
    pub(crate) fn was_polled(&mut self, cpu: usize) {
        let state = &mut self.cpus[cpu];
        state.round_polls = state.round_polls.saturating_sub(1);
        state.round_done = state.round_polls == 0;
    }

    /// Timer interrupts of this host between a time and now (`jiffies`).
    fn ticks_since(&self, cpu: usize, since: crate::sim::time::SimTime) -> u64 {
        let tick = self.hosts[usize::from(self.cpus[cpu].host)].tick.0;
        self.now.0 / tick - since.0 / tick
    }

    /// Whether the round has done what it may: packets, devices, time.
    pub(crate) fn is_round_over(&self, cpu: usize) -> bool {
        let state = &self.cpus[cpu];
        let receive = &self.hosts[usize::from(state.host)].receive;
        let ticks = u64::from(receive.round_ticks);
        state.softirq_work >= receive.budget
            || receive.polls_once && state.round_done
            || ticks > 0 && self.ticks_since(cpu, state.round_began) > ticks
    }

    /// Whether no further round may begin: the rest is ksoftirqd's.
    pub(crate) fn must_leave_rest(&self, cpu: usize) -> bool {
        let state = &self.cpus[cpu];
        let receive = &self.hosts[usize::from(state.host)].receive;
        let ticks = u64::from(receive.softirq_ticks);
        state.softirq_rounds > receive.restarts
            || ticks > 0 && self.ticks_since(cpu, state.softirq_began) >= ticks
            || receive.yields_to_tasks && state.resched
    }

    /// A sent packet is taken back in the interrupt handler.
    pub(crate) fn complete(&mut self, cpu: usize, pkt: u32) {
        let state = &mut self.cpus[cpu];
        state.completions.push(pkt);
        state.softirq |= !state.in_softirq;
    }

    /// `net_tx_action`: frees what was sent, and lets queues go on that waited for descriptors.
    pub(crate) fn run_completions(&mut self, cpu: usize) {
        let list = std::mem::take(&mut self.cpus[cpu].completions);
        if let Some(&first) = list.first() {
            let nic = u32::from(self.packets[first as usize].nic);
            self.push(cpu, Op::act(OpKind::RestartQueue, NONE, NONE, nic));
        }
        for pkt in list.into_iter().rev() {
            self.push(cpu, Op::act(OpKind::Free, pkt, NONE, 1));
            self.push(cpu, Op::run(Path::SkbFree, pkt, NONE, 0));
        }
        self.push(cpu, Op::run(Path::TxCompletion, NONE, NONE, 0));
    }

    /// What waits in a device's queue goes to the driver while there are descriptors.
    pub(crate) fn let_queue_go_on(&mut self, cpu: usize, nic: u32) {
        let host = usize::from(self.cpus[cpu].host);
        let device = &self.hosts[host].nics[nic as usize];
        if device.qdisc.is_empty() || !device.has_room() {
            return;
        }
        self.push(cpu, Op::act(OpKind::RestartQueue, NONE, NONE, nic));
        self.restart_queue(cpu, nic as usize);
    }
}
