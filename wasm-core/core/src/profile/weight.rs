//! What the width of a stack means in a flame graph.

use super::{Spent, Stack};
use crate::kernel::Context;

vocabulary! {
    /// By what stacks are weighed.
    pub enum Weight {
        /// Nanoseconds of CPU time.
        Time = "time",
        /// Cache lines that came into a cache.
        Lines = "lines",
        /// Nanoseconds that a CPU waited for a lock.
        Spin = "spin",
        /// Calls of the innermost function.
        Calls = "calls",
    }
}

impl Weight {
    /// What a stack weighs; nothing where that is not told.
    pub fn of(self, stack: &Stack, spent: &Spent) -> f64 {
        let is_spinning = stack.context == Context::Spinning;
        match self {
            Self::Time => spent.nanos,
            Self::Lines => spent.lines.unwrap_or(0) as f64,
            Self::Spin if is_spinning => spent.nanos,
            // Who spins calls nothing.
            Self::Calls if !is_spinning => spent.calls.unwrap_or(0) as f64,
            Self::Spin | Self::Calls => 0.0,
        }
    }
}
