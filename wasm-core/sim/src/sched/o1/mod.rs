//! The O(1) scheduler of 2.6 (`kernel/sched.c`, 2.6.3 to 2.6.9): each CPU has an active and an expired priority
//! array, runs the first task of the best priority, and swaps the arrays when the active one is empty.
//!
//! A task gains `sleep_avg` by sleeping and loses it by running; it is worth up to five priorities either way.
//! A task far enough above its static priority counts as interactive: when its slice is used up, it returns to
//! the *active* array, so that other tasks wait for it.
//!
//! Simplified ("new tasks"): a new task starts with a full slice, where Linux splits the parent's between both.
//! Ancestry is given only as a number of forks ([`super::Scheduler::inherit`]).
//!
//! Simplified ("what a sleep earns (2.6 before the fair scheduler)"): all sleeps are interruptible. Linux gives
//! little credit for waits on the disk, which this model does not have.
//!
//! Simplified ("what a sleep earns (2.6 before the fair scheduler)"): a wakeup counts as made by an interrupt unless
//! it is synchronous, which only processes make. On Linux a wakeup by a system call (a pipe's reader) credits 30 % of
//! the wait for the CPU, here all of it; wakeups by packets come from a softirq in both.

mod balance;
mod interactive;
mod queue;

use super::config::{O1Config, Placement};
use super::cpus::{Base, Cpus, State, each};
use super::list::{self, Link};
use super::{Claim, Cpu, Pick, Setup, TaskId, Wake};
use crate::time::SimTime;
use queue::{LOAD_SCALE, PRIORITIES, RunQueue};

/// `p->activated`: how much of the wait for a CPU after the wakeup counts as sleep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Activated {
    /// None of it.
    No,
    /// A part of it (woken by a process).
    Partly,
    /// All of it (woken by an interrupt).
    Fully,
}

#[derive(Debug, Clone)]
struct Task {
    base: Base,
    /// Static priority, from nice alone, 0 to 39.
    static_priority: u8,
    /// Dynamic priority with the bonus, 0 to 39; lower is better.
    priority: u8,
    /// Ticks left of its slice.
    slice: u32,
    sleep_avg: SimTime,
    /// When it was last switched in, switched out or woken.
    timestamp: SimTime,
    activated: Activated,
    /// `interactive_credit`.
    credit: i32,
    /// The index of its array on its CPU, while runnable.
    array: usize,
    /// Whether it has not been woken yet.
    is_new: bool,
}

/// The scheduler, with a run queue for each CPU.
#[derive(Debug, Clone)]
pub struct O1 {
    config: O1Config,
    cpus: Cpus,
    tasks: Vec<Task>,
    links: Vec<Link>,
    queues: Vec<RunQueue>,
}

impl O1 {
    pub(super) fn new(config: &O1Config, setup: Setup) -> Self {
        let cpus = Cpus::new(setup);
        let count = usize::from(cpus.count());
        let queues = (0..count).map(|_| RunQueue::new(count)).collect();
        Self {
            config: config.clone(),
            cpus,
            tasks: Vec::new(),
            links: Vec::new(),
            queues,
        }
    }

    pub(super) fn add_task(&mut self, nice: i8, allowed: u64, memory_map: u32) -> TaskId {
        let base = self.cpus.new_task(nice, allowed, memory_map);
        let static_priority = (base.nice + 20) as u8;
        let mut task = Task {
            slice: self.slice_ticks(base.nice),
            base,
            static_priority,
            priority: static_priority,
            sleep_avg: self.inherited(1),
            timestamp: SimTime(0),
            activated: Activated::No,
            credit: 0,
            array: 0,
            is_new: true,
        };
        task.priority = self.effective_priority(&task);
        self.tasks.push(task);
        self.links.push(Link::OFF);
        TaskId(self.tasks.len() as u32 - 1)
    }

    /// `wake_up_forked_process()`.
    pub(super) fn inherit(&mut self, task: TaskId, forks: u32) {
        let sleep_avg = self.inherited(forks);
        let entry = &mut self.tasks[task.index()];
        if entry.is_new {
            entry.sleep_avg = sleep_avg;
            self.reprioritize(task);
        }
    }

    /// `try_to_wake_up()`. A synchronous wakeup on the waker's own CPU does not preempt, and until 2.6.6 it
    /// gives no credit for the sleep either.
    pub(super) fn wake(&mut self, task: TaskId, waker: Cpu, is_sync: bool, now: SimTime) -> Wake {
        let base = &self.tasks[task.index()].base;
        if base.state != State::Sleeping {
            return Wake {
                cpu: base.cpu,
                reschedule: None,
                scanned: 0,
            };
        }
        let (cpu, scanned) = self.choose_cpu(task, waker, is_sync, now);
        let is_quiet = is_sync && cpu == waker;
        let entry = &mut self.tasks[task.index()];
        entry.base.cpu = cpu;
        entry.base.state = State::Waiting;
        // `wake_up_forked_process()`: a new task has not slept and gets no credit.
        if std::mem::take(&mut entry.is_new) {
            entry.timestamp = now;
        } else if !is_quiet || self.config.placement == Placement::Domains {
            self.earn(task, now);
            let entry = &mut self.tasks[task.index()];
            if entry.activated == Activated::No {
                entry.activated = if is_sync {
                    Activated::Partly
                } else {
                    Activated::Fully
                };
            }
            entry.timestamp = now;
        }
        let active = self.queues[usize::from(cpu)].active;
        self.activate(task, active);
        // An idle CPU reschedules even on a synchronous wakeup.
        let takes = self.cpus.is_idle(cpu) || !is_quiet && self.preempts(task, cpu);
        Wake {
            cpu,
            reschedule: takes.then_some(cpu),
            scanned,
        }
    }

    pub(super) fn start_on(&mut self, task: TaskId, cpu: Cpu) {
        self.tasks[task.index()].base.start_on(cpu);
    }

    pub(super) fn sleep(&mut self, task: TaskId, now: SimTime) {
        self.leave(task, now, State::Sleeping);
    }

    pub(super) fn exit(&mut self, task: TaskId, now: SimTime) {
        self.leave(task, now, State::Exited);
    }

    fn leave(&mut self, task: TaskId, now: SimTime, to: State) {
        let base = &mut self.tasks[task.index()].base;
        let (was, cpu) = (base.state, base.cpu);
        base.charge(now);
        match was {
            State::Running => {
                self.spend(task, now);
                self.cpus.set_running(cpu, None);
                self.deactivate(task);
            }
            State::Waiting => self.deactivate(task),
            State::Sleeping => {}
            State::Exited => return,
        }
        self.tasks[task.index()].base.state = to;
    }

    /// `sys_sched_yield()`: moves the task to the tail of its list in the expired array.
    pub(super) fn yield_now(&mut self, cpu: Cpu, _now: SimTime) -> bool {
        if let Some(task) = self.cpus.running(cpu) {
            self.deactivate(task);
            let expired = self.queues[usize::from(cpu)].expired();
            self.activate(task, expired);
        }
        true
    }

    /// `schedule()`.
    pub(super) fn pick(&mut self, cpu: Cpu, now: SimTime) -> Pick {
        let at = usize::from(cpu);
        let previous = self.cpus.running(cpu);
        let mut reschedule = None;
        if let Some(previous) = previous {
            self.tasks[previous.index()].base.charge(now);
            self.spend(previous, now);
            self.tasks[previous.index()].base.state = State::Waiting;
            self.cpus.set_running(cpu, None);
            if !self.tasks[previous.index()].base.may_run_on(cpu) {
                reschedule = self.send_away(previous);
            }
        }
        if self.queues[at].tasks == 0 {
            self.balance(cpu, balance::Why::NewlyIdle, now);
        }
        let queue = &mut self.queues[at];
        if queue.tasks == 0 {
            queue.expired_since = None;
            let (task, migrated_from) = (None, None);
            return Pick {
                task,
                scanned: 0,
                recalculated: 0,
                migrated_from,
                reschedule,
            };
        }
        if queue.arrays[queue.active].tasks == 0 {
            queue.active = queue.expired();
            queue.clear_expired();
        }
        let task = queue.arrays[queue.active].best();
        let mut migrated_from = None;
        if let Some(task) = task {
            self.earn_wait(task, now);
            let entry = &mut self.tasks[task.index()];
            entry.timestamp = now;
            migrated_from = entry.base.switch_in(cpu, now);
            self.cpus.set_running(cpu, Some(task));
        }
        Pick {
            task,
            scanned: 1,
            recalculated: 0,
            migrated_from,
            reschedule,
        }
    }

    /// `scheduler_tick()`. A task whose slice is used up moves to the expired array, an interactive one to the
    /// tail of its list in the active array.
    pub(super) fn tick(&mut self, cpu: Cpu, now: SimTime) -> bool {
        let at = usize::from(cpu);
        let queue = &mut self.queues[at];
        queue.ticks += 1;
        queue.last_tick = now;
        queue.load = u32::midpoint(queue.load, queue.tasks * LOAD_SCALE);
        let (ticks, has_work) = (queue.ticks, queue.tasks > 0);
        let Some(task) = self.cpus.running(cpu) else {
            return self.balance(cpu, balance::Why::Idle, now) || has_work;
        };
        let mut must_pick = self.tick_task(task, now);
        let between = (SimTime::from_ms(self.config.busy_balance_ms).0 / self.cpus.tick.0).max(1);
        if ticks.is_multiple_of(between) {
            must_pick |= self.balance(cpu, balance::Why::Busy, now);
        }
        must_pick
    }

    fn tick_task(&mut self, task: TaskId, now: SimTime) -> bool {
        let entry = &mut self.tasks[task.index()];
        entry.base.charge(now);
        let (nice, at, array) = (entry.base.nice, usize::from(entry.base.cpu), entry.array);
        if array != self.queues[at].active {
            return true;
        }
        entry.slice = entry.slice.saturating_sub(1);
        if entry.slice > 0 {
            let takes_turns = self.is_end_of_turn(task);
            if takes_turns {
                self.deactivate(task);
                self.reprioritize(task);
                self.activate(task, array);
            }
            return takes_turns;
        }
        self.deactivate(task);
        self.reprioritize(task);
        self.tasks[task.index()].slice = self.slice_ticks(nice);
        let is_interactive = self.is_interactive(task);
        let static_priority = self.tasks[task.index()].static_priority;
        let limit = SimTime::from_ms(self.config.starvation_limit_ms).0 / self.cpus.tick.0;
        let queue = &mut self.queues[at];
        let since = *queue.expired_since.get_or_insert(queue.ticks);
        // `EXPIRED_STARVING()`; the task itself is dequeued here and counts.
        let is_starving = limit > 0 && queue.ticks - since > limit * u64::from(queue.tasks + 1)
            || static_priority > queue.best_expired;
        let array = if is_interactive && !is_starving {
            queue.active
        } else {
            queue.best_expired = queue.best_expired.min(static_priority);
            queue.expired()
        };
        self.activate(task, array);
        true
    }

    pub(super) fn set_allowed(&mut self, task: TaskId, allowed: u64) -> Option<Cpu> {
        let allowed = self.cpus.mask(allowed);
        let base = &mut self.tasks[task.index()].base;
        base.allowed = allowed;
        let may_stay = base.may_run_on(base.cpu);
        match base.state {
            State::Running if !may_stay => Some(base.cpu),
            State::Waiting if !may_stay => self.send_away(task),
            State::Running | State::Waiting | State::Sleeping | State::Exited => None,
        }
    }

    /// Moves a waiting task to the allowed CPU with the shortest queue; returns that CPU if it should call
    /// `pick`.
    fn send_away(&mut self, task: TaskId) -> Option<Cpu> {
        let allowed = self.tasks[task.index()].base.allowed;
        let cpu = each(allowed).min_by_key(|&cpu| self.queues[usize::from(cpu)].tasks)?;
        self.deactivate(task);
        self.tasks[task.index()].base.cpu = cpu;
        let active = self.queues[usize::from(cpu)].active;
        self.activate(task, active);
        self.preempts(task, cpu).then_some(cpu)
    }

    /// `TASK_PREEMPTS_CURR()`: its priority is better than the running task's, or the CPU is idle.
    fn preempts(&self, task: TaskId, cpu: Cpu) -> bool {
        let priority = |task: TaskId| self.tasks[task.index()].priority;
        self.cpus
            .running(cpu)
            .is_none_or(|current| priority(task) < priority(current))
    }

    fn activate(&mut self, task: TaskId, array: usize) {
        let entry = &mut self.tasks[task.index()];
        entry.array = array;
        let queue = &mut self.queues[usize::from(entry.base.cpu)];
        queue.arrays[array].enqueue(&mut self.links, task, entry.priority);
        queue.tasks += 1;
    }

    fn deactivate(&mut self, task: TaskId) {
        let entry = &self.tasks[task.index()];
        let queue = &mut self.queues[usize::from(entry.base.cpu)];
        queue.arrays[entry.array].dequeue(&mut self.links, task, entry.priority);
        queue.tasks -= 1;
    }

    /// `task_timeslice()` in ticks.
    fn slice_ticks(&self, nice: i8) -> u32 {
        let slice = SimTime::from_ms(self.config.time_slices.ms(nice));
        (slice.0 / self.cpus.tick.0).max(1) as u32
    }

    pub(super) fn running(&self, cpu: Cpu) -> Option<TaskId> {
        self.cpus.running(cpu)
    }

    pub(super) fn waiting(&self, cpu: Cpu) -> u32 {
        self.queues[usize::from(cpu)].tasks - u32::from(!self.cpus.is_idle(cpu))
    }

    pub(super) fn waiting_tasks(&self, cpu: Cpu) -> impl Iterator<Item = TaskId> {
        let queue = &self.queues[usize::from(cpu)];
        let running = self.cpus.running(cpu);
        [queue.active, queue.expired()]
            .into_iter()
            .flat_map(|array| (0..PRIORITIES).map(move |priority| (array, priority)))
            .flat_map(move |(array, priority)| {
                let first = queue.arrays[array].list(priority).first();
                std::iter::successors(first, |&task| list::next(&self.links, task))
            })
            .filter(move |&task| Some(task) != running)
    }

    /// The active array before the expired one, each in order of priority.
    pub(super) fn queued(&self, cpu: Cpu) -> Vec<(TaskId, Claim)> {
        let claim = |task| (task, Claim::Slice(self.slice_left(task)));
        self.waiting_tasks(cpu).map(claim).collect()
    }

    pub(super) fn slice_left(&self, task: TaskId) -> SimTime {
        SimTime(u64::from(self.tasks[task.index()].slice) * self.cpus.tick.0)
    }

    pub(super) fn cpu_time(&self, task: TaskId) -> SimTime {
        self.tasks[task.index()].base.cpu_time
    }
}
