//! The two columns by time that everything here is made of: a value that holds until
//! the next one, and a sum that only grows.

use crate::kernel::Nanos;

/// A value that holds from one time to the next.
#[derive(Debug, Clone)]
pub(super) struct Track<T> {
    at: Vec<Nanos>,
    value: Vec<T>,
}

impl<T> Default for Track<T> {
    fn default() -> Self {
        Self {
            at: Vec::new(),
            value: Vec::new(),
        }
    }
}

impl<T> Track<T> {
    /// The value from `time` on, which is never before the one set last. Of several at
    /// one time the last holds.
    pub(super) fn set(&mut self, time: Nanos, value: T) {
        if self.at.last() == Some(&time) {
            self.at.pop();
            self.value.pop();
        }
        self.at.push(time);
        self.value.push(value);
    }

    /// The value set last.
    pub(super) fn last(&self) -> Option<&T> {
        self.value.last()
    }

    /// The value at a time and since when it holds; none before the first.
    pub(super) fn at(&self, time: Nanos) -> Option<(Nanos, &T)> {
        let step = self.at.partition_point(|&at| at <= time).checked_sub(1)?;
        Some((self.at[step], &self.value[step]))
    }

    /// All values in order.
    pub(super) fn values(&self) -> &[T] {
        &self.value
    }
}

/// Sums of several things counted together, as prefix columns.
#[derive(Debug, Clone)]
pub struct Sums<const N: usize> {
    at: Vec<Nanos>,
    sum: Vec<[u64; N]>,
}

impl<const N: usize> Default for Sums<N> {
    fn default() -> Self {
        Self {
            at: Vec::new(),
            sum: Vec::new(),
        }
    }
}

impl<const N: usize> Sums<N> {
    /// Counts more, at a time that is never before the last.
    pub(super) fn add(&mut self, time: Nanos, more: [u64; N]) {
        let mut sum = self.sum.last().copied().unwrap_or([0; N]);
        for (sum, more) in sum.iter_mut().zip(more) {
            *sum += more;
        }
        self.at.push(time);
        self.sum.push(sum);
    }

    /// The sums at a time, that moment included.
    pub fn at(&self, time: Nanos) -> [u64; N] {
        self.after(self.at.partition_point(|&at| at <= time))
    }

    /// What was counted after one time and up to another.
    pub fn since(&self, after: Nanos, time: Nanos) -> [u64; N] {
        difference(self.at(time), self.at(after))
    }

    /// What was counted from one time to another, both included.
    pub fn between(&self, from: Nanos, to: Nanos) -> [u64; N] {
        let before = self.after(self.at.partition_point(|&at| at < from));
        difference(self.at(to), before)
    }

    fn after(&self, counted: usize) -> [u64; N] {
        counted.checked_sub(1).map_or([0; N], |last| self.sum[last])
    }
}

fn difference<const N: usize>(more: [u64; N], less: [u64; N]) -> [u64; N] {
    std::array::from_fn(|place| more[place].saturating_sub(less[place]))
}
