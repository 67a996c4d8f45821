//! Run queues: the tasks of a CPU that could run and do not.
//!
//! A task waits from `sched_waking` (or `sched_wakeup`, whichever is seen first; the
//! pair counts once) or from being preempted (`prev_state` R) until it is switched
//! to. The task that runs is not counted, nor is the idle one.

use std::collections::BTreeMap;

use crate::kernel::{CpuId, Event, EventIdx, Field, Pid, Probe, QueueKind};
use crate::run::Run;

use super::{QueueKey, Steps};

#[derive(Debug, Default)]
struct Scheduler {
    steps: Steps,
    waiting: BTreeMap<Pid, CpuId>,
    running: BTreeMap<CpuId, Pid>,
    depth: BTreeMap<CpuId, u32>,
}

/// Follows the scheduler's events.
pub(super) fn steps(run: &Run) -> Steps {
    let mut scheduler = Scheduler::default();
    for index in run.indices() {
        scheduler.pass(run, index, &run.event(index));
    }
    scheduler.steps
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
        *self.depth.entry(cpu).or_default() += 1;
        self.show(event, cpu);
    }

    fn stop_waiting(&mut self, event: &Event, pid: Pid) {
        if let Some(cpu) = self.waiting.remove(&pid) {
            let depth = self.depth.entry(cpu).or_default();
            *depth = depth.saturating_sub(1);
            self.show(event, cpu);
        }
    }

    fn show(&mut self, event: &Event, cpu: CpuId) {
        if cpu.is_known() {
            let depth = self.depth.get(&cpu).copied().unwrap_or(0);
            self.steps.set(
                QueueKind::RunQueue,
                QueueKey::Cpu(cpu),
                event.time,
                depth,
                0,
            );
        }
    }
}
