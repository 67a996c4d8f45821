//! Whether a CPU has its core for itself.
//!
//! Two threads of a core share its units, and the host of a virtual machine gives the other thread to somebody
//! else's CPU, of which nothing here tells: the same work takes up to half as long again, for milliseconds or minutes, and
//! neither clock nor scheduler shows it. So something short that fills a core's units is timed beside
//! what is measured. Where that takes longer than it ever did on this host, a neighbour was at work, and what was
//! measured then is not what the CPU does alone.

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
    ns <= LONGEST * f64::from_bits(shortest).min(ns)
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
    fn the_fastest_time_is_one_of_a_core_alone() {
        // Whatever else runs meanwhile, the first of all times is the fastest so far, and so is one that was never seen.
        let was_alone = (0..100).filter(|_| is_alone()).count();
        assert!(was_alone > 0);
        let shortest = f64::from_bits(SHORTEST.load(Ordering::Relaxed));
        assert!(shortest.is_finite() && shortest > 0.0);
    }
}
