//! Interactivity in the O(1) scheduler: `sleep_avg`, the priority bonus that it gives, and the round robin of
//! interactive tasks of one priority.
//!
//! Networked programs are affected by it: each of many short waits for packets is multiplied by up to ten, so
//! that a receiver which sleeps a few per cent of its time can count as interactive, while one that never
//! sleeps has the priority of a hog.

use super::super::TaskId;
use super::{Activated, O1, Task};
use crate::time::SimTime;

/// `MAX_BONUS`: a quarter of the 40 priorities.
const MAX_BONUS: u64 = 10;

impl O1 {
    fn max_sleep_avg(&self) -> SimTime {
        SimTime::from_ms(self.config.max_sleep_avg_ms.max(1))
    }

    /// Initial `sleep_avg` of a task that is `forks` forks away from a program that mostly waits. It is a whole
    /// number of bonus steps, so that the parent's first work after a wakeup costs it one step.
    pub(super) fn inherited(&self, forks: u32) -> SimTime {
        let fork = |bonus: u64| bonus * self.config.child_penalty_percent / 100;
        let mut bonus = self.config.waiting_bonus.min(MAX_BONUS);
        for at in 0..forks.min(16) {
            bonus = fork(bonus.saturating_sub(u64::from(at > 0)));
        }
        SimTime(self.max_sleep_avg().0 / MAX_BONUS * bonus)
    }

    /// `CURRENT_BONUS()`, 0 to 10.
    fn bonus(&self, task: &Task) -> u64 {
        task.sleep_avg.0 * MAX_BONUS / self.max_sleep_avg().0
    }

    /// `effective_prio()`: the static priority minus a bonus of -5 to 5.
    pub(super) fn effective_priority(&self, task: &Task) -> u8 {
        let bonus = self.bonus(task) as i32 - MAX_BONUS as i32 / 2;
        (i32::from(task.static_priority) - bonus).clamp(0, 39) as u8
    }

    /// Recomputes the dynamic priority; the task is on no list.
    pub(super) fn reprioritize(&mut self, task: TaskId) {
        let priority = self.effective_priority(&self.tasks[task.index()]);
        self.tasks[task.index()].priority = priority;
    }

    /// `DELTA()`: levels above the static priority from which a task is interactive; 2 at nice 0, more at
    /// higher nice.
    fn delta(&self, task: &Task) -> i32 {
        i32::from(task.base.nice) * MAX_BONUS as i32 / 40 + self.config.interactive_delta
    }

    /// `TASK_INTERACTIVE()`.
    pub(in super::super) fn is_interactive(&self, task: TaskId) -> bool {
        let task = &self.tasks[task.index()];
        i32::from(task.priority) <= i32::from(task.static_priority) - self.delta(task)
    }

    /// `recalc_task_prio()`: credits the time since the task's timestamp, multiplied by what its bonus lacks of
    /// the maximum. One long sleep makes it just interactive, no more.
    pub(super) fn earn(&mut self, id: TaskId, until: SimTime) {
        let max = self.max_sleep_avg();
        let task = &self.tasks[id.index()];
        let slept = (until - task.timestamp.min(until)).min(max);
        let (bonus, delta) = (self.bonus(task), self.delta(task));
        let long = (max.0 / MAX_BONUS * (MAX_BONUS as i32 / 2 + delta + 1).max(0) as u64)
            .saturating_sub(self.cpus.tick.0);
        let slice = SimTime::from_ms(self.config.time_slices.ms(0));
        let own_slice = SimTime(u64::from(self.slice_ticks(task.base.nice)) * self.cpus.tick.0);
        let (is_high, is_low) = self.credit(task);
        let task = &mut self.tasks[id.index()];
        if task.base.memory_map != 0 && slept.0 > long {
            task.sleep_avg = max - slice.min(max);
            task.credit += i32::from(!is_high);
        } else if slept > SimTime(0) {
            let mut gain = SimTime(slept.0 * MAX_BONUS.saturating_sub(bonus).max(1));
            if is_low {
                gain = gain.min(own_slice);
            }
            task.sleep_avg = task.sleep_avg + gain;
            if task.sleep_avg > max {
                task.sleep_avg = max;
                task.credit += i32::from(!is_high);
            }
        }
        self.reprioritize(id);
    }

    /// In `schedule()`: after a wakeup the wait for the CPU counts as sleep, all of it if an interrupt woke the
    /// task. The task moves to the tail of its list, but runs now all the same.
    pub(super) fn earn_wait(&mut self, id: TaskId, now: SimTime) {
        let task = &mut self.tasks[id.index()];
        let waited = now - task.timestamp.min(now);
        let counts = match std::mem::replace(&mut task.activated, Activated::No) {
            Activated::No => return,
            Activated::Partly => SimTime(waited.0 / 100 * self.config.run_queue_wait_percent),
            Activated::Fully => waited,
        };
        let (until, array) = (task.timestamp + counts, task.array);
        self.deactivate(id);
        self.earn(id, until);
        self.activate(id, array);
    }

    /// In `schedule()`: the time that the task ran is subtracted from `sleep_avg`, a fraction of it for a task
    /// with high credit, so that one burst of work does not end its interactivity.
    pub(super) fn spend(&mut self, id: TaskId, now: SimTime) {
        let max = self.max_sleep_avg();
        let task = &self.tasks[id.index()];
        let mut ran = (now - task.timestamp.min(now)).min(max);
        let (is_high, is_low) = self.credit(task);
        if is_high || self.config.credit_limit.is_none() {
            ran = SimTime(ran.0 / self.bonus(task).max(1));
        }
        let has_credit = self.config.credit_limit.is_some();
        let task = &mut self.tasks[id.index()];
        if ran >= task.sleep_avg {
            task.sleep_avg = SimTime(0);
            task.credit -= i32::from(has_credit && !is_high && !is_low);
        } else {
            task.sleep_avg = task.sleep_avg - ran;
        }
        task.timestamp = now;
    }

    /// `HIGH_CREDIT()` and `LOW_CREDIT()`.
    fn credit(&self, task: &Task) -> (bool, bool) {
        match self.config.credit_limit {
            Some(limit) => (task.credit > limit, task.credit < -limit),
            None => (false, false),
        }
    }

    /// Whether an interactive task has run for a granule (`TIMESLICE_GRANULARITY()`) of a long slice and moves
    /// to the tail of its list; the higher the bonus, the shorter the granule.
    pub(super) fn is_end_of_turn(&self, id: TaskId) -> bool {
        let task = &self.tasks[id.index()];
        if !self.is_interactive(id) {
            return false;
        }
        let lacks = MAX_BONUS.saturating_sub(self.bonus(task)).max(1);
        let unit = (SimTime::from_ms(self.config.granularity_ms).0 / self.cpus.tick.0).max(1);
        let turn = (unit << (lacks - 1)) * u64::from(self.cpus.count());
        let used = u64::from(self.slice_ticks(task.base.nice).saturating_sub(task.slice));
        used.is_multiple_of(turn) && u64::from(task.slice) >= turn
    }
}
