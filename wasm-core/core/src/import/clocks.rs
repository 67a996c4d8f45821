//! Checks whether the CPUs' clocks agree, by wake-ups whose order is certain.
//!
//! A sleeping task is woken before it runs: `try_to_wake_up` passes `sched_waking` on the waker's CPU, then
//! `sched_wakeup` and `sched_switch` follow, possibly on another CPU (`kernel/sched/core.c`, v6.18). If a task is
//! awake by one CPU's times before another CPU wakes it, the two clocks differ by at least that interval. Differences
//! shorter than a wake-up are not detected.
//!
//! A task may also be woken when it is about to sleep: `__schedule` has taken it off its run queue, and its
//! `sched_switch` is yet to come. If the wake-up before that was not recorded, because it came before the recording or
//! its line was lost, the task seems awake too early. So for which of its sleeps a `sched_waking` of a task that is
//! awake was, is decided by what the task does next: if it was for the next one, that is a short one.

use std::collections::BTreeMap;

use super::{Format, says};
use crate::kernel::{CpuId, Event, EventIdx, Field, Nanos, Origin, Probe};
use crate::ledger::Ledger;
use crate::run::Run;

/// Nanoseconds: clocks differ by less; a later wake-up of the task may have another reason.
const CLOCKS: u64 = 1_000_000;
/// Nanoseconds: a task that is woken when it is about to sleep may be awake again so soon. In the recordings of
/// `traces/` it takes up to 27 us, and longer five times in 41.
const SOON: u64 = 50_000;
/// The clocks of `kernel/trace/trace.c: trace_clocks` (v6.18) that all CPUs share. `local` and `x86-tsc` are each CPU's.
const SHARED: [&str; 7] = [
    "global", "counter", "uptime", "mono", "mono_raw", "boot", "tai",
];
/// The least number of reversed wake-ups reported: a single one may follow a wake-up that was not recorded, and reach
/// a running task.
const LEAST: u64 = 2;

/// What is known of a task.
#[derive(Debug, Default)]
struct Task {
    /// It was switched to, and has not left its CPU since.
    runs: bool,
    /// It left its CPU to sleep, and has not been switched to since.
    sleeps: bool,
    /// `sched_waking` came for the sleep that it is in.
    is_woken: bool,
    /// Since when and on which CPU it is awake after that sleep, without a `sched_waking` so far.
    awake: Option<(CpuId, Nanos)>,
    /// The last `sched_waking`, if it may have been for another sleep than the one that follows it.
    unsure: Option<Waking>,
}

/// A `sched_waking` of a task that was awake by then, or of which nothing was known.
#[derive(Debug)]
struct Waking {
    at: Nanos,
    waker: CpuId,
    /// The CPU on which the task was awake without one, and for how many nanoseconds.
    awake: Option<(CpuId, u64)>,
}

/// By waker's CPU and task's CPU: the number of wake-ups later than the task was awake, and the largest such interval
/// in nanoseconds.
type Reversed = BTreeMap<(CpuId, CpuId), (u64, u64)>;

/// Warns about the pair of CPUs with the most reversed wake-ups.
pub(super) fn check(run: &Run, format: Format, ledger: &mut Ledger) {
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
        let clock = run.metadata.get("clock").map(String::as_str);
        ledger.warn(match clock.filter(|clock| SHARED.contains(clock)) {
            Some(clock) => says::clocks_apart_though(count, by, waker, woken, clock.to_owned()),
            None if format == Format::PerfScript => {
                says::clocks_of_perf_apart(count, by, waker, woken)
            }
            None => says::clocks_apart(count, by, waker, woken),
        });
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
            Probe::SchedSwitch => switch(run, index, &mut tasks, &mut reversed),
            Probe::SchedWakeup => {
                if let Some(task) = woken().and_then(|pid| tasks.get_mut(&pid)) {
                    task.wake_up(&run.event(index), &mut reversed);
                }
            }
            Probe::SchedWaking => {
                if let Some(pid) = woken() {
                    let task = tasks.entry(pid).or_default();
                    task.wake(&run.event(index), &mut reversed);
                }
            }
            _ => {}
        }
    });
    reversed
}

fn switch(run: &Run, index: EventIdx, tasks: &mut BTreeMap<u32, Task>, reversed: &mut Reversed) {
    let event = run.event(index);
    if let Some(pid) = run.field(index, Field::PrevPid).filter(|&pid| pid != 0) {
        let state = run.field_name(index, Field::PrevState);
        let sleeps = state.is_some_and(|state| !state.starts_with('R'));
        tasks.entry(pid).or_default().leave(sleeps);
    }
    if let Some(pid) = run.field(index, Field::NextPid)
        && let Some(task) = tasks.get_mut(&pid)
    {
        task.run(&event, reversed);
    }
}

impl Task {
    /// `sched_waking` of the task.
    fn wake(&mut self, event: &Event, reversed: &mut Reversed) {
        let awake = self.awake.take();
        if self.sleeps && awake.is_none() {
            // There is one for each sleep: if this is the second, lines are missing.
            if std::mem::replace(&mut self.is_woken, true) {
                self.unsure = None;
            }
            self.settle(reversed);
            return;
        }
        let by = |(cpu, since)| (cpu, event.time.since(since));
        let is_early = |&(cpu, by): &(CpuId, u64)| cpu != event.cpu && 0 < by && by < CLOCKS;
        self.unsure = Some(Waking {
            at: event.time,
            waker: event.cpu,
            awake: awake.map(by).filter(is_early),
        });
        self.is_woken = self.sleeps;
    }

    /// `sched_wakeup` of the task.
    fn wake_up(&mut self, event: &Event, reversed: &mut Reversed) {
        if self.is_woken || !self.sleeps {
            // If not the waker's CPU reports it, the task was asleep: lines are missing.
            self.unsure.take_if(|waking| waking.waker != event.cpu);
        } else {
            self.awake = None;
            self.is_awake(event, reversed);
        }
    }

    /// The task is awake after a sleep without a `sched_waking` in it.
    fn is_awake(&mut self, event: &Event, reversed: &mut Reversed) {
        let is_soon = |waking: &mut Waking| event.time.since(waking.at) < SOON;
        if self.unsure.take_if(is_soon).is_some() {
            self.is_woken = true;
        } else {
            self.settle(reversed);
            self.awake.get_or_insert((event.cpu, event.time));
        }
    }

    /// The task is switched to.
    fn run(&mut self, event: &Event, reversed: &mut Reversed) {
        if self.runs {
            self.unsure = None;
        } else if self.is_woken {
            self.settle(reversed);
        } else if self.sleeps {
            self.is_awake(event, reversed);
        }
        self.runs = true;
        self.sleeps = false;
        self.is_woken = false;
    }

    /// The task leaves its CPU.
    fn leave(&mut self, sleeps: bool) {
        if self.sleeps {
            self.unsure = None;
        }
        self.runs = false;
        self.sleeps = sleeps;
        self.is_woken = false;
        self.awake = None;
    }

    /// The wake-up that was not sure was for the sleep before it.
    fn settle(&mut self, reversed: &mut Reversed) {
        if let Some(waking) = self.unsure.take()
            && let Some((cpu, by)) = waking.awake
        {
            let (count, most) = reversed.entry((waking.waker, cpu)).or_default();
            *count += 1;
            *most = by.max(*most);
        }
    }
}
