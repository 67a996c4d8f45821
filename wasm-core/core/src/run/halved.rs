//! A column of large numbers, most of them close to the one before: it stores the
//! low half of each, and a list of the places at which the high half changes.
//!
//! Times and line numbers take half the space, without rounding and without state
//! between two reads. In an ascending column the list is short: a time of 64 bits
//! adds a step every 4.3 seconds. Each jump of the numbers costs a step of 8 bytes.

/// Numbers of twice the bits of `Low` at the most (of `u32`: 64 bits; of `u16`: 48 bits).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Halved<Low> {
    pub(super) low: Vec<Low>,
    pub(super) steps: Vec<Step>,
    /// The state at the first place of each block, so that most reads need no search.
    blocks: Vec<Block>,
}

/// Where a block of places begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Block {
    /// How many steps there are up to its first place, that one included.
    steps: u32,
    /// The high half there.
    high: u32,
}

/// Places in a block, as a power of two.
const BLOCK_BITS: u32 = 9;

/// From this place on the high half is another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) from: u32,
    pub(super) high: u32,
}

/// What the lower halves are kept as.
pub(super) trait Narrow: Copy + Default + Into<u64> + TryFrom<u64> {}

impl Narrow for u16 {}
impl Narrow for u32 {}

impl<Low: Narrow> Halved<Low> {
    const BITS: u32 = 8 * size_of::<Low>() as u32;
    const MASK: u64 = (1 << Self::BITS) - 1;

    /// An empty column.
    pub const fn new() -> Self {
        Self {
            low: Vec::new(),
            steps: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// A column of these parts; nothing where the first number has no high half.
    pub fn from_parts(low: Vec<Low>, steps: Vec<Step>) -> Option<Self> {
        let is_whole = match steps.first() {
            Some(first) => first.from == 0,
            None => low.is_empty(),
        };
        let firsts = (0..low.len()).step_by(1 << BLOCK_BITS);
        let begun = |first| {
            let passed = steps.partition_point(|step| step.from as usize <= first);
            let high = steps[passed.checked_sub(1)?].high;
            let steps = passed as u32;
            Some(Block { steps, high })
        };
        let blocks = firsts.map(begun).collect::<Option<_>>()?;
        is_whole.then_some(Self { low, steps, blocks })
    }

    /// Appends a number.
    pub fn push(&mut self, value: u64) {
        let high = (value >> Self::BITS) as u32;
        if self.steps.last().is_none_or(|step| step.high != high) {
            let from = self.low.len() as u32;
            self.steps.push(Step { from, high });
        }
        if self.low.len().is_multiple_of(1 << BLOCK_BITS) {
            let steps = self.steps.len() as u32;
            self.blocks.push(Block { steps, high });
        }
        grow(&mut self.low, 1);
        self.low
            .push(Low::try_from(value & Self::MASK).unwrap_or_default());
    }

    /// The number at a place; panics where there is none.
    #[inline]
    pub fn at(&self, place: usize) -> u64 {
        let low: u64 = self.low[place].into();
        let Block { steps, high } = self.blocks[place >> BLOCK_BITS];
        // Most blocks have no step behind their first place.
        let high = match self.steps.get(steps as usize) {
            Some(step) if step.from as usize <= place => self.high_at(place),
            _ => high,
        };
        (u64::from(high) << Self::BITS) | low
    }

    /// The high half of the number at a place behind a step of its block.
    #[cold]
    fn high_at(&self, place: usize) -> u32 {
        let passed = self
            .steps
            .partition_point(|step| step.from as usize <= place);
        self.steps[passed - 1].high
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.low.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.low.is_empty()
    }

    /// The number appended last.
    pub fn last(&self) -> Option<u64> {
        self.len().checked_sub(1).map(|place| self.at(place))
    }

    /// The numbers in the order of these places.
    pub fn in_order(&self, order: &[u32]) -> Self {
        let mut sorted = Self::new();
        sorted.low.reserve_exact(order.len());
        for &place in order {
            sorted.push(self.at(place as usize));
        }
        sorted
    }

    /// Gives back what growing left over.
    pub fn shrink_to_fit(&mut self) {
        self.low.shrink_to_fit();
        self.steps.shrink_to_fit();
        self.blocks.shrink_to_fit();
    }

    /// Bytes of memory reserved.
    pub fn memory_bytes(&self) -> usize {
        self.low.capacity() * size_of::<Low>()
            + self.steps.capacity() * size_of::<Step>()
            + self.blocks.capacity() * size_of::<Block>()
    }
}

/// Reserves room for `more` values, and grows by a quarter instead of doubling: a column that
/// is reallocated takes its old and its new space at once, and wasm memory never shrinks.
pub(super) fn grow<T>(column: &mut Vec<T>, more: usize) {
    if column.capacity() - column.len() < more {
        column.reserve_exact(more.max(column.len() / 4).max(64));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_was_pushed_is_there(values in prop::collection::vec(any::<u64>(), 1..900), near in 0..u64::MAX / 2) {
            let mut times = Halved::<u32>::new();
            let mut places = Halved::<u16>::new();
            for &value in &values {
                times.push(value);
                times.push(near + value % 7);
                places.push(value % (1 << 32));
            }
            for (at, &value) in values.iter().enumerate() {
                prop_assert_eq!(times.at(2 * at), value);
                prop_assert_eq!(times.at(2 * at + 1), near + value % 7);
                prop_assert_eq!(places.at(at), value % (1 << 32));
            }
            let backwards: Vec<u32> = (0..times.len() as u32).rev().collect();
            prop_assert_eq!(times.in_order(&backwards).in_order(&backwards), times.clone());
            prop_assert_eq!(Halved::from_parts(times.low.clone(), times.steps.clone()), Some(times));
        }
    }
}
