//! Which earlier load tells of one, and what.

#![expect(clippy::float_cmp, reason = "what is looked up is exact")]

use super::{baseline, instruction_ns, scenario};
use crate::Papers;
use crate::experiments::{ItemPlan, StudyPlan};
use sim::config::catalogue::Catalogue;

/// The studies before one of our own hosts, that host's, and one of its numbers.
fn find<'a>(
    papers: &'a Papers,
    entry: &str,
    item: &str,
) -> (&'a [StudyPlan], &'a StudyPlan, &'a ItemPlan) {
    let is_it = |study: &StudyPlan| study.entries.iter().any(|one| one.id == entry);
    let at = papers.studies.iter().position(is_it).unwrap();
    let (earlier, from) = papers.studies.split_at(at);
    let entry = from[0].entries.iter().find(|one| one.id == entry).unwrap();
    let item = entry.items.iter().find(|one| one.name == item).unwrap();
    (earlier, &from[0], item)
}

#[test]
fn the_same_load_of_the_host_before_tells_of_one_by_the_price_of_an_instruction() {
    let papers = Papers::shipped().unwrap();
    let catalogue = Catalogue::shipped().unwrap();
    let load = "request and response of 8 KiB on one CPU";
    let (earlier, study, item) = find(&papers, "zen3.rounds", load);
    let (_, host, measured) = find(&papers, "xeon.rounds", load);
    let crate::Published::Number(published) = measured.published else {
        panic!("a number");
    };
    let ns = |study, item| instruction_ns(scenario(study, item).unwrap(), &catalogue).unwrap();
    let expected = published * (ns(host, measured) / ns(study, item));
    assert_eq!(baseline(earlier, study, item, &catalogue), Some(expected));
    // The first host that ran it has none.
    assert_eq!(baseline(&[], study, item, &catalogue), None);
}

#[test]
fn where_none_has_the_size_the_nearest_tells_and_another_kind_never() {
    let papers = Papers::shipped().unwrap();
    let catalogue = Catalogue::shipped().unwrap();
    let (earlier, study, item) = find(
        &papers,
        "milan.streams",
        "one connection on one CPU, 768 bytes a call",
    );
    let told = baseline(earlier, study, item, &catalogue).unwrap();
    let (before, near_study, near) = find(
        &papers,
        "zen3.streams",
        "one connection on one CPU, 1 KiB a call",
    );
    assert!(before.len() < earlier.len());
    let crate::Published::Number(published) = near.published else {
        panic!("a number");
    };
    let ns = |study, item| instruction_ns(scenario(study, item).unwrap(), &catalogue).unwrap();
    assert_eq!(told, published * (ns(near_study, near) / ns(study, item)));
    let (earlier, study, item) = find(&papers, "ba.fig5", "2.6: UNI, 1 connection");
    assert_eq!(baseline(earlier, study, item, &catalogue), None);
}

#[test]
fn what_is_counted_does_not_depend_on_how_fast_a_host_is() {
    let papers = Papers::shipped().unwrap();
    let catalogue = Catalogue::shipped().unwrap();
    let load = "one connection on one CPU, 5 KiB a call: pure ACKs";
    let (earlier, study, item) = find(&papers, "milan.counts", load);
    let told = baseline(earlier, study, item, &catalogue).unwrap();
    let published = earlier
        .iter()
        .flat_map(|it| &it.entries)
        .flat_map(|it| &it.items);
    let is_told = |one: &ItemPlan| one.published == crate::Published::Number(told);
    assert!(published.into_iter().any(is_told));
}
