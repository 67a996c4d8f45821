//! A CPU's run queue of the fair scheduler (`struct cfs_rq`): tasks by virtual deadline (EEVDF), delayed ones
//! included, or by virtual runtime (CFS), and the sums from which the average virtual runtime V is computed.
//!
//! Simplified ("the fair scheduler's tree"): Linux searches a red-black tree; we keep a sorted vector, which is
//! faster at the lengths that occur. The order is the same, and a search is charged as one in a tree.

use super::super::TaskId;
use super::cfs::Buddies;
use crate::time::SimTime;

/// The scheduling attributes of a task (`struct sched_entity`).
#[derive(Debug, Clone, Copy)]
pub(super) struct Entity {
    /// `se->load.weight`.
    pub(super) weight: i64,
    /// Virtual runtime: CPU time in picoseconds, scaled to the weight of nice 0.
    pub(super) vruntime: i64,
    /// Virtual deadline of the current request (EEVDF).
    pub(super) deadline: i64,
}

/// What the tasks of a queue are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Earliest virtual deadline first (EEVDF).
    Deadline,
    /// Least virtual runtime first (CFS).
    Vruntime,
}

impl Order {
    fn key(self, entity: &Entity) -> i64 {
        match self {
            Self::Deadline => entity.deadline,
            Self::Vruntime => entity.vruntime,
        }
    }
}

/// `struct cfs_rq`, without the running task.
#[derive(Debug, Clone)]
pub(super) struct Queue {
    order: Order,
    /// What it is sorted by, virtual runtime and task; the last in order first, so that removing the first is cheap.
    waiting: Vec<(i64, i64, TaskId)>,
    /// Sum of the weights.
    load: i64,
    /// The sum of `(vruntime - origin) * weight` (`avg_vruntime`).
    weighted: i128,
    /// See [`Self::origin`].
    origin: i64,
    /// Number of delayed tasks on the queue (`DELAY_DEQUEUE`).
    pub(super) delayed: u32,
    /// Number of timer interrupts so far.
    pub(super) ticks: u64,
    /// Time of the wakeup that caused the next switch, until that happens: both tasks are charged up to it
    /// (`rq_clock_skip_update()`).
    pub(super) clock: Option<SimTime>,
    /// Whether the running task has not used up the slice that it began here (`RUN_TO_PARITY`).
    pub(super) is_protected: bool,
    /// Who is preferred to the first, or not (CFS).
    pub(super) buddies: Buddies,
}

impl Queue {
    pub(super) const fn new(order: Order) -> Self {
        Self {
            order,
            waiting: Vec::new(),
            load: 0,
            weighted: 0,
            origin: 0,
            delayed: 0,
            ticks: 0,
            clock: None,
            is_protected: false,
            buddies: Buddies::NONE,
        }
    }

    /// Number of runnable tasks on the queue.
    pub(super) fn runnable(&self) -> u32 {
        self.waiting.len() as u32 - self.delayed
    }

    /// Whether there is no task, not even a delayed one.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Sum of the weights of its tasks.
    pub(super) fn load(&self) -> i64 {
        self.load
    }

    pub(super) fn insert(&mut self, task: TaskId, entity: &Entity) {
        let key = self.order.key(entity);
        let place = self.place_of(key, task);
        self.waiting.insert(place, (key, entity.vruntime, task));
        self.load += entity.weight;
        self.weighted += i128::from(entity.vruntime - self.origin) * i128::from(entity.weight);
    }

    pub(super) fn remove(&mut self, task: TaskId, entity: &Entity) {
        let place = self.place_of(self.order.key(entity), task);
        self.waiting.remove(place);
        self.load -= entity.weight;
        self.weighted -= i128::from(entity.vruntime - self.origin) * i128::from(entity.weight);
    }

    /// Index at which an entry is or belongs: by descending key, among equals by descending task number.
    fn place_of(&self, key: i64, task: TaskId) -> usize {
        self.waiting
            .partition_point(|&(other, _, id)| (other, id) > (key, task))
    }

    /// `min_vruntime`: under EEVDF the reference point of the sum, under CFS where a task is placed that wakes.
    pub(super) fn origin(&self) -> i64 {
        self.origin
    }

    /// The virtual runtime of the first task in order.
    pub(super) fn first_vruntime(&self) -> Option<i64> {
        self.waiting.last().map(|&(_, vruntime, _)| vruntime)
    }

    /// Moves the reference point of the sum to `to`, so that the sum stays small.
    pub(super) fn move_origin(&mut self, to: i64) {
        self.weighted -= i128::from(to - self.origin) * i128::from(self.load);
        self.origin = to;
    }

    /// V, the weighted average virtual runtime of all tasks on the queue and the running one
    /// (`avg_vruntime()`).
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

    /// The eligible task with the earliest deadline, and that deadline; if rounding leaves none eligible and no
    /// task runs, the first task.
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

    /// All tasks in it, in order.
    pub(super) fn tasks(&self) -> impl DoubleEndedIterator<Item = TaskId> {
        self.waiting.iter().rev().map(|&(_, _, task)| task)
    }

    /// Depth of a balanced tree with as many tasks.
    pub(super) fn depth(&self) -> u32 {
        (self.waiting.len() as u32 + 1).ilog2() + 1
    }
}
