//! The fair scheduler (`kernel/sched/fair.c`): each task gets CPU time by its weight, counted as virtual runtime.
//!
//! Which task runs, and when one takes the CPU of another, is the law of the release: `cfs` (2.6.23 to 6.5) or `eevdf`
//! (since 6.6). What a wakeup and a decision are made of is here, where tasks go in `place`: alike under both.
//!
//! Simplified ("groups"): no cgroups, so all tasks of a CPU share one queue. Two logged-in users with
//! one and nine hogs get a tenth and nine tenths here; with autogroups Linux gives each half.
//!
//! Simplified ("new tasks"): a new task starts on the CPU with the fewest tasks instead of the idlest at its `fork`.
//! A learner sees tasks spread evenly from the start.

mod cfs;
mod delay;
mod eevdf;
mod place;
mod queue;

use super::config::{CfsConfig, EevdfConfig, FairBalance};
use super::cpus::{Base, Cpus, State};
use super::{Claim, Cpu, Pick, Setup, TaskId, Wake, weights};
use crate::time::SimTime;
use cfs::Cfs;
use eevdf::Eevdf;
use place::Why;
use queue::{Entity, Order, Queue};

/// Femtoseconds in a unit of virtual time.
const FS_PER_PS: u64 = 1000;

#[derive(Debug, Clone)]
struct Task {
    base: Base,
    entity: Entity,
    /// Lag in virtual time when it was last dequeued; negative if it received more than its share (EEVDF).
    lag: i64,
    /// Whether it sleeps but is still on its queue (`sched_delayed`, EEVDF).
    is_delayed: bool,
    /// Whether it has not run yet.
    is_new: bool,
    /// Whether it was runnable when the run began, and has not slept since (CFS).
    is_unslept: bool,
    /// Its CPU time when it was last picked (`prev_sum_exec_runtime`).
    ran_at_pick: SimTime,
    /// When it last left a CPU.
    stopped: Option<SimTime>,
}

/// Which task runs, and when one takes the CPU of another.
#[derive(Debug, Clone, Copy)]
enum Law {
    Cfs(Cfs),
    Eevdf(Eevdf),
}

/// The scheduler, with a queue for each CPU.
#[derive(Debug, Clone)]
pub struct Fair {
    law: Law,
    balance: FairBalance,
    cpus: Cpus,
    tasks: Vec<Task>,
    queues: Vec<Queue>,
}

impl Fair {
    pub(super) fn cfs(config: &CfsConfig, setup: Setup) -> Self {
        let law = Law::Cfs(Cfs::new(config, scaling(setup)));
        Self::new(law, Order::Vruntime, &config.balance, setup)
    }

    pub(super) fn eevdf(config: &EevdfConfig, setup: Setup) -> Self {
        let law = Law::Eevdf(Eevdf::new(config, scaling(setup)));
        Self::new(law, Order::Deadline, &config.balance, setup)
    }

    fn new(law: Law, order: Order, balance: &FairBalance, setup: Setup) -> Self {
        let cpus = Cpus::new(setup);
        let queues = vec![Queue::new(order); usize::from(cpus.count())];
        Self {
            law,
            balance: balance.clone(),
            cpus,
            tasks: Vec::new(),
            queues,
        }
    }

    pub(super) fn add_task(&mut self, nice: i8, allowed: u64, memory_map: u32) -> TaskId {
        let base = self.cpus.new_task(nice, allowed, memory_map);
        let weight = weights::of_nice(base.nice);
        let vruntime = match self.law {
            Law::Cfs(law) => law.long_asleep(),
            Law::Eevdf(_) => 0,
        };
        let entity = Entity {
            weight,
            vruntime,
            deadline: 0,
        };
        self.tasks.push(Task {
            base,
            entity,
            lag: 0,
            is_delayed: false,
            is_new: true,
            is_unslept: false,
            ran_at_pick: SimTime(0),
            stopped: None,
        });
        TaskId(self.tasks.len() as u32 - 1)
    }

    /// `try_to_wake_up()`: selects a CPU, places the task there, and preempts if that CPU would now pick it.
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
        let is_slice_over = self.update_curr(cpu, now);
        if !is_delayed {
            self.enqueue(id, cpu);
        }
        let takes = self.cpus.is_idle(cpu) || is_slice_over || self.preempts(id, cpu);
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

    /// The task is runnable when the run begins.
    pub(super) fn begin(&mut self, id: TaskId) {
        self.tasks[id.index()].is_unslept = true;
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
                self.update_curr(cpu, now);
                self.note_lag(id);
                self.tasks[id.index()].stopped = Some(now);
                self.queues[usize::from(cpu)].buddies.clear(id);
                self.cpus.set_running(cpu, None);
                match self.law {
                    Law::Cfs(_) => self.update_min_vruntime(cpu),
                    Law::Eevdf(law) => {
                        if to == State::Sleeping && law.delays(&self.tasks[id.index()]) {
                            self.delay(id, cpu);
                        }
                    }
                }
            }
            State::Waiting => self.dequeue(id),
            State::Sleeping if to == State::Exited => self.end_delay(id),
            State::Sleeping | State::Exited => return,
        }
        self.tasks[id.index()].base.state = to;
        if let Law::Cfs(law) = self.law {
            self.fall_asleep(law, id);
        }
    }

    /// `schedule()`: `pick_next_task_fair()`, which balances before it lets the CPU idle.
    pub(super) fn pick(&mut self, cpu: Cpu, now: SimTime) -> Pick {
        let at = usize::from(cpu);
        let now = self.queues[at].clock.take().unwrap_or(now);
        self.update_curr(cpu, now);
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
            self.pull(cpu, Why::NewlyIdle, now);
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
            // `set_next_entity()`
            self.queues[at].remove(task, &self.tasks[task.index()].entity);
            self.queues[at].is_protected = true;
            self.queues[at].buddies.clear(task);
            let entry = &mut self.tasks[task.index()];
            entry.is_new = false;
            entry.ran_at_pick = entry.base.cpu_time;
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

    /// `sched_yield()`; the CPU should call [`Self::pick`].
    pub(super) fn yield_now(&mut self, cpu: Cpu, now: SimTime) -> bool {
        self.update_curr(cpu, now);
        match self.law {
            Law::Cfs(_) => self.skip_running(cpu),
            Law::Eevdf(law) => self.postpone_running(law, cpu),
        }
        true
    }

    /// The task that a CPU would run now, the running one among them.
    fn choose(&self, cpu: Cpu) -> Option<TaskId> {
        self.choose_from(&self.queues[usize::from(cpu)], cpu)
    }

    fn choose_from(&self, queue: &Queue, cpu: Cpu) -> Option<TaskId> {
        match self.law {
            Law::Cfs(law) => self.choose_by_vruntime(law, queue, cpu),
            Law::Eevdf(law) => self.choose_by_deadline(law, queue, cpu),
        }
    }

    /// `wakeup_preempt()`: whether a task that was put on the queue of a busy CPU takes it.
    fn preempts(&mut self, id: TaskId, cpu: Cpu) -> bool {
        match self.law {
            Law::Cfs(law) => self.preempts_by_vruntime(law, id, cpu),
            Law::Eevdf(_) => self.choose(cpu) == Some(id),
        }
    }

    /// `update_curr()`: charges the running task; true if its deadline has come and others wait (EEVDF).
    fn update_curr(&mut self, cpu: Cpu, now: SimTime) -> bool {
        let Some(id) = self.cpus.running(cpu) else {
            return false;
        };
        let Task { base, entity, .. } = &mut self.tasks[id.index()];
        let ran = (base.charge(now).0 / FS_PER_PS) as i64;
        entity.vruntime += virtual_time(ran, entity.weight);
        match self.law {
            Law::Cfs(_) => {
                self.update_min_vruntime(cpu);
                false
            }
            Law::Eevdf(law) => self.is_request_over(law, id, cpu),
        }
    }

    /// `entity_tick()`: whether the running task has had its turn, once it is charged.
    fn is_turn_over(&mut self, cpu: Cpu) -> bool {
        match self.law {
            Law::Cfs(law) => self.is_slice_over(law, cpu),
            // It ends with the deadline, which the charge has looked at.
            Law::Eevdf(_) => false,
        }
    }

    /// `put_prev_entity()`: puts a running task that is still runnable back on the queue.
    fn put_back(&mut self, id: TaskId, now: SimTime) {
        let task = &mut self.tasks[id.index()];
        task.base.state = State::Waiting;
        task.stopped = Some(now);
        self.cpus.set_running(task.base.cpu, None);
        self.queues[usize::from(task.base.cpu)].insert(id, &task.entity);
    }

    /// `task_tick_fair()`, and load balancing: at every tick of an idle CPU, at a longer interval of a busy
    /// one.
    pub(super) fn tick(&mut self, cpu: Cpu, now: SimTime) -> bool {
        let at = usize::from(cpu);
        self.queues[at].ticks += 1;
        if self.cpus.is_idle(cpu) {
            let has_work = self.waiting(cpu) > 0;
            return self.pull(cpu, Why::Idle, now) || has_work;
        }
        self.queues[at].clock = self.queues[at].clock.map(|_| now);
        let mut must_pick = self.update_curr(cpu, now) || self.is_turn_over(cpu);
        let between = self.balance.busy_ms_per_cpu * u64::from(self.cpus.count());
        let between = (SimTime::from_ms(between).0 / self.cpus.tick.0).max(1);
        if self.queues[at].ticks.is_multiple_of(between) {
            must_pick |= self.pull(cpu, Why::Busy, now);
        }
        must_pick
    }

    /// `enqueue_entity()`: places a task among those of a CPU.
    fn enqueue(&mut self, id: TaskId, cpu: Cpu) {
        let entity = match self.law {
            Law::Cfs(law) => self.placed_by_vruntime(law, id, cpu),
            Law::Eevdf(law) => self.placed_by_lag(law, id, cpu),
        };
        let task = &mut self.tasks[id.index()];
        task.entity = entity;
        task.base.cpu = cpu;
        task.base.state = State::Waiting;
        self.queues[usize::from(cpu)].insert(id, &entity);
    }

    /// `dequeue_entity()` of a waiting task.
    fn dequeue(&mut self, id: TaskId) {
        self.note_lag(id);
        let Task { base, entity, .. } = &self.tasks[id.index()];
        let queue = &mut self.queues[usize::from(base.cpu)];
        queue.remove(id, entity);
        queue.buddies.clear(id);
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

    /// The tasks of [`Self::waiting_tasks`] in the order in which they would be picked.
    pub(super) fn queued(&self, cpu: Cpu) -> Vec<(TaskId, Claim)> {
        match self.law {
            Law::Cfs(law) => self.queued_by_vruntime(law, cpu),
            Law::Eevdf(_) => self.queued_by_deadline(cpu),
        }
    }

    pub(super) fn slice_left(&self, id: TaskId) -> SimTime {
        let left = match self.law {
            Law::Cfs(law) => self.left_of_period(law, id),
            Law::Eevdf(_) => self.left_of_request(id),
        };
        SimTime(left as u64 * FS_PER_PS)
    }

    pub(super) fn cpu_time(&self, id: TaskId) -> SimTime {
        self.tasks[id.index()].base.cpu_time
    }
}

/// `calc_delta_fair()`: converts CPU time at a weight to virtual time.
fn virtual_time(time: i64, weight: i64) -> i64 {
    time * weights::NICE_0 / weight
}

/// `get_update_sysctl_factor()`, `SCHED_TUNABLESCALING_LOG`: what the scheduler's times are multiplied by.
fn scaling(setup: Setup) -> u64 {
    1 + u64::from(setup.cpus.min(8).ilog2())
}

/// In the unit of virtual time.
fn picoseconds(us: u64) -> i64 {
    (SimTime::from_us(us).0 / FS_PER_PS) as i64
}
