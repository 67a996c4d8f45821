//! CPUs that take turns: an emulator that runs all of them in one thread.
//!
//! One CPU of such a host works at a time. Another one, and an interrupt for it, waits until
//! this one idles or spins or has had its turn; the next in order follows. All clocks go on
//! meanwhile, so a function that waits for its CPU's turn looks long. A CPU that spins sees a
//! free lock only in its own turn: kernels on hypervisors have unfair locks (`virt_spin_lock`).
//!
//! Source: QEMU's `accel/tcg/tcg-accel-ops-rr.c: rr_cpu_thread_fn` and `tcg-accel-ops-icount.c`
//! (`-accel tcg,thread=single -icount`, 8.1 and later): a turn is a CPU's part of the time until the
//! next timer (`icount_percpu_budget`), here that of the kernel's tick, an interrupt for another CPU does not end the turn of the one that sends it
//! (`tcg_handle_interrupt`), one of a frame that comes does, as another thread of the emulator receives
//! it (`rr_kick_vcpu_thread`), and `pause` hands it on. The emulator has other timers than ticks, which
//! end turns too; they are not modelled.

use crate::time::SimTime;

use crate::engine::Engine;
use crate::engine::cpu::op::Op;

impl Engine {
    /// Whether an interrupt has to wait until its CPU's turn comes.
    pub fn postpones(&mut self, cpu: usize, op: Op) -> bool {
        let is_others = self.core.is_others_turn(cpu);
        if is_others {
            self.core.cpus[cpu].postponed.interrupts.push_back(op);
        }
        is_others
    }

    /// Hosts whose CPUs take turns: those that are not to work stand still, and the next one
    /// goes on where the last one is done.
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
            // A CPU whose turn is over runs on until another one has something to do.
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

    /// Whether a CPU could go on now: one that spins finds its lock free.
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
        // One step at most, then the order of all that happens decides again.
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
