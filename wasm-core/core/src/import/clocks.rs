//! Whether the clocks of the CPUs agree, told by wake-ups whose order is certain.
//!
//! A task that sleeps is woken before it runs: `try_to_wake_up` passes `sched_waking` on the CPU of the waker, then
//! `sched_wakeup` and `sched_switch` follow, perhaps on another CPU (`kernel/sched/core.c`, v6.18). Where a task is awake by
//! the times of one CPU before another wakes it, the clocks of the two are apart by that at least. Clocks that are apart by
//! less than any wake-up takes leave no such sign.

use std::collections::BTreeMap;

use super::says;
use crate::kernel::{CpuId, Event, EventIdx, Field, Nanos, Origin, Probe};
use crate::ledger::Ledger;
use crate::run::Run;

/// The clocks of CPUs differ by less; a task that is woken later than that may be woken for something else.
const CLOCKS: u64 = 1_000_000;
/// A single one may be a wake-up that was not recorded, before one that comes while the task runs.
const LEAST: u64 = 2;

/// What is known of a task between two of its turns on a CPU.
#[derive(Debug, Default)]
struct Task {
    /// It left its CPU to sleep, and has not been switched to since.
    sleeps: bool,
    /// `sched_waking` came since it was last switched to.
    is_woken: bool,
    /// It slept and is awake since, on this CPU, with no `sched_waking` so far.
    awake: Option<(CpuId, Nanos)>,
}

/// By the CPU of the waker and that of the task: how many wake-ups came after the task was awake, and by how much at most.
type Reversed = BTreeMap<(CpuId, CpuId), (u64, u64)>;

/// Tells of the two CPUs between which most wake-ups are reversed.
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
            // What was lost may have been a wake-up.
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
    /// It is woken up, or runs.
    fn is_awake(&mut self, event: &Event) {
        if self.sleeps && !self.is_woken {
            self.awake.get_or_insert((event.cpu, event.time));
        }
    }

    /// `sched_waking` of it.
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
        // The wake-up that was missing has come. If the task runs already, it says nothing of the next sleep.
        self.is_woken = self.sleeps;
    }
}
