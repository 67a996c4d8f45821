//! A CPU's run queue of the O(1) scheduler: two arrays of lists by priority, of which
//! one is active, and a bitmap each in which the best priority is one instruction away.
//!
//! Simplified: of Linux's 140 priorities only the 40 of ordinary tasks exist, counted from
//! 0 (nice -20). No realtime task can come before them; nothing else would look different.

use super::super::TaskId;
use super::super::list::{Link, List};
use crate::time::SimTime;

/// Priorities of ordinary tasks (`MAX_USER_PRIO`).
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

    /// `enqueue_task()`: behind its equals.
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

    /// `sched_find_first_bit()` and the head of that list.
    pub(super) fn best(&self) -> Option<TaskId> {
        self.list(self.first_from(0)?).first()
    }

    /// The best priority from this one on that has tasks.
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
    /// Which of the two is active.
    pub(super) active: usize,
    /// `nr_running`: runnable tasks, the running one included.
    pub(super) tasks: u32,
    /// Timer interrupts so far (`jiffies`).
    pub(super) ticks: u64,
    /// `timestamp_last_tick`.
    pub(super) last_tick: SimTime,
    /// `expired_timestamp`: the tick at which the first task of the expired array used its slice.
    pub(super) expired_since: Option<u64>,
    /// `best_expired_prio`: the best static priority in the expired array.
    pub(super) best_expired: u8,
    /// `prev_cpu_load`: the lengths of all queues when this CPU last looked.
    pub(super) lengths_seen: Vec<u32>,
    /// `cpu_load` (2.6.7): the length in 128ths, averaged over ticks.
    pub(super) load: u32,
}

/// What one runnable task adds to a load (`SCHED_LOAD_SCALE`).
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

    /// Which array is the expired one.
    pub(super) fn expired(&self) -> usize {
        1 - self.active
    }

    /// No task waits for an interactive one any more.
    pub(super) fn clear_expired(&mut self) {
        self.expired_since = None;
        self.best_expired = PRIORITIES;
    }
}
