//! What CPUs do: contexts that interrupt each other, and steps that take time.
//!
//! A CPU has three levels: task, softirq, hard interrupt. Each has a stack of operations, and the highest level
//! with any operation runs. A step's duration is known when it begins; an interrupt suspends it, and the rest
//! follows afterwards.
//!
//! Simplified ("the grain of time"): the effects of a step on others (a wake-up, an enqueued packet) take place at
//! its start or end, never in between; Linux interleaves by the instruction. A learner sees every cause in the right
//! order, at the grain of a kernel function.

mod copies;
mod dispatch;
pub mod faults;
mod places;
mod probes;
mod step;
mod turns;

use std::rc::Rc;

use crate::time::SimTime;
use ringside::kernel::{Context, Probe};

use super::Engine;
use super::cpu::charge::slot;
use super::cpu::code::{Code, NO_LOCK, Path, Ready};
use super::cpu::op::{About, Op};
use super::cpu::{HARD, SOFT, TASK};
use super::ids::Device;

/// The operation on top of a CPU's stacks.
#[derive(Debug, Clone, Copy)]
struct Top {
    op: Op,
    /// Whether it is on a stack of the CPU's own, not on the current task's.
    is_own: bool,
}

impl Engine {
    fn top(&self, cpu: usize) -> Option<Top> {
        let state = &self.core.cpus[cpu];
        if let Some(&op) = state.stacks[state.level].last() {
            return Some(Top { op, is_own: true });
        }
        let task = state.current_task()?;
        let &op = self.core.tasks[task].stack.last()?;
        Some(Top { op, is_own: false })
    }

    fn stack(&mut self, cpu: usize, is_own: bool) -> &mut Vec<Op> {
        let state = &mut self.core.cpus[cpu];
        match state.current {
            Some(task) if !is_own => &mut self.core.tasks[task].stack,
            _ => &mut state.stacks[state.level],
        }
    }

    /// Runs a CPU from now on until a step ends beyond the lookahead.
    pub fn advance(&mut self, cpu: usize) {
        self.core.cpus[cpu].until = SimTime::NEVER;
        self.leave_idle(cpu);
        self.core.events.busy.insert(cpu);
        let code = Rc::clone(&self.core.host_of(cpu).code);
        loop {
            let state = &mut self.core.cpus[cpu];
            if let Some(id) = state.locks.unlocks[state.level].take() {
                self.core.release(cpu, id);
            }
            if self.core.must_switch(cpu) {
                self.core.reschedule(cpu);
            }
            if self.core.may_enter_softirq(cpu) {
                self.net.enter_softirq(&mut self.core, cpu);
            }
            if self.resumes(cpu) {
                if self.can_go_on(cpu) {
                    continue;
                }
                return;
            }
            let Some(Top { op, is_own }) = self.top(cpu) else {
                if self.leave_level(cpu) {
                    continue;
                }
                return;
            };
            if let Op::Run { path, at, about } = op {
                let steps = self.steps(cpu, &code, path, about);
                if !self.run_path(cpu, path, &steps[usize::from(at)..], about, is_own) {
                    return;
                }
                continue;
            }
            self.stack(cpu, is_own).pop();
            self.dispatch(cpu, op);
            let state = &self.core.cpus[cpu];
            if state.locks.spinning[state.level].is_some() {
                return;
            }
            if state.until != SimTime::NEVER && !self.can_go_on(cpu) {
                return;
            }
        }
    }

    /// The steps of a path: the kernel's, or those of the NIC's driver.
    fn steps<'a>(&self, cpu: usize, code: &'a Code, path: Path, about: About) -> &'a [Ready] {
        if !path.is_of_driver() {
            return code.path(path);
        }
        let device = about.skb.map(|skb| self.core.skbs[skb].device);
        match (device, about.nic) {
            (Some(Device::Nic(nic)), _) | (_, Some(nic)) => {
                let stack = self.net.stack_of(&self.core, cpu);
                code.driver_path(stack.nics[nic].driver.entry, path)
            }
            _ => &[],
        }
    }

    /// Runs the remaining steps of the path on top of the stack, until another event may occur between two of
    /// them. False if a step ends beyond the lookahead, or the CPU spins.
    fn run_path(
        &mut self,
        cpu: usize,
        path: Path,
        steps: &[Ready],
        about: About,
        is_own: bool,
    ) -> bool {
        for (done, step) in (1..).zip(steps) {
            let Some(cost) = self.begin_step(cpu, step, path, about) else {
                self.skip_steps(cpu, is_own, done - 1);
                return false; // spins
            };
            let until = self.core.now() + cost;
            let events = &mut self.core.events;
            if cost.0 > 0 && until >= events.lookahead {
                self.core.cpus[cpu].until = until;
                self.skip_steps(cpu, is_own, done);
                return false;
            }
            events.now = until;
            events.steps += u64::from(cost.0 > 0);
            let state = &self.core.cpus[cpu];
            let is_interrupted = state.need_resched || state.softirq.is_pending;
            if is_interrupted || step.lock != NO_LOCK || step.unlock != NO_LOCK {
                self.skip_steps(cpu, is_own, done);
                return true;
            }
        }
        self.stack(cpu, is_own).pop();
        true
    }

    /// Advances the path on top of the stack by `steps`.
    fn skip_steps(&mut self, cpu: usize, is_own: bool, steps: u16) {
        if let Some(Op::Run { at, .. }) = self.stack(cpu, is_own).last_mut() {
            *at += steps;
        }
    }

    fn leave_idle(&mut self, cpu: usize) {
        let now = self.core.now();
        let state = &mut self.core.cpus[cpu];
        if let Some(since) = state.idle_since.take() {
            state.apic.halt_ends = None;
            state.time[slot(Context::Idle)] += now.since(since).0;
        }
    }

    /// Resumes the step in which the current task was preempted; false if there is none.
    fn resumes(&mut self, cpu: usize) -> bool {
        let now = self.core.now();
        let state = &mut self.core.cpus[cpu];
        let Some(task) = state
            .current_task()
            .filter(|_| state.stacks[TASK].is_empty())
        else {
            return false;
        };
        let task = &mut self.core.tasks[task];
        if task.rest == SimTime::ZERO {
            return false;
        }
        let rest = std::mem::take(&mut task.rest);
        let charge = task.rest_charge;
        state.in_user = task.rest_in_user;
        state.until = now + rest;
        if state.in_user {
            self.core.enter_user(cpu);
        }
        self.core.charge(cpu, charge, rest.0);
        true
    }

    /// Completes the step at once if no other event occurs before its end; returns whether it did.
    fn can_go_on(&mut self, cpu: usize) -> bool {
        let until = self.core.cpus[cpu].until;
        let events = &mut self.core.events;
        if until < events.lookahead {
            events.now = until;
            events.steps += 1;
            self.core.cpus[cpu].until = SimTime::NEVER;
            return true;
        }
        false
    }

    /// A stack is empty: continue at the next lower level, with the task's next act, or idle. False if idle.
    fn leave_level(&mut self, cpu: usize) -> bool {
        match self.core.cpus[cpu].level {
            HARD => self.leave_interrupt(cpu),
            SOFT => {
                self.net.softirq_ends(&mut self.core, cpu);
                self.core.cpus[cpu].level = TASK;
                self.level_regained(cpu)
            }
            _ => {
                let Some(task) = self.core.cpus[cpu].current else {
                    self.core.cpus[cpu].idle_since = Some(self.core.now());
                    self.core.enter_idle(cpu);
                    return false;
                };
                self.next_act(cpu, task);
                true
            }
        }
    }

    /// A hard interrupt handler returns; false if the CPU has nothing to run before the lookahead.
    fn leave_interrupt(&mut self, cpu: usize) -> bool {
        self.core.emit(cpu, Probe::IrqHandlerExit, About::NOTHING);
        let now = self.core.now();
        let state = &mut self.core.cpus[cpu];
        // Softirqs left to ksoftirqd may also run when an interrupt returns.
        state.softirq.is_deferred = false;
        state.level = if state.softirq.is_running { SOFT } else { TASK };
        let Some(op) = state.apic.pending.pop_front() else {
            return self.level_regained(cpu);
        };
        // A pending interrupt is taken as soon as interrupts are enabled: after this one's softirq, if there is
        // one, has begun (`do_IRQ`, `do_softirq`).
        if let Some(spin) = &mut state.locks.spinning[state.level] {
            spin.counted = now;
        }
        if self.core.may_enter_softirq(cpu) {
            self.net.enter_softirq(&mut self.core, cpu);
        }
        self.take_interrupt(cpu, op);
        true
    }

    /// Execution returns to a lower level: pending softirqs first, then the interrupted step.
    fn level_regained(&mut self, cpu: usize) -> bool {
        let now = self.core.now();
        let state = &mut self.core.cpus[cpu];
        let spins_for = state.locks.spinning[state.level].as_mut().map(|spin| {
            spin.counted = now;
            spin.lock
        });
        if self.core.may_enter_softirq(cpu) {
            self.net.enter_softirq(&mut self.core, cpu);
            if self.core.cpus[cpu].level == SOFT {
                return true;
            }
        }
        if let Some(id) = spins_for {
            // The lock that it spins on may be free now.
            self.core.enter_again(cpu);
            return self.core.spins_no_more(cpu, id);
        }
        let state = &mut self.core.cpus[cpu];
        let level = state.level;
        let rest = std::mem::take(&mut state.rest[level]);
        if level == TASK && self.core.must_switch(cpu) {
            let state = &self.core.cpus[cpu];
            if let Some(task) = state.current {
                let charge = state.charged[TASK];
                let task = &mut self.core.tasks[task];
                task.rest = rest;
                task.rest_in_user = state.in_user;
                task.rest_charge = charge;
                // The rest of the step is charged to the CPU on which it resumes.
                self.core.give_back(cpu, charge, rest.0);
            }
            return true;
        }
        if rest == SimTime::ZERO {
            return true;
        }
        self.core.enter_again(cpu);
        self.core.cpus[cpu].until = self.core.now() + rest;
        self.can_go_on(cpu)
    }

    /// A hard interrupt arrives; `op` is its handler.
    pub fn interrupt(&mut self, cpu: usize, op: Op) {
        if self.postpones(cpu, op) {
            return;
        }
        let state = &mut self.core.cpus[cpu];
        if state.level == HARD {
            state.apic.pending.push_back(op);
            return;
        }
        self.leave_idle(cpu);
        self.core.interrupt_step(cpu);
        self.take_interrupt(cpu, op);
        self.advance(cpu);
    }

    fn take_interrupt(&mut self, cpu: usize, op: Op) {
        self.core.cpus[cpu].level = HARD;
        self.core.emit(cpu, Probe::IrqHandlerEntry, About::NOTHING);
        let entry = Op::run(Path::IrqEntry, About::NOTHING);
        self.core.then(cpu, [entry, op]);
    }
}

#[cfg(test)]
mod tests;
