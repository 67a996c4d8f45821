//! Detects whether a CPU has its core for itself, or a sibling hyper-thread is busy.
//!
//! Two hyper-threads of a core share its execution units, and a hypervisor may give the sibling to another
//! guest without any sign here: the same work takes up to half as long again, for milliseconds or minutes. So a
//! short piece of work that saturates the units of a core is timed with each measurement. If it takes longer
//! than its minimum on this host, the sibling was busy, and the measurement does not show what the CPU does
//! alone.

use std::hint::black_box;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::cpus::pin;
use crate::turns::timed;

/// Iterations of the timed work: about 2 us.
const ROUNDS: u32 = 2000;
/// Repetitions, of which the shortest counts, since an interrupt lengthens one.
const TIMES: usize = 8;
/// Maximum ratio to the minimum time on an idle core: a clock varies by a few percent.
const LONGEST: f64 = 1.08;

/// Repetitions on each CPU at first: half a second.
const LEARNED: u32 = 30_000;

/// The minimum time of this process in ns, as the bits of a float; positive floats are ordered like their bits.
static SHORTEST: AtomicU64 = AtomicU64::new(f64::INFINITY.to_bits());

/// Whether the caller's CPU has its core for itself, judged by the minimum time seen in this process. On a host
/// with cores of several kinds the slower ones never do; then all turns are used.
pub fn is_alone() -> bool {
    is_fast(probe(), shortest())
}

/// The time of the work on the caller's CPU now, in ns.
pub fn probe() -> f64 {
    let ns = (0..TIMES)
        .map(|_| timed(work))
        .fold(f64::INFINITY, f64::min);
    SHORTEST.fetch_min(ns.to_bits(), Ordering::Relaxed);
    ns
}

/// The minimum time of the work that was seen in this process, in ns.
pub fn shortest() -> f64 {
    f64::from_bits(SHORTEST.load(Ordering::Relaxed))
}

/// Whether the work took no longer than on an idle core, which takes the smaller of `shortest` and this time.
pub fn is_fast(ns: f64, shortest: f64) -> bool {
    ns <= LONGEST * shortest.min(ns)
}

/// Determines the minimum time on some CPUs, before anything is measured.
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

/// Runs a function on a CPU; the caller remains on its own.
fn on<T: Send>(cpu: usize, does: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let there = scope.spawn(|| pin(cpu).map(|()| does()));
        let panicked = |_| io::Error::other("a thread that times a CPU panicked");
        there.join().map_err(panicked)?
    })
}

/// Six independent chains of dependent instructions: more than any core executes in a cycle.
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
        // The first time, and one below the minimum.
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
