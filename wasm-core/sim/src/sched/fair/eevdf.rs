//! EEVDF, the law of the fair scheduler in 6.6 and later: of the tasks that received no more than their share, the
//! one with the earliest virtual deadline runs.
//!
//! V is the average of the virtual runtimes of a CPU's tasks by weight. V minus a task's virtual runtime is its lag:
//! positive if it received less than its share. A task with a lag of zero or more is eligible. It requests a slice,
//! whose deadline is the time at which it would be served at its share; the first request of a new task is half a
//! slice. Lag is kept across sleep; a task that falls asleep with a negative one stays on its queue until V has
//! caught up with it (`delay`).
//!
//! Source: `kernel/sched/fair.c` (v6.18).

use super::super::config::EevdfConfig;
use super::super::{Cpu, TaskId, weights};
use super::queue::{Entity, Queue};
use super::{FS_PER_PS, Fair, Law, Task, picoseconds, virtual_time};

/// [`EevdfConfig`] on this machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Eevdf {
    /// Length of a request, in picoseconds.
    slice: i64,
    run_to_parity: bool,
    delay_dequeue: bool,
}

impl Eevdf {
    /// `factor` is what the slice is multiplied by on a machine of several CPUs.
    pub(super) fn new(config: &EevdfConfig, factor: u64) -> Self {
        Self {
            slice: picoseconds(config.base_slice_us.max(1) * factor),
            run_to_parity: config.run_to_parity,
            delay_dequeue: config.delay_dequeue,
        }
    }

    /// Whether a task that falls asleep with this lag stays on its queue.
    pub(super) fn delays(self, task: &Task) -> bool {
        task.lag < 0 && self.delay_dequeue
    }
}

impl Fair {
    /// `pick_eevdf()`: the running task while it is eligible and within its slice, else the eligible task with
    /// the earliest deadline.
    pub(super) fn choose_by_deadline(&self, law: Eevdf, queue: &Queue, cpu: Cpu) -> Option<TaskId> {
        let Some(id) = self.cpus.running(cpu) else {
            return queue.earliest_eligible(None).map(|(_, task)| task);
        };
        let entity = &self.tasks[id.index()].entity;
        if queue.is_empty() {
            return Some(id);
        }
        let is_eligible = queue.is_eligible(entity.vruntime, Some(entity));
        if is_eligible && queue.is_protected && law.run_to_parity {
            return Some(id);
        }
        match queue.earliest_eligible(Some(entity)) {
            Some((deadline, task)) if !is_eligible || deadline < entity.deadline => Some(task),
            Some(_) | None => Some(id),
        }
    }

    /// `update_deadline()` and `protect_slice()` of the running task: true if the slice that it was picked with is used up
    /// and other tasks are queued. If it is picked again at its end, no slice protects it until another task has run.
    pub(super) fn is_request_over(&mut self, law: Eevdf, id: TaskId, cpu: Cpu) -> bool {
        let entity = &mut self.tasks[id.index()].entity;
        let queue = &mut self.queues[usize::from(cpu)];
        queue.move_origin(entity.vruntime);
        if entity.vruntime >= entity.deadline {
            entity.deadline = entity.vruntime + virtual_time(law.slice, entity.weight);
            queue.is_protected = false;
        }
        !queue.is_protected && !queue.is_empty()
    }

    /// `yield_task_fair()`: moves the deadline by a slice, so that other tasks come first.
    pub(super) fn postpone_running(&mut self, law: Eevdf, cpu: Cpu) {
        let queue = &mut self.queues[usize::from(cpu)];
        if let Some(id) = self.cpus.running(cpu)
            && !queue.is_empty()
        {
            queue.is_protected = false;
            let entity = &mut self.tasks[id.index()].entity;
            entity.deadline += virtual_time(law.slice, entity.weight);
        }
    }

    /// V of a CPU's queue, with its running task.
    pub(super) fn average(&self, cpu: Cpu) -> i64 {
        let running = self.cpus.running(cpu);
        let running = running.map(|id| &self.tasks[id.index()].entity);
        self.queues[usize::from(cpu)].average(running)
    }

    /// `update_entity_lag()`: saves the lag of a task that is dequeued, limited to two slices. Under CFS a task keeps
    /// its virtual runtime alone.
    pub(super) fn note_lag(&mut self, id: TaskId) {
        let Law::Eevdf(law) = self.law else { return };
        let average = self.average(self.tasks[id.index()].base.cpu);
        let tick = (self.cpus.tick.0 / FS_PER_PS) as i64;
        let task = &mut self.tasks[id.index()];
        let limit = virtual_time((2 * law.slice).max(tick), task.entity.weight);
        task.lag = (average - task.entity.vruntime).clamp(-limit, limit);
    }

    /// `place_entity()`: at V minus its lag, scaled because its own weight moves V; its deadline is a slice later,
    /// for a new task half a slice.
    pub(super) fn placed_by_lag(&mut self, law: Eevdf, id: TaskId, cpu: Cpu) -> Entity {
        let average = self.average(cpu);
        if self.cpus.is_idle(cpu) {
            self.queues[usize::from(cpu)].move_origin(average);
        }
        let load = self.load(cpu);
        let task = &self.tasks[id.index()];
        let weight = task.entity.weight;
        let lag = match load {
            0 => 0,
            _ => i128::from(task.lag) * i128::from(load + weight) / i128::from(load),
        };
        let vruntime = average - lag as i64;
        let request = if task.is_new {
            law.slice / 2
        } else {
            law.slice
        };
        let deadline = vruntime + virtual_time(request, weight);
        Entity {
            weight,
            vruntime,
            deadline,
        }
    }

    /// What is left of a task's request, in picoseconds.
    pub(super) fn left_of_request(&self, id: TaskId) -> i64 {
        let entity = &self.tasks[id.index()].entity;
        let left = i128::from((entity.deadline - entity.vruntime).max(0));
        (left * i128::from(entity.weight) / i128::from(weights::NICE_0)) as i64
    }
}
