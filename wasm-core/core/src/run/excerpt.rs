//! The part of a recording that is opened when not all of it is wanted or fits into memory:
//! one CPU's events, a range of time, or both. The ledger counts the lines that are left out.

use crate::kernel::{CpuId, Nanos};

/// The part of a recording that is opened. By default all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Excerpt {
    /// Only events of this CPU; events without a CPU are left out.
    pub cpu: Option<CpuId>,
    /// Events at this time of the trace's clock or later.
    pub from: Option<Nanos>,
    /// Events before this time.
    pub to: Option<Nanos>,
}

impl Excerpt {
    /// Whether an event at this time on this CPU belongs to it.
    pub fn has(&self, time: Nanos, cpu: CpuId) -> bool {
        self.cpu.is_none_or(|wanted| wanted == cpu)
            && self.from.is_none_or(|from| from <= time)
            && self.to.is_none_or(|to| time < to)
    }
}
