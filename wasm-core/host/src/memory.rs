//! The clock cycle, and the cost of reading memory by the size of the region: a chain of dependent reads, each
//! of which returns the address of the next, so that nothing can be prefetched.

use std::hint::black_box;

use crate::statistics::Estimate;
use crate::turns::{TURNS, each, estimate, timed};

/// 4-byte words in a line of 64 bytes.
const WORDS: usize = 16;
/// Lines in 256 KiB: 64 pages.
const BLOCK_LINES: usize = 4096;
/// Reads in a turn.
const READS: u32 = 20_000;

/// ns for a clock cycle: a chain of dependent additions and exclusive-ors, each of which takes one cycle on
/// every processor of the last decades.
pub fn cycle() -> Option<Estimate> {
    const PAIRS: u32 = 50_000;
    let (add, flip) = (
        black_box(0x9e37_79b9_7f4a_7c15_u64),
        black_box(0x5851_f42d_u64),
    );
    let turn = || {
        timed(|| {
            let mut value = black_box(1_u64);
            for _ in 0..PAIRS / 8 {
                // Eight pairs, so that the loop's counter runs in parallel.
                for _ in 0..8 {
                    value = value.wrapping_add(add) ^ flip;
                }
            }
            value
        }) / f64::from(PAIRS * 2)
    };
    estimate(TURNS, turn)
}

/// A permutation of a region's lines, in which each line names the next: random within a block, and block after
/// block. A block's pages fit into the TLB: the kernel's memory is mapped in large pages, so that its reads
/// seldom miss the TLB, and ours should not either.
pub fn chain(lines: usize, words: usize) -> Vec<u32> {
    // A fixed seed makes runs comparable.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut order: Vec<usize> = (0..lines).collect();
    for block in order.chunks_mut(BLOCK_LINES) {
        for last in (1..block.len()).rev() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            block.swap(last, (state % (last as u64 + 1)) as usize);
        }
    }
    let mut places = vec![0; lines * words];
    for (index, line) in order.iter().enumerate() {
        places[line * words] = (order[(index + 1) % lines] * words) as u32;
    }
    places
}

/// ns to read a line in a region of `kib` KiB that is read repeatedly; with `is_write` each line is also
/// modified, so that evictions write back.
pub fn touch(kib: u32, is_write: bool) -> Option<Estimate> {
    let lines = (kib as usize * 1024 / 64).max(2);
    let mut places = chain(lines, WORDS);
    let mut at = 0;
    let mut go = |lines: usize| {
        for _ in 0..lines {
            if is_write {
                places[at + 1] += 1;
            }
            at = places[at] as usize;
        }
        at
    };
    // One pass through the region, to load it into the caches that it fits; what is written there now is written
    // back when it is evicted, and all turns together may go through a large region only once.
    go(lines);
    let turn = || timed(|| go(READS as usize)) / f64::from(READS);
    estimate(TURNS, turn)
}

/// ns for an instruction with the LOCK prefix on a line in the own cache.
pub fn locked() -> Option<Estimate> {
    use std::sync::atomic::{AtomicU64, Ordering};
    let word = AtomicU64::new(0);
    each(20_000, || {
        black_box(word.fetch_add(1, Ordering::SeqCst));
    })
}

/// ns to checksum a KiB: 64-bit words of a buffer in the first-level cache, added with carry in two independent
/// sums, which is as fast as one word per cycle in the kernel's chain of `adc` (`csum_partial`).
pub fn checksum_kib() -> Option<Estimate> {
    let packet = vec![0x5a5a_5a5a_5a5a_5a5a_u64; 512];
    let with_carry = |sum: u64, word: u64| {
        let (sum, carries) = sum.overflowing_add(word);
        sum + u64::from(carries)
    };
    let sum = each(500, || {
        let (mut even, mut odd) = (0, 0);
        for pair in black_box(&packet).chunks_exact(2) {
            even = with_carry(even, pair[0]);
            odd = with_carry(odd, pair[1]);
        }
        black_box(with_carry(even, odd));
    });
    sum.map(|sum| sum.times(0.25))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_chain_goes_through_every_line_before_it_comes_back(lines in 2_usize..10_000) {
            let places = chain(lines, WORDS);
            let (mut at, mut steps) = (0, 0);
            loop {
                at = places[at] as usize;
                steps += 1;
                if at == 0 {
                    break;
                }
            }
            prop_assert_eq!(steps, lines);
        }
    }

    #[test]
    fn a_cycle_is_between_a_tenth_and_ten_nanoseconds() {
        let cycle = cycle().unwrap();
        assert!(0.1 < cycle.low && cycle.high < 10.0, "{cycle:?}");
    }

    #[test]
    fn reads_and_locked_instructions_take_time() {
        for estimate in [touch(16, false), touch(512, true), locked(), checksum_kib()] {
            assert!(estimate.unwrap().low > 0.0);
        }
    }
}
