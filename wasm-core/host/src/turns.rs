//! Turns: short repeated measurements, by one thread or by two threads on two CPUs.

use std::convert::Infallible;
use std::hint::{black_box, spin_loop};
use std::io;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::cpus;
use crate::quiet::{is_alone, is_fast, probe, shortest};
use crate::statistics::Estimate;

/// Default number of turns in a measurement.
pub const TURNS: usize = 201;

/// The duration of one turn in ns.
pub fn timed<T>(turn: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(turn());
    start.elapsed().as_nanos() as f64
}

/// How long to wait for turns with an idle sibling: some tens of values are measured in less than a minute.
pub const PATIENCE: Duration = Duration::from_millis(500);
/// The same for the few values on which every prediction rests, the price of an instruction above all. Another
/// guest may keep the sibling busy for minutes, with pauses.
pub const LONG_PATIENCE: Duration = Duration::from_secs(10);
/// With fewer turns with an idle sibling, the interval would depend on single interrupted ones.
const FEWEST_ALONE: usize = 40;

/// The values of turns, each with the longer of the times that [`crate::quiet`]'s work took before and after it.
#[derive(Debug, Default)]
struct Values {
    all: Vec<(f64, f64)>,
    last_probe: Option<f64>,
    /// How many had an idle sibling, judged by `shortest`.
    alone: usize,
    shortest: f64,
}

impl Values {
    /// Adds a turn after which the work took `probe` ns; its shortest time so far is `shortest`. The first turn
    /// is a warm-up and does not count.
    fn enter(&mut self, value: f64, probe: f64, shortest: f64) {
        let Some(before) = self.last_probe.replace(probe) else {
            return;
        };
        let longer = before.max(probe);
        self.all.push((value, longer));
        if shortest < self.shortest || self.all.len() == 1 {
            // What looked idle may not have been.
            self.shortest = shortest;
            self.alone = self.alone().count();
        } else {
            self.alone += usize::from(is_fast(longer, shortest));
        }
    }

    /// The turns with an idle sibling.
    fn alone(&self) -> impl Iterator<Item = f64> {
        let is_alone = |&&(_, probe): &&(f64, f64)| is_fast(probe, self.shortest);
        self.all.iter().filter(is_alone).map(|(value, _)| *value)
    }

    /// Whether turns with an idle sibling are still missing and worth waiting for.
    fn wants_more(&self, turns: usize, is_patient: bool) -> bool {
        self.alone < turns && (self.all.len() < turns || is_patient)
    }

    /// The median of the turns with an idle sibling; of all turns if there are hardly any such.
    fn estimate(&self) -> Option<Estimate> {
        let is_alone = self.alone >= FEWEST_ALONE;
        let values: Vec<f64> = if is_alone {
            self.alone().collect()
        } else {
            self.all.iter().map(|(value, _)| *value).collect()
        };
        Estimate::of(&values).map(|estimate| Estimate {
            is_alone,
            ..estimate
        })
    }
}

/// Estimates the value that a turn returns.
pub fn estimate(turns: usize, turn: impl FnMut() -> f64) -> Option<Estimate> {
    estimate_within(PATIENCE, turns, turn)
}

/// The same, waiting for turns with an idle sibling as long as is said.
fn estimate_within(
    patience: Duration,
    turns: usize,
    mut turn: impl FnMut() -> f64,
) -> Option<Estimate> {
    let Ok(estimate) = try_estimate_within(patience, turns, || Ok::<_, Infallible>(turn()));
    estimate
}

/// The same for turns that can fail: the first failure ends the measurement.
pub fn try_estimate<E>(
    turns: usize,
    turn: impl FnMut() -> Result<f64, E>,
) -> Result<Option<Estimate>, E> {
    try_estimate_within(PATIENCE, turns, turn)
}

/// The same, waiting for turns with an idle sibling as long as is said.
pub fn try_estimate_within<E>(
    patience: Duration,
    turns: usize,
    mut turn: impl FnMut() -> Result<f64, E>,
) -> Result<Option<Estimate>, E> {
    let (mut values, began) = (Values::default(), Instant::now());
    while values.wants_more(turns, began.elapsed() < patience) {
        let value = turn()?;
        values.enter(value, probe(), shortest());
    }
    Ok(values.estimate())
}

/// The time of one round in ns, with `rounds` rounds in a turn.
pub fn each(rounds: u32, round: impl FnMut()) -> Option<Estimate> {
    each_within(PATIENCE, rounds, round)
}

/// The same, waiting for turns with an idle sibling as long as is said.
pub fn each_within(patience: Duration, rounds: u32, mut round: impl FnMut()) -> Option<Estimate> {
    estimate_within(patience, TURNS, || {
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
/// both are bound. Returns what `ahead` returns, and whether both CPUs had their cores for themselves before it and
/// after it.
pub fn on_two<T: Send>(
    (here, there): (usize, usize),
    ahead: impl FnOnce() -> T + Send,
    other: impl FnOnce() + Send,
) -> io::Result<(T, bool)> {
    let two = Two::default();
    let value = thread::scope(|scope| {
        let second = scope.spawn(|| two.bind(there).map(|()| two.around(false, other)));
        let first = scope.spawn(|| two.bind(here).map(|()| two.around(true, ahead)));
        let panicked = |_| io::Error::other("a measuring thread panicked");
        let value = first.join().map_err(panicked)?;
        second.join().map_err(panicked)??;
        value
    })?;
    Ok((value, !two.was_beside.into_inner()))
}

/// Two threads on two CPUs.
struct Two {
    both: Barrier,
    has_failed: AtomicBool,
    was_beside: AtomicBool,
}

impl Default for Two {
    fn default() -> Self {
        Self {
            both: Barrier::new(2),
            has_failed: AtomicBool::new(false),
            was_beside: AtomicBool::new(false),
        }
    }
}

impl Two {
    /// Binds a thread, and waits until the other is bound too. Fails if either cannot be.
    fn bind(&self, cpu: usize) -> io::Result<()> {
        let bound = cpus::pin(cpu);
        self.has_failed.fetch_or(bound.is_err(), Ordering::SeqCst);
        self.both.wait();
        if self.has_failed.load(Ordering::SeqCst) {
            bound?;
            return Err(io::Error::other("the other thread could not be bound"));
        }
        Ok(())
    }

    /// Does a thread's work, between two probes of its CPU.
    fn around<T>(&self, is_first: bool, work: impl FnOnce() -> T) -> T {
        self.probe(is_first);
        let done = work();
        self.both.wait();
        self.probe(is_first);
        done
    }

    /// Probes the CPUs, one while the thread of the other sleeps: they may be of one core.
    fn probe(&self, is_first: bool) {
        for turn in [true, false] {
            if turn == is_first {
                self.was_beside.fetch_or(!is_alone(), Ordering::SeqCst);
            }
            self.both.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns of 10 ns with an idle sibling, whose probe takes 1000 ns, and of 15 ns with a busy one.
    fn entered(neighbours: impl IntoIterator<Item = bool>) -> Values {
        let mut values = Values::default();
        let mut was_there = true;
        for is_there in neighbours {
            let ns = if was_there || is_there { 15.0 } else { 10.0 };
            let probe = if is_there { 1500.0 } else { 1000.0 };
            values.enter(ns, probe, 1000.0);
            was_there = is_there;
        }
        values
    }

    #[test]
    fn what_two_threads_do_is_between_probes_of_both() {
        let cpus = cpus::allowed().unwrap();
        let pair = (cpus[0], cpus[cpus.len() - 1]);
        let beats = AtomicU32::new(0);
        let other = || {
            beats.fetch_add(1, Ordering::SeqCst);
        };
        let (value, _) = on_two(pair, || 7, other).unwrap();
        assert_eq!((value, beats.into_inner()), (7, 1));
        // No CPU has so high a number.
        let none = rustix::thread::CpuSet::MAX_CPU - 1;
        assert!(on_two((cpus[0], none), || 7, || ()).is_err());
        assert!(on_two((none, cpus[0]), || 7, || ()).is_err());
    }

    #[test]
    fn turns_beside_a_neighbour_do_not_count() {
        // The sibling is busy in seven turns of ten, so the median of all turns is one with a busy sibling.
        let values = entered((0..200).map(|turn| turn % 10 >= 3));
        let estimate = values.estimate().unwrap();
        assert_eq!((estimate.median, estimate.spread), (10.0, 0.0));
        assert!(estimate.is_alone && !values.wants_more(estimate.turns, true));
    }

    #[test]
    fn a_neighbour_that_never_goes_is_measured_with_and_said() {
        let values = entered([true; 501]);
        let estimate = values.estimate().unwrap();
        assert_eq!((estimate.median, estimate.is_alone), (15.0, false));
        // The sibling may still become idle.
        assert!(values.wants_more(501, true) && !values.wants_more(500, false));
    }

    #[test]
    fn what_looked_idle_beside_a_neighbour_that_had_always_been_there_does_not_count_when_it_has_gone()
     {
        let mut values = Values::default();
        for _ in 0..=60 {
            values.enter(15.0, 1500.0, 1500.0);
        }
        assert_eq!(values.estimate().map(|all| all.median), Some(15.0));
        for _ in 0..=60 {
            values.enter(10.0, 1000.0, 1000.0);
        }
        let estimate = values.estimate().unwrap();
        assert_eq!((estimate.median, estimate.turns), (10.0, 60));
    }
}
