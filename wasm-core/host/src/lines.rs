//! Cache lines shared by CPUs: the transfer time of one between two CPUs, and the cost of reading, or of
//! acquiring for writing, lines that another CPU has modified or that both share.

use std::hint::black_box;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::memory::chain;
use crate::statistics::Estimate;
use crate::turns::{Baton, TURNS, on_two, timed};

/// Lines in a turn: half a first-level cache, so that all of them stay in it.
const LINES: usize = 256;
/// Round trips in a turn.
const ROUNDS: u32 = 100;

/// A cache line with a word in it. Aligned to two lines, as processors prefetch pairs of them.
#[repr(align(128))]
struct Line(AtomicU64);

/// ns for the transfer of a line from one CPU to another: half of the round trip.
pub fn way(pair: (usize, usize)) -> io::Result<Option<Estimate>> {
    let baton = Baton::default();
    let turns = TURNS as u32 + 1;
    let rounds = turns * ROUNDS;
    let ahead = || {
        let mut values = Vec::new();
        for turn in 0..turns {
            let ns = timed(|| {
                for round in turn * ROUNDS..(turn + 1) * ROUNDS {
                    baton.pass(2 * round + 1);
                    baton.wait(2 * round + 2);
                }
            });
            values.push(ns / f64::from(2 * ROUNDS));
        }
        // The first turn is a warm-up.
        Estimate::of(&values[1..])
    };
    let other = || {
        for round in 0..rounds {
            baton.wait(2 * round + 1);
            baton.pass(2 * round + 2);
        }
    };
    let (way, is_alone) = on_two(pair, ahead, other)?;
    Ok(way.map(|way| way.if_alone(is_alone)))
}

/// The cost of accessing lines in another CPU's cache, in ns per line.
#[derive(Debug, Clone, Copy)]
pub struct Shared {
    /// Reading a line that the other CPU has modified (HITM).
    pub read_changed: Option<Estimate>,
    /// Acquiring such a line for writing, beyond a write to a line in the own cache.
    pub take_changed: Option<Estimate>,
    /// Writing to a line that both CPUs share (upgrade), beyond a write to a line in the own cache.
    pub upgrade: Option<Estimate>,
}

/// Measures the cost of the other CPU's lines for a pair. The other CPU modifies or reads all of them, then
/// this one follows a chain through them, so that each access depends on the one before.
pub fn shared(pair: (usize, usize)) -> io::Result<Shared> {
    let lines: Vec<Line> = chain(LINES, 1)
        .into_iter()
        .map(|next| Line(AtomicU64::new(u64::from(next))))
        .collect();
    let baton = Baton::default();
    let turns = TURNS as u32 + 1;
    let ahead = || {
        let mut values = [Vec::new(), Vec::new(), Vec::new()];
        for turn in 0..turns {
            let ask = |job: u32| {
                baton.pass(8 * turn + 2 * job + 1);
                baton.wait(8 * turn + 2 * job + 2);
            };
            let each = |ns: f64| ns / LINES as f64;
            ask(0);
            let read_changed = each(timed(|| along(&lines, read)));
            ask(1);
            let take_changed = each(timed(|| along(&lines, write)));
            let write_own = each(timed(|| along(&lines, write)));
            ask(2);
            black_box(along(&lines, read));
            // Repeated, since a modified line may migrate to its first reader.
            ask(3);
            let upgrade = each(timed(|| along(&lines, write)));
            if turn > 0 {
                let all = [read_changed, take_changed - write_own, upgrade - write_own];
                for (values, value) in values.iter_mut().zip(all) {
                    values.push(value);
                }
            }
        }
        values.map(|values| Estimate::of(&values))
    };
    let other = || {
        for turn in 0..turns {
            for job in 0..4 {
                baton.wait(8 * turn + 2 * job + 1);
                black_box(along(&lines, if job < 2 { write } else { read }));
                baton.pass(8 * turn + 2 * job + 2);
            }
        }
    };
    let (values, is_alone) = on_two(pair, ahead, other)?;
    let [read_changed, take_changed, upgrade] =
        values.map(|value| value.map(|value| value.if_alone(is_alone)));
    Ok(Shared {
        read_changed,
        take_changed,
        upgrade,
    })
}

/// Follows the chain through all lines.
fn along(lines: &[Line], step: impl Fn(&AtomicU64) -> u64) -> u64 {
    let mut at = 0;
    for _ in 0..lines.len() {
        at = step(&lines[at].0) as usize;
    }
    at as u64
}

/// A word has the index of the next line in its lower half, and a count of its changes in the upper half.
const COUNT: u64 = 1 << 32;

fn read(word: &AtomicU64) -> u64 {
    word.load(Ordering::Relaxed) % COUNT
}

/// Modifies a word and returns the index of the next line.
fn write(word: &AtomicU64) -> u64 {
    word.fetch_add(COUNT, Ordering::Relaxed) % COUNT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpus::allowed;

    #[test]
    fn going_along_a_chain_touches_every_line_once() {
        let lines: Vec<Line> = chain(LINES, 1)
            .into_iter()
            .map(|next| Line(AtomicU64::new(u64::from(next))))
            .collect();
        assert_eq!(along(&lines, write), 0);
        assert!(
            lines
                .iter()
                .all(|line| line.0.load(Ordering::Relaxed) >> 32 == 1)
        );
    }

    #[test]
    fn a_line_needs_time_between_two_cpus() {
        let [first, .., last] = allowed().unwrap()[..] else {
            return;
        };
        assert!(way((first, last)).unwrap().unwrap().low > 0.0);
        let shared = shared((first, last)).unwrap();
        assert!(shared.read_changed.unwrap().low > 0.0);
    }
}
