//! The median of turns and its confidence interval by order statistics, which assumes nothing about the
//! distribution. That matters here: most turns are alike, and a few were interrupted and are outliers.
//!
//! The interval is of the turns of one measurement, over one allocation of memory at one time. Another measurement may
//! lie outside: the same region of memory was read up to 17 % faster or slower a minute later, elsewhere in memory.

/// A median with its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The median.
    pub median: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Interquartile range of the turns.
    pub spread: f64,
    /// Number of turns.
    pub turns: usize,
    /// Whether the CPU, or both CPUs, had their cores for themselves ([`crate::quiet`]): in all of the turns, or, of
    /// turns on two CPUs, before the first and after the last.
    pub is_alone: bool,
}

/// Minimum number of turns for a 95 % interval of the median: with five, (1/2)^5 at each end is 3.1 %.
pub const FEWEST_TURNS: usize = 6;

/// Maximum width of an interval relative to its median for a value to be usable.
const WIDEST: f64 = 0.5;

impl Estimate {
    /// The mean of two estimates, if both exist.
    pub fn mean(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        one.zip(other).map(|(one, other)| Self {
            median: f64::midpoint(one.median, other.median),
            low: f64::midpoint(one.low, other.low),
            high: f64::midpoint(one.high, other.high),
            spread: f64::midpoint(one.spread, other.spread),
            turns: one.turns.min(other.turns),
            is_alone: one.is_alone && other.is_alone,
        })
    }

    /// The estimate from turns in any order; `None` with fewer than [`FEWEST_TURNS`] or with a value that is
    /// not finite.
    pub fn of(turns: &[f64]) -> Option<Self> {
        if turns.len() < FEWEST_TURNS || turns.iter().any(|turn| !turn.is_finite()) {
            return None;
        }
        let mut sorted = turns.to_vec();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        let below = turns_outside(count);
        Some(Self {
            median: quantile(&sorted, 0.5),
            low: sorted[below],
            high: sorted[count - 1 - below],
            spread: quantile(&sorted, 0.75) - quantile(&sorted, 0.25),
            turns: count,
            is_alone: true,
        })
    }

    /// By how much it exceeds another; either may be anywhere in its interval.
    #[must_use]
    pub fn less(self, other: Self) -> Self {
        Self {
            median: self.median - other.median,
            low: self.low - other.high,
            high: self.high - other.low,
            is_alone: self.is_alone && other.is_alone,
            ..self
        }
    }

    /// The same, measured on a CPU that was not alone unless `is_alone`.
    #[must_use]
    pub fn if_alone(self, is_alone: bool) -> Self {
        Self {
            is_alone: self.is_alone && is_alone,
            ..self
        }
    }

    /// The estimate with a constant added.
    #[must_use]
    pub fn plus(self, more: f64) -> Self {
        Self {
            median: self.median + more,
            low: self.low + more,
            high: self.high + more,
            ..self
        }
    }

    /// The estimate in another unit.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self {
            median: self.median * factor,
            low: self.low * factor,
            high: self.high * factor,
            spread: self.spread * factor,
            ..self
        }
    }

    /// Whether the interval is too wide, or the median not positive enough, for the value to be usable.
    pub fn is_implausible(&self) -> bool {
        self.median <= 0.0 || self.high - self.low > WIDEST * self.median
    }

    /// Whether the value is certainly less than one, or as much as none.
    pub fn is_below_one(&self) -> bool {
        -1.0 < self.low && self.high < 1.0
    }
}

/// How many of the lowest turns (and of the highest) lie outside the interval: the most for which the
/// probability that the true median is among them is at most 2.5 % at either end. The number of turns below the
/// true median is binomial with p = 1/2.
fn turns_outside(count: usize) -> usize {
    // With thousands of turns the probabilities underflow a float, so logarithms are used.
    let mut log_chance = -(count as f64) * std::f64::consts::LN_2;
    let mut sum = 0.0;
    for below in 0..count {
        sum += log_chance.exp();
        if sum > 0.025 {
            return below.saturating_sub(1);
        }
        log_chance += ((count - below) as f64).ln() - ((below + 1) as f64).ln();
    }
    0
}

/// A quantile of sorted values, interpolated linearly.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let at = part * (sorted.len() - 1) as f64;
    let (lower, upper) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    lower + (upper - lower) * at.fract()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn up_to(count: u32) -> Vec<f64> {
        (1..=count).map(f64::from).collect()
    }

    #[test]
    fn the_interval_of_ten_turns_goes_from_the_second_to_the_ninth() {
        // P(Bin(10, 1/2) <= 1) = 11/1024 = 1.07 %; with 2 it is 56/1024 = 5.5 %.
        let estimate = Estimate::of(&up_to(10)).unwrap();
        assert_eq!((estimate.low, estimate.high), (2.0, 9.0));
        assert_eq!((estimate.median, estimate.spread), (5.5, 4.5));
    }

    #[test]
    fn the_interval_of_six_turns_is_all_of_them() {
        // (1/2)^6 = 1.6 % at each end.
        let estimate = Estimate::of(&up_to(6)).unwrap();
        assert_eq!((estimate.low, estimate.high), (1.0, 6.0));
        assert_eq!(Estimate::of(&up_to(5)), None);
    }

    #[test]
    fn the_interval_of_a_hundred_turns_goes_from_the_40th_to_the_61st() {
        // The usual table of the sign test: n = 100, 95 %.
        let estimate = Estimate::of(&up_to(100)).unwrap();
        assert_eq!((estimate.low, estimate.high), (40.0, 61.0));
    }

    #[test]
    fn one_turn_that_was_interrupted_moves_nothing() {
        let mut turns = vec![10.0; 20];
        turns[7] = 1e9;
        let estimate = Estimate::of(&turns).unwrap();
        assert_eq!(
            (estimate.low, estimate.median, estimate.high),
            (10.0, 10.0, 10.0)
        );
        assert!(!estimate.is_implausible());
    }

    #[test]
    fn what_is_not_positive_or_spread_too_far_is_implausible() {
        assert!(Estimate::of(&[-1.0; 9]).unwrap().is_implausible());
        assert!(Estimate::of(&up_to(6)).unwrap().is_implausible());
        assert_eq!(Estimate::of(&[1.0, 1.0, 1.0, 1.0, 1.0, f64::NAN]), None);
    }

    proptest! {
        #[test]
        fn the_median_lies_in_its_interval_and_the_interval_in_the_turns(
            turns in prop::collection::vec(0.001_f64..1e9, FEWEST_TURNS..3000),
        ) {
            let estimate = Estimate::of(&turns).unwrap();
            prop_assert!(estimate.low <= estimate.median && estimate.median <= estimate.high);
            prop_assert!(turns.contains(&estimate.low) && turns.contains(&estimate.high));
        }
    }
}
