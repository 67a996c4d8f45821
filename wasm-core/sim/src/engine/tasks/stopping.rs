//! Processes that a signal stops for a while (`SIGSTOP`, `SIGCONT`).
//!
//! Source: `kernel/signal.c: do_signal_stop, signal_wake_up_state` (v6.1): a signal is looked at on the way back
//! to user space, and a task that runs is sent there by an interrupt (`kernel/sched/core.c: kick_process`).
//!
//! Simplified ("a process that is stopped"): a process that sleeps in a system call stays in it and is not woken
//! while it is stopped. Linux wakes it, restarts the call afterwards, and takes the time for both. A learner sees the
//! same queue fill, and two switches fewer.

use std::collections::VecDeque;

use crate::engine::core::Core;
use crate::engine::events::Event;
use crate::engine::ids::TaskId;
use crate::time::SimTime;

impl Core {
    /// A signal stops a task for so long.
    pub fn stop_task(&mut self, task: TaskId, length: SimTime) {
        let until = SimTime(self.now().0 + length.0);
        let until = until.max(self.tasks[task].stopped_until);
        self.tasks[task].stopped_until = until;
        self.at(until, Event::Continue { task });
        let cpu = self.tasks[task].cpu;
        if self.cpus[cpu].current == Some(task) {
            self.cpus[cpu].need_resched = true;
            let delay = SimTime::from_ns(self.host_of(cpu).machine.processors.ipi_ns);
            self.at(self.now() + delay, Event::Ipi { cpu: cpu as u16 });
        }
    }

    /// A task that computes and is interrupted, or that gets its CPU in the midst of computing, comes back to
    /// user space there: whether a signal wants it to stop.
    pub(super) fn stops_computing(&self, task: TaskId) -> bool {
        let state = &self.tasks[task];
        self.is_stopped(task)
            && !state.is_asleep
            && state.rest_in_user
            && state.rest > SimTime::ZERO
    }

    /// A stopped task may go on: it does so if it would have run meanwhile.
    pub fn continue_task(&mut self, task: TaskId) {
        if !self.is_stopped(task) && std::mem::take(&mut self.tasks[task].goes_on) {
            self.time_to_wake(task);
        }
    }

    /// The current task, back in user space, stops if a signal wants it to.
    pub fn stops(&mut self, cpu: usize, task: TaskId) -> bool {
        let is_stopped = self.is_stopped(task);
        if is_stopped {
            self.tasks[task].goes_on = true;
            self.sleep(cpu);
        }
        is_stopped
    }

    /// Whether a task that is to be woken is stopped; it is woken when it may go on.
    pub(super) fn is_held(&mut self, task: TaskId) -> bool {
        let is_stopped = self.is_stopped(task);
        self.tasks[task].goes_on |= is_stopped;
        is_stopped
    }

    /// Which of those that wait is woken: the one that waits longest and is not stopped, if there is one.
    pub fn next_of(&self, waiting: &mut VecDeque<TaskId>) -> Option<TaskId> {
        let awake = waiting.iter().position(|&task| !self.is_stopped(task));
        waiting.remove(awake.unwrap_or(0))
    }

    fn is_stopped(&self, task: TaskId) -> bool {
        self.now() < self.tasks[task].stopped_until
    }
}
