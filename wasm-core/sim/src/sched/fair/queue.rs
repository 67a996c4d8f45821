//! A CPU's queue of the fair scheduler: tasks by virtual deadline, those that sleep and owe among them, and the sums
//! from which the average virtual time V follows (`struct cfs_rq`).
//!
//! Simplified: Linux keeps a red-black tree and walks it; we keep a sorted vector, which is
//! faster for the lengths that occur. The order is the same, and a search is priced as a tree's.

use super::super::TaskId;
use crate::time::SimTime;

/// What the queue must know of a task.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entity {
    /// `se->load.weight`.
    pub(super) weight: i64,
    /// Time received, over weight, in picoseconds at nice 0.
    pub(super) vruntime: i64,
    /// When the current request should be done, in virtual time.
    pub(super) deadline: i64,
}

/// `struct cfs_rq`, without the running task.
#[derive(Debug, Clone)]
pub(super) struct Queue {
    /// The latest deadline first, so that the earliest is at the cheap end.
    waiting: Vec<(i64, i64, TaskId)>,
    /// The sum of weights.
    load: i64,
    /// The sum of `(vruntime - origin) * weight` (`avg_vruntime`).
    weighted: i128,
    /// The reference of the sum, near V (`min_vruntime`).
    origin: i64,
    /// How many of the tasks in it sleep (`DELAY_DEQUEUE`).
    pub(super) delayed: u32,
    /// Timer interrupts so far.
    pub(super) ticks: u64,
    /// When the task that is to run next was woken, until it runs: the clock by which both are charged stands still
    /// (`rq_clock_skip_update()`).
    pub(super) clock: Option<SimTime>,
    /// The running task has begun a slice here and not ended it (`RUN_TO_PARITY`).
    pub(super) is_protected: bool,
}

impl Queue {
    pub(super) const fn new() -> Self {
        Self {
            waiting: Vec::new(),
            load: 0,
            weighted: 0,
            origin: 0,
            delayed: 0,
            ticks: 0,
            clock: None,
            is_protected: false,
        }
    }

    /// Runnable tasks that wait.
    pub(super) fn runnable(&self) -> u32 {
        self.waiting.len() as u32 - self.delayed
    }

    /// Whether there is no task, not even one that sleeps.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The weight of the tasks in it.
    pub(super) fn load(&self) -> i64 {
        self.load
    }

    pub(super) fn insert(&mut self, task: TaskId, entity: &Entity) {
        let entry = (entity.deadline, entity.vruntime, task);
        let place = self.place_of(entity.deadline, task);
        self.waiting.insert(place, entry);
        self.load += entity.weight;
        self.weighted += i128::from(entity.vruntime - self.origin) * i128::from(entity.weight);
    }

    pub(super) fn remove(&mut self, task: TaskId, entity: &Entity) {
        let place = self.place_of(entity.deadline, task);
        self.waiting.remove(place);
        self.load -= entity.weight;
        self.weighted -= i128::from(entity.vruntime - self.origin) * i128::from(entity.weight);
    }

    /// Where an entry is or belongs: before all that are due sooner, of equals the newest task last to run.
    fn place_of(&self, deadline: i64, task: TaskId) -> usize {
        self.waiting
            .partition_point(|&(other, _, id)| (other, id) > (deadline, task))
    }

    /// Moves the reference, so that the sums stay small.
    pub(super) fn move_origin(&mut self, to: i64) {
        self.weighted -= i128::from(to - self.origin) * i128::from(self.load);
        self.origin = to;
    }

    /// V, the average virtual time of all runnable tasks by weight (`avg_vruntime()`).
    pub(super) fn average(&self, running: Option<&Entity>) -> i64 {
        let (weighted, load) = self.sums(running);
        if load == 0 {
            self.origin
        } else {
            self.origin + weighted.div_euclid(load.into()) as i64
        }
    }

    /// Whether a task has received no more than its share (`vruntime_eligible()`).
    pub(super) fn is_eligible(&self, vruntime: i64, running: Option<&Entity>) -> bool {
        let (weighted, load) = self.sums(running);
        weighted >= i128::from(vruntime - self.origin) * i128::from(load)
    }

    fn sums(&self, running: Option<&Entity>) -> (i128, i64) {
        running.map_or((self.weighted, self.load), |entity| {
            let offset = i128::from(entity.vruntime - self.origin);
            (
                self.weighted + offset * i128::from(entity.weight),
                self.load + entity.weight,
            )
        })
    }

    /// The eligible task with the earliest deadline, and that deadline; when rounding leaves
    /// none eligible, the first.
    pub(super) fn earliest_eligible(&self, running: Option<&Entity>) -> Option<(i64, TaskId)> {
        let (weighted, load) = self.sums(running);
        let is_eligible =
            |vruntime: i64| weighted >= i128::from(vruntime - self.origin) * i128::from(load);
        let eligible = self
            .waiting
            .iter()
            .rev()
            .find(|&&(_, vruntime, _)| is_eligible(vruntime));
        let fallback = || self.waiting.last().filter(|_| running.is_none());
        eligible
            .or_else(fallback)
            .map(|&(deadline, _, task)| (deadline, task))
    }

    /// All tasks in it, the earliest deadline first.
    pub(super) fn tasks(&self) -> impl DoubleEndedIterator<Item = TaskId> {
        self.waiting.iter().rev().map(|&(_, _, task)| task)
    }

    /// Levels of a balanced tree of that many tasks.
    pub(super) fn depth(&self) -> u32 {
        (self.waiting.len() as u32 + 1).ilog2() + 1
    }
}
