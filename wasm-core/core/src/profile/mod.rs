//! Where the CPUs' time went: stacks of a CPU, a context and what ran in it, each with its time.
//!
//! A simulation charges each step as it runs: its stacks end in kernel functions, under the model's path
//! that calls them, with how often each was called; they are of the whole run after its warm-up. A recording
//! has tracepoints and no samples: its stacks end in the task, the softirq or the interrupt, of any stretch
//! of the run, and nothing tells what a function took. Idle time is no part of either, time of which the
//! recording does not tell is its own context.

mod folded;
mod lanes;
mod locks;
mod weight;

use std::collections::BTreeMap;

use crate::kernel::{Context, CpuId, Nanos};
use crate::replay::Replay;
use crate::run::measured::Measured;

pub use locks::LockRow;
pub use weight::Weight;

/// What the times of a profile were taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Every step of a simulation was charged.
    Charged,
    /// What each CPU did from event to event.
    Recorded,
}

impl Source {
    /// `charged` or `recorded`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Charged => "charged",
            Self::Recorded => "recorded",
        }
    }
}

/// Where a CPU was.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stack {
    /// The CPU.
    pub cpu: CpuId,
    /// Its context.
    pub context: Context,
    /// What ran there, from the outside in: a path and its function, while it spins behind the lock that
    /// they wait for; a task; a softirq; an interrupt.
    pub within: Vec<String>,
}

/// What a stack took.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spent {
    /// Nanoseconds.
    pub nanos: f64,
    /// How often its innermost function was called, or began to spin, where that is told.
    pub calls: Option<u64>,
    /// How many cache lines came into a cache in it, where that is told.
    pub lines: Option<u64>,
}

/// A profile.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// What its times are from.
    pub source: Source,
    /// How long each CPU was watched, in nanoseconds.
    pub elapsed: f64,
    /// How many CPUs were.
    pub cpus: usize,
    /// What each stack took.
    pub stacks: BTreeMap<Stack, Spent>,
    /// The locks that somebody wanted, by who did where that is told; the most time first.
    pub locks: Vec<LockRow>,
}

impl Profile {
    /// A simulation's profile, from what was measured in it.
    pub fn charged(measured: &Measured) -> Self {
        let mut stacks = BTreeMap::new();
        for (of, time) in &measured.stacks {
            // Spinning is taken apart by lock and caller.
            if of.context == Context::Spinning {
                continue;
            }
            let path = of.path.clone();
            let stack = Stack {
                cpu: CpuId(of.cpu),
                context: of.context,
                within: path.into_iter().chain([of.function.clone()]).collect(),
            };
            let spent = Spent {
                nanos: nanos(time.fs),
                calls: Some(time.calls),
                lines: Some(time.lines),
            };
            stacks.insert(stack, spent);
        }
        stacks.extend(locks::stacks(measured));
        // User code has no functions of the kernel.
        for (cpu, &fs) in measured
            .cpu_user_fs
            .iter()
            .enumerate()
            .filter(|(_, fs)| **fs > 0)
        {
            let stack = Stack {
                cpu: CpuId(cpu as u16),
                context: Context::User,
                within: Vec::new(),
            };
            let spent = Spent {
                nanos: nanos(fs),
                calls: None,
                lines: None,
            };
            stacks.insert(stack, spent);
        }
        Self {
            source: Source::Charged,
            elapsed: nanos(measured.elapsed_fs),
            cpus: measured.cpu_busy_fs.len(),
            stacks,
            locks: locks::charged(measured),
        }
    }

    /// What the events of a run tell between two times.
    pub fn recorded(replay: &Replay, from: Nanos, to: Nanos) -> Self {
        lanes::profile(replay, from, to)
    }

    /// A simulation's profile as it was charged, else what all events tell.
    pub fn of(replay: &Replay, totals: Option<&Measured>) -> Self {
        match totals {
            Some(measured) => Self::charged(measured),
            None => Self::recorded(replay, replay.run.start(), replay.run.end()),
        }
    }

    /// All time in stacks, in nanoseconds.
    pub fn nanos(&self) -> f64 {
        self.stacks.values().map(|spent| spent.nanos).sum()
    }

    /// A line for each stack, as Brendan Gregg's flame graph programs and speedscope read them: its frames
    /// with semicolons between them, a space, and its weight: whole nanoseconds, lines or calls.
    pub fn folded(&self, weight: Weight) -> String {
        folded::text(self, weight)
    }
}

fn nanos(fs: u64) -> f64 {
    fs as f64 / 1e6
}

#[cfg(test)]
mod tests;
