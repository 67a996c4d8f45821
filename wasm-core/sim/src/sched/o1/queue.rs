//! A CPU's run queue of the O(1) scheduler: an active and an expired array of lists by priority, each with a
//! bitmap in which one instruction finds the best priority.
//!
//! Simplified ("kinds of tasks"): of Linux's 140 priorities only the 40 of ordinary tasks exist, counted from 0 (nice
//! -20). A learner sees no realtime task; nothing else differs.

use super::super::TaskId;
use super::super::list::{Link, List};
use crate::time::SimTime;

/// Number of priorities of ordinary tasks (`MAX_USER_PRIO`).
pub(super) const PRIORITIES: u8 = 40;

/// `struct prio_array`.
#[derive(Debug, Clone)]
pub(super) struct Array {
    bitmap: u64,
    pub(super) tasks: u32,
    lists: [List; PRIORITIES as usize],
}

impl Array {
    const fn new() -> Self {
        Self {
            bitmap: 0,
            tasks: 0,
            lists: [List::EMPTY; PRIORITIES as usize],
        }
    }

    /// `enqueue_task()`: appends the task to the list of its priority.
    pub(super) fn enqueue(&mut self, links: &mut [Link], task: TaskId, priority: u8) {
        self.lists[usize::from(priority)].push_back(links, task);
        self.bitmap |= 1 << priority;
        self.tasks += 1;
    }

    /// `dequeue_task()`.
    pub(super) fn dequeue(&mut self, links: &mut [Link], task: TaskId, priority: u8) {
        let list = &mut self.lists[usize::from(priority)];
        list.remove(links, task);
        if list.is_empty() {
            self.bitmap &= !(1 << priority);
        }
        self.tasks -= 1;
    }

    /// `sched_find_first_bit()` and the head of that list: the task to run next.
    pub(super) fn best(&self) -> Option<TaskId> {
        self.list(self.first_from(0)?).first()
    }

    /// The best priority with tasks, from `priority` on.
    pub(super) fn first_from(&self, priority: u8) -> Option<u8> {
        let rest = self.bitmap.checked_shr(u32::from(priority)).unwrap_or(0);
        (rest != 0).then(|| priority + rest.trailing_zeros() as u8)
    }

    pub(super) fn list(&self, priority: u8) -> &List {
        &self.lists[usize::from(priority)]
    }
}

/// `struct runqueue`.
#[derive(Debug, Clone)]
pub(super) struct RunQueue {
    pub(super) arrays: [Array; 2],
    /// Index of the active array.
    pub(super) active: usize,
    /// `nr_running`: runnable tasks, the running one included.
    pub(super) tasks: u32,
    /// Number of timer interrupts so far (`jiffies`).
    pub(super) ticks: u64,
    /// `timestamp_last_tick`.
    pub(super) last_tick: SimTime,
    /// `expired_timestamp`: the tick at which the first task of the expired array used up its slice.
    pub(super) expired_since: Option<u64>,
    /// `best_expired_prio`: the best static priority in the expired array.
    pub(super) best_expired: u8,
    /// `prev_cpu_load`: the lengths of all queues when this CPU last balanced.
    pub(super) lengths_seen: Vec<u32>,
    /// `cpu_load` (2.6.7): the moving average of the length over ticks, in 128ths.
    pub(super) load: u32,
}

/// The load of one runnable task (`SCHED_LOAD_SCALE`).
pub(super) const LOAD_SCALE: u32 = 128;

impl RunQueue {
    pub(super) fn new(cpus: usize) -> Self {
        Self {
            arrays: [Array::new(), Array::new()],
            active: 0,
            tasks: 0,
            ticks: 0,
            last_tick: SimTime(0),
            expired_since: None,
            best_expired: PRIORITIES,
            lengths_seen: vec![0; cpus],
            load: 0,
        }
    }

    /// Index of the expired array.
    pub(super) fn expired(&self) -> usize {
        1 - self.active
    }

    /// Resets the expired array's state after the arrays were swapped.
    pub(super) fn clear_expired(&mut self) {
        self.expired_since = None;
        self.best_expired = PRIORITIES;
    }
}
