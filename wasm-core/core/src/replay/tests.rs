//! Frames as pictures, and what holds for every run: a frame does not depend on
//! the frames before it, totals never fall, a CPU does one thing at a time, a
//! packet is in one place at a time.

pub(crate) mod any_run;
mod lanes;
mod pictures;

use std::rc::Rc;

use super::*;
use crate::import::{Ledger, kperf::Kperf};
use crate::kernel::{Nanos, Origin};
use crate::run::RunBuilder;

/// The replay of a trace in kperf 2 text, one event a line.
pub(crate) fn replay_of(trace: &str) -> Replay {
    replay(run_of(trace))
}

/// The run of a trace in kperf 2 text, one event a line.
pub(crate) fn run_of(trace: &str) -> Run {
    let mut builder = RunBuilder::new(Origin::Recorded);
    let mut ledger = Ledger::default();
    let mut kperf = Kperf::default();
    for (number, line) in (1..).zip(trace.trim().lines()) {
        kperf.line(number, line.trim().as_bytes(), &mut builder, &mut ledger);
    }
    assert_eq!(ledger.malformed_kept, [], "the test's own trace is sound");
    assert_eq!(ledger.unknown.keys().next(), None);
    builder.finish()
}

/// A run made ready.
pub(crate) fn replay(run: Run) -> Replay {
    let run = Rc::new(run);
    let journeys = Rc::new(Journeys::of(&run));
    Replay::new(run, journeys)
}

/// A time after the start of the run, in microseconds.
pub(crate) fn after(replay: &Replay, micros: u64) -> Nanos {
    Nanos(replay.run.start().0 + micros * 1000)
}
