//! Long loops, a block at a time.
//!
//! A browser begins with code that it compiled in a hurry, and makes code that runs often fast beside it; but what a call
//! has begun it ends in the code that it began with, however long a loop it is in. A pass over a run is one such loop, and
//! took nearly twice as long for it. Here each block of it is a call.

use std::ops::Range;

/// How many places are one block: a browser has made a loop fast within the first few.
const BLOCK: usize = 1 << 11;

/// Gives all places below `count` to `take`, in order.
pub(crate) fn each(count: usize, mut take: impl FnMut(usize)) {
    for from in (0..count).step_by(BLOCK) {
        block(from..count.min(from + BLOCK), &mut take);
    }
}

#[inline(never)]
fn block(places: Range<usize>, take: &mut impl FnMut(usize)) {
    for place in places {
        take(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_taken_once_and_in_order() {
        for count in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let mut taken = Vec::new();
            each(count, |place| taken.push(place));
            assert_eq!(taken, (0..count).collect::<Vec<_>>());
        }
    }
}
