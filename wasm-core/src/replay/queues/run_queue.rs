//! Run queues: the tasks of a CPU that could run and do not.
//!
//! A task waits from `sched_waking` (or `sched_wakeup`, whichever is seen first; the
//! pair counts once) or from being preempted (`prev_state` R) until it is switched
//! to. The task that runs is not counted, nor is the idle one.

use std::collections::BTreeMap;

use crate::kernel::{CpuId, Event, EventIdx, Field, Nanos, Pid, Probe, QueueKind};
use crate::run::Run;

use super::{QueueKey, Steps};

#[derive(Debug, Default)]
struct Scheduler {
    steps: Steps,
    lines: Option<Vec<(Nanos, CpuId, Line)>>,
    waiting: BTreeMap<Pid, CpuId>,
    running: BTreeMap<CpuId, Pid>,
    /// Who waits for each CPU, in the order in which they came.
    queue: BTreeMap<CpuId, Vec<Pid>>,
}

/// The tasks at the head of a run queue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Line {
    pids: [Option<Pid>; 4],
}

impl Line {
    fn of(queue: &[Pid]) -> Self {
        let mut pids = [None; 4];
        for (place, &pid) in pids.iter_mut().zip(queue) {
            *place = Some(pid);
        }
        Self { pids }
    }

    /// The tasks, the longest waiting first.
    pub fn first(&self) -> impl Iterator<Item = Pid> {
        self.pids.into_iter().flatten()
    }
}

/// Follows the scheduler's events.
pub(super) fn steps(run: &Run) -> Steps {
    follow(run, Scheduler::default()).steps
}

/// Who waits for which CPU from when on, in order of time.
pub fn lines(run: &Run) -> Vec<(Nanos, CpuId, Line)> {
    let scheduler = Scheduler {
        lines: Some(Vec::new()),
        ..Scheduler::default()
    };
    follow(run, scheduler).lines.unwrap_or_default()
}

fn follow(run: &Run, mut scheduler: Scheduler) -> Scheduler {
    for index in run.indices() {
        scheduler.pass(run, index, &run.event(index));
    }
    scheduler
}

impl Scheduler {
    fn pass(&mut self, run: &Run, index: EventIdx, event: &Event) {
        let pid = |field| run.field(index, field).map(Pid);
        let cpu = |field| run.field(index, field).map(|cpu| CpuId(cpu as u16));
        match event.probe {
            Probe::SchedWaking | Probe::SchedWakeup | Probe::SchedWakeupNew => {
                let woken = pid(Field::TargetPid);
                let target = cpu(Field::TargetCpu).unwrap_or(event.cpu);
                if let Some(woken) = woken.filter(|woken| !self.is_running(*woken)) {
                    self.wait(event, woken, target);
                }
            }
            Probe::SchedMigrateTask => {
                let moved = pid(Field::TargetPid).filter(|pid| self.waiting.contains_key(pid));
                if let (Some(moved), Some(target)) = (moved, cpu(Field::DestCpu)) {
                    self.wait(event, moved, target);
                }
            }
            Probe::SchedSwitch => {
                if let Some(next) = pid(Field::NextPid) {
                    self.stop_waiting(event, next);
                    self.running.insert(event.cpu, next);
                }
                let state = run.field_name(index, Field::PrevState).unwrap_or("");
                if let Some(previous) = pid(Field::PrevPid).filter(|_| state.starts_with('R')) {
                    self.wait(event, previous, event.cpu);
                }
                self.show(event, event.cpu);
            }
            Probe::SchedProcessExit => self.stop_waiting(event, event.pid),
            _ => {}
        }
    }

    fn is_running(&self, pid: Pid) -> bool {
        self.running.values().any(|&running| running == pid)
    }

    fn wait(&mut self, event: &Event, pid: Pid, cpu: CpuId) {
        if pid == Pid::IDLE || self.waiting.get(&pid) == Some(&cpu) {
            return;
        }
        self.stop_waiting(event, pid);
        self.waiting.insert(pid, cpu);
        self.queue.entry(cpu).or_default().push(pid);
        self.show(event, cpu);
    }

    fn stop_waiting(&mut self, event: &Event, pid: Pid) {
        if let Some(cpu) = self.waiting.remove(&pid) {
            let queue = self.queue.entry(cpu).or_default();
            queue.retain(|&waiting| waiting != pid);
            self.show(event, cpu);
        }
    }

    fn show(&mut self, event: &Event, cpu: CpuId) {
        if !cpu.is_known() {
            return;
        }
        let queue = self.queue.get(&cpu).map_or(&[][..], Vec::as_slice);
        if let Some(lines) = &mut self.lines {
            lines.push((event.time, cpu, Line::of(queue)));
        }
        self.steps.set(
            QueueKind::RunQueue,
            QueueKey::Cpu(cpu),
            event.time,
            queue.len() as u32,
            0,
        );
    }
}
