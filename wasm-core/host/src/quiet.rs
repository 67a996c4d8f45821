//! Whether a CPU has its core for itself, or a hyper-thread beside it is busy.
//!
//! Two hyper-threads of a core share its units, and the host of a virtual machine gives the
//! other thread to another guest without anything here showing it: the same work takes up to
//! half as long again, for milliseconds or minutes. So a short piece of work that fills the
//! units of a core is timed beside each measurement. If it takes longer than it ever did on
//! this host, a neighbour was at work, and the measurement is not what the CPU does alone.

use std::hint::black_box;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::cpus::pin;
use crate::turns::timed;

/// Rounds of the work that is timed: about 2 us.
const ROUNDS: u32 = 2000;
/// Times that it is done, of which the shortest counts: an interrupt makes one longer.
const TIMES: usize = 8;
/// A core of its own does the work within this part of the shortest time: a clock goes a few percent up and down.
const LONGEST: f64 = 1.08;

/// Times that each CPU is looked at first: half a second.
const LEARNED: u32 = 30_000;

/// The shortest time of this process, in ns, as the bits of a float; of floats above zero the order of the bits is theirs.
static SHORTEST: AtomicU64 = AtomicU64::new(f64::INFINITY.to_bits());

/// Whether the CPU that the caller is bound to has its core for itself, as far as this process has seen how fast that is. Where
/// a host has cores of several kinds the slower ones never have, and what is measured there is measured as ever.
pub fn is_alone() -> bool {
    let ns = (0..TIMES)
        .map(|_| timed(work))
        .fold(f64::INFINITY, f64::min);
    let shortest = SHORTEST.fetch_min(ns.to_bits(), Ordering::Relaxed);
    is_fast(ns, f64::from_bits(shortest))
}

/// Whether the work took no longer than on a core alone, which takes the shortest time that was seen before, or this one.
fn is_fast(ns: f64, shortest: f64) -> bool {
    ns <= LONGEST * shortest.min(ns)
}

/// Looks for some time at each of some CPUs how fast it is, so that it is known before anything is measured.
pub fn learn(cpus: &[usize]) -> io::Result<()> {
    for cpu in cpus {
        on(*cpu, || (0..LEARNED).filter(|_| is_alone()).count())?;
    }
    Ok(())
}

/// Whether each of some CPUs has its core for itself.
pub fn are_alone(cpus: &[usize]) -> io::Result<bool> {
    for cpu in cpus {
        if !on(*cpu, is_alone)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Does something on a CPU; the caller stays on its own.
fn on<T: Send>(cpu: usize, does: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let there = scope.spawn(|| pin(cpu).map(|()| does()));
        let panicked = |_| io::Error::other("a thread that times a CPU panicked");
        there.join().map_err(panicked)?
    })
}

/// Six chains at once, each step of which needs the one before: more than any core does in a cycle.
fn work() -> u64 {
    let by = black_box(0x9e37_79b9_7f4a_7c15_u64);
    let mut chains = black_box([1_u64, 2, 3, 4, 5, 6]);
    for _ in 0..ROUNDS {
        for chain in &mut chains {
            *chain = (*chain ^ by).rotate_left(7);
        }
    }
    chains.iter().fold(0, |all, chain| all ^ chain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_hardly_longer_than_ever_is_done_alone() {
        assert!(is_fast(1000.0, 1000.0) && is_fast(1070.0, 1000.0));
        assert!(!is_fast(1100.0, 1000.0) && !is_fast(1500.0, 1000.0));
        // The first time, and one that is shorter than any before.
        assert!(is_fast(1000.0, f64::INFINITY) && is_fast(900.0, 1000.0));
    }

    #[test]
    fn the_shortest_time_is_kept() {
        let before = f64::from_bits(SHORTEST.load(Ordering::Relaxed));
        is_alone();
        let after = f64::from_bits(SHORTEST.load(Ordering::Relaxed));
        assert!(0.0 < after && after <= before && after.is_finite());
    }
}
