//! CPUs: contexts that interrupt each other, steps that take time, the scheduler's hand.
//!
//! A CPU has three levels: task, softirq, hard interrupt. Each has a stack of
//! operations; the highest level that has any runs. A step takes its time as a
//! whole, an interrupt in the middle stops it and it goes on afterwards.
//!
//! Simplified here: what a step does to others (a wake-up, a queue) happens at its
//! start or end, never in between; Linux interleaves by the instruction. A learner
//! sees every cause in the right order, at the grain of a kernel function.

pub(crate) mod faults;
pub(crate) mod step;
pub(crate) mod turns;

use std::rc::Rc;

use crate::kernel::{Context, Probe};
use crate::sim::time::SimTime;

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::code::{NO_LOCK, Path, Ready};
use crate::sim::engine::cpu::op::{Op, OpKind};
use crate::sim::engine::state::{HARD, NONE, SOFT, TASK};

impl Engine {
    /// Pushes an operation on the stack of what runs on this CPU.
    #[inline]
    pub(crate) fn push(&mut self, cpu: usize, op: Op) {
        let state = &mut self.cpus[cpu];
        match state.level {
            TASK if state.current != NONE => {
                self.tasks[state.current as usize].stack.push(op);
            }
            level => state.stacks[level].push(op),
        }
    }

    fn top(&self, cpu: usize) -> Option<(Op, bool)> {
        let state = &self.cpus[cpu];
        if let Some(&op) = state.stacks[state.level].last() {
            return Some((op, true));
        }
        if state.level == TASK && state.current != NONE {
            let task = &self.tasks[state.current as usize];
            return task.stack.last().map(|&op| (op, false));
        }
        None
    }

    fn stack(&mut self, cpu: usize, is_own: bool) -> &mut Vec<Op> {
        let state = &mut self.cpus[cpu];
        if is_own {
            let level = state.level;
            &mut state.stacks[level]
        } else {
            &mut self.tasks[state.current as usize].stack
        }
    }

    /// Lets a CPU run from now on until its next step ends beyond the horizon.
    pub(crate) fn advance(&mut self, cpu: usize) {
        self.cpus[cpu].until = SimTime::NEVER;
        self.leave_idle(cpu);
        self.busy.insert(cpu);
        let code = Rc::clone(&self.hosts[usize::from(self.cpus[cpu].host)].code);
        loop {
            let level = self.cpus[cpu].level;
            if let Some(id) = self.cpus[cpu].unlocks[level].take() {
                self.release(cpu, id);
            }
            if self.must_switch(cpu) {
                self.reschedule(cpu);
            }
            if self.cpus[cpu].softirq && self.can_enter_softirq(cpu) {
                self.enter_softirq(cpu);
            }
            if self.resumes(cpu) {
                if self.can_go_on(cpu) {
                    continue;
                }
                return;
            }
            let Some((op, is_own)) = self.top(cpu) else {
                if self.leave_level(cpu) {
                    continue;
                }
                return;
            };
            let OpKind::Run(path) = op.act else {
                self.stack(cpu, is_own).pop();
                self.perform(cpu, op);
                let state = &self.cpus[cpu];
                if state.spinning[state.level].is_some() {
                    return;
                }
                if state.until != SimTime::NEVER {
                    if self.can_go_on(cpu) {
                        continue;
                    }
                    return;
                }
                continue;
            };
            if !self.run_path(cpu, path, &code.paths[path as usize], op, is_own) {
                return;
            }
        }
    }

    /// Runs the rest of a path, the operation on top, as far as nothing can come between its
    /// steps. False when a step ends beyond the horizon, or spins.
    fn run_path(
        &mut self,
        cpu: usize,
        path: Path,
        steps: &[Ready],
        mut op: Op,
        is_own: bool,
    ) -> bool {
        while let Some(step) = steps.get(usize::from(op.at)) {
            let Some(cost) = self.begin_step(cpu, step, path, op) else {
                self.stay_at(cpu, is_own, op.at);
                return false; // spins
            };
            op.at += 1;
            let until = self.now + cost;
            if cost.0 > 0 && until >= self.horizon {
                self.cpus[cpu].until = until;
                self.stay_at(cpu, is_own, op.at);
                return false;
            }
            self.now = until;
            self.steps += u64::from(cost.0 > 0);
            let state = &self.cpus[cpu];
            if state.resched || state.softirq || step.lock != NO_LOCK || step.unlock != NO_LOCK {
                self.stay_at(cpu, is_own, op.at);
                return true;
            }
        }
        self.stack(cpu, is_own).pop();
        true
    }

    /// The operation on top goes on with this step.
    fn stay_at(&mut self, cpu: usize, is_own: bool, step: u16) {
        if let Some(top) = self.stack(cpu, is_own).last_mut() {
            top.at = step;
        }
    }

    fn leave_idle(&mut self, cpu: usize) {
        let state = &mut self.cpus[cpu];
        if let Some(since) = state.idle_since.take() {
            state.time[slot(Context::Idle)] += self.now.since(since).0;
        }
    }

    /// Whether the current task goes on in the step in which it lost its CPU.
    fn resumes(&mut self, cpu: usize) -> bool {
        let state = &mut self.cpus[cpu];
        if state.level != TASK || state.current == NONE || !state.stacks[TASK].is_empty() {
            return false;
        }
        let task = &mut self.tasks[state.current as usize];
        if task.rest == SimTime::ZERO {
            return false;
        }
        let rest = std::mem::take(&mut task.rest);
        let charge = task.rest_charge;
        state.in_user = task.rest_in_user;
        state.until = self.now + rest;
        if state.in_user {
            self.enter_user(cpu);
        }
        self.charge(cpu, charge, rest.0);
        true
    }

    /// Goes on at once when nothing else happens before the step ends.
    fn can_go_on(&mut self, cpu: usize) -> bool {
        let until = self.cpus[cpu].until;
        if until < self.horizon {
            self.now = until;
            self.cpus[cpu].until = SimTime::NEVER;
            self.steps += 1;
            return true;
        }
        false
    }

    /// A stack is empty: go down a level, take the next act, or idle. False when idle.
    fn leave_level(&mut self, cpu: usize) -> bool {
        let level = self.cpus[cpu].level;
        match level {
            HARD => {
                self.emit(cpu, Probe::IrqHandlerExit, NONE, NONE);
                // Whatever was left to ksoftirqd may go on behind an interrupt.
                self.cpus[cpu].is_deferred = false;
                self.cpus[cpu].level = if self.cpus[cpu].in_softirq {
                    SOFT
                } else {
                    TASK
                };
                if let Some(op) = self.cpus[cpu].apic.pending.pop_front() {
                    // The next one comes as soon as interrupts are on again: behind this one's
                    // softirq, if there is one, has begun (`do_IRQ`, `do_softirq`).
                    let now = self.now;
                    let state = &mut self.cpus[cpu];
                    if let Some(spin) = &mut state.spinning[state.level] {
                        spin.counted = now;
                    }
                    if self.can_enter_softirq(cpu) {
                        self.enter_softirq(cpu);
                    }
                    self.take_interrupt(cpu, op);
                    return true;
                }
                self.level_regained(cpu)
            }
            SOFT => {
                self.softirq_ends(cpu);
                self.cpus[cpu].level = TASK;
                self.level_regained(cpu)
            }
            _ => {
                let current = self.cpus[cpu].current;
                if current == NONE {
                    self.cpus[cpu].idle_since = Some(self.now);
                    self.enter_idle(cpu);
                    return false;
                }
                self.next_act(cpu, current);
                true
            }
        }
    }

    /// Back at a lower level: pending softirqs first, then the interrupted step goes on.
    fn level_regained(&mut self, cpu: usize) -> bool {
        let now = self.now;
        let state = &mut self.cpus[cpu];
        let spins_for = state.spinning[state.level].as_mut().map(|spin| {
            spin.counted = now;
            spin.lock
        });
        if self.can_enter_softirq(cpu) {
            self.enter_softirq(cpu);
            if self.cpus[cpu].level == SOFT {
                return true;
            }
        }
        if let Some(id) = spins_for {
            // It may find the lock free now.
            self.enter_again(cpu);
            return self.spins_no_more(cpu, id);
        }
        let state = &mut self.cpus[cpu];
        let level = state.level;
        let rest = std::mem::take(&mut state.rest[level]);
        if level == TASK && self.must_switch(cpu) {
            let current = self.cpus[cpu].current;
            if current != NONE {
                let state = &self.cpus[cpu];
                let charge = state.charged[TASK];
                let task = &mut self.tasks[current as usize];
                task.rest = rest;
                task.rest_in_user = state.in_user;
                task.rest_charge = charge;
                // The rest of the step is time of the CPU on which it goes on.
                self.give_back(cpu, charge, rest.0);
            }
            return true;
        }
        if rest == SimTime::ZERO {
            return true;
        }
        self.enter_again(cpu);
        self.cpus[cpu].until = self.now + rest;
        self.can_go_on(cpu)
    }

    /// A hard interrupt arrives; `op` is what its handler does.
    pub(crate) fn interrupt(&mut self, cpu: usize, op: Op) {
        if self.postpones(cpu, op) {
            return;
        }
        if self.cpus[cpu].level == HARD {
            self.cpus[cpu].apic.pending.push_back(op);
            return;
        }
        self.leave_idle(cpu);
        let level = self.cpus[cpu].level;
        self.interrupt_step(cpu, level);
        self.take_interrupt(cpu, op);
        self.advance(cpu);
    }

    fn take_interrupt(&mut self, cpu: usize, op: Op) {
        self.cpus[cpu].level = HARD;
        self.emit(cpu, Probe::IrqHandlerEntry, NONE, NONE);
        self.push(cpu, op);
        self.push(cpu, Op::run(Path::IrqEntry, NONE, NONE, 0));
    }

    pub(crate) fn interrupt_step(&mut self, cpu: usize, level: usize) {
        let now = self.now;
        self.count_spinning(cpu, level);
        let state = &mut self.cpus[cpu];
        if state.until != SimTime::NEVER && level < HARD {
            state.rest[level] = state.until.since(now);
            state.until = SimTime::NEVER;
        }
    }
}

/// Where a context's time is kept.
pub(crate) const fn slot(context: Context) -> usize {
    match context {
        Context::Unknown | Context::Idle => 0,
        Context::User => 1,
        Context::Kernel => 2,
        Context::Softirq => 3,
        Context::Hardirq | Context::Nmi => 4,
        Context::Spinning => 5,
    }
}
