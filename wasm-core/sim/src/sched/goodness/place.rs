//! CPU selection of 2.2 and 2.4 for a task that has become runnable or was preempted: `reschedule_idle()`.

use super::super::config::IdleChoice;
use super::super::cpus::each;
use super::super::{Cpu, TaskId};
use super::{Goodness, Task};
use crate::time::SimTime;

impl Goodness {
    /// `reschedule_idle()`: the CPU that should run this waiting task, if any, and the number of CPUs examined.
    pub(super) fn reschedule_idle(&self, task: TaskId) -> (Option<Cpu>, u32) {
        let base = &self.tasks[task.index()].base;
        if self.cpus.count() == 1 {
            let gain = self.preemption_goodness(task, 0);
            let takes = gain.is_none_or(|gain| gain > self.config.preempt_above_on_one_cpu);
            return (takes.then_some(0), 1);
        }
        if base.may_run_on(base.cpu) && self.cpus.is_idle(base.cpu) {
            return (Some(base.cpu), 1);
        }
        let found = match self.config.idle_choice {
            IdleChoice::LongestIdle => self.longest_idle_or_weakest(task),
            IdleChoice::HighestNumber => self.highest_idle_or_own(task),
        };
        (found, 1 + base.allowed.count_ones())
    }

    /// 2.4: the CPU that has been idle longest, or the first whose hyper-threads are all idle; if none is idle,
    /// the one where the task's goodness exceeds the running task's most.
    fn longest_idle_or_weakest(&self, task: TaskId) -> Option<Cpu> {
        let mut idle: Option<(SimTime, Cpu)> = None;
        let mut weakest: Option<(i32, Cpu)> = None;
        for cpu in each(self.tasks[task.index()].base.allowed) {
            if let Some(gain) = self.preemption_goodness(task, cpu) {
                let least =
                    weakest.map_or(self.config.preempt_above_on_many_cpus, |(gain, _)| gain);
                if gain > least {
                    weakest = Some((gain, cpu));
                }
                continue;
            }
            let siblings = self.cpus.siblings(cpu);
            if siblings.count_ones() > 1 && each(siblings).all(|cpu| self.cpus.is_idle(cpu)) {
                return Some(cpu);
            }
            let since = self.last_pick[usize::from(cpu)];
            if idle.is_none_or(|(oldest, _)| since < oldest) {
                idle = Some((since, cpu));
            }
        }
        idle.map(|(_, cpu)| cpu).or(weakest.map(|(_, cpu)| cpu))
    }

    /// 2.2: the idle CPU with the highest number, else the task's own CPU; others only for a task with a short
    /// average slice (`avg_slice < cacheflush_time`).
    fn highest_idle_or_own(&self, task: TaskId) -> Option<Cpu> {
        let Task {
            base,
            average_slice,
            ..
        } = &self.tasks[task.index()];
        let descending = || {
            (0..self.cpus.count())
                .rev()
                .filter(|&cpu| base.may_run_on(cpu))
        };
        let preempts = |&cpu: &Cpu| {
            let gain = self.preemption_goodness(task, cpu);
            gain.is_some_and(|gain| gain > self.config.preempt_above_on_many_cpus)
        };
        descending()
            .find(|&cpu| self.cpus.is_idle(cpu))
            .or(Some(base.cpu)
                .filter(|cpu| base.may_run_on(*cpu))
                .filter(preempts))
            .or_else(|| {
                let is_short = *average_slice < SimTime::from_us(self.config.short_slice_us);
                is_short.then(|| descending().find(preempts)).flatten()
            })
    }

    /// By how much the task's goodness exceeds that of the task that a CPU runs; `None` if it is idle.
    fn preemption_goodness(&self, task: TaskId, cpu: Cpu) -> Option<i32> {
        let current = self.cpus.running(cpu)?;
        let map = self.memory_map[usize::from(cpu)];
        Some(self.goodness(task, cpu, map) - self.goodness(current, cpu, map))
    }
}
