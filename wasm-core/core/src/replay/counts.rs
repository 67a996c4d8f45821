//! What can be counted of a run: the least that its figures are made of, without its state at any moment.

use super::machine::{Caches, Copies, Locks, ProbeCosts};
use super::{Lanes, Replay, Totals, polls, queues};
use crate::journey::Journeys;
use crate::run::Run;

/// What figures are read off, wherever it was built: by [`Replay`] with all else, or by [`Counts`] alone.
#[derive(Debug, Clone, Copy)]
pub struct Basis<'a> {
    /// The run.
    pub run: &'a Run,
    /// Its journeys.
    pub journeys: &'a Journeys,
    /// What each CPU did.
    pub lanes: &'a Lanes,
    /// The running totals.
    pub totals: &'a Totals,
    /// Who had which cache lines.
    pub caches: &'a Caches,
    /// Who waited for which lock.
    pub locks: &'a Locks,
    /// What probes cost.
    pub probe_costs: &'a ProbeCosts,
    /// The clock of the machine, in kHz; zero where the run does not tell it.
    pub clock_khz: u64,
}

/// The same, built for figures alone. It takes about half as long as a replay, which answers for every moment.
#[derive(Debug, Clone)]
pub struct Counts {
    run: Run,
    journeys: Journeys,
    lanes: Lanes,
    totals: Totals,
    caches: Caches,
    locks: Locks,
    probe_costs: ProbeCosts,
}

impl Counts {
    /// Counts what is in a run.
    pub fn of(run: Run) -> Self {
        let journeys = Journeys::of(&run);
        let polls = polls::device_polls(&run);
        Self {
            lanes: Lanes::of(&run),
            totals: Totals::of(&run, &journeys, &polls),
            caches: Caches::of(&run),
            locks: Locks::of(&run, queues::socket_names(&run)),
            probe_costs: ProbeCosts::of(&run),
            journeys,
            run,
        }
    }

    /// What figures are read off.
    pub fn basis(&self) -> Basis<'_> {
        Basis {
            run: &self.run,
            journeys: &self.journeys,
            lanes: &self.lanes,
            totals: &self.totals,
            caches: &self.caches,
            locks: &self.locks,
            probe_costs: &self.probe_costs,
            clock_khz: Copies::clock_khz(&self.run),
        }
    }
}

impl Replay {
    /// What figures are read off.
    pub fn basis(&self) -> Basis<'_> {
        Basis {
            run: &self.run,
            journeys: &self.journeys,
            lanes: &self.lanes,
            totals: &self.totals,
            caches: &self.machine.caches,
            locks: &self.machine.locks,
            probe_costs: &self.machine.probe_costs,
            clock_khz: self.machine.copies.clock_khz,
        }
    }
}
