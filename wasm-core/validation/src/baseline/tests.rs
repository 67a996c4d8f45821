//! Which earlier load tells of one, and what.

use super::baseline;
use crate::experiments::{EntryPlan, ItemPlan, StudyPlan};
use crate::testing::study;
use crate::{Papers, Published};

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

/// A study of one load on a host with a processor of some kind.
fn host(name: &str, processor: Option<&str>, message_bytes: u32, published: f64) -> StudyPlan {
    let mut study = study([r#""measure": "hop_us(6, 7)""#; 3]).unwrap();
    study.name = name.to_owned();
    study.processor = processor.map(str::to_owned);
    let scenario = study.scenarios.get_mut("udp").unwrap();
    scenario.as_mut().unwrap().settings.message_bytes = Some(message_bytes);
    study.entries[0].items.truncate(1);
    study.entries[0].items[0].published = Published::Number(published);
    study
}

#[test]
fn a_host_with_a_processor_of_the_same_kind_tells_of_a_load_before_one_that_ran_a_nearer() {
    let earlier = [
        host("first", Some("A"), 700, 3.0),
        host("alike", Some("A"), 350, 5.0),
        host("other", Some("B"), 1400, 7.0),
    ];
    let told = |processor| {
        let own = host("own", processor, 1400, 1.0);
        let entry = &own.entries[0];
        baseline(&earlier, &own, entry, &entry.items[0])
    };
    assert_eq!(told(Some("A")), Some(3.0));
    assert_eq!(told(Some("B")), Some(7.0));
    // Of a kind that none had, and of none that is known, the nearest load tells.
    assert_eq!(told(Some("C")), Some(7.0));
    assert_eq!(told(None), Some(7.0));
}

#[test]
fn of_hosts_of_other_kinds_the_one_that_was_measured_last_tells_and_before_the_first_none() {
    let papers = Papers::shipped().unwrap();
    let load = "request and response of 8 KiB on one CPU";
    let (earlier, study, entry, item) = find(&papers, "zen3.rounds", load);
    let last = find(&papers, "xeon.rounds", load).3;
    assert_eq!(baseline(earlier, study, entry, item), Some(published(last)));
    assert_eq!(baseline(&[], study, entry, item), None);
}

#[test]
fn where_none_has_the_size_the_nearest_tells_and_another_kind_of_load_never() {
    let papers = Papers::shipped().unwrap();
    let load = "one connection on one CPU, 768 bytes a call";
    let (earlier, study, entry, item) = find(&papers, "milan.streams", load);
    let near = find(
        &papers,
        "zen3.streams",
        "one connection on one CPU, 1 KiB a call",
    )
    .3;
    assert_eq!(baseline(earlier, study, entry, item), Some(published(near)));
    let (earlier, study, entry, item) = find(&papers, "ba.fig5", "2.6: UNI, 1 connection");
    assert_eq!(baseline(earlier, study, entry, item), None);
}

#[test]
fn what_the_host_told_before_of_smaller_and_larger_messages_tells_first() {
    let papers = Papers::shipped().unwrap();
    let told = |load: &str| {
        let (earlier, study, entry, item) = find(&papers, "milan.sizes", load);
        baseline(earlier, study, entry, item).unwrap()
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
    let twenty = baseline(earlier, study, entry, item);
    assert_eq!(twenty, baseline(earlier, study, &study.entries[0], item));
}

#[test]
fn an_entry_knows_nothing_of_those_of_its_own_session() {
    let papers = Papers::shipped().unwrap();
    let (_, study, entry, item) = find(
        &papers,
        "milan.streams",
        "one connection on one CPU, 6 KiB a call",
    );
    assert_eq!(baseline(&[], study, entry, item), None);
    let (.., later, _) = find(
        &papers,
        "milan.sizes",
        "one connection on one CPU, 5 KiB a call",
    );
    assert!(baseline(&[], study, later, item).is_some());
}
