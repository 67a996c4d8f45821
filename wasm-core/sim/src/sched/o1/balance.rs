//! CPU selection on wakeup and load balancing of the O(1) scheduler: `try_to_wake_up()`, `load_balance()`.
//!
//! Simplified ("balancing under 2.6"): 2.6.7 and later balance each group of a scheduling domain, weigh groups by
//! their power, and push a running task off a shared core; here every release pulls from the longest queue, as 2.6.3
//! does. On hyper-threads a learner sees two busy tasks share a core for a little longer than on 2.6.9, while the
//! other core idles.

use super::super::config::Placement;
use super::super::cpus::{State, each};
use super::super::list;
use super::super::{Cpu, TaskId};
use super::O1;
use super::queue::LOAD_SCALE;
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

impl O1 {
    /// The CPU on which a task wakes, and the number of CPUs examined.
    pub(super) fn choose_cpu(
        &self,
        id: TaskId,
        waker: Cpu,
        is_sync: bool,
        now: SimTime,
    ) -> (Cpu, u32) {
        let base = &self.tasks[id.index()].base;
        let lowest = || each(base.allowed).next().unwrap_or(0);
        let last = if base.may_run_on(base.cpu) {
            base.cpu
        } else {
            lowest()
        };
        match self.config.placement {
            Placement::LastCpu if is_sync && base.may_run_on(waker) => (waker, 1),
            Placement::LastCpu => (last, 1),
            Placement::Domains => {
                let near = self.affine(id, last, waker, now);
                self.wake_idle(near, base.allowed)
            }
        }
    }

    /// 2.6.7: the waker's CPU, unless the task is cache-hot on a CPU that is not its sibling, or the move would
    /// be from an idle CPU to a busy one.
    fn affine(&self, id: TaskId, last: Cpu, waker: Cpu, now: SimTime) -> Cpu {
        let may_move = last != waker && self.tasks[id.index()].base.may_run_on(waker);
        if !may_move {
            return last;
        }
        let load = |cpu: Cpu| {
            let queue = &self.queues[usize::from(cpu)];
            (queue.load, queue.tasks * LOAD_SCALE)
        };
        let (there, there_now) = load(last);
        let (here, here_now) = load(waker);
        let moves_to_busy =
            there.min(there_now) < LOAD_SCALE / 2 && here.max(here_now) > LOAD_SCALE / 2;
        if moves_to_busy || self.is_hot(id, waker, now) {
            last
        } else {
            waker
        }
    }

    /// `wake_idle()`: an idle hyper-thread of the selected CPU's core if that CPU is busy.
    fn wake_idle(&self, cpu: Cpu, allowed: u64) -> (Cpu, u32) {
        if self.cpus.is_idle(cpu) {
            return (cpu, 1);
        }
        let siblings = self.cpus.siblings(cpu) & allowed;
        let idle = each(siblings).find(|&sibling| self.cpus.is_idle(sibling));
        (idle.unwrap_or(cpu), 1 + siblings.count_ones())
    }

    /// `task_hot()`: the task ran or was woken a short time ago, and not on the same core.
    ///
    /// Until 2.6.6 the age is measured at the last tick, as an unsigned number: a task switched since then
    /// appears older than four seconds, and so is not hot. Thus balancing takes place between a CPU with a
    /// single hog and one with tasks that switch all the time.
    fn is_hot(&self, id: TaskId, to: Cpu, now: SimTime) -> bool {
        let task = &self.tasks[id.index()];
        let hot = SimTime::from_us(self.config.cache_hot_us);
        if self.config.placement == Placement::LastCpu {
            let last_tick = self.queues[usize::from(task.base.cpu)].last_tick;
            return task.timestamp <= last_tick && last_tick - task.timestamp <= hot;
        }
        let age = now - task.timestamp.min(now);
        !self.cpus.share_cache(task.base.cpu, to) && age <= hot
    }

    /// `load_balance()`: pulls half of the difference to the longest queue, or one task for an idle CPU. True
    /// if the CPU should call `pick`.
    pub(super) fn balance(&mut self, cpu: Cpu, why: Why, now: SimTime) -> bool {
        let Some((from, imbalance)) = self.find_busiest(cpu, why) else {
            return false;
        };
        let wanted = match (why, imbalance / 2) {
            // Until 2.6.6 the loop decrements from zero, so it moves every task that it may.
            (Why::Busy, 0) if self.config.placement == Placement::LastCpu => u32::MAX,
            (Why::Busy, half) => half,
            (Why::NewlyIdle | Why::Idle, _) => imbalance.min(1),
        };
        let mut must_pick = false;
        for _ in 0..wanted {
            let Some(task) = self.find_movable(from, cpu, why, now) else {
                break;
            };
            must_pick |= self.pull(task, cpu);
        }
        must_pick
    }

    /// `find_busiest_queue()`: for a busy CPU a length counts only as far as it was as long at the previous
    /// check, and has to exceed its own by a quarter.
    fn find_busiest(&mut self, cpu: Cpu, why: Why) -> Option<(Cpu, u32)> {
        let at = usize::from(cpu);
        let mut own = self.queues[at].tasks;
        if why == Why::Busy {
            own = own.max(self.queues[at].lengths_seen[at]);
        }
        let mut busiest = None;
        let mut longest = 1;
        for other in 0..self.cpus.count() {
            let index = usize::from(other);
            let length = self.queues[index].tasks;
            let seen = std::mem::replace(&mut self.queues[at].lengths_seen[index], length);
            let trusted = if why == Why::Busy {
                length.min(seen)
            } else {
                length
            };
            if trusted > longest && other != cpu {
                (busiest, longest) = (Some(other), trusted);
            }
        }
        let imbalance = longest.saturating_sub(own);
        let is_enough = why != Why::Busy || imbalance * 4 >= longest;
        busiest
            .filter(|_| is_enough && imbalance > 0)
            .map(|busiest| (busiest, imbalance))
    }

    /// Searches the expired array first, as its tasks run last, and each list from its tail.
    fn find_movable(&self, from: Cpu, to: Cpu, why: Why, now: SimTime) -> Option<TaskId> {
        let queue = &self.queues[usize::from(from)];
        for array in [&queue.arrays[queue.expired()], &queue.arrays[queue.active]] {
            let mut priority = array.first_from(0);
            while let Some(level) = priority {
                let mut cursor = array.list(level).last();
                while let Some(task) = cursor {
                    if self.may_move(task, to, why, now) {
                        return Some(task);
                    }
                    cursor = list::previous(&self.links, task);
                }
                priority = array.first_from(level + 1);
            }
        }
        None
    }

    /// `can_migrate_task()`. At the tick of an idle CPU hot tasks may move too, and in 2.6.3 also to a newly
    /// idle one.
    fn may_move(&self, id: TaskId, to: Cpu, why: Why, now: SimTime) -> bool {
        let base = &self.tasks[id.index()].base;
        let minds_cache = match why {
            Why::Busy => true,
            Why::NewlyIdle => self.config.placement == Placement::Domains,
            Why::Idle => false,
        };
        base.state == State::Waiting
            && base.may_run_on(to)
            && !(minds_cache && self.is_hot(id, to, now))
    }

    /// `pull_task()`: to the active array; with scheduling domains, an expired task stays expired.
    fn pull(&mut self, id: TaskId, to: Cpu) -> bool {
        self.deactivate(id);
        let task = &mut self.tasks[id.index()];
        let from = &self.queues[usize::from(task.base.cpu)];
        let keeps_expired =
            self.config.placement == Placement::Domains && task.array == from.expired();
        task.base.cpu = to;
        let queue = &self.queues[usize::from(to)];
        let array = if keeps_expired {
            queue.expired()
        } else {
            queue.active
        };
        self.activate(id, array);
        self.preempts(id, to)
    }
}
