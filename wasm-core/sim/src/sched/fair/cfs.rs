//! CFS, the law of the fair scheduler from 2.6.23 to 6.5: of a CPU's tasks the one with the least virtual runtime
//! runs, for its share of a period in which each runs once.
//!
//! A task that wakes is placed half a period before `min_vruntime`, if it has not run more than that
//! (`GENTLE_FAIR_SLEEPERS`), and preempts the running task if it is behind it by more than a granularity. There is
//! no lag: who wakes owes nothing beyond its virtual runtime.
//!
//! Source: `kernel/sched/fair.c` (v6.1), with the features that are on by default in `kernel/sched/features.h`.

use super::super::config::CfsConfig;
use super::super::cpus::State;
use super::super::{Claim, Cpu, TaskId};
use super::queue::{Entity, Queue};
use super::{FS_PER_PS, Fair, Task, picoseconds, virtual_time};

/// The times of [`CfsConfig`] on this machine, in picoseconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cfs {
    latency: i64,
    min_granularity: i64,
    wakeup_granularity: i64,
}

impl Cfs {
    /// `factor` is what the times are multiplied by on a machine of several CPUs.
    pub(super) fn new(config: &CfsConfig, factor: u64) -> Self {
        let min_granularity = picoseconds(config.min_granularity_us.max(1) * factor);
        Self {
            latency: picoseconds(config.latency_us * factor).max(min_granularity),
            min_granularity,
            wakeup_granularity: picoseconds(config.wakeup_granularity_us * factor),
        }
    }

    /// `sched_nr_latency`: so many tasks have room in the latency.
    fn fitting(self) -> i64 {
        (self.latency + self.min_granularity - 1) / self.min_granularity
    }

    /// `__sched_period()`: within so much each of `tasks` runs once.
    fn period(self, tasks: i64) -> i64 {
        if tasks > self.fitting() {
            tasks * self.min_granularity
        } else {
            self.latency
        }
    }

    /// `sched_slice()`: what a task of this weight gets of the period; `tasks` and `load` count it.
    fn slice(self, weight: i64, tasks: i64, load: i64) -> i64 {
        let part = i128::from(self.period(tasks)) * i128::from(weight) / i128::from(load.max(1));
        // `BASE_SLICE`
        (part as i64).max(self.min_granularity)
    }

    /// The virtual runtime, seen from `min_vruntime`, of a task that has slept for long (`GENTLE_FAIR_SLEEPERS`).
    pub(super) fn long_asleep(self) -> i64 {
        -(self.latency / 2)
    }

    /// `wakeup_preempt_entity()`: whether a task of this weight and virtual runtime takes the CPU of one that has
    /// run for `other` of virtual time.
    fn takes(self, vruntime: i64, weight: i64, other: i64) -> bool {
        other - vruntime > virtual_time(self.wakeup_granularity, weight)
    }
}

/// The tasks of a queue that come out of turn (`cfs_rq->next, last, skip`).
#[derive(Debug, Clone, Copy)]
pub(super) struct Buddies {
    /// The task that was woken last and preempted another.
    next: Option<TaskId>,
    /// The task that was preempted last, on a queue with many (`LAST_BUDDY`).
    last: Option<TaskId>,
    /// The task that yielded.
    skip: Option<TaskId>,
}

impl Buddies {
    pub(super) const NONE: Self = Self {
        next: None,
        last: None,
        skip: None,
    };

    /// `clear_buddies()`: the task is none any more.
    pub(super) fn clear(&mut self, task: TaskId) {
        for buddy in [&mut self.next, &mut self.last, &mut self.skip] {
            buddy.take_if(|buddy| *buddy == task);
        }
    }

    /// Whether the task keeps its cache warm for its turn, which is soon (`CACHE_HOT_BUDDY`).
    pub(super) fn are_hot(&self, task: TaskId) -> bool {
        [self.next, self.last].contains(&Some(task))
    }
}

impl Fair {
    /// `pick_next_entity()`: the task with the least virtual runtime, the running one among them, unless it yielded;
    /// a buddy that is hardly behind comes before it.
    pub(super) fn choose_by_vruntime(&self, law: Cfs, queue: &Queue, cpu: Cpu) -> Option<TaskId> {
        let vruntime = |task: TaskId| self.tasks[task.index()].entity.vruntime;
        let running = self.cpus.running(cpu);
        let mut waiting = queue.tasks();
        let (first, second) = (waiting.next(), waiting.next());
        let (left, following) = match (first, running) {
            (Some(first), Some(running)) if vruntime(running) < vruntime(first) => {
                (running, Some(first))
            }
            (Some(first), Some(running)) => {
                let next = second.filter(|&second| vruntime(second) <= vruntime(running));
                (first, next.or(Some(running)))
            }
            (Some(first), None) => (first, second),
            (None, running) => return running,
        };
        let is_near = |task: TaskId| !self.is_behind(law, left, task);
        let Buddies { next, last, skip } = queue.buddies;
        if let Some(buddy) = [next, last]
            .into_iter()
            .flatten()
            .find(|&task| is_near(task))
        {
            return Some(buddy);
        }
        let instead = following.filter(|&task| skip == Some(left) && is_near(task));
        Some(instead.unwrap_or(left))
    }

    /// Whether a task is so far behind another that it takes its CPU when it wakes.
    fn is_behind(&self, law: Cfs, task: TaskId, other: TaskId) -> bool {
        let entity = |task: TaskId| &self.tasks[task.index()].entity;
        law.takes(
            entity(task).vruntime,
            entity(task).weight,
            entity(other).vruntime,
        )
    }

    /// `check_preempt_wakeup()`: whether a task that was put on a queue takes the CPU of the running one.
    pub(super) fn preempts_by_vruntime(&mut self, law: Cfs, id: TaskId, cpu: Cpu) -> bool {
        let at = usize::from(cpu);
        let Some(running) = self.cpus.running(cpu) else {
            return true;
        };
        // Another wakeup has called for a switch that is still to come.
        if self.queues[at].clock.is_some() || !self.is_behind(law, id, running) {
            return false;
        }
        let has_many = self.runs_on(cpu) >= law.fitting();
        let buddies = &mut self.queues[at].buddies;
        buddies.next = Some(id);
        if has_many {
            buddies.last = Some(running);
        }
        true
    }

    /// `check_preempt_tick()`: whether the running task has had its slice, or is ahead of the first by one.
    pub(super) fn is_slice_over(&mut self, law: Cfs, cpu: Cpu) -> bool {
        let at = usize::from(cpu);
        let (Some(id), Some(first)) = (self.cpus.running(cpu), self.queues[at].first_vruntime())
        else {
            return false;
        };
        let task = &self.tasks[id.index()];
        let slice = self.slice_among_queued(law, task);
        let ran = self.ran_since_pick(id);
        if ran > slice {
            self.queues[at].buddies.clear(id);
            return true;
        }
        ran >= law.min_granularity && task.entity.vruntime - first > slice
    }

    /// `place_entity()`: a task that wakes comes half a period before the others at most. One that is moved keeps its
    /// distance to `min_vruntime`.
    ///
    /// Simplified ("new tasks"): one that begins with the run comes among the others; on Linux a child comes a slice
    /// behind (`START_DEBIT`). The tasks of a run were there before it.
    pub(super) fn placed_by_vruntime(&self, law: Cfs, id: TaskId, cpu: Cpu) -> Entity {
        let Task {
            base,
            entity,
            is_unslept,
            ..
        } = &self.tasks[id.index()];
        let origin = self.queues[usize::from(cpu)].origin();
        let is_woken = base.state == State::Sleeping;
        // `migrate_task_rq_fair()`, `dequeue_entity()`, `enqueue_entity()`
        let moved = entity.vruntime - self.queues[usize::from(base.cpu)].origin() + origin;
        let vruntime = if is_woken && *is_unslept {
            origin
        } else if is_woken {
            moved.max(origin + law.long_asleep())
        } else {
            moved
        };
        Entity {
            vruntime,
            ..*entity
        }
    }

    /// A task sleeps. If it has been awake since the run began, it is taken for one that mostly sleeps: how far behind
    /// the others it was when the run began is not known.
    pub(super) fn fall_asleep(&mut self, law: Cfs, id: TaskId) {
        let task = &mut self.tasks[id.index()];
        if std::mem::take(&mut task.is_unslept) {
            task.entity.vruntime += law.long_asleep();
        }
    }

    /// `update_min_vruntime()`: the least virtual runtime of a CPU's tasks; it never falls.
    pub(super) fn update_min_vruntime(&mut self, cpu: Cpu) {
        let running = self.cpus.running(cpu);
        let running = running.map(|id| self.tasks[id.index()].entity.vruntime);
        let queue = &mut self.queues[usize::from(cpu)];
        if let Some(least) = running.into_iter().chain(queue.first_vruntime()).min() {
            queue.move_origin(least.max(queue.origin()));
        }
    }

    /// `yield_task_fair()`: the running task is passed over once, if another is hardly behind it.
    pub(super) fn skip_running(&mut self, cpu: Cpu) {
        let queue = &mut self.queues[usize::from(cpu)];
        if let Some(id) = self.cpus.running(cpu)
            && !queue.is_empty()
        {
            queue.buddies.clear(id);
            queue.buddies.skip = Some(id);
        }
    }

    /// What is left of a task's slice, in picoseconds; of one that does not run, a whole slice.
    pub(super) fn left_of_period(&self, law: Cfs, id: TaskId) -> i64 {
        let task = &self.tasks[id.index()];
        match task.base.state {
            State::Running => (self.slice_among_queued(law, task) - self.ran_since_pick(id)).max(0),
            State::Waiting => self.slice_among_queued(law, task),
            State::Sleeping | State::Exited => {
                let Task { base, entity, .. } = task;
                let load = self.load(base.cpu) + entity.weight;
                law.slice(entity.weight, self.runs_on(base.cpu) + 1, load)
            }
        }
    }

    /// The slice of a task that its CPU's queue counts.
    fn slice_among_queued(&self, law: Cfs, Task { base, entity, .. }: &Task) -> i64 {
        law.slice(entity.weight, self.runs_on(base.cpu), self.load(base.cpu))
    }

    /// The waiting tasks in the order in which they would be picked: a buddy, then by virtual runtime.
    pub(super) fn queued_by_vruntime(&self, law: Cfs, cpu: Cpu) -> Vec<(TaskId, Claim)> {
        let queue = &self.queues[usize::from(cpu)];
        let mut tasks: Vec<TaskId> = queue.tasks().collect();
        if let Some(next) = self.choose_by_vruntime(law, queue, cpu)
            && let Some(place) = tasks.iter().position(|&task| task == next)
        {
            tasks[..=place].rotate_right(1);
        }
        let vruntime = |id: TaskId| self.tasks[id.index()].entity.vruntime;
        let claim = |id| (id, Claim::Vruntime(vruntime(id)));
        tasks.into_iter().map(claim).collect()
    }

    /// CPU time of a running task since it was picked, in picoseconds
    /// (`sum_exec_runtime - prev_sum_exec_runtime`).
    fn ran_since_pick(&self, id: TaskId) -> i64 {
        let task = &self.tasks[id.index()];
        ((task.base.cpu_time - task.ran_at_pick).0 / FS_PER_PS) as i64
    }

    /// Number of runnable tasks, the running one included.
    fn runs_on(&self, cpu: Cpu) -> i64 {
        i64::from(self.runnable(cpu))
    }
}
