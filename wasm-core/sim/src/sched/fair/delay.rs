//! Delayed dequeue (`DELAY_DEQUEUE`, since 6.12): a task that falls asleep with a negative lag stays on its
//! queue until V has caught up with its virtual runtime. Meanwhile its weight slows V down as if it were
//! runnable. A task woken before that keeps its place, with the remaining negative lag.
//!
//! Source: `kernel/sched/fair.c: dequeue_entity, pick_next_entity, requeue_delayed_entity` (v6.18).

use super::super::cpus::State;
use super::super::{Claim, Cpu, TaskId};
use super::Fair;

impl Fair {
    /// Leaves a task that has just fallen asleep on the queue.
    pub(super) fn delay(&mut self, id: TaskId, cpu: Cpu) {
        let task = &mut self.tasks[id.index()];
        task.is_delayed = true;
        let queue = &mut self.queues[usize::from(cpu)];
        queue.insert(id, &task.entity);
        queue.delayed += 1;
    }

    /// Dequeues a sleeping task that is still on its queue, with its remaining lag
    /// (`finish_delayed_dequeue_entity()`).
    pub(super) fn end_delay(&mut self, id: TaskId) {
        if !self.tasks[id.index()].is_delayed {
            return;
        }
        self.dequeue(id);
        let task = &mut self.tasks[id.index()];
        task.is_delayed = false;
        // `DELAY_ZERO`: a delayed task gains no positive lag.
        task.lag = task.lag.min(0);
        self.queues[usize::from(task.base.cpu)].delayed -= 1;
    }

    /// A delayed task becomes runnable again with its remaining negative lag (`requeue_delayed_entity()`).
    pub(super) fn requeue(&mut self, id: TaskId) {
        let base = &self.tasks[id.index()].base;
        let vruntime = self.tasks[id.index()].entity.vruntime;
        let cpu = base.cpu;
        if self.average(cpu) > vruntime {
            self.end_delay(id);
            self.enqueue(id, cpu);
            return;
        }
        let task = &mut self.tasks[id.index()];
        task.is_delayed = false;
        task.base.state = State::Waiting;
        self.queues[usize::from(cpu)].delayed -= 1;
    }

    /// `pick_next_entity()`: dequeues the delayed tasks that would be picked.
    pub(super) fn choose_runnable(&mut self, cpu: Cpu) -> Option<TaskId> {
        loop {
            let task = self.choose(cpu)?;
            if !self.tasks[task.index()].is_delayed {
                return Some(task);
            }
            self.end_delay(task);
        }
    }

    /// Eligible tasks in order of deadline, then the others in the order in which they become eligible.
    pub(super) fn queued_by_deadline(&self, cpu: Cpu) -> Vec<(TaskId, Claim)> {
        let running = self.cpus.running(cpu);
        let running = running.map(|id| &self.tasks[id.index()].entity);
        // Delayed tasks that would be picked are dequeued first, as in `choose_runnable`.
        let mut queue = self.queues[usize::from(cpu)].clone();
        while let Some(next) = self.choose_from(&queue, cpu)
            && self.tasks[next.index()].is_delayed
        {
            queue.remove(next, &self.tasks[next.index()].entity);
        }
        let average = queue.average(running);
        let mut tasks: Vec<_> = self
            .waiting_tasks(cpu)
            .map(|id| {
                let entity = &self.tasks[id.index()].entity;
                let is_eligible = queue.is_eligible(entity.vruntime, running);
                // V is rounded down, so the sign of the lag is corrected: not negative if and only if eligible.
                let lag = average - entity.vruntime;
                let lag = if is_eligible { lag.max(0) } else { lag.min(-1) };
                (id, entity.deadline, lag)
            })
            .collect();
        // The tasks are sorted by deadline, and the stable sort keeps that order among eligible ones.
        tasks.sort_by_key(|&(_, _, lag)| lag.min(0).saturating_neg());
        let claim = |(id, deadline, lag)| (id, Claim::Virtual { deadline, lag });
        tasks.into_iter().map(claim).collect()
    }
}
