//! The simulator's clock: whole femtoseconds since the start of the run.
//!
//! Femtoseconds make the cycle of every modelled clock a whole number to better
//! than a millionth (3.2 GHz has cycles of 312.5 ps), so that cycles become time by
//! one multiplication, exactly and alike on every machine. 64 bits hold five hours.

use std::ops::{Add, Sub};

use serde::{Deserialize, Serialize};

use ringside::kernel::Nanos;

/// A moment or a duration in femtoseconds.
#[derive(
    Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct SimTime(pub u64);

impl SimTime {
    /// No moment: later than all.
    pub const NEVER: Self = Self(u64::MAX);
    /// The start of the run.
    pub const ZERO: Self = Self(0);

    /// From nanoseconds.
    pub const fn from_ns(ns: u64) -> Self {
        Self(ns.saturating_mul(1_000_000))
    }

    /// From microseconds.
    pub const fn from_us(us: u64) -> Self {
        Self(us.saturating_mul(1_000_000_000))
    }

    /// From milliseconds.
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms.saturating_mul(1_000_000_000_000))
    }

    /// In whole nanoseconds, rounded down: the clock of the run's events.
    pub const fn nanos(self) -> Nanos {
        Nanos(self.0 / 1_000_000)
    }

    /// In whole microseconds, rounded down.
    pub const fn us(self) -> u64 {
        self.0 / 1_000_000_000
    }

    /// The time since `earlier`, zero when that is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }
}

impl Add for SimTime {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for SimTime {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}
