//! Whether a number was used to set a parameter, or something is there for its sake alone: the sources in
//! the data files say so.
//!
//! A fit names an entry, as `ba.t5` does, or with words behind it those of its numbers whose names
//! have these words one behind the other: `ba.fig5 2.4 UNI`.

use std::collections::BTreeSet;

use super::experiments::{EntryPlan, ItemPlan, StudyPlan};
use sim::config::catalogue::Catalogue;
use sim::config::parameters::fits;
use sim::config::scenario::Scenario;
use sim::config::source::Fit;

/// Whether any source of what these scenarios use names the item.
pub(super) fn is_fitted(
    item: &ItemPlan,
    entry: &EntryPlan,
    scenarios: &[&Scenario],
    catalogue: &Catalogue,
) -> bool {
    scenarios
        .iter()
        .flat_map(|scenario| files(scenario))
        .any(|file| fits(catalogue.parameters(&file)).any(|fit| names_item(fit, item, entry)))
}

/// Whether anything that these scenarios use is there for the item's sake alone.
pub(super) fn is_fudged(
    item: &ItemPlan,
    entry: &EntryPlan,
    scenarios: &[&Scenario],
    catalogue: &Catalogue,
) -> bool {
    scenarios.iter().flat_map(|it| files(it)).any(|file| {
        let parameters = catalogue.parameters(&file).iter();
        let mut served = parameters.flat_map(|one| &one.source.serves_only);
        served.any(|fit| names_item(fit, item, entry))
    })
}

/// Whether any source of what these scenarios use was fitted to any number of the studies.
pub(super) fn rests_on_studies<'a>(
    studies: impl Iterator<Item = &'a StudyPlan>,
    scenarios: &[&Scenario],
    catalogue: &Catalogue,
) -> bool {
    let entries: BTreeSet<&str> = studies
        .flat_map(|study| &study.entries)
        .map(|entry| entry.id.as_str())
        .collect();
    let is_own = |fit: &Fit| entries.contains(fit.entry());
    scenarios
        .iter()
        .flat_map(|scenario| files(scenario))
        .any(|file| fits(catalogue.parameters(&file)).any(is_own))
}

/// The data files behind a scenario: its machine's, its peer's, its kernel's, those of what is put into
/// that, its workload's.
pub(super) fn files(scenario: &Scenario) -> impl Iterator<Item = String> {
    let machines = [Some(&scenario.machine), scenario.settings.peer.as_ref()];
    let machines = machines.into_iter().flatten();
    let machines = machines.map(|name| format!("machines/{name}"));
    let others = [
        format!("kernels/{}", scenario.kernel),
        format!("workloads/{}", scenario.workload),
    ];
    let put_in = scenario.instrumentation.iter();
    let put_in = put_in.map(|name| format!("instrumentation/{name}"));
    machines.chain(others).chain(put_in)
}

/// Whether a fit speaks of an item: of its entry, or of one that its entry follows from.
pub(super) fn names_item(fit: &Fit, item: &ItemPlan, entry: &EntryPlan) -> bool {
    let own = words(&item.name);
    let meant: Vec<&str> = fit.words().collect();
    let has_them = meant.is_empty() || own.windows(meant.len()).any(|part| part == meant);
    let is_of_item = fit.entry() == entry.id && has_them;
    is_of_item || entry.follows_from.iter().any(|id| id == fit.entry())
}

fn words(name: &str) -> Vec<&str> {
    let parts = name.split([' ', ',', ':', '(', ')']);
    parts.filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests;
