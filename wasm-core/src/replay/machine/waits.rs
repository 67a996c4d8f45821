//! Tasks that wait for a CPU, one entry for each wait: since when, and who made them wait:
//! who woke them, or who took the CPU from them.
//!
//! Read off `sched_waking`, `sched_wakeup`, `sched_migrate_task` and `sched_switch`, so a
//! recording tells it as well as a model. A task that waits since before the recording is not
//! known until it runs; one whose switch was lost would wait for ever, so a wait also ends
//! where its task is seen to wait anew.

use std::collections::{BTreeMap, BTreeSet};

use crate::kernel::{Context, CpuId, Event, EventIdx, Field, Nanos, Pid, Probe};
use crate::run::Run;

use super::{MachineColumns, Moment};

/// Why a task waits. The numbers cross to the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// Another task woke it.
    Task = 0,
    /// A softirq woke it.
    Softirq = 1,
    /// A hard interrupt woke it.
    Hardirq = 2,
    /// It could go on, but another task got its CPU.
    Preempted = 3,
}

#[derive(Debug, Clone)]
struct Wait {
    cpu: CpuId,
    pid: Pid,
    from: Nanos,
    to: Nanos,
    why: Why,
    by: Pid,
}

/// All waits of a run, in the order in which they began.
#[derive(Debug, Clone, Default)]
pub struct Waits {
    waits: Vec<Wait>,
    /// For each wait the first one that was not over when it began.
    oldest: Vec<u32>,
}

/// The tasks that wait now, the longest waiting first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WaitColumns {
    /// For which CPU.
    pub cpu: Vec<u16>,
    /// Who.
    pub pid: Vec<u32>,
    /// Since when.
    pub since: Vec<f64>,
    /// A [`Why`].
    pub why: Vec<u8>,
    /// The task that woke it, that was interrupted by what woke it, or that got its CPU.
    pub by: Vec<u32>,
}

#[derive(Debug, Default)]
struct Follower {
    found: Waits,
    /// Where the wait of a task that waits is.
    waiting: BTreeMap<Pid, usize>,
    open: BTreeSet<usize>,
    running: BTreeMap<CpuId, Pid>,
}

impl Waits {
    /// Follows the scheduler's events of a run.
    pub(super) fn of(run: &Run) -> Self {
        let mut follower = Follower::default();
        for index in run.indices() {
            follower.pass(run, index, &run.event(index));
        }
        follower.found
    }

    pub(super) fn add_to(&self, columns: &mut MachineColumns, moment: Moment) {
        let begun = self.waits.partition_point(|wait| wait.from <= moment.time);
        let Some(last) = begun.checked_sub(1) else {
            return;
        };
        let columns = &mut columns.waits;
        for wait in &self.waits[self.oldest[last] as usize..begun] {
            if wait.to > moment.time {
                columns.cpu.push(wait.cpu.0);
                columns.pid.push(wait.pid.0);
                columns.since.push(moment.since_start(wait.from));
                columns.why.push(wait.why as u8);
                columns.by.push(wait.by.0);
            }
        }
    }
}

impl Follower {
    fn pass(&mut self, run: &Run, index: EventIdx, event: &Event) {
        let pid = |field| run.field(index, field).map(Pid);
        let cpu = |field| run.field(index, field).map(|cpu| CpuId(cpu as u16));
        match event.probe {
            Probe::SchedWaking | Probe::SchedWakeup | Probe::SchedWakeupNew => {
                let why = match event.context {
                    Context::Softirq => Why::Softirq,
                    Context::Hardirq | Context::Nmi => Why::Hardirq,
                    _ => Why::Task,
                };
                let Some(woken) = pid(Field::TargetPid) else {
                    return;
                };
                let is_running = self.running.values().any(|&running| running == woken);
                if !is_running && !self.waiting.contains_key(&woken) {
                    let cpu = cpu(Field::TargetCpu).unwrap_or(event.cpu);
                    self.wait(event.time, cpu, woken, why, event.pid);
                }
            }
            Probe::SchedMigrateTask => {
                let moved = pid(Field::TargetPid).and_then(|pid| self.waiting.get(&pid));
                if let (Some(&at), Some(cpu)) = (moved, cpu(Field::DestCpu)) {
                    let Wait { pid, why, by, .. } = self.found.waits[at];
                    self.stop(event.time, pid);
                    self.wait(event.time, cpu, pid, why, by);
                }
            }
            Probe::SchedSwitch => {
                let next = pid(Field::NextPid);
                if let Some(next) = next {
                    self.stop(event.time, next);
                    self.running.insert(event.cpu, next);
                }
                let state = run.field_name(index, Field::PrevState).unwrap_or("");
                let previous = pid(Field::PrevPid).filter(|&pid| Some(pid) != next);
                if let Some(previous) = previous.filter(|_| state.starts_with('R')) {
                    let by = next.unwrap_or(Pid::UNKNOWN);
                    self.wait(event.time, event.cpu, previous, Why::Preempted, by);
                }
            }
            Probe::SchedProcessExit => self.stop(event.time, event.pid),
            _ => {}
        }
    }

    fn wait(&mut self, time: Nanos, cpu: CpuId, pid: Pid, why: Why, by: Pid) {
        if pid == Pid::IDLE || !cpu.is_known() {
            return;
        }
        self.stop(time, pid);
        let at = self.found.waits.len();
        self.open.insert(at);
        self.waiting.insert(pid, at);
        let oldest = self.open.first().copied().unwrap_or(at);
        self.found.oldest.push(oldest as u32);
        let to = Nanos(u64::MAX);
        self.found.waits.push(Wait {
            cpu,
            pid,
            from: time,
            to,
            why,
            by,
        });
    }

    fn stop(&mut self, time: Nanos, pid: Pid) {
        if let Some(at) = self.waiting.remove(&pid) {
            self.found.waits[at].to = time;
            self.open.remove(&at);
        }
    }
}
