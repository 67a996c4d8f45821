//! CPUs that take turns: an emulator that runs all of them in one thread.
//!
//! One CPU of such a host works at a time. Another one, and an interrupt for it, waits until
//! this one idles or spins or has had its turn; the next in order follows. All clocks go on
//! meanwhile, so a function that waits for its CPU's turn looks long. A CPU that spins sees a
//! free lock only in its own turn: kernels on hypervisors have unfair locks (`virt_spin_lock`).
//!
//! Source: QEMU's `accel/tcg/tcg-accel-ops-rr.c: rr_cpu_thread_fn` and `tcg-accel-ops-icount.c`
//! (`-accel tcg,thread=single -icount`): a turn is a CPU's part of the time until the next
//! timer, an interrupt for another CPU does not end the turn of the one that sends it
//! (`tcg_handle_interrupt`), and `pause` hands it on.

use std::collections::VecDeque;

use crate::sim::time::SimTime;

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::op::Op;

/// Whose turn it is on a host.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    /// How far the timers are apart that end turns; zero: CPUs work side by side.
    pub timer: SimTime,
    /// The CPU, among those of all hosts.
    pub cpu: usize,
    /// When its turn is over.
    pub ends: SimTime,
}

/// What a CPU does when its turn comes.
#[derive(Debug, Clone, Default)]
pub struct Postponed {
    /// The step under way: since when it stands still, and what is left of it.
    pub step: Option<(SimTime, SimTime)>,
    /// Interrupts that came meanwhile.
    pub interrupts: VecDeque<Op>,
}

impl Engine {
    /// Whether a CPU has to wait because it is another one's turn.
    pub(crate) fn is_others_turn(&self, cpu: usize) -> bool {
        let turn = self.hosts[usize::from(self.cpus[cpu].host)].turn;
        turn.timer != SimTime::ZERO && turn.cpu != cpu
    }

    /// Whether an interrupt has to wait until its CPU's turn comes.
    pub(crate) fn postpones(&mut self, cpu: usize, op: Op) -> bool {
        let is_others = self.is_others_turn(cpu);
        if is_others {
            self.cpus[cpu].postponed.interrupts.push_back(op);
        }
        is_others
    }

    /// Hosts whose CPUs take turns: those that are not to work stand still, and the next one
    /// goes on where the last one is done.
    pub(crate) fn take_turns(&mut self) {
        for host in 0..self.hosts.len() {
            if self.hosts[host].turn.timer != SimTime::ZERO {
                self.settle_turn(host);
            }
        }
    }

    fn settle_turn(&mut self, host: usize) {
        let (first, count) = (self.hosts[host].first_cpu, self.hosts[host].cpu_count);
        let turn = self.hosts[host].turn;
        for cpu in first..first + count {
            if cpu != turn.cpu && self.cpus[cpu].until != SimTime::NEVER {
                self.stand_still(cpu);
            }
        }
        if self.cpus[turn.cpu].until != SimTime::NEVER && self.now < turn.ends {
            return;
        }
        let local = turn.cpu - first;
        let mut after = (1..=count).map(|step| first + (local + step) % count);
        let Some(next) = after.find(|&cpu| self.wants_turn(cpu)) else {
            return;
        };
        if self.cpus[turn.cpu].until != SimTime::NEVER {
            self.stand_still(turn.cpu);
        }
        let timer = self.hosts[host].turn.timer.0;
        let turn = &mut self.hosts[host].turn;
        turn.cpu = next;
        turn.ends = SimTime(self.now.0 + (timer - self.now.0 % timer) / count as u64);
        self.go_on(next);
    }

    /// Whether a CPU could go on now: one that spins finds its lock free.
    fn wants_turn(&mut self, cpu: usize) -> bool {
        let state = &self.cpus[cpu];
        let spin = state.spinning[state.level].filter(|_| state.until == SimTime::NEVER);
        state.postponed.step.is_some()
            || !state.postponed.interrupts.is_empty()
            || spin.is_some_and(|spin| self.lock(spin.lock).holder.is_none())
    }

    fn stand_still(&mut self, cpu: usize) {
        let now = self.now;
        let state = &mut self.cpus[cpu];
        let rest = state.until.since(now);
        state.until = SimTime::NEVER;
        state.postponed.step = Some((now, rest));
    }

    fn go_on(&mut self, cpu: usize) {
        let now = self.now;
        // One step at most, then the order of all that happens decides again.
        self.horizon = now;
        self.count_standing(cpu);
        let state = &mut self.cpus[cpu];
        if let Some((_, rest)) = state.postponed.step.take() {
            state.until = SimTime(now.0 + rest.0);
            self.busy.insert(cpu);
        } else if let Some(spin) = state.spinning[state.level]
            && self.spins_no_more(cpu, spin.lock)
        {
            self.begin_at_once(cpu);
        }
        for op in std::mem::take(&mut self.cpus[cpu].postponed.interrupts) {
            self.interrupt(cpu, op);
        }
    }
}
