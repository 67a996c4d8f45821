//! A core's L1 data cache, as far as copies feel it: what a copy finds in the core's larger cache, and not here, it
//! waits for.
//!
//! A copy of a few kilobytes that goes round finds source and destination here. One of more than half of the cache
//! drives out its own source, and runs at the pace of the next cache. Only packet and user data are in it; what else a
//! path touches is small, and its price is in the cycles of the steps.

use crate::cache::{Lru, ObjectId};
use crate::config::machine;

/// The packet and user data that a core touched last.
#[derive(Debug, Clone)]
pub struct FirstCache {
    held: Lru,
    line_bytes: u64,
    cycles_per_kib: u64,
}

impl FirstCache {
    /// An empty one, of lines of so many bytes.
    pub fn new(of: machine::DataCache, line_bytes: u32) -> Self {
        Self {
            held: Lru::new((of.kib * 1024 / line_bytes).max(1)),
            line_bytes: u64::from(line_bytes),
            cycles_per_kib: u64::from(of.cycles_per_kib),
        }
    }

    /// A copy reads or writes the last `lines` of the first `upto` lines of an object. Returns the cycles that it waits
    /// for those of them that are not here, if they are in the core's larger cache; from now on they are here.
    pub fn touch(&mut self, id: ObjectId, upto: u8, lines: u32) -> u64 {
        let here = self.held.lines_of(id);
        let missing = u32::from(upto.saturating_sub(here)).min(lines);
        let holds = u32::from(upto.max(here)).min(self.held.capacity());
        if holds > 0 {
            self.held.hold(id, holds as u8);
            while self.held.evict().is_some() {}
        }
        u64::from(missing) * self.line_bytes * self.cycles_per_kib / 1024
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 64 lines of 64 bytes, each of which costs two cycles where it is not here.
    fn cache() -> FirstCache {
        let of = machine::DataCache {
            kib: 4,
            cycles_per_kib: 32,
        };
        FirstCache::new(of, 64)
    }

    /// The cycles that copies of whole pages wait, one page after the other.
    fn copies(cache: &mut FirstCache, pages: &[(u32, u8)]) -> Vec<u64> {
        let touch = |&(page, lines)| cache.touch(ObjectId(page), lines, u32::from(lines));
        pages.iter().map(touch).collect()
    }

    #[test]
    fn what_was_touched_last_is_here() {
        let found = copies(&mut cache(), &[(0, 32), (1, 32), (0, 32), (1, 32)]);
        assert_eq!(found, [64, 64, 0, 0]);
    }

    #[test]
    fn what_goes_round_more_than_it_holds_is_never_here() {
        let found = copies(&mut cache(), &[(0, 32), (1, 32), (2, 32), (0, 32), (1, 32)]);
        assert_eq!(found, [64; 5]);
    }

    #[test]
    fn a_page_that_is_copied_in_parts_is_waited_for_once() {
        let mut cache = cache();
        assert_eq!(cache.touch(ObjectId(0), 23, 23), 46);
        assert_eq!(cache.touch(ObjectId(0), 46, 23), 46);
        assert_eq!(cache.touch(ObjectId(0), 46, 46), 0);
        assert_eq!(cache.touch(ObjectId(1), 0, 0), 0, "nothing is copied");
    }

    #[test]
    fn a_page_that_is_larger_than_it_fits_as_far_as_it_can() {
        let found = copies(&mut cache(), &[(0, 64), (0, 64), (1, 1), (0, 64)]);
        assert_eq!(found, [128, 0, 2, 128]);
    }
}
