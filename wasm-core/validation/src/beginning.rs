//! How the runs behind an entry begin. A board takes up to an hour to run; the first milliseconds of all its runs take
//! seconds, and a change of the model that leaves them event for event as they were has most likely left the rest.

use std::collections::BTreeSet;

use super::board::with_seed;
use super::counterfactual::with;
use super::experiments::{EntryPlan, StudyPlan};
use super::runs::Runs;
use sim::config::catalogue::Catalogue;

/// What is measured with runs that are broken off soon says nothing of what was published; it says whether the runs and
/// what measures them are as they were.
#[derive(Debug, Clone, PartialEq)]
pub struct Beginning {
    /// The fingerprints of the runs, none twice.
    pub fingerprints: BTreeSet<u64>,
    /// What came out in place of each number, and then of each under its counterfactual and under what the entry tries:
    /// a reason where so short a run has nothing to measure.
    pub values: Vec<Result<f64, String>>,
}

/// With the first seed alone.
const SEED: u64 = 1;

pub(super) fn of_entry(
    study: &StudyPlan,
    entry: &EntryPlan,
    catalogue: &Catalogue,
) -> Result<Beginning, String> {
    let mut runs = Runs::beginnings(catalogue);
    let mut values: Vec<_> = entry
        .items
        .iter()
        .map(|item| with_seed(study, entry, item, &mut runs, SEED))
        .collect();
    let mut fingerprints = runs.fingerprints();
    let beside_one = entry.items.iter().filter_map(|item| {
        let otherwise = item.counterfactual.as_ref()?;
        Some((otherwise, std::slice::from_ref(item)))
    });
    let on_all = entry
        .tried
        .iter()
        .map(|otherwise| (otherwise, &entry.items[..]));
    for (otherwise, items) in beside_one.chain(on_all) {
        let catalogue =
            with(catalogue, &otherwise.data).map_err(|why| format!("{}: {why}", entry.id))?;
        let study = study.otherwise(&otherwise.scenario);
        let mut runs = Runs::beginnings(&catalogue);
        values.extend(
            items
                .iter()
                .map(|item| with_seed(&study, entry, item, &mut runs, SEED)),
        );
        fingerprints.extend(runs.fingerprints());
    }
    Ok(Beginning {
        fingerprints,
        values,
    })
}
