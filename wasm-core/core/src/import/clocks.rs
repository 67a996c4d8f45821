//! Checks whether the CPUs' clocks agree, by wake-ups whose order is certain.
//!
//! A sleeping task is woken before it runs: `try_to_wake_up` passes `sched_waking` on the waker's CPU, then
//! `sched_wakeup` and `sched_switch` follow, possibly on another CPU (`kernel/sched/core.c`, v6.18). If a task is
//! awake by one CPU's times before another CPU wakes it, the two clocks differ by at least that interval. Differences
//! shorter than a wake-up are not detected.

use std::collections::BTreeMap;

use super::says;
use crate::kernel::{CpuId, Event, EventIdx, Field, Nanos, Origin, Probe};
use crate::ledger::Ledger;
use crate::run::Run;

/// Nanoseconds: clocks differ by less; a later wake-up of the task may have another reason.
const CLOCKS: u64 = 1_000_000;
/// The least number of reversed wake-ups reported: a single one may follow a wake-up that was not recorded, and reach
/// a running task.
const LEAST: u64 = 2;

/// The state of a task between two runs on a CPU.
#[derive(Debug, Default)]
struct Task {
    /// It left its CPU to sleep, and has not been switched to since.
    sleeps: bool,
    /// `sched_waking` came since it was last switched to.
    is_woken: bool,
    /// Since when and on which CPU it is awake after sleeping, without a `sched_waking` so far.
    awake: Option<(CpuId, Nanos)>,
}

/// By waker's CPU and task's CPU: the number of wake-ups later than the task was awake, and the largest such interval
/// in nanoseconds.
type Reversed = BTreeMap<(CpuId, CpuId), (u64, u64)>;

/// Warns about the pair of CPUs with the most reversed wake-ups.
pub(super) fn check(run: &Run, ledger: &mut Ledger) {
    if run.origin != Origin::Recorded {
        return;
    }
    let reversed = reversed(run);
    let most = reversed
        .into_iter()
        .max_by_key(|&(_, (count, by))| (count, by));
    if let Some(((waker, woken), (count, by))) = most
        && count >= LEAST
    {
        ledger.warn(says::clocks_apart(count, by, waker, woken));
    }
}

fn reversed(run: &Run) -> Reversed {
    let mut tasks: BTreeMap<u32, Task> = BTreeMap::new();
    let mut reversed = Reversed::new();
    run.each(|index| {
        let woken = || run.field(index, Field::TargetPid);
        match run.probe[index.at()] {
            // A lost event may have been a wake-up.
            Probe::LostEvents => tasks.clear(),
            Probe::SchedSwitch => switch(run, index, &mut tasks),
            Probe::SchedWakeup => {
                if let Some(task) = woken().and_then(|pid| tasks.get_mut(&pid)) {
                    task.is_awake(&run.event(index));
                }
            }
            Probe::SchedWaking => {
                if let Some(task) = woken().and_then(|pid| tasks.get_mut(&pid)) {
                    task.wake(&run.event(index), &mut reversed);
                }
            }
            _ => {}
        }
    });
    reversed
}

fn switch(run: &Run, index: EventIdx, tasks: &mut BTreeMap<u32, Task>) {
    let event = run.event(index);
    if let Some(pid) = run.field(index, Field::PrevPid).filter(|&pid| pid != 0) {
        let state = run.field_name(index, Field::PrevState);
        let task = tasks.entry(pid).or_default();
        task.sleeps = state.is_some_and(|state| !state.starts_with('R'));
        task.awake = None;
    }
    if let Some(pid) = run.field(index, Field::NextPid)
        && let Some(task) = tasks.get_mut(&pid)
    {
        task.is_awake(&event);
        task.sleeps = false;
        task.is_woken = false;
    }
}

impl Task {
    /// The task is reported as awake or running.
    fn is_awake(&mut self, event: &Event) {
        if self.sleeps && !self.is_woken {
            self.awake.get_or_insert((event.cpu, event.time));
        }
    }

    /// `sched_waking` of the task.
    fn wake(&mut self, event: &Event, reversed: &mut Reversed) {
        let Some((cpu, since)) = self.awake.take() else {
            self.is_woken = true;
            return;
        };
        let by = event.time.since(since);
        if event.cpu != cpu && 0 < by && by < CLOCKS {
            let (count, most) = reversed.entry((event.cpu, cpu)).or_default();
            *count += 1;
            *most = by.max(*most);
        }
        // The missing wake-up has arrived. If the task already runs, it says nothing about the next sleep.
        self.is_woken = self.sleeps;
    }
}
