//! Turns: something short done many times and timed, alone or by two threads on two CPUs.

use std::convert::Infallible;
use std::hint::{black_box, spin_loop};
use std::io;
use std::mem::replace;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::cpus;
use crate::quiet::is_alone;
use crate::statistics::Estimate;

/// Turns of one measurement, where nothing else is said.
pub const TURNS: usize = 201;

/// The time of one turn in ns.
pub fn timed<T>(turn: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(turn());
    start.elapsed().as_nanos() as f64
}

/// Values of turns, and which of them were measured while the CPU had its core for itself ([`crate::quiet`]).
#[derive(Debug)]
struct Values {
    began: Instant,
    all: Vec<f64>,
    alone: Vec<f64>,
    is_warm: bool,
    was_alone: bool,
}

impl Default for Values {
    fn default() -> Self {
        Self {
            began: Instant::now(),
            all: Vec::new(),
            alone: Vec::new(),
            is_warm: false,
            was_alone: false,
        }
    }
}

impl Values {
    /// How long it is waited for turns without a neighbour: some tens of things are measured, in under a minute.
    const PATIENCE: Duration = Duration::from_millis(500);
    /// Of fewer turns without a neighbour the interval would hang on one that was interrupted.
    const FEWEST_ALONE: usize = 40;

    /// Enters a turn that has just ended; the first one warms up and does not count.
    fn push(&mut self, value: f64) {
        self.enter(value, is_alone());
    }

    /// Enters a turn behind which a neighbour was at work, or none.
    fn enter(&mut self, value: f64, is_alone: bool) {
        let was_alone = replace(&mut self.was_alone, is_alone);
        if !replace(&mut self.is_warm, true) {
            return;
        }
        self.all.push(value);
        if was_alone && self.was_alone {
            self.alone.push(value);
        }
    }

    /// Whether so many turns without a neighbour are not there yet, and are still waited for.
    fn wants_more(&self, turns: usize) -> bool {
        self.alone.len() < turns
            && (self.all.len() < turns || self.began.elapsed() < Self::PATIENCE)
    }

    /// The median of the turns without a neighbour; of all, where hardly any was.
    fn estimate(&self) -> Option<Estimate> {
        let is_told = self.alone.len() >= Self::FEWEST_ALONE;
        Estimate::of(if is_told { &self.alone } else { &self.all })
    }
}

/// Estimates a value that a turn measures.
pub fn estimate(turns: usize, mut turn: impl FnMut() -> f64) -> Option<Estimate> {
    let Ok(estimate) = try_estimate(turns, || Ok::<_, Infallible>(turn()));
    estimate
}

/// The same of turns that can fail: the first failure ends it.
pub fn try_estimate<E>(
    turns: usize,
    mut turn: impl FnMut() -> Result<f64, E>,
) -> Result<Option<Estimate>, E> {
    let mut values = Values::default();
    while values.wants_more(turns) {
        values.push(turn()?);
    }
    Ok(values.estimate())
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns of 10 ns without a neighbour and of 15 ns with one, which was there behind each turn or not.
    fn entered(neighbours: impl IntoIterator<Item = bool>) -> Values {
        let mut values = Values::default();
        let mut was_there = true;
        for is_there in neighbours {
            let ns = if was_there || is_there { 15.0 } else { 10.0 };
            values.enter(ns, !is_there);
            was_there = is_there;
        }
        values
    }

    #[test]
    fn turns_beside_a_neighbour_do_not_count() {
        // It is there in seven turns of ten, so that the median of all turns is with it.
        let values = entered((0..200).map(|turn| turn % 10 >= 3));
        let estimate = values.estimate().unwrap();
        assert_eq!((estimate.median, estimate.spread), (10.0, 0.0));
        assert!(!values.wants_more(estimate.turns));
    }

    #[test]
    fn a_neighbour_that_never_goes_is_measured_with() {
        let values = entered([true; 501]);
        assert_eq!(values.estimate().map(|all| all.median), Some(15.0));
        // It may still go.
        assert!(values.wants_more(501));
    }
}
