//! The scheduler's hand on the CPUs: who runs next, and who is woken where.
//!
//! Source: `kernel/sched.c: schedule, try_to_wake_up` (v2.4 and v2.6). Which task is
//! chosen is the business of [`crate::sim::sched`].

use crate::kernel::{Field, Pid, Probe};
use crate::sim::time::SimTime;

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::code::Path;
use crate::sim::engine::cpu::op::Op;
use crate::sim::engine::state::{NONE, TASK};

impl Engine {
    pub(crate) fn must_switch(&self, cpu: usize) -> bool {
        let state = &self.cpus[cpu];
        if !state.resched || state.level != TASK || !state.stacks[TASK].is_empty() {
            return false;
        }
        if state.current == NONE {
            return true;
        }
        let task = &self.tasks[state.current as usize];
        let at_user = task.stack.is_empty() || state.in_user || task.rest_in_user;
        state.spinning[TASK].is_none()
            && state.held == 0
            && state.bh_off == 0
            && (at_user || self.hosts[usize::from(state.host)].is_preemptible)
    }

    /// Chooses the CPU's task anew; the cost of choosing and switching comes first.
    pub(crate) fn reschedule(&mut self, cpu: usize) {
        let before = self.cpus[cpu].current;
        let (host, local) = (usize::from(self.cpus[cpu].host), self.cpus[cpu].local);
        let first = self.hosts[host].first_cpu;
        let pick = self.hosts[host].scheduler.pick(local, self.now);
        let after = pick
            .task
            .map_or(NONE, |task| self.hosts[host].task_of[task.0 as usize]);
        if let Some(other) = pick.reschedule.filter(|&other| other != local) {
            self.reschedule_other(cpu, first + usize::from(other));
        }
        let state = &mut self.cpus[cpu];
        state.resched = false;
        if after != before {
            state.current = after;
            let is_runnable = before != NONE && !self.tasks[before as usize].is_asleep;
            self.switched(cpu, before, after, is_runnable);
            let state = &mut self.cpus[cpu];
            state.stacks[TASK].push(Op::run(Path::ContextSwitch, NONE, NONE, 0));
        }
        if pick.recalculated > 0 || pick.reschedule.is_some() {
            self.tell_queues(host);
        } else {
            self.tell_queue(cpu);
        }
        if before != NONE || after != NONE {
            let op = Op::run(Path::Schedule, NONE, NONE, pick.scanned);
            self.cpus[cpu].stacks[TASK].push(op);
        }
    }

    fn switched(&mut self, cpu: usize, before: u32, after: u32, is_runnable: bool) {
        if after != NONE {
            self.tasks[after as usize].cpu = cpu as u16;
        }
        let (host, local) = (usize::from(self.cpus[cpu].host), self.cpus[cpu].local);
        self.hosts[host].totals.switches += 1;
        if self.emit(cpu, Probe::SchedSwitch, NONE, NONE) {
            let state = self.record.state_name(is_runnable);
            self.record.field(Field::PrevPid, pid(before).0);
            self.record.field(Field::PrevState, state);
            self.record.field(Field::NextPid, pid(after).0);
        }
        if after != NONE && self.emit(cpu, Probe::TimeSlice, NONE, NONE) {
            let id = self.tasks[after as usize].id;
            let left = self.hosts[host].scheduler.slice_left(id).us();
            self.record.field(Field::TargetPid, pid(after).0);
            self.record.field(Field::Slice, left as u32);
        }
        if self.emit(cpu, Probe::RunQueue, NONE, NONE) {
            let waiting = self.hosts[host].scheduler.waiting(local);
            self.record.field(Field::Depth, waiting);
        }
    }

    /// Tells another CPU to choose a task.
    fn reschedule_other(&mut self, cpu: usize, target: usize) {
        self.cpus[target].resched = true;
        let host = &self.hosts[usize::from(self.cpus[target].host)];
        if self.cpus[target].current == NONE && host.machine.processors.idle_polls {
            let cache = &host.machine.cache;
            let line = u64::from(cache.transfer_read_cycles) * host.code.cycle;
            self.at(
                self.now + SimTime(line),
                crate::sim::engine::Happening::Poll(target as u16),
            );
            return;
        }
        let delay = SimTime::from_ns(host.machine.processors.ipi_ns);
        self.cpus[cpu].apic.last_sent = self.now;
        self.at(
            self.now + delay,
            crate::sim::engine::Happening::Ipi(target as u16),
        );
    }

    /// A task that waited for a socket becomes runnable; `is_sync` where its waker is about to sleep.
    pub(crate) fn wake(&mut self, cpu: usize, task: u32, sock: u32, is_sync: bool) {
        if task == NONE || !self.tasks[task as usize].is_asleep {
            return;
        }
        self.awaken(cpu, task, is_sync);
        self.push(cpu, Op::run(Path::WakeUp, NONE, sock, task));
    }

    /// The wake-up itself, without what it costs.
    pub(crate) fn awaken(&mut self, cpu: usize, task: u32, is_sync: bool) {
        let (host, local) = (usize::from(self.cpus[cpu].host), self.cpus[cpu].local);
        self.tasks[task as usize].is_asleep = false;
        let id = self.tasks[task as usize].id;
        let _ = is_sync;
        let woken = self.hosts[host].scheduler.wake(id, local, false, self.now);
        if self.emit(cpu, Probe::SchedWakeup, NONE, NONE) {
            self.record.field(Field::TargetPid, pid(task).0);
            self.record.field(Field::TargetCpu, u32::from(woken.cpu));
        }
        let on = self.hosts[host].first_cpu + usize::from(woken.cpu);
        self.tasks[task as usize].cpu = on as u16;
        if self.emit(on, Probe::RunQueue, NONE, NONE) {
            let waiting = self.hosts[host].scheduler.waiting(woken.cpu);
            self.record.field(Field::Depth, waiting);
        }
        self.tell_queue(on);
        if let Some(target) = woken.reschedule {
            let target = self.hosts[host].first_cpu + usize::from(target);
            if target == cpu {
                self.cpus[cpu].resched = true;
            } else {
                self.reschedule_other(cpu, target);
            }
        }
    }

    /// `sched_yield(2)`: others that wait come first.
    pub(crate) fn yield_now(&mut self, cpu: usize) {
        let (host, local) = (usize::from(self.cpus[cpu].host), self.cpus[cpu].local);
        if self.hosts[host].scheduler.yield_now(local, self.now) {
            self.reschedule(cpu);
        }
    }

    /// The current task sleeps.
    pub(crate) fn sleep(&mut self, cpu: usize) {
        let current = self.cpus[cpu].current;
        self.give_up_kernel_lock(cpu, current);
        let task = &mut self.tasks[current as usize];
        task.is_asleep = true;
        let (host, id) = (usize::from(task.host), task.id);
        self.hosts[host].scheduler.sleep(id, self.now);
        self.reschedule(cpu);
    }
}

/// The process id of a task: the idle task is 0.
pub(crate) fn pid(task: u32) -> Pid {
    if task == NONE {
        Pid::IDLE
    } else {
        Pid(1000 + task)
    }
}
