//! What only a model knows, between two times: cache lines that moved, locks that were
//! waited for, what probes cost.

use crate::kernel::{CpuId, Nanos};
use crate::order;
use crate::replay::Basis;
use crate::replay::machine::Moved;

/// The measures of a stretch; nothing of it in a recording.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MachineMeasures {
    /// Lines that went between caches, by kind and pair of CPUs; the most expensive first.
    pub moved: Vec<Moved>,
    /// Locks that somebody began or ceased to wait for, the longest waits first.
    pub locks: Vec<LockWait>,
    /// What probes cost each CPU.
    pub probe_costs: Vec<ProbeCost>,
}

/// How often and how long a lock was waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockWait {
    /// Which.
    pub lock: String,
    /// How often somebody began to wait.
    pub waits: u64,
    /// How long the waits lasted that ended, in nanoseconds.
    pub nanos: u64,
}

/// What probes cost a CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeCost {
    /// Which CPU.
    pub cpu: CpuId,
    /// In nanoseconds.
    pub nanos: u64,
    /// How many probes it ran.
    pub probes: u64,
}

impl MachineMeasures {
    pub(super) fn of(basis: &Basis<'_>, from: Nanos, to: Nanos) -> Self {
        let mut moved: Vec<Moved> = basis.caches.moved(from, to).collect();
        order::sort_by_key(&mut moved, |moved| {
            std::cmp::Reverse((moved.cycles, moved.lines))
        });
        let waits = basis.locks.between(from, to);
        let mut locks: Vec<LockWait> = waits
            .filter(|&(_, sums)| sums != [0, 0])
            .map(|(lock, [waits, nanos])| LockWait {
                lock: lock.to_owned(),
                waits,
                nanos,
            })
            .collect();
        order::sort_by_key(&mut locks, |wait| {
            std::cmp::Reverse((wait.nanos, wait.waits))
        });
        let costs = basis.probe_costs.between(from, to);
        Self {
            moved,
            locks,
            probe_costs: costs
                .map(|(cpu, [nanos, probes])| ProbeCost { cpu, nanos, probes })
                .collect(),
        }
    }
}
