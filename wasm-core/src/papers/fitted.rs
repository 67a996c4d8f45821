//! Whether a number was used to set a parameter: the sources in the data files say so.
//!
//! A source says "fitted to" and then the id of an entry, as in "fitted to ba.fig5 UNI
//! 2.4: 1.6 times the integer loop". Words behind the id that stand in the names of
//! items narrow it down to the items that have them all; without any, the whole entry
//! counts as fitted.

use super::experiments::{EntryPlan, ItemPlan};
use crate::sim::config::catalogue::Catalogue;
use crate::sim::config::scenario::Scenario;

const PHRASE: &str = "fitted to ";

/// Whether any source of what these scenarios use names the item.
pub(super) fn is_fitted(
    item: &ItemPlan,
    entry: &EntryPlan,
    scenarios: &[&Scenario],
    catalogue: &Catalogue,
) -> bool {
    let named = |text: &str| names_item(text, item, entry);
    item.is_input
        || scenarios
            .iter()
            .any(|scenario| sources(scenario, catalogue).any(named))
}

/// The sources behind a scenario: its machine's, its peer's, its kernel's, its workload's.
fn sources<'a>(
    scenario: &'a Scenario,
    catalogue: &'a Catalogue,
) -> impl Iterator<Item = &'a str> + 'a {
    let machines = [Some(&scenario.machine), scenario.settings.peer.as_ref()];
    let machines = machines.into_iter().flatten();
    let machines = machines.filter_map(|name| Some(&catalogue.machine(name)?.sources));
    let kernel = catalogue
        .kernel(&scenario.kernel)
        .map(|kernel| &kernel.sources);
    let workload = catalogue.workload(&scenario.workload);
    let workload = workload.map(|workload| &workload.sources);
    let all = machines.chain(kernel).chain(workload);
    all.flat_map(|sources| sources.values().map(String::as_str))
}

/// Whether a source's text says that a parameter was fitted to an item.
pub(super) fn names_item(text: &str, item: &ItemPlan, entry: &EntryPlan) -> bool {
    let all_items: Vec<&str> = entry.items.iter().map(|item| item.name.as_str()).collect();
    let ids = std::iter::once(&entry.id).chain(&entry.follows_from);
    text.split(PHRASE)
        .skip(1)
        .flat_map(|rest| rest.split(';').take(1))
        .any(|fits| {
            ids.clone().any(|id| {
                let narrowed = *id == entry.id;
                let names: &[&str] = if narrowed { &all_items } else { &[] };
                behind(fits, id).any(|words| covers(words, &item.name, names))
            })
        })
}

/// What stands behind each mention of an id, up to the next punctuation.
fn behind<'a>(text: &'a str, id: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(id).filter_map(move |(at, _)| {
        let is_part = |letter: char| letter.is_ascii_alphanumeric();
        let before = text[..at].chars().next_back();
        let rest = &text[at + id.len()..];
        let is_whole = !before.is_some_and(|letter| is_part(letter) || letter == '.')
            && !rest.starts_with(is_part);
        let end = rest.find([':', ',', ';', '(', ')']).unwrap_or(rest.len());
        is_whole.then_some(&rest[..end])
    })
}

fn covers(words: &str, item: &str, all_items: &[&str]) -> bool {
    let of = |name: &str| -> Vec<String> {
        let parts = name.split([' ', ',', ':', '(', ')']);
        parts
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let known: Vec<String> = all_items.iter().flat_map(|name| of(name)).collect();
    let own = of(item);
    let mut narrowing = of(words).into_iter().filter(|word| known.contains(word));
    narrowing.all(|word| own.contains(&word))
}
