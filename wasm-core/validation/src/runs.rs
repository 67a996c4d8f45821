//! The runs behind the board: each scenario with each seed is simulated once, however
//! many numbers are read from it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::quantity::{Needs, Quantity, of_description, of_measured, of_recorded};
use super::recorded::Recorded;
use ringside::run::measured::Measured;
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::engine::simulate;

/// What was run so far.
#[derive(Debug)]
pub struct Runs<'a> {
    catalogue: &'a Catalogue,
    measured: BTreeMap<String, Result<Measured, String>>,
    /// The runs whose events are kept, the oldest first.
    recorded: VecDeque<(String, Recorded)>,
    /// Where runs are broken off soon: the fingerprint of the events of each.
    begun: Option<BTreeSet<u64>>,
}

/// Events kept in memory at most, beside those of the last run.
const MOST_EVENTS: usize = 1_000_000;
/// For how long a run goes on of which only the beginning is asked, in µs of simulated time: connections are open by then
/// and carry data.
const BEGINNING_US: u64 = 10_000;
/// How much of that is warm-up at most, in µs.
const BEGINNING_WARMUP_US: u64 = 3_000;

impl<'a> Runs<'a> {
    /// None yet.
    pub const fn new(catalogue: &'a Catalogue) -> Self {
        Self {
            catalogue,
            measured: BTreeMap::new(),
            recorded: VecDeque::new(),
            begun: None,
        }
    }

    /// None yet, and all will be broken off after [`BEGINNING_US`].
    pub(super) fn beginnings(catalogue: &'a Catalogue) -> Self {
        Self {
            begun: Some(BTreeSet::new()),
            ..Self::new(catalogue)
        }
    }

    /// The fingerprints of the runs that were broken off, none twice.
    pub(super) fn fingerprints(self) -> BTreeSet<u64> {
        self.begun.unwrap_or_default()
    }

    /// What scenarios can name.
    pub(super) const fn catalogue(&self) -> &'a Catalogue {
        self.catalogue
    }

    fn recorded(&self, key: &str) -> Option<&Recorded> {
        let mut recorded = self.recorded.iter();
        recorded.find(|(other, _)| other == key).map(|(_, it)| it)
    }

    fn keep(&mut self, key: &str, recorded: Recorded) {
        let mut events: usize = self.recorded.iter().map(|(_, it)| it.events()).sum();
        while events > MOST_EVENTS
            && let Some((_, oldest)) = self.recorded.pop_front()
        {
            events -= oldest.events();
        }
        self.recorded.push_back((key.to_owned(), recorded));
    }

    /// A quantity of a scenario with a seed.
    pub(super) fn value(
        &mut self,
        scenario: &Scenario,
        seed: u64,
        quantity: Quantity,
        words: &[String],
    ) -> Result<f64, String> {
        let missing = |what: &str, name: &str| format!("there is no {what} {name}");
        let machine = self.catalogue.machine(&scenario.machine);
        let machine = machine.ok_or_else(|| missing("machine", &scenario.machine))?;
        if quantity.needs() == Needs::Description {
            let kernel = self.catalogue.kernel(&scenario.kernel);
            let kernel = kernel.ok_or_else(|| missing("kernel", &scenario.kernel))?;
            return of_description(quantity, words, machine, kernel);
        }
        let is_recording = quantity.needs() == Needs::Recorded;
        let key = self.run(scenario, seed, is_recording)?;
        if is_recording {
            let recorded = self.recorded(&key).ok_or("nothing was recorded")?;
            return of_recorded(quantity, words, recorded);
        }
        match &self.measured[&key] {
            Ok(measured) => of_measured(quantity, words, measured, machine),
            Err(why) => Err(why.clone()),
        }
    }

    /// Runs a scenario unless that was done, and gives the name of its run.
    fn run(
        &mut self,
        scenario: &Scenario,
        seed: u64,
        is_recording: bool,
    ) -> Result<String, String> {
        let mut scenario = Scenario {
            seed,
            ..scenario.clone()
        };
        if self.begun.is_some() {
            scenario.duration_us = scenario.duration_us.min(BEGINNING_US);
            let shorter = |warmup: u64| warmup.min(BEGINNING_WARMUP_US);
            scenario.warmup_us = scenario.warmup_us.map(shorter);
        }
        let key = scenario.to_json();
        let is_done = if is_recording {
            self.recorded(&key).is_some()
        } else {
            self.measured.contains_key(&key)
        };
        if is_done {
            return Ok(key);
        }
        // Checked as a scenario from a link is, so that a wrong one says which field.
        let checked = Scenario::parse(&key, self.catalogue).map_err(|error| error.to_string());
        let keeps_events = is_recording || self.begun.is_some();
        let simulated = checked.and_then(|_| simulate(&scenario, self.catalogue, keeps_events));
        match simulated {
            Ok(simulated) => {
                if let (Some(run), Some(begun)) = (&simulated.run, &mut self.begun) {
                    begun.insert(run.fingerprint());
                }
                if let Some(run) = simulated.run.filter(|_| is_recording) {
                    self.keep(&key, Recorded::new(run));
                }
                self.measured.insert(key.clone(), Ok(simulated.measured));
                Ok(key)
            }
            Err(why) => {
                self.measured.insert(key, Err(why.clone()));
                Err(why)
            }
        }
    }
}
