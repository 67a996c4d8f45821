//! Locks by who wanted them, as lockmeter printed them (Bryant and Hawkes, Lockmeter: Highly-Informative
//! Instrumentation for Spin Locks in the Linux Kernel, ALS 2000): how often each was taken, how often and
//! for how long somebody spun for it.

use super::{Spent, Stack, nanos};
use crate::kernel::{Context, CpuId, Nanos};
use crate::order;
use crate::replay::Replay;
use crate::run::measured::{LockCaller, LockUse, Measured};

/// A lock as somebody wanted it.
#[derive(Debug, Clone, PartialEq)]
pub struct LockRow {
    /// The lock.
    pub lock: String,
    /// The CPU that wanted it; none where a recording tells of all together.
    pub cpu: Option<CpuId>,
    /// The path and the function that wanted it, from the outside in; empty where nothing tells.
    pub within: Vec<String>,
    /// How often it was taken, where that is told.
    pub holds: Option<u64>,
    /// How often somebody else had it.
    pub spins: u64,
    /// Nanoseconds spun.
    pub nanos: f64,
}

fn within(caller: &LockCaller) -> Vec<String> {
    let path = caller.path.clone();
    path.into_iter().chain([caller.function.clone()]).collect()
}

/// Spinning by CPU, lock, path and function.
pub(super) fn stacks(measured: &Measured) -> impl Iterator<Item = (Stack, Spent)> {
    let spun = |used: &LockUse| used.fs > 0 || used.spins > 0;
    let all = measured.locks.iter().filter(move |(_, used)| spun(used));
    all.map(|(caller, used)| {
        let stack = Stack {
            cpu: CpuId(caller.cpu),
            context: Context::Spinning,
            within: [vec![caller.lock.clone()], within(caller)].concat(),
        };
        let spent = Spent {
            nanos: nanos(used.fs),
            calls: Some(used.spins),
            lines: Some(0),
        };
        (stack, spent)
    })
}

/// All that were wanted in a simulation.
pub(super) fn charged(measured: &Measured) -> Vec<LockRow> {
    let row = |(caller, used): (&LockCaller, &LockUse)| LockRow {
        lock: caller.lock.clone(),
        cpu: Some(CpuId(caller.cpu)),
        within: within(caller),
        holds: Some(used.holds),
        spins: used.spins,
        nanos: nanos(used.fs),
    };
    let used = |(_, used): &(&LockCaller, &LockUse)| **used != LockUse::default();
    sorted(measured.locks.iter().filter(used).map(row).collect())
}

/// Those that the events between two times tell of: nobody tells of a lock that is free.
pub(super) fn told(replay: &Replay, from: Nanos, to: Nanos) -> Vec<LockRow> {
    let waits = replay.machine.locks.between(from, to);
    let row = |(lock, [spins, nanos]): (&str, [u64; 2])| LockRow {
        lock: lock.to_owned(),
        cpu: None,
        within: Vec::new(),
        holds: None,
        spins,
        nanos: nanos as f64,
    };
    let some = waits.filter(|&(_, sums)| sums != [0, 0]);
    sorted(some.map(row).collect())
}

fn sorted(mut rows: Vec<LockRow>) -> Vec<LockRow> {
    order::sort_by(&mut rows, |one, other| {
        let most = other.nanos.total_cmp(&one.nanos);
        most.then_with(|| other.holds.cmp(&one.holds))
    });
    rows
}
