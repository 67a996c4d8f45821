//! The scheduler of 2.2 and 2.4 (`kernel/sched.c`): one queue of all runnable tasks, running ones included,
//! which every `schedule()` searches from end to end.
//!
//! A task's goodness is what is left of its slice (`counter`, in ticks) plus `20 - nice`, plus a bonus on the
//! CPU that it last ran on and a small one for the memory map in use. When every task that a CPU may run has
//! used its slice, the counters of *all* tasks are recalculated, and sleeping tasks keep half of theirs: that
//! is how a task gains by sleeping.
//!
//! As on Linux, and visible in runs with bound processes: a CPU whose only task is a bound hog also
//! recalculates the counters of tasks bound to other CPUs before they have used theirs, so that one of two hogs
//! on another CPU may wait for long.
//!
//! Simplified ("new tasks"): a new task starts with a full slice; Linux splits the parent's between both. A learner
//! sees a server that forks for each request perform slightly better.
//!
//! Simplified ("kinds of tasks"): there are no realtime policies. A learner sees no task that always runs first.

mod place;

use super::config::GoodnessConfig;
use super::cpus::{Base, Cpus, State};
use super::list::{self, Link, List};
use super::{Claim, Cpu, Pick, Setup, TaskId, Wake};
use crate::time::SimTime;

#[derive(Debug, Clone)]
struct Task {
    base: Base,
    /// Ticks left of its slice.
    counter: u32,
    /// `avg_slice` (2.2): moving average of the time for which it keeps a CPU, the last run weighing half.
    average_slice: SimTime,
    switched_in: SimTime,
    /// `SCHED_YIELD`: in the next search it comes after all others.
    yields: bool,
}

/// The scheduler, with one queue.
#[derive(Debug, Clone)]
pub struct Goodness {
    config: GoodnessConfig,
    cpus: Cpus,
    tasks: Vec<Task>,
    links: Vec<Link>,
    queue: List,
    /// For each CPU, the number of waiting tasks that last ran there.
    waiting: Vec<u32>,
    /// `active_mm` of each CPU.
    memory_map: Vec<u32>,
    /// `last_schedule` of each CPU.
    last_pick: Vec<SimTime>,
}

impl Goodness {
    pub(super) fn new(config: &GoodnessConfig, setup: Setup) -> Self {
        let cpus = Cpus::new(setup);
        let count = usize::from(cpus.count());
        Self {
            config: config.clone(),
            cpus,
            tasks: Vec::new(),
            links: Vec::new(),
            queue: List::EMPTY,
            waiting: vec![0; count],
            memory_map: vec![0; count],
            last_pick: vec![SimTime(0); count],
        }
    }

    pub(super) fn add_task(&mut self, nice: i8, allowed: u64, memory_map: u32) -> TaskId {
        let base = self.cpus.new_task(nice, allowed, memory_map);
        let counter = self.new_slice(base.nice);
        self.tasks.push(Task {
            base,
            counter,
            average_slice: SimTime(0),
            switched_in: SimTime(0),
            yields: false,
        });
        self.links.push(Link::OFF);
        TaskId(self.tasks.len() as u32 - 1)
    }

    /// `try_to_wake_up()`: puts the task at the head of the queue and looks for a CPU, unless a synchronous
    /// waker is about to free its own.
    pub(super) fn wake(&mut self, task: TaskId, waker: Cpu, is_sync: bool, _now: SimTime) -> Wake {
        let base = &mut self.tasks[task.index()].base;
        if base.state != State::Sleeping {
            return Wake {
                cpu: base.cpu,
                reschedule: None,
                scanned: 0,
            };
        }
        base.state = State::Waiting;
        let (cpu, may_run_here) = (base.cpu, base.may_run_on(waker));
        self.waiting[usize::from(cpu)] += 1;
        self.queue.push_front(&mut self.links, task);
        let (reschedule, scanned) = if is_sync && may_run_here {
            (None, 0)
        } else {
            self.reschedule_idle(task)
        };
        Wake {
            cpu,
            reschedule,
            scanned,
        }
    }

    pub(super) fn sleep(&mut self, task: TaskId, now: SimTime) {
        self.leave(task, now, State::Sleeping);
    }

    pub(super) fn exit(&mut self, task: TaskId, now: SimTime) {
        self.leave(task, now, State::Exited);
    }

    fn leave(&mut self, task: TaskId, now: SimTime, to: State) {
        self.tasks[task.index()].yields = false;
        let base = &mut self.tasks[task.index()].base;
        base.charge(now);
        let (was, cpu) = (std::mem::replace(&mut base.state, to), base.cpu);
        match was {
            State::Running => {
                self.end_run(task, now);
                self.cpus.set_running(cpu, None);
            }
            State::Waiting => self.waiting[usize::from(cpu)] -= 1,
            State::Sleeping => return,
            State::Exited => {
                self.tasks[task.index()].base.state = State::Exited;
                return;
            }
        }
        self.queue.remove(&mut self.links, task);
    }

    fn end_run(&mut self, task: TaskId, now: SimTime) {
        let task = &mut self.tasks[task.index()];
        let slice = now - task.switched_in.min(now);
        task.average_slice = SimTime(u64::midpoint(task.average_slice.0, slice.0));
    }

    /// `sys_sched_yield()` (2.4): moves the task to the end of the queue, and after all others in the next
    /// search, unless no task waits.
    pub(super) fn yield_now(&mut self, cpu: Cpu, _now: SimTime) -> bool {
        let Some(task) = self.cpus.running(cpu) else {
            return true;
        };
        if self.waiting.iter().all(|&waiting| waiting == 0) {
            return false;
        }
        self.tasks[task.index()].yields = true;
        self.queue.remove(&mut self.links, task);
        self.queue.push_back(&mut self.links, task);
        true
    }

    /// `schedule()`: the running task is considered first and wins ties, then the queue is searched. If the
    /// best task has no ticks left, all counters are recalculated and the search is repeated.
    pub(super) fn pick(&mut self, cpu: Cpu, now: SimTime) -> Pick {
        let at = usize::from(cpu);
        let previous = self.cpus.running(cpu);
        if let Some(previous) = previous {
            self.tasks[previous.index()].base.charge(now);
        }
        let (mut scanned, mut recalculated) = (0, 0);
        let best = loop {
            let (weight, best, walked) = self.search(cpu, previous);
            scanned += walked;
            // A yielding task without competitors has -1: it continues without a recalculation.
            if weight != 0 {
                break best;
            }
            let remade = self.recalculate();
            recalculated += remade;
            scanned += remade;
        };
        let has_yielded =
            previous.is_some_and(|task| std::mem::take(&mut self.tasks[task.index()].yields));
        self.last_pick[at] = now;
        let mut pick = Pick {
            task: best,
            scanned,
            recalculated,
            migrated_from: None,
            reschedule: None,
        };
        if best == previous {
            return pick;
        }
        if let Some(previous) = previous {
            self.end_run(previous, now);
            let base = &mut self.tasks[previous.index()].base;
            base.state = State::Waiting;
            self.waiting[usize::from(base.cpu)] += 1;
        }
        self.cpus.set_running(cpu, best);
        if let Some(best) = best {
            let task = &mut self.tasks[best.index()];
            self.waiting[usize::from(task.base.cpu)] -= 1;
            pick.migrated_from = task.base.switch_in(cpu, now);
            task.switched_in = now;
            if task.base.memory_map != 0 {
                self.memory_map[at] = task.base.memory_map;
            }
        }
        // `__schedule_tail()`: a preempted task may fit another CPU, unless it yielded.
        if let Some(previous) = previous
            && self.cpus.count() > 1
            && !has_yielded
        {
            pick.reschedule = self.reschedule_idle(previous).0;
        }
        pick
    }

    /// The best task for a CPU, with its goodness (-1000: idle) before it and the number of entries searched
    /// after it.
    fn search(&self, cpu: Cpu, previous: Option<TaskId>) -> (i32, Option<TaskId>, u32) {
        let map = self.memory_map[usize::from(cpu)];
        let mut best = (-1000, None);
        if let Some(previous) = previous.filter(|task| self.may_run_on(*task, cpu)) {
            best = (self.goodness(previous, cpu, map), Some(previous));
        }
        let mut walked = 0;
        let mut cursor = self.queue.first();
        while let Some(task) = cursor {
            walked += 1;
            cursor = list::next(&self.links, task);
            // `can_schedule()`: not running on another CPU.
            if self.tasks[task.index()].base.state == State::Waiting && self.may_run_on(task, cpu) {
                let weight = self.goodness(task, cpu, map);
                if weight > best.0 {
                    best = (weight, Some(task));
                }
            }
        }
        (best.0, best.1, walked)
    }

    fn may_run_on(&self, task: TaskId, cpu: Cpu) -> bool {
        self.tasks[task.index()].base.may_run_on(cpu)
    }

    /// `goodness()` of a task on a CPU; `map` is that CPU's memory map.
    fn goodness(&self, task: TaskId, cpu: Cpu, map: u32) -> i32 {
        let Task {
            base,
            counter,
            yields,
            ..
        } = &self.tasks[task.index()];
        if *yields {
            return -1;
        }
        if *counter == 0 {
            return 0;
        }
        let mut weight = *counter as i32 + 20 - i32::from(base.nice);
        if self.cpus.count() > 1 && base.cpu == cpu {
            weight += self.config.same_cpu_bonus;
        }
        if base.memory_map == map || base.memory_map == 0 {
            weight += self.config.same_memory_map_bonus;
        }
        weight
    }

    /// `for_each_task(p) p->counter = (p->counter >> 1) + NICE_TO_TICKS(p->nice)`; returns the number of tasks.
    fn recalculate(&mut self) -> u32 {
        let (shift, extra) = (self.config.slice_shift, self.config.slice_extra_ticks);
        let mut remade = 0;
        for task in self
            .tasks
            .iter_mut()
            .filter(|task| task.base.state != State::Exited)
        {
            task.counter = (task.counter >> 1) + slice_ticks(task.base.nice, shift, extra);
            remade += 1;
        }
        remade
    }

    fn new_slice(&self, nice: i8) -> u32 {
        slice_ticks(nice, self.config.slice_shift, self.config.slice_extra_ticks)
    }

    /// `update_process_times()`: the whole tick is charged to the task that it interrupts.
    pub(super) fn tick(&mut self, cpu: Cpu, now: SimTime) -> bool {
        let Some(task) = self.cpus.running(cpu) else {
            return false;
        };
        let task = &mut self.tasks[task.index()];
        task.base.charge(now);
        task.counter = task.counter.saturating_sub(1);
        task.counter == 0
    }

    pub(super) fn set_allowed(&mut self, task: TaskId, allowed: u64) -> Option<Cpu> {
        let allowed = self.cpus.mask(allowed);
        let base = &mut self.tasks[task.index()].base;
        base.allowed = allowed;
        match base.state {
            State::Running => (!base.may_run_on(base.cpu)).then_some(base.cpu),
            State::Waiting => self.reschedule_idle(task).0,
            State::Sleeping | State::Exited => None,
        }
    }

    pub(super) fn running(&self, cpu: Cpu) -> Option<TaskId> {
        self.cpus.running(cpu)
    }

    pub(super) fn waiting(&self, cpu: Cpu) -> u32 {
        self.waiting[usize::from(cpu)]
    }

    pub(super) fn waiting_tasks(&self, cpu: Cpu) -> impl Iterator<Item = TaskId> {
        std::iter::successors(self.queue.first(), |&task| list::next(&self.links, task)).filter(
            move |task| {
                let base = &self.tasks[task.index()].base;
                base.state == State::Waiting && base.cpu == cpu
            },
        )
    }

    /// The best task first, among equals in the order of the search.
    pub(super) fn queued(&self, cpu: Cpu) -> Vec<(TaskId, Claim)> {
        let map = self.memory_map[usize::from(cpu)];
        let mut tasks: Vec<TaskId> = self.waiting_tasks(cpu).collect();
        tasks.sort_by_key(|&task| std::cmp::Reverse(self.goodness(task, cpu, map)));
        let claim = |task| (task, Claim::Slice(self.slice_left(task)));
        tasks.into_iter().map(claim).collect()
    }

    pub(super) fn slice_left(&self, task: TaskId) -> SimTime {
        SimTime(u64::from(self.tasks[task.index()].counter) * self.cpus.tick.0)
    }

    pub(super) fn cpu_time(&self, task: TaskId) -> SimTime {
        self.tasks[task.index()].base.cpu_time
    }
}

/// `NICE_TO_TICKS()`, at least one.
fn slice_ticks(nice: i8, shift: u32, extra: u32) -> u32 {
    let above = (20 - i32::from(nice)) as u32;
    (above.checked_shr(shift).unwrap_or(0) + extra).max(1)
}
