//! A core's L1 instruction cache: which code it has to fetch again before it can run it.
//!
//! A call made over and over finds its code cached. The code on a packet's whole way is
//! larger than the cache, so much of it has been evicted when the next packet comes. Where a
//! function lies is the linker's choice and not known here: the run's seed says with which
//! set it begins ([`address`](crate::engine::cpu::code::address)). The effects of placement
//! therefore differ from seed to seed, and a confidence interval over seeds includes them.

use crate::config::machine;
use crate::engine::core::Core;
use crate::engine::cpu::code::Stretch;

/// Bytes of a line.
const LINE: u32 = 64;
/// No line.
const NONE: u32 = u32::MAX;

/// The code that a core has: of each set the lines that ran last, the latest first.
#[derive(Debug, Clone)]
pub struct InstructionCache {
    held: Vec<u32>,
    ways: usize,
    line_cycles: u64,
}

impl InstructionCache {
    /// An empty one.
    pub fn new(of: machine::InstructionCache) -> Self {
        let ways = of.ways as usize;
        let sets = ((of.kib * 1024 / LINE) as usize / ways).max(1);
        Self {
            held: vec![NONE; sets * ways],
            ways,
            line_cycles: u64::from(of.line_cycles),
        }
    }

    /// Runs code; the cycles to wait for the lines that are not cached.
    pub fn run(&mut self, code: Stretch) -> u64 {
        let sets = self.held.len() / self.ways;
        let start = code.address as usize % sets;
        let mut fetched = 0;
        for line in 0..usize::from(code.lines) {
            // Sets come round again in a long function.
            let name = u32::from(code.function) << 16 | (line / sets) as u32;
            let first = (start + line) % sets * self.ways;
            let set = &mut self.held[first..first + self.ways];
            let found = set.iter().position(|&held| held == name);
            if found != Some(0) {
                let last = found.unwrap_or_else(|| {
                    fetched += 1;
                    self.ways - 1
                });
                set.copy_within(..last, 1);
                set[0] = name;
            }
        }
        fetched * self.line_cycles
    }
}

impl Core {
    /// The time in fs that a CPU waits for code that it runs.
    pub fn fetch_code(&mut self, cpu: usize, stretch: Stretch) -> u64 {
        let state = &self.cpus[cpu];
        let host = &mut self.hosts[state.host];
        let core = usize::from(state.cache);
        let held = host.memory.instructions.get_mut(core);
        held.map_or(0, |held| held.run(stretch) * host.code.cycle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 64 lines in sets of 4.
    fn cache() -> InstructionCache {
        InstructionCache::new(machine::InstructionCache {
            kib: 4,
            ways: 4,
            line_cycles: 5,
        })
    }

    /// Functions that lie one behind the other.
    fn run(cache: &mut InstructionCache, function: u16, lines: u16) -> u64 {
        cache.run(Stretch {
            function,
            address: 16 * u32::from(function),
            lines,
        })
    }

    fn in_turn(cache: &mut InstructionCache, functions: u16, lines: u16) -> u64 {
        (0..functions)
            .map(|function| run(cache, function, lines))
            .sum()
    }

    #[test]
    fn code_that_fits_is_fetched_once() {
        let mut cache = cache();
        assert_eq!(in_turn(&mut cache, 4, 16), 64 * 5);
        assert_eq!(in_turn(&mut cache, 4, 16), 0);
    }

    #[test]
    fn of_code_in_a_circle_that_does_not_fit_nothing_is_left_when_it_is_needed() {
        let mut cache = cache();
        in_turn(&mut cache, 5, 16);
        assert_eq!(in_turn(&mut cache, 5, 16), 80 * 5);
    }

    #[test]
    fn what_ran_last_is_there_again() {
        let mut cache = cache();
        in_turn(&mut cache, 5, 16);
        assert_eq!(run(&mut cache, 4, 16), 0);
        assert_eq!(run(&mut cache, 0, 16), 16 * 5);
    }

    #[test]
    fn a_function_of_more_lines_than_there_are_sets_has_them_all() {
        let mut cache = cache();
        assert_eq!(run(&mut cache, 3, 40), 40 * 5);
        assert_eq!(run(&mut cache, 3, 40), 0);
        run(&mut cache, 3, 65);
        assert_eq!(
            run(&mut cache, 3, 65),
            5 * 5,
            "of the one set that has five of them"
        );
    }

    #[test]
    fn a_longer_way_through_a_function_fetches_what_the_shorter_one_left_out() {
        let mut cache = cache();
        run(&mut cache, 7, 3);
        assert_eq!(run(&mut cache, 7, 5), 2 * 5);
        assert_eq!(run(&mut cache, 7, 3), 0);
    }
}
