//! Which earlier load tells of one, and what.

use super::{baseline, instruction_ns, scenario};
use crate::experiments::{EntryPlan, ItemPlan, StudyPlan};
use crate::{Papers, Published};
use sim::config::catalogue::Catalogue;

/// The studies before one of our own hosts, that host's, and one of its numbers.
fn find<'a>(
    papers: &'a Papers,
    entry: &str,
    item: &str,
) -> (&'a [StudyPlan], &'a StudyPlan, &'a EntryPlan, &'a ItemPlan) {
    let is_it = |study: &StudyPlan| study.entries.iter().any(|one| one.id == entry);
    let at = papers.studies.iter().position(is_it).unwrap();
    let (earlier, from) = papers.studies.split_at(at);
    let entry = from[0].entries.iter().find(|one| one.id == entry).unwrap();
    let item = entry.items.iter().find(|one| one.name == item).unwrap();
    (earlier, &from[0], entry, item)
}

/// A number, as it was measured.
fn published(item: &ItemPlan) -> f64 {
    let Published::Number(published) = item.published else {
        panic!("a number");
    };
    published
}

/// Nanoseconds that an instruction takes on a number's machine.
fn ns(study: &StudyPlan, item: &ItemPlan, catalogue: &Catalogue) -> f64 {
    instruction_ns(scenario(study, item).unwrap(), catalogue).unwrap()
}

#[test]
fn the_same_load_of_the_most_alike_host_tells_of_one_by_the_price_of_an_instruction() {
    let papers = Papers::shipped().unwrap();
    let catalogue = Catalogue::shipped().unwrap();
    let load = "request and response of 8 KiB on one CPU";
    let (earlier, study, entry, item) = find(&papers, "zen3.rounds", load);
    let before = format!("1000 rounds a second: {load}");
    let (_, alike, _, near) = find(&papers, "own.host-between", &before);
    let (_, other, _, far) = find(&papers, "xeon.rounds", load);
    // The third machine's instructions take more nearly as long as here than those of the Xeon, which was measured later.
    let own = ns(study, item, &catalogue);
    let [alike, other] = [(alike, near), (other, far)].map(|(of, it)| ns(of, it, &catalogue) / own);
    assert!(alike.ln().abs() < other.ln().abs());
    let told = baseline(earlier, study, entry, item, &catalogue);
    assert_eq!(told, Some(published(near) * alike));
    assert_ne!(told, Some(published(far) * other));
    // Before the first host there is none.
    assert_eq!(baseline(&[], study, entry, item, &catalogue), None);
}

#[test]
fn where_none_has_the_size_the_nearest_tells_and_another_kind_never() {
    let papers = Papers::shipped().unwrap();
    let catalogue = Catalogue::shipped().unwrap();
    let load = "one connection on one CPU, 768 bytes a call";
    let (earlier, study, entry, item) = find(&papers, "milan.streams", load);
    let load = "one connection on one CPU, 1 KiB a call";
    let (_, host, _, near) = find(&papers, "zen3.streams", load);
    let factor = ns(host, near, &catalogue) / ns(study, item, &catalogue);
    let told = baseline(earlier, study, entry, item, &catalogue);
    assert_eq!(told, Some(published(near) * factor));
    let (earlier, study, entry, item) = find(&papers, "ba.fig5", "2.6: UNI, 1 connection");
    assert_eq!(baseline(earlier, study, entry, item, &catalogue), None);
}

#[test]
fn what_the_host_told_before_of_smaller_and_larger_messages_tells_first() {
    let papers = Papers::shipped().unwrap();
    let catalogue = Catalogue::shipped().unwrap();
    let told = |load: &str| {
        let (earlier, study, entry, item) = find(&papers, "milan.sizes", load);
        baseline(earlier, study, entry, item, &catalogue).unwrap()
    };
    let measured = |load: &str| published(find(&papers, "milan.streams", load).3);
    let [three, six] =
        [3, 6].map(|kib| measured(&format!("one connection on one CPU, {kib} KiB a call")));
    let five = told("one connection on one CPU, 5 KiB a call");
    assert!(three < five && five < six);
    let part = (5.0_f64 / 3.0).log2();
    assert!((five - three.powf(1.0 - part) * six.powf(part)).abs() < 1e-9);
    // Of more than 12 KiB it had told nothing, and another host tells.
    let (earlier, study, entry, item) = find(
        &papers,
        "milan.sizes",
        "one connection on one CPU, 20 KiB a call",
    );
    let twenty = baseline(earlier, study, entry, item, &catalogue);
    assert_eq!(
        twenty,
        baseline(earlier, study, &study.entries[0], item, &catalogue)
    );
}

#[test]
fn an_entry_knows_nothing_of_those_of_its_own_session() {
    let papers = Papers::shipped().unwrap();
    let catalogue = Catalogue::shipped().unwrap();
    let (_, study, entry, item) = find(
        &papers,
        "milan.streams",
        "one connection on one CPU, 6 KiB a call",
    );
    assert_eq!(baseline(&[], study, entry, item, &catalogue), None);
    let (.., later, _) = find(
        &papers,
        "milan.sizes",
        "one connection on one CPU, 5 KiB a call",
    );
    assert!(baseline(&[], study, later, item, &catalogue).is_some());
}

#[test]
fn what_is_counted_does_not_depend_on_how_fast_a_host_is() {
    let papers = Papers::shipped().unwrap();
    let catalogue = Catalogue::shipped().unwrap();
    let load = "one connection on one CPU, 5 KiB a call: pure ACKs";
    let (earlier, study, entry, item) = find(&papers, "milan.counts", load);
    let told = baseline(earlier, study, entry, item, &catalogue).unwrap();
    let mut all = earlier
        .iter()
        .flat_map(|study| &study.entries)
        .flat_map(|entry| &entry.items);
    assert!(all.any(|one| one.published == Published::Number(told)));
}
