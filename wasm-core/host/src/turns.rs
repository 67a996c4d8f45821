//! Turns: something short done many times and timed, alone or by two threads on two CPUs.

use std::hint::{black_box, spin_loop};
use std::io;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Instant;

use crate::cpus;
use crate::statistics::Estimate;

/// Turns of one measurement, where nothing else is said.
pub const TURNS: usize = 201;

/// The time of one turn in ns.
pub fn timed<T>(turn: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(turn());
    start.elapsed().as_nanos() as f64
}

/// Estimates a value that a turn measures; the first turn warms up and does not count.
pub fn estimate(turns: usize, mut turn: impl FnMut() -> f64) -> Option<Estimate> {
    turn();
    let values: Vec<f64> = (0..turns).map(|_| turn()).collect();
    Estimate::of(&values)
}

/// What one round of something takes in ns, with so many rounds in a turn.
pub fn each(rounds: u32, mut round: impl FnMut()) -> Option<Estimate> {
    estimate(TURNS, || {
        timed(|| {
            for _ in 0..rounds {
                round();
            }
        }) / f64::from(rounds)
    })
}

/// Whose turn it is, for two threads that alternate.
///
/// A thread that waits spins: a wake-up by the kernel would cost more than what is measured.
#[derive(Debug, Default)]
pub struct Baton {
    turn: AtomicU32,
}

impl Baton {
    /// Waits until a turn has come.
    pub fn wait(&self, turn: u32) {
        while !self.is(turn) {
            spin_loop();
        }
    }

    /// Whether a turn has come.
    pub fn is(&self, turn: u32) -> bool {
        self.turn.load(Ordering::Acquire) == turn
    }

    /// Goes on to a turn.
    pub fn pass(&self, turn: u32) {
        self.turn.store(turn, Ordering::Release);
    }
}

/// Runs `ahead` on a thread bound to one CPU, and `other` on a thread bound to another one; neither
/// begins before both are bound.
pub fn on_two<T: Send>(
    (here, there): (usize, usize),
    ahead: impl FnOnce() -> T + Send,
    other: impl FnOnce() + Send,
) -> io::Result<T> {
    let (both, has_failed) = (Barrier::new(2), AtomicBool::new(false));
    let bind = |cpu: usize| {
        let bound = cpus::pin(cpu);
        has_failed.fetch_or(bound.is_err(), Ordering::SeqCst);
        both.wait();
        if has_failed.load(Ordering::SeqCst) {
            bound?;
            return Err(io::Error::other("the other thread could not be bound"));
        }
        Ok(())
    };
    thread::scope(|scope| {
        let second = scope.spawn(|| bind(there).map(|()| other()));
        let first = scope.spawn(|| bind(here).map(|()| ahead()));
        let panicked = |_| io::Error::other("a measuring thread panicked");
        let value = first.join().map_err(panicked)?;
        second.join().map_err(panicked)??;
        value
    })
}
