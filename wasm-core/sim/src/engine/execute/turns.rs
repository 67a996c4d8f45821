//! CPUs that take turns: an emulator that runs all of them in one thread.
//!
//! One CPU of such a host runs at a time. The others, and interrupts for them, wait until it idles, spins or
//! has used up its turn; the next in order follows. All clocks advance meanwhile, so a function whose CPU waits
//! for its turn appears long. A spinning CPU sees a free lock only in its own turn: kernels on hypervisors have
//! unfair locks (`virt_spin_lock`).
//!
//! Source: QEMU's `accel/tcg/tcg-accel-ops-rr.c: rr_cpu_thread_fn` and `tcg-accel-ops-icount.c` (`-accel
//! tcg,thread=single -icount`, 8.1 and later): a turn is a CPU's share of the time until the next timer
//! (`icount_percpu_budget`), here the kernel's tick. An interrupt for another CPU does not end the sender's
//! turn (`tcg_handle_interrupt`); one for a received frame does, as another thread of the emulator receives it
//! (`rr_kick_vcpu_thread`); and `pause` ends the turn too. Other timers of the emulator, which also end turns,
//! are not modelled.

use crate::time::SimTime;

use crate::engine::Engine;
use crate::engine::cpu::op::Op;

impl Engine {
    /// Queues an interrupt if it is not its CPU's turn; returns whether it did.
    pub fn postpones(&mut self, cpu: usize, op: Op) -> bool {
        let is_others = self.core.is_others_turn(cpu);
        if is_others {
            self.core.cpus[cpu].postponed.interrupts.push_back(op);
        }
        is_others
    }

    /// On hosts whose CPUs take turns: suspends the CPUs whose turn it is not, and starts the next one when a
    /// turn ends.
    pub fn take_turns(&mut self) {
        for host in 0..self.core.hosts.len() {
            if self.core.hosts[host].turn.is_taken {
                self.settle_turn(host);
            }
        }
    }

    fn settle_turn(&mut self, host: usize) {
        let (first, count) = (
            self.core.hosts[host].first_cpu,
            self.core.hosts[host].cpu_count,
        );
        let turn = self.core.hosts[host].turn;
        for cpu in first..first + count {
            if cpu != turn.cpu && self.core.cpus[cpu].until != SimTime::NEVER {
                self.stand_still(cpu);
            }
        }
        let is_at_work = self.core.cpus[turn.cpu].until != SimTime::NEVER;
        if is_at_work && turn.ends == SimTime::NEVER {
            self.begin_turn(host, turn.cpu);
            return;
        }
        if is_at_work && self.core.now() < turn.ends {
            return;
        }
        let local = turn.cpu - first;
        let mut after = (1..=count).map(|step| first + (local + step) % count);
        match after.find(|&cpu| self.wants_turn(cpu)) {
            Some(next) => {
                if is_at_work {
                    self.stand_still(turn.cpu);
                }
                self.begin_turn(host, next);
                self.go_on(next);
            }
            // A CPU whose turn is over runs on until another one has work.
            None if is_at_work => {}
            None => self.core.hosts[host].turn.ends = SimTime::NEVER,
        }
    }

    /// A CPU's turn begins.
    fn begin_turn(&mut self, host: usize, cpu: usize) {
        let now = self.core.now();
        let state = &mut self.core.hosts[host];
        let until_timer = state.tick.0 - now.0 % state.tick.0;
        state.turn.cpu = cpu;
        state.turn.ends = SimTime(now.0 + until_timer / state.cpu_count as u64);
    }

    /// Whether a CPU could run now: it was suspended, has an interrupt, or spins on a lock that is free.
    fn wants_turn(&mut self, cpu: usize) -> bool {
        let state = &self.core.cpus[cpu];
        let spin = state.locks.spinning[state.level].filter(|_| state.until == SimTime::NEVER);
        state.postponed.step.is_some()
            || !state.postponed.interrupts.is_empty()
            || spin.is_some_and(|spin| self.core.lock(spin.lock).holder.is_none())
    }

    fn stand_still(&mut self, cpu: usize) {
        let now = self.core.now();
        let state = &mut self.core.cpus[cpu];
        let rest = state.until.since(now);
        state.until = SimTime::NEVER;
        state.postponed.step = Some((now, rest));
    }

    fn go_on(&mut self, cpu: usize) {
        let now = self.core.now();
        // At most one step, then the event queue decides again.
        self.core.events.lookahead = now;
        self.core.count_standing(cpu);
        let state = &mut self.core.cpus[cpu];
        if let Some((_, rest)) = state.postponed.step.take() {
            state.until = SimTime(now.0 + rest.0);
            self.core.events.busy.insert(cpu);
        } else if let Some(spin) = state.locks.spinning[state.level]
            && self.core.spins_no_more(cpu, spin.lock)
        {
            self.core.begin_at_once(cpu);
        }
        for op in std::mem::take(&mut self.core.cpus[cpu].postponed.interrupts) {
            self.interrupt(cpu, op);
        }
    }
}
