//! The fair scheduler of 6.6 and later (`kernel/sched/fair.c`, EEVDF): of the tasks that received no more than
//! their share, the one with the earliest virtual deadline runs.
//!
//! A task's virtual runtime is the CPU time that it received, divided by its weight; V is the weighted average
//! over a CPU's tasks. V minus a task's virtual runtime is its lag: positive if it received less than its
//! share. A task with a lag of zero or more is eligible. It requests a slice, whose deadline is the time at
//! which it would be served at its share. Lag is kept across sleep.
//!
//! Simplified ("groups"): no cgroups, so all tasks of a CPU share one queue. Two logged-in users with
//! one and nine hogs get a tenth and nine tenths here; with autogroups Linux gives each half.
//!
//! A task that falls asleep with a negative lag stays on its queue until V has caught up with it
//! (`DELAY_DEQUEUE`); its weight slows V down meanwhile.
//!
//! Simplified ("new tasks"): a new task starts at V with half a slice, as on Linux, but on the CPU with the fewest
//! tasks at its creation instead of the idlest at its `fork`. A learner sees tasks spread evenly from the start.

mod delay;
mod place;
mod queue;

use super::config::FairConfig;
use super::cpus::{Base, Cpus, State};
use super::{Cpu, Pick, Setup, TaskId, Wake, weights};
use crate::time::SimTime;
use place::Why;
use queue::{Entity, Queue};

/// Femtoseconds in a unit of virtual time.
const FS_PER_PS: u64 = 1000;

#[derive(Debug, Clone)]
struct Task {
    base: Base,
    entity: Entity,
    /// Lag in virtual time when it was last dequeued; negative if it received more than its share.
    lag: i64,
    /// Whether it sleeps but is still on its queue (`sched_delayed`).
    is_delayed: bool,
    /// Whether it has not run yet.
    is_new: bool,
    /// When it last left a CPU.
    stopped: Option<SimTime>,
}

/// The scheduler, with a queue for each CPU.
#[derive(Debug, Clone)]
pub struct Fair {
    config: FairConfig,
    cpus: Cpus,
    tasks: Vec<Task>,
    queues: Vec<Queue>,
    /// Length of a request, in picoseconds.
    slice: i64,
}

impl Fair {
    pub(super) fn new(config: &FairConfig, setup: Setup) -> Self {
        let cpus = Cpus::new(setup);
        // `get_update_sysctl_factor()`, `SCHED_TUNABLESCALING_LOG`.
        let factor = 1 + u64::from(cpus.count().min(8).ilog2());
        let slice = SimTime::from_us(config.base_slice_us.max(1) * factor).0 / FS_PER_PS;
        let queues = vec![Queue::new(); usize::from(cpus.count())];
        Self {
            config: config.clone(),
            cpus,
            tasks: Vec::new(),
            queues,
            slice: slice as i64,
        }
    }

    pub(super) fn add_task(&mut self, nice: i8, allowed: u64, memory_map: u32) -> TaskId {
        let base = self.cpus.new_task(nice, allowed, memory_map);
        let weight = weights::of_nice(base.nice);
        let entity = Entity {
            weight,
            vruntime: 0,
            deadline: 0,
        };
        self.tasks.push(Task {
            base,
            entity,
            lag: 0,
            is_delayed: false,
            is_new: true,
            stopped: None,
        });
        TaskId(self.tasks.len() as u32 - 1)
    }

    /// `try_to_wake_up()`: selects a CPU, places the task on its queue with its saved lag, and preempts the
    /// running task if that CPU would now pick the woken one.
    pub(super) fn wake(&mut self, id: TaskId, waker: Cpu, is_sync: bool, now: SimTime) -> Wake {
        let base = &self.tasks[id.index()].base;
        if base.state != State::Sleeping {
            return Wake {
                cpu: base.cpu,
                reschedule: None,
                scanned: 0,
            };
        }
        // `ttwu_runnable()`: a task that is still on a queue wakes there.
        let is_delayed = self.tasks[id.index()].is_delayed;
        let (cpu, scanned) = if is_delayed {
            (base.cpu, 0)
        } else {
            self.choose_cpu(id, waker, is_sync)
        };
        // A delayed task is requeued before the running task is charged.
        if is_delayed {
            self.requeue(id);
        }
        let is_slice_over = self.update_running(cpu, now);
        if !is_delayed {
            self.enqueue(id, cpu);
        }
        let takes = self.cpus.is_idle(cpu) || is_slice_over || self.choose(cpu) == Some(id);
        // `wakeup_preempt()`: the clock read here is also used for the following switch.
        let queue = &mut self.queues[usize::from(cpu)];
        if takes || queue.clock.is_some() {
            queue.clock = Some(now);
        }
        Wake {
            cpu,
            reschedule: takes.then_some(cpu),
            scanned,
        }
    }

    pub(super) fn start_on(&mut self, task: TaskId, cpu: Cpu) {
        self.tasks[task.index()].base.start_on(cpu);
    }

    pub(super) fn sleep(&mut self, id: TaskId, now: SimTime) {
        self.leave(id, now, State::Sleeping);
    }

    pub(super) fn exit(&mut self, id: TaskId, now: SimTime) {
        self.leave(id, now, State::Exited);
    }

    fn leave(&mut self, id: TaskId, now: SimTime, to: State) {
        let (was, cpu) = (
            self.tasks[id.index()].base.state,
            self.tasks[id.index()].base.cpu,
        );
        match was {
            State::Running => {
                let now = self.queues[usize::from(cpu)].clock.unwrap_or(now);
                self.update_running(cpu, now);
                self.note_lag(id);
                let task = &mut self.tasks[id.index()];
                task.stopped = Some(now);
                self.cpus.set_running(cpu, None);
                if to == State::Sleeping && task.lag < 0 && self.config.delay_dequeue {
                    self.delay(id, cpu);
                }
            }
            State::Waiting => self.dequeue(id),
            State::Sleeping if to == State::Exited => self.end_delay(id),
            State::Sleeping | State::Exited => return,
        }
        self.tasks[id.index()].base.state = to;
    }

    /// `schedule()`: `pick_next_task_fair()`, which balances before it lets the CPU idle.
    pub(super) fn pick(&mut self, cpu: Cpu, now: SimTime) -> Pick {
        let at = usize::from(cpu);
        let now = self.queues[at].clock.take().unwrap_or(now);
        self.update_running(cpu, now);
        let previous = self.cpus.running(cpu);
        let mut reschedule = None;
        if let Some(previous) = previous
            && !self.tasks[previous.index()].base.may_run_on(cpu)
        {
            self.put_back(previous, now);
            reschedule = self.send_away(previous);
        }
        let mut scanned = self.queues[at].depth();
        let mut task = self.choose_runnable(cpu);
        if task.is_none() {
            self.balance(cpu, Why::NewlyIdle, now);
            scanned = self.queues[at].depth();
            task = self.choose(cpu);
        }
        let mut migrated_from = None;
        if let Some(task) = task
            && self.cpus.running(cpu) != Some(task)
        {
            if let Some(previous) = self.cpus.running(cpu) {
                self.put_back(previous, now);
            }
            self.queues[at].remove(task, &self.tasks[task.index()].entity);
            self.queues[at].is_protected = true;
            let entry = &mut self.tasks[task.index()];
            entry.is_new = false;
            migrated_from = entry.base.switch_in(cpu, now);
            self.cpus.set_running(cpu, Some(task));
        }
        Pick {
            task,
            scanned,
            recalculated: 0,
            migrated_from,
            reschedule,
        }
    }

    /// `yield_task_fair()`: moves the deadline by a slice, so that other tasks come first.
    pub(super) fn yield_now(&mut self, cpu: Cpu, now: SimTime) -> bool {
        self.update_running(cpu, now);
        let queue = &mut self.queues[usize::from(cpu)];
        if let Some(id) = self.cpus.running(cpu)
            && !queue.is_empty()
        {
            queue.is_protected = false;
            let entity = &mut self.tasks[id.index()].entity;
            entity.deadline += virtual_time(self.slice, entity.weight);
        }
        true
    }

    /// `put_prev_entity()`: puts a running task that is still runnable back on the queue.
    fn put_back(&mut self, id: TaskId, now: SimTime) {
        let task = &mut self.tasks[id.index()];
        task.base.state = State::Waiting;
        task.stopped = Some(now);
        self.cpus.set_running(task.base.cpu, None);
        self.queues[usize::from(task.base.cpu)].insert(id, &task.entity);
    }

    /// `pick_eevdf()`: the running task while it is eligible and within its slice, else the eligible task with
    /// the earliest deadline.
    fn choose(&self, cpu: Cpu) -> Option<TaskId> {
        self.choose_from(&self.queues[usize::from(cpu)], cpu)
    }

    fn choose_from(&self, queue: &Queue, cpu: Cpu) -> Option<TaskId> {
        let Some(id) = self.cpus.running(cpu) else {
            return queue.earliest_eligible(None).map(|(_, task)| task);
        };
        let entity = &self.tasks[id.index()].entity;
        if queue.is_empty() {
            return Some(id);
        }
        let is_eligible = queue.is_eligible(entity.vruntime, Some(entity));
        if is_eligible && queue.is_protected && self.config.run_to_parity {
            return Some(id);
        }
        match queue.earliest_eligible(Some(entity)) {
            Some((deadline, task)) if !is_eligible || deadline < entity.deadline => Some(task),
            Some(_) | None => Some(id),
        }
    }

    /// `update_curr()`: charges the running task; true if its slice is used up and other tasks are queued.
    fn update_running(&mut self, cpu: Cpu, now: SimTime) -> bool {
        let Some(id) = self.cpus.running(cpu) else {
            return false;
        };
        let Task { base, entity, .. } = &mut self.tasks[id.index()];
        let ran = (base.charge(now).0 / FS_PER_PS) as i64;
        entity.vruntime += virtual_time(ran, entity.weight);
        let queue = &mut self.queues[usize::from(cpu)];
        queue.move_origin(entity.vruntime);
        if entity.vruntime < entity.deadline {
            return false;
        }
        // `update_deadline()`
        entity.deadline = entity.vruntime + virtual_time(self.slice, entity.weight);
        queue.is_protected = false;
        !queue.is_empty()
    }

    /// `task_tick_fair()`, and load balancing: at every tick of an idle CPU, at a longer interval of a busy
    /// one.
    pub(super) fn tick(&mut self, cpu: Cpu, now: SimTime) -> bool {
        let at = usize::from(cpu);
        self.queues[at].ticks += 1;
        if self.cpus.is_idle(cpu) {
            let has_work = self.waiting(cpu) > 0;
            return self.balance(cpu, Why::Idle, now) || has_work;
        }
        self.queues[at].clock = self.queues[at].clock.map(|_| now);
        let mut must_pick = self.update_running(cpu, now);
        let between = self.config.busy_balance_ms_per_cpu * u64::from(self.cpus.count());
        let between = (SimTime::from_ms(between).0 / self.cpus.tick.0).max(1);
        if self.queues[at].ticks.is_multiple_of(between) {
            must_pick |= self.balance(cpu, Why::Busy, now);
        }
        must_pick
    }

    /// V of a CPU's queue, with its running task.
    fn average(&self, cpu: Cpu) -> i64 {
        let running = self
            .cpus
            .running(cpu)
            .map(|id| &self.tasks[id.index()].entity);
        self.queues[usize::from(cpu)].average(running)
    }

    /// `update_entity_lag()`: saves the lag of a task that is dequeued, limited to two slices.
    fn note_lag(&mut self, id: TaskId) {
        let average = self.average(self.tasks[id.index()].base.cpu);
        let tick = (self.cpus.tick.0 / FS_PER_PS) as i64;
        let task = &mut self.tasks[id.index()];
        let limit = virtual_time((2 * self.slice).max(tick), task.entity.weight);
        task.lag = (average - task.entity.vruntime).clamp(-limit, limit);
    }

    /// `place_entity()`: places a task at V minus its lag, scaled because its own weight moves V; its deadline
    /// is a slice later, for a new task half a slice.
    fn enqueue(&mut self, id: TaskId, cpu: Cpu) {
        let at = usize::from(cpu);
        let average = self.average(cpu);
        let running = self
            .cpus
            .running(cpu)
            .map(|id| self.tasks[id.index()].entity.weight);
        let load = self.queues[at].load() + running.unwrap_or(0);
        let task = &mut self.tasks[id.index()];
        let weight = task.entity.weight;
        let lag = match load {
            0 => 0,
            _ => i128::from(task.lag) * i128::from(load + weight) / i128::from(load),
        };
        task.entity.vruntime = average - lag as i64;
        let request = if task.is_new {
            self.slice / 2
        } else {
            self.slice
        };
        task.entity.deadline = task.entity.vruntime + virtual_time(request, weight);
        task.base.cpu = cpu;
        task.base.state = State::Waiting;
        self.queues[at].insert(id, &task.entity);
        if running.is_none() {
            self.queues[at].move_origin(average);
        }
    }

    /// `dequeue_entity()` of a waiting task.
    fn dequeue(&mut self, id: TaskId) {
        self.note_lag(id);
        let Task { base, entity, .. } = &self.tasks[id.index()];
        self.queues[usize::from(base.cpu)].remove(id, entity);
    }

    pub(super) fn running(&self, cpu: Cpu) -> Option<TaskId> {
        self.cpus.running(cpu)
    }

    pub(super) fn waiting(&self, cpu: Cpu) -> u32 {
        self.queues[usize::from(cpu)].runnable()
    }

    /// Runnable tasks on the queue, without the delayed ones.
    pub(super) fn waiting_tasks(&self, cpu: Cpu) -> impl DoubleEndedIterator<Item = TaskId> {
        let tasks = self.queues[usize::from(cpu)].tasks();
        tasks.filter(|id| !self.tasks[id.index()].is_delayed)
    }

    pub(super) fn slice_left(&self, id: TaskId) -> SimTime {
        let Entity {
            weight,
            vruntime,
            deadline,
        } = self.tasks[id.index()].entity;
        let left = i128::from((deadline - vruntime).max(0)) * i128::from(weight);
        SimTime((left / i128::from(weights::NICE_0)) as u64 * FS_PER_PS)
    }

    pub(super) fn cpu_time(&self, id: TaskId) -> SimTime {
        self.tasks[id.index()].base.cpu_time
    }
}

/// `calc_delta_fair()`: converts CPU time at a weight to virtual time.
fn virtual_time(time: i64, weight: i64) -> i64 {
    time * weights::NICE_0 / weight
}
