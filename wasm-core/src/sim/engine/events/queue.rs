//! What is due when: the heap of happenings, and which CPUs have a step under way.
//!
//! Whatever is due at one moment comes out in the order in which it was entered.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::sim::time::SimTime;

use crate::sim::engine::Happening;

/// Bits of an entry's key that name its place. Above them are 40 that count the entries, and
/// above those 64 of the time: one comparison of two keys is one of time and turn.
const PLACE_BITS: u32 = 24;

/// The happenings to come.
#[derive(Debug, Default)]
pub struct Agenda {
    heap: BinaryHeap<Reverse<u128>>,
    what: Vec<Happening>,
    free: Vec<u32>,
    entries: u64,
}

impl Agenda {
    /// Enters what is due at a time.
    pub fn enter(&mut self, time: SimTime, what: Happening) {
        let place = if let Some(free) = self.free.pop() {
            self.what[free as usize] = what;
            free
        } else {
            self.what.push(what);
            self.what.len() as u32 - 1
        };
        debug_assert!(place < 1 << PLACE_BITS, "sixteen million things to come");
        self.entries += 1;
        let turn = self.entries << PLACE_BITS | u64::from(place);
        self.heap
            .push(Reverse(u128::from(time.0) << 64 | u128::from(turn)));
    }

    /// When the next is due; never without one.
    pub fn next(&self) -> SimTime {
        self.heap
            .peek()
            .map_or(SimTime::NEVER, |Reverse(key)| SimTime((key >> 64) as u64))
    }

    /// All that is to come, in no order.
    pub fn all(&self) -> impl Iterator<Item = Happening> {
        self.heap.iter().map(|Reverse(key)| self.what[place(*key)])
    }

    /// Takes the next out.
    pub fn take(&mut self) -> Option<Happening> {
        let Reverse(key) = self.heap.pop()?;
        let place = place(key);
        self.free.push(place as u32);
        Some(self.what[place])
    }
}

/// The place that a key names.
const fn place(key: u128) -> usize {
    key as usize & ((1 << PLACE_BITS) - 1)
}

/// A set of CPUs by number.
#[derive(Debug, Default)]
pub struct CpuSet {
    words: Vec<u64>,
}

impl CpuSet {
    /// Takes one in.
    #[inline]
    pub fn insert(&mut self, cpu: usize) {
        if self.words.len() <= cpu / 64 {
            self.words.resize(cpu / 64 + 1, 0);
        }
        self.words[cpu / 64] |= 1 << (cpu % 64);
    }

    /// Keeps those, in ascending order, for which `is_kept`.
    #[inline]
    pub fn retain(&mut self, mut is_kept: impl FnMut(usize) -> bool) {
        for (place, word) in self.words.iter_mut().enumerate() {
            let mut left = *word;
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                if !is_kept(place * 64 + bit) {
                    *word &= !(1 << bit);
                }
            }
        }
    }
}
