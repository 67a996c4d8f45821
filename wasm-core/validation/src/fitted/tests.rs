//! What the shipped machines were fitted to.

use std::collections::{BTreeMap, BTreeSet};

use super::names_item;
use crate::Papers;
use crate::experiments::{EntryPlan, ItemPlan, StudyPlan};
use sim::config::catalogue::Catalogue;
use sim::config::source::Fit;

/// An entry's items by what they run: one workload on one kernel and as many CPUs of a machine. None where several numbers are
/// read of one run, as functions of a profile: which of them a fit names is no matter of loads.
fn by_kind<'a>(
    study: &'a StudyPlan,
    entry: &'a EntryPlan,
) -> BTreeMap<(&'a str, String), Vec<&'a ItemPlan>> {
    let mut kinds: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let mut runs = BTreeSet::new();
    let mut names = entry
        .items
        .iter()
        .filter_map(|item| item.scenario.as_deref());
    if names.any(|name| !runs.insert(name)) {
        return kinds;
    }
    for item in &entry.items {
        let scenario = item.scenario.as_deref().map(|name| study.scenario(name));
        if let Some(Ok(it)) = scenario {
            let kind = format!(
                "{} {} {:?}",
                it.workload, it.kernel, it.settings.process_cpus
            );
            let of_machine = kinds.entry((it.machine.as_str(), kind)).or_default();
            of_machine.push(item);
        }
    }
    kinds
}

/// Whether it is narrowed to words, of which none is a size or a version: those are meant as they stand.
fn is_of_a_kind(fit: &Fit) -> bool {
    let is_number = |word: &str| word.starts_with(|first: char| first.is_ascii_digit());
    fit.words().next().is_some() && !fit.words().any(is_number)
}

/// Words are matched as they stand, so `a request and a response` is no `request and response`: a fit to some loads of a kind
/// has to reach all of them.
#[test]
fn a_machine_fitted_to_a_kind_of_load_is_fitted_to_all_of_that_kind() {
    let papers = Papers::shipped().unwrap();
    let catalogue = Catalogue::shipped().unwrap();
    let mut left = Vec::new();
    for study in &papers.studies {
        for entry in &study.entries {
            for ((machine, kind), items) in by_kind(study, entry) {
                for parameter in catalogue.parameters(&format!("machines/{machine}")) {
                    let fits = &parameter.source.fitted_to;
                    let is_fitted =
                        |item: &ItemPlan| fits.iter().any(|fit| names_item(fit, item, entry));
                    let is_of_kind = |item: &ItemPlan| {
                        let mut of_kind = fits.iter().filter(|fit| is_of_a_kind(fit));
                        of_kind.any(|fit| names_item(fit, item, entry))
                    };
                    if items.iter().any(|item| is_of_kind(item)) {
                        let others = items.iter().filter(|item| !is_fitted(item));
                        left.extend(others.map(|item| {
                            let (path, id) = (&parameter.path, &entry.id);
                            format!("{machine} {path}: {id} {} ({kind})", item.name)
                        }));
                    }
                }
            }
        }
    }
    assert_eq!(left, Vec::<String>::new());
}
