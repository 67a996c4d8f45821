//! CPU selection on wakeup and load balancing of the fair scheduler: `select_task_rq_fair()`,
//! `sched_balance_newidle()`, `sched_balance_rq()`.
//!
//! Simplified ("load under the fair scheduler"): a load is the weight of the tasks that are runnable now; Linux
//! averages it over some 32 ms (PELT) and counts sleepers in part. A learner sees decisions change sooner when tasks
//! come and go within milliseconds.
//!
//! Simplified ("load under the fair scheduler"): two levels only, a shared cache and the machine; there is no search
//! for a core with only idle hyper-threads, no energy model, and no `wake_wide()`, which on Linux keeps a waker of
//! very many tasks from pulling them all near its own CPU.

use super::super::cpus::{State, each};
use super::super::{Cpu, TaskId};
use super::Fair;
use crate::time::SimTime;

/// The reason for load balancing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// The CPU has run out of work in `schedule()`.
    NewlyIdle,
    /// The tick of an idle CPU.
    Idle,
    /// The tick of a busy CPU.
    Busy,
}

impl Fair {
    /// The CPU on which a task wakes, and the number of CPUs examined.
    pub(super) fn choose_cpu(&self, id: TaskId, waker: Cpu, is_sync: bool) -> (Cpu, u32) {
        let base = &self.tasks[id.index()].base;
        let lowest = || each(base.allowed).next().unwrap_or(0);
        let last = if base.may_run_on(base.cpu) {
            base.cpu
        } else {
            lowest()
        };
        let target = if base.may_run_on(waker) && waker != last {
            self.wake_affine(id, last, waker, is_sync)
        } else {
            last
        };
        self.select_idle_sibling(base.allowed, last, target)
    }

    /// `wake_affine()`: decides between the CPU that the task last ran on and the waker's.
    fn wake_affine(&self, id: TaskId, last: Cpu, waker: Cpu, is_sync: bool) -> Cpu {
        let is_idle = |cpu: Cpu| self.is_available(cpu);
        let weight = |id: TaskId| self.tasks[id.index()].entity.weight;
        if is_idle(waker) && self.cpus.share_cache(waker, last) {
            return if is_idle(last) { last } else { waker };
        }
        if is_sync && self.runnable(waker) == 1 {
            return waker;
        }
        if is_idle(last) {
            return last;
        }
        // `wake_affine_weight()`: a synchronous waker is about to sleep, so its weight does not count.
        let leaves = if is_sync {
            self.cpus.running(waker).map_or(0, weight)
        } else {
            0
        };
        let here = self.load(waker) - leaves + weight(id);
        let bias = 100 + self.balance.imbalance_percent.saturating_sub(100) as i64 / 2;
        if here * 100 < self.load(last) * bias {
            waker
        } else {
            last
        }
    }

    /// `select_idle_sibling()`: the target if it is idle, the last CPU if it is idle and shares the target's
    /// cache, else any idle CPU of that cache.
    fn select_idle_sibling(&self, allowed: u64, last: Cpu, target: Cpu) -> (Cpu, u32) {
        if self.is_available(target) {
            return (target, 1);
        }
        if last != target && self.cpus.share_cache(last, target) && self.is_available(last) {
            return (last, 2);
        }
        let candidates = self.cpus.siblings(target) & allowed;
        let above = candidates & u64::MAX.checked_shl(u32::from(target) + 1).unwrap_or(0);
        let wrapped = each(above).chain(each(candidates & !above));
        let mut scanned = 2;
        for cpu in wrapped {
            scanned += 1;
            if self.is_available(cpu) {
                return (cpu, scanned);
            }
        }
        (target, scanned)
    }

    /// `available_idle_cpu()`: idle, and without a runnable task on its queue.
    fn is_available(&self, cpu: Cpu) -> bool {
        self.cpus.is_idle(cpu) && self.waiting(cpu) == 0
    }

    /// Number of runnable tasks, the running one included.
    pub(super) fn runnable(&self, cpu: Cpu) -> u32 {
        self.queues[usize::from(cpu)].runnable() + u32::from(!self.cpus.is_idle(cpu))
    }

    /// Weight of the tasks on the queue and the running one.
    pub(super) fn load(&self, cpu: Cpu) -> i64 {
        let running = self.cpus.running(cpu);
        let running = running.map_or(0, |id| self.tasks[id.index()].entity.weight);
        self.queues[usize::from(cpu)].load() + running
    }

    /// Pulls tasks from the longest queue, first among the CPUs that share the cache: one task for an idle CPU,
    /// half the difference for a busy one. True if the CPU should call `pick`.
    pub(super) fn pull(&mut self, cpu: Cpu, why: Why, now: SimTime) -> bool {
        let near = self.cpus.siblings(cpu);
        let all = self.cpus.mask(u64::MAX);
        self.pull_from(near, cpu, why, now) || self.pull_from(all & !near, cpu, why, now)
    }

    fn pull_from(&mut self, cpus: u64, cpu: Cpu, why: Why, now: SimTime) -> bool {
        let busiest = each(cpus)
            .filter(|&other| other != cpu && self.waiting(other) > 0)
            .max_by_key(|&other| (self.runnable(other), std::cmp::Reverse(other)));
        let Some(busiest) = busiest else { return false };
        let (theirs, own) = (self.runnable(busiest), self.runnable(cpu));
        let percent = self.balance.imbalance_percent;
        if theirs < 2 || u64::from(theirs) * 100 <= u64::from(own) * percent {
            return false;
        }
        let wanted = if why == Why::Busy {
            (theirs - own) / 2
        } else {
            1
        };
        let mut must_pick = false;
        for _ in 0..wanted {
            let Some(task) = self.find_movable(busiest, cpu, why, now) else {
                break;
            };
            self.update_curr(busiest, now);
            self.dequeue(task);
            self.enqueue(task, cpu);
            must_pick |= self.cpus.is_idle(cpu) || self.preempts(task, cpu);
        }
        must_pick
    }

    /// `can_migrate_task()`: the allowed task that comes last in its queue and is not cache-hot; at the tick of an
    /// idle CPU, hot ones too.
    fn find_movable(&self, from: Cpu, to: Cpu, why: Why, now: SimTime) -> Option<TaskId> {
        let cost = SimTime::from_us(self.balance.migration_cost_us);
        self.waiting_tasks(from).rev().find(|id| {
            let task = &self.tasks[id.index()];
            let is_hot = task
                .stopped
                .is_some_and(|stopped| now - stopped.min(now) < cost);
            let is_buddy = self.queues[usize::from(from)].buddies.are_hot(*id);
            let is_hot = is_hot || is_buddy && self.runnable(to) > 0;
            task.base.may_run_on(to) && (why == Why::Idle || !is_hot)
        })
    }

    pub(in super::super) fn set_allowed(&mut self, id: TaskId, allowed: u64) -> Option<Cpu> {
        let allowed = self.cpus.mask(allowed);
        let base = &mut self.tasks[id.index()].base;
        base.allowed = allowed;
        let may_stay = base.may_run_on(base.cpu);
        match base.state {
            State::Running if !may_stay => Some(base.cpu),
            State::Waiting if !may_stay => self.send_away(id),
            State::Sleeping if !may_stay => {
                self.end_delay(id);
                None
            }
            State::Running | State::Waiting | State::Sleeping | State::Exited => None,
        }
    }

    /// Moves a waiting task to the allowed CPU with the least load; returns that CPU if it should call `pick`.
    pub(super) fn send_away(&mut self, id: TaskId) -> Option<Cpu> {
        let allowed = self.tasks[id.index()].base.allowed;
        let cpu = each(allowed).min_by_key(|&cpu| self.load(cpu))?;
        self.dequeue(id);
        self.enqueue(id, cpu);
        let takes = self.cpus.is_idle(cpu) || self.preempts(id, cpu);
        takes.then_some(cpu)
    }
}
