//! Tasks on their CPUs: context switches, wake-ups, preemption.
//!
//! Source: `kernel/sched.c: schedule, try_to_wake_up` (v2.4 and v2.6). [`crate::sched`] chooses the task.

mod stopping;
mod task;

use crate::time::SimTime;
use ringside::kernel::{Field, Probe};

use super::core::Core;
use super::cpu::TASK;
use super::cpu::code::Path;
use super::cpu::op::{About, Op};
use super::events::Event;
use super::ids::{SockId, TaskId};
use super::record::pid;

pub use task::{HostTasks, Task};

impl Core {
    /// Whether a CPU chooses a task anew before it does anything else.
    pub fn must_switch(&self, cpu: usize) -> bool {
        let state = &self.cpus[cpu];
        if !state.need_resched || state.level != TASK || !state.stacks[TASK].is_empty() {
            return false;
        }
        let Some(task) = state.current else {
            return true;
        };
        let task = &self.tasks[task];
        let at_user = task.stack.is_empty() || state.in_user || task.rest_in_user;
        state.locks.spinning[TASK].is_none()
            && state.locks.preempt_count == 0
            && state.softirq.count == 0
            && (at_user || self.hosts[state.host].tasks.is_preemptible)
    }

    /// Chooses the CPU's task anew; the cost of choosing and switching comes first.
    pub fn reschedule(&mut self, cpu: usize) {
        let before = self.cpus[cpu].current;
        let (host, local, now) = (self.cpus[cpu].host, self.cpus[cpu].local, self.now());
        if let Some(task) = before.filter(|&task| self.stops_computing(task)) {
            self.tasks[task].goes_on = true;
            self.fall_asleep(task);
        }
        let tasks = &mut self.hosts[host].tasks;
        let pick = tasks.scheduler.pick(local, now);
        let after = pick.task.and_then(|task| tasks.of(task));
        if let Some(other) = pick.reschedule.filter(|&other| other != local) {
            let first = self.hosts[host].first_cpu;
            self.reschedule_other(cpu, first + usize::from(other));
        }
        let stops = after.is_some_and(|task| self.stops_computing(task));
        let state = &mut self.cpus[cpu];
        state.need_resched = stops;
        if after != before {
            state.current = after;
            self.switched(cpu, before, after);
            let switch = Op::run(Path::ContextSwitch, About::NOTHING);
            self.cpus[cpu].stacks[TASK].push(switch);
        }
        if pick.recalculated > 0 || pick.reschedule.is_some() {
            self.tell_queues(host);
        } else {
            self.tell_queue(cpu);
        }
        if before.is_some() || after.is_some() {
            let choose = Op::run(Path::Schedule, About::NOTHING.counting(pick.scanned));
            self.cpus[cpu].stacks[TASK].push(choose);
        }
    }

    fn switched(&mut self, cpu: usize, before: Option<TaskId>, after: Option<TaskId>) {
        if let Some(after) = after {
            self.tasks[after].cpu = cpu;
        }
        let is_runnable = before.is_some_and(|task| !self.tasks[task].is_asleep);
        let (host, local) = (self.cpus[cpu].host, self.cpus[cpu].local);
        self.hosts[host].totals.switches += 1;
        if let Some(before) = before {
            self.tasks[before].switches += 1;
        }
        if self.emit(cpu, Probe::SchedSwitch, About::NOTHING) {
            let is_stopped = before.is_some_and(|task| self.tasks[task].goes_on);
            let state = self.recorder.record.state_name(is_runnable, is_stopped);
            self.field(Field::PrevPid, pid(before).0);
            self.field(Field::PrevState, state);
            self.field(Field::NextPid, pid(after).0);
        }
        if let Some(task) = after
            && self.emit(cpu, Probe::TimeSlice, About::NOTHING)
        {
            let id = self.tasks[task].id;
            let left = self.hosts[host].tasks.scheduler.slice_left(id).us();
            self.field(Field::TargetPid, pid(after).0);
            self.field(Field::Slice, left as u32);
        }
        if self.emit(cpu, Probe::RunQueue, About::NOTHING) {
            let waiting = self.hosts[host].tasks.scheduler.waiting(local);
            self.field(Field::Depth, waiting);
        }
    }

    /// Sets `need_resched` on another CPU, which sees it if it polls while idle, and else gets an IPI.
    fn reschedule_other(&mut self, cpu: usize, target: usize) {
        self.cpus[target].need_resched = true;
        let now = self.now();
        let host = &self.hosts[self.cpus[target].host];
        let cpu_number = target as u16;
        if self.cpus[target].current.is_none() && host.machine.processors.idle_polls {
            let cache = host.machine.cache.as_ref();
            let cycles = cache.map_or(0, |cache| cache.transfer_read_cycles);
            let line = u64::from(cycles) * host.code.cycle;
            self.at(now + SimTime(line), Event::Poll { cpu: cpu_number });
            return;
        }
        self.send_ipi(cpu, target);
    }

    /// Sends an interprocessor interrupt. A halted target takes longer
    /// to answer it, and sending to it may cost the sender time.
    pub fn send_ipi(&mut self, cpu: usize, target: usize) {
        let now = self.now();
        let processors = &self.host_of(target).machine.processors;
        let (running, halted) = (processors.ipi_ns, processors.halted_ipi_ns);
        let has_halted = self.cpus[target].is_idle() && !processors.idle_polls;
        let keeps_busy = has_halted && processors.halted_send_ns > 0;
        let delay = if has_halted && halted > running {
            let at = now + SimTime::from_ns(halted);
            self.cpus[target].apic.halt_ends.get_or_insert(at);
            halted
        } else {
            running
        };
        self.cpus[cpu].apic.last_sent = now;
        let event = Event::Ipi { cpu: target as u16 };
        self.at(now + SimTime::from_ns(delay), event);
        if keeps_busy {
            self.push(cpu, Op::run(Path::SendIpi, About::NOTHING));
        }
    }

    /// A task that slept becomes runnable, with what waking it costs; `is_sync` where the waker
    /// promises to sleep soon.
    pub fn wake(&mut self, cpu: usize, task: TaskId, sock: Option<SockId>, is_sync: bool) {
        if !self.tasks[task].is_asleep || self.is_held(task) {
            return;
        }
        self.awaken(cpu, task, is_sync);
        let about = About {
            sock,
            task: Some(task),
            ..About::NOTHING
        };
        self.push(cpu, Op::run(Path::WakeUp, about));
    }

    /// The wake-up itself, without what it costs.
    pub fn awaken(&mut self, cpu: usize, task: TaskId, is_sync: bool) {
        let (host, local, now) = (self.cpus[cpu].host, self.cpus[cpu].local, self.now());
        self.tasks[task].is_asleep = false;
        let id = self.tasks[task].id;
        let woken = self.hosts[host]
            .tasks
            .scheduler
            .wake(id, local, is_sync, now);
        if self.emit(cpu, Probe::SchedWakeup, About::NOTHING) {
            self.field(Field::TargetPid, pid(Some(task)).0);
            self.field(Field::TargetCpu, u32::from(woken.cpu));
        }
        let on = self.hosts[host].first_cpu + usize::from(woken.cpu);
        self.tasks[task].cpu = on;
        if self.emit(on, Probe::RunQueue, About::NOTHING) {
            let waiting = self.hosts[host].tasks.scheduler.waiting(woken.cpu);
            self.field(Field::Depth, waiting);
        }
        self.tell_queue(on);
        if let Some(target) = woken.reschedule {
            let target = self.hosts[host].first_cpu + usize::from(target);
            if target == cpu {
                self.cpus[cpu].need_resched = true;
            } else {
                self.reschedule_other(cpu, target);
            }
        }
    }

    /// A timer wakes a task.
    pub fn time_to_wake(&mut self, task: TaskId) {
        let cpu = self.tasks[task].cpu;
        if self.tasks[task].is_asleep && !self.is_held(task) {
            self.awaken(cpu, task, false);
            self.start_if_idle(cpu);
        }
    }

    /// An idle CPU for which there is a task now begins at once.
    pub fn start_if_idle(&mut self, cpu: usize) {
        if self.cpus[cpu].is_idle() && self.cpus[cpu].need_resched {
            self.begin_at_once(cpu);
        }
    }

    /// `sched_yield(2)`: others that wait come first.
    pub fn yield_now(&mut self, cpu: usize) {
        let (host, local, now) = (self.cpus[cpu].host, self.cpus[cpu].local, self.now());
        if self.hosts[host].tasks.scheduler.yield_now(local, now) {
            self.reschedule(cpu);
        }
    }

    /// The timer tick: the scheduler's accounting.
    pub fn tick(&mut self, cpu: usize) {
        let (host, local, now) = (self.cpus[cpu].host, self.cpus[cpu].local, self.now());
        if self.hosts[host].tasks.scheduler.tick(local, now) {
            self.cpus[cpu].need_resched = true;
        }
        self.tell_queue(cpu);
        let timer = Op::run(Path::TimerInterrupt, About::NOTHING);
        match self.hosts[host].machine.processors.timer_exits_ns {
            0 => self.push(cpu, timer),
            ns => self.then(cpu, [Op::Steal { ns }, timer]),
        }
    }

    /// The current task sleeps.
    pub fn sleep(&mut self, cpu: usize) {
        let Some(current) = self.cpus[cpu].current else {
            return;
        };
        self.give_up_kernel_lock(cpu, current);
        self.fall_asleep(current);
        self.reschedule(cpu);
    }

    fn fall_asleep(&mut self, task: TaskId) {
        let now = self.now();
        let task = &mut self.tasks[task];
        task.is_asleep = true;
        let (host, id) = (task.host, task.id);
        self.hosts[host].tasks.scheduler.sleep(id, now);
    }

    /// `nanosleep(2)`.
    pub fn sleep_for(&mut self, cpu: usize, us: u32) {
        if let Some(task) = self.cpus[cpu].current {
            let due = self.now() + SimTime::from_us(u64::from(us));
            self.at(due, Event::Wake { task });
            self.sleep(cpu);
        }
    }
}

#[cfg(test)]
mod tests;
