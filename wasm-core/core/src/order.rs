//! Sorting by one sort for all kinds of rows.
//!
//! The standard library's sorts are made anew for each type and each comparison, some ten
//! kilobytes of WebAssembly each: sixty of them were a sixth of what a visitor loaded. Here the places
//! of rows are sorted by a comparison behind a pointer, and the rows are put there. That takes about
//! twice as long, so the few lists with an entry for each event or packet have a sort of their own.
//!
//! All sorts here are stable.

use std::cmp::Ordering;

/// Sorts rows by a comparison.
pub fn sort_by<T>(rows: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    // Most lists are in order, or nearly: that costs a look at each row, and no memory.
    if rows.is_sorted_by(|one, other| compare(one, other).is_le()) {
        return;
    }
    let places = places(rows.len(), &|one, other| {
        compare(&rows[one as usize], &rows[other as usize])
    });
    put(rows, places);
}

/// Sorts rows by a key.
pub fn sort_by_key<T, K: Ord>(rows: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(rows, |one, other| key(one).cmp(&key(other)));
}

/// Sorts rows by themselves.
pub fn sort<T: Ord>(rows: &mut [T]) {
    sort_by(rows, T::cmp);
}

/// Where each row of the sorted list stands now.
#[inline(never)]
fn places(count: usize, compare: &dyn Fn(u32, u32) -> Ordering) -> Vec<u32> {
    let mut places: Vec<u32> = (0..count as u32).collect();
    places.sort_by(|&one, &other| compare(one, other));
    places
}

/// Puts at each place the row that stands at `from[place]`, cycle by cycle.
fn put<T>(rows: &mut [T], mut from: Vec<u32>) {
    for start in 0..rows.len() {
        let mut place = start;
        loop {
            let next = std::mem::replace(&mut from[place], place as u32) as usize;
            if next == start {
                break;
            }
            rows.swap(place, next);
            place = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn rows_are_where_the_standard_library_puts_them(keys in prop::collection::vec(0_u8..20, 0..200)) {
            let mut rows: Vec<(u8, usize)> = keys.iter().copied().zip(0..).collect();
            let mut expected = rows.clone();
            sort_by_key(&mut rows, |row| row.0);
            expected.sort_by_key(|row| row.0);
            prop_assert_eq!(&rows, &expected, "equal keys keep their order");

            let compare = |one: &(u8, usize), other: &(u8, usize)| other.cmp(one);
            sort_by(&mut rows, compare);
            expected.sort_by(compare);
            prop_assert_eq!(&rows, &expected);

            sort(&mut rows);
            expected.sort_unstable();
            prop_assert_eq!(rows, expected);
        }
    }
}
