//! Turns: short repeated measurements, by one thread or by two threads on two CPUs.

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

/// Default number of turns in a measurement.
pub const TURNS: usize = 201;

/// The duration of one turn in ns.
pub fn timed<T>(turn: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(turn());
    start.elapsed().as_nanos() as f64
}

/// The values of turns, and those measured while the CPU had its core for itself ([`crate::quiet`]).
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
    /// Maximum time to wait for turns with an idle sibling: some tens of values are measured in less than a
    /// minute.
    const PATIENCE: Duration = Duration::from_millis(500);
    /// With fewer turns with an idle sibling, the interval would depend on single interrupted ones.
    const FEWEST_ALONE: usize = 40;

    /// Adds a turn that has just ended; the first is a warm-up and does not count.
    fn push(&mut self, value: f64) {
        self.enter(value, is_alone());
    }

    /// Adds a turn after which the sibling was idle (`is_alone`) or busy.
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

    /// Whether turns with an idle sibling are still missing and worth waiting for.
    fn wants_more(&self, turns: usize) -> bool {
        self.alone.len() < turns
            && (self.all.len() < turns || self.began.elapsed() < Self::PATIENCE)
    }

    /// The median of the turns with an idle sibling; of all turns if there are hardly any such.
    fn estimate(&self) -> Option<Estimate> {
        let is_told = self.alone.len() >= Self::FEWEST_ALONE;
        Estimate::of(if is_told { &self.alone } else { &self.all })
    }
}

/// Estimates the value that a turn returns.
pub fn estimate(turns: usize, mut turn: impl FnMut() -> f64) -> Option<Estimate> {
    let Ok(estimate) = try_estimate(turns, || Ok::<_, Infallible>(turn()));
    estimate
}

/// The same for turns that can fail: the first failure ends the measurement.
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

/// The time of one round in ns, with `rounds` rounds in a turn.
pub fn each(rounds: u32, mut round: impl FnMut()) -> Option<Estimate> {
    estimate(TURNS, || {
        timed(|| {
            for _ in 0..rounds {
                round();
            }
        }) / f64::from(rounds)
    })
}

/// A token for two threads that alternate.
///
/// A waiting thread spins: a wake-up by the kernel would cost more than what is measured.
#[derive(Debug, Default)]
pub struct Baton {
    turn: AtomicU32,
}

impl Baton {
    /// Spins until turn `turn` has come.
    pub fn wait(&self, turn: u32) {
        while !self.is(turn) {
            spin_loop();
        }
    }

    /// Whether a turn has come.
    pub fn is(&self, turn: u32) -> bool {
        self.turn.load(Ordering::Acquire) == turn
    }

    /// Starts turn `turn`.
    pub fn pass(&self, turn: u32) {
        self.turn.store(turn, Ordering::Release);
    }
}

/// Runs `ahead` on a thread bound to one CPU, and `other` on a thread bound to another; neither starts before
/// both are bound.
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

    /// Turns of 10 ns with an idle sibling and of 15 ns with a busy one.
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
        // The sibling is busy in seven turns of ten, so the median of all turns is one with a busy sibling.
        let values = entered((0..200).map(|turn| turn % 10 >= 3));
        let estimate = values.estimate().unwrap();
        assert_eq!((estimate.median, estimate.spread), (10.0, 0.0));
        assert!(!values.wants_more(estimate.turns));
    }

    #[test]
    fn a_neighbour_that_never_goes_is_measured_with() {
        let values = entered([true; 501]);
        assert_eq!(values.estimate().map(|all| all.median), Some(15.0));
        // The sibling may still become idle.
        assert!(values.wants_more(501));
    }
}
