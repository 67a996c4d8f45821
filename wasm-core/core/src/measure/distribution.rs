//! A set of times in a few numbers.

use crate::order;

/// What a set of times looks like, in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Distribution {
    /// How many times there are.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// The mean without the 5 % at each end, as the 2005 toolkit reports it.
    pub trimmed_mean: f64,
    /// The least.
    pub min: u64,
    /// The one that half of them do not exceed.
    pub median: u64,
    /// The one that 95 % do not exceed.
    pub p95: u64,
    /// The one that 99 % do not exceed.
    pub p99: u64,
    /// The largest.
    pub max: u64,
}

impl Distribution {
    /// The numbers of these times, in any order. Percentiles are nearest-rank:
    /// always one of the times.
    pub fn of(mut times: Vec<u64>) -> Self {
        order::sort(&mut times);
        let count = times.len();
        if count == 0 {
            return Self::default();
        }
        let rank = |percent: usize| times[(count * percent).div_ceil(100).max(1) - 1];
        let trim = count / 20;
        Self {
            count: count as u64,
            mean: mean(&times),
            trimmed_mean: mean(&times[trim..count - trim]),
            min: times[0],
            median: rank(50),
            p95: rank(95),
            p99: rank(99),
            max: times[count - 1],
        }
    }
}

fn mean(times: &[u64]) -> f64 {
    let sum: u128 = times.iter().map(|&time| u128::from(time)).sum();
    sum as f64 / times.len() as f64
}
