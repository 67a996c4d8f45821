//! The parts of the board: expressions, places, sources, intervals.

#![expect(clippy::float_cmp, reason = "small whole numbers are exact")]

use std::fmt::Write as _;

use expect_test::expect;
use serde_json::json;

use super::board::interval;
use super::cells;
use super::expression::Expression;
use super::fitted::names_item;
use super::papers::Papers;
use super::quantity::Quantity;
use sim::config::catalogue::Catalogue;
use sim::config::parameters::fits;
use sim::config::source::Fit;

fn value(text: &str) -> f64 {
    let numbers = json!({ "a": { "b, c (d)": 4 } });
    let expression = Expression::parse(text).unwrap();
    let measured = |quantity, words: &[String], run: Option<&str>| {
        assert_eq!(quantity, Quantity::Share);
        Ok(words.len() as f64 * if run == Some("two") { 10.0 } else { 1.0 })
    };
    expression.value(&numbers, &mut { measured }).unwrap()
}

#[test]
fn expressions_are_read_as_everywhere() {
    assert_eq!(value("1 + 2 * 3 - 4 / 2"), 5.0);
    assert_eq!(value("2 * (3 - 1) - -1"), 5.0);
    assert_eq!(value("2e3 / 10"), 200.0);
    assert_eq!(value("share(a_b, 'c d')@two + share(x)"), 21.0);
    assert_eq!(value("cell('/a/b, c (d)') + max(1, 3, 2)"), 7.0);
    assert_eq!(value("(1 < 2) + (1 >= 2) + (3 == 3)"), 2.0);
    assert_eq!(value("linearity(1, 2, 2, 4, 3, 6)"), 1.0);
    assert!(value("linearity(1, 2, 2, 4, 3, 2)") < 0.01);
}

#[test]
fn a_wrong_expression_says_where() {
    for text in ["1 +", "share(", "nothing", "1 2", "share@", "max()"] {
        assert!(Expression::parse(text).is_err(), "{text}");
    }
}

#[test]
fn nothing_to_divide_by_is_no_number() {
    let expression = Expression::parse("1 / (2 - 2)").unwrap();
    assert!(expression.of_cells(&json!({})).is_err());
}

#[test]
fn a_star_matches_any_name_and_numbers_come_in_their_order() {
    let numbers = json!({ "1024": [1, 2], "512": [3, 4], "a/b": [5, 6] });
    let found = cells::matching("/*/1", &numbers);
    let places: Vec<&str> = found.iter().map(|cell| cell.place.as_str()).collect();
    assert_eq!(places, ["/512/1", "/1024/1", "/a~1b/1"]);
    let columns = ["from".to_owned(), "to".to_owned()];
    assert_eq!(cells::name("/a~1b/1", &columns), "a/b: to");
    assert_eq!(cells::leaves(&numbers).len(), 6);
}

#[test]
fn a_source_names_an_entry_or_some_of_its_items() {
    let studies = Papers::shipped().unwrap().studies;
    let find = |id: &str, name: &str| {
        let mut entries = studies.iter().flat_map(|study| &study.entries);
        let entry = entries.find(|entry| entry.id == id).unwrap();
        let item = entry.items.iter().find(|item| item.name == name).unwrap();
        (item, entry)
    };
    let (one, fig5) = find("ba.fig5", "2.6: UNI, 1 connection");
    let (two, _) = find("ba.fig5", "2.6: SMP, 2 connections");
    let (socket, t1) = find("ba.t1", "2.6.3: socket");
    let (full, capacity) = find("ba.capacity", "2.6");
    for (fit, item, entry, is_named) in [
        ("ba.fig5 UNI 2.6", one, fig5, true),
        ("ba.fig5 UNI 2.6", two, fig5, false),
        ("ba.fig5 UNI 2", one, fig5, false),
        ("ba.fig5", two, fig5, true),
        ("ba.t1", socket, t1, true),
        ("ba.t10", socket, t1, false),
        ("ba.t2", full, capacity, true),
    ] {
        let fit = Fit(fit.to_owned());
        assert_eq!(names_item(&fit, item, entry), is_named, "{fit:?}");
    }
}

#[test]
fn every_fit_in_the_data_names_numbers_that_are_there() {
    let studies = Papers::shipped().unwrap().studies;
    let catalogue = Catalogue::shipped().unwrap();
    for file in catalogue.files() {
        let parameters = catalogue.parameters(file);
        let served = parameters.iter().flat_map(|one| &one.source.serves_only);
        for fit in fits(parameters).chain(served) {
            let entries = studies.iter().flat_map(|study| &study.entries);
            let own = entries.filter(|entry| entry.id == fit.entry());
            let mut items = own.flat_map(|entry| entry.items.iter().map(move |it| (it, entry)));
            let is_there = items.any(|(item, entry)| names_item(fit, item, entry));
            assert!(is_there, "{file}: {fit:?}");
        }
    }
}

/// What a reader of the board has to know: these are no mechanisms, they are there for one experiment.
#[test]
fn what_serves_one_experiment_only_is_named() {
    let catalogue = Catalogue::shipped().unwrap();
    let mut text = String::new();
    for file in catalogue.files() {
        for one in catalogue.parameters(file) {
            let served = one.source.serves_only.iter().map(|fit| fit.0.as_str());
            let served: Vec<&str> = served.collect();
            if !served.is_empty() {
                let _ = writeln!(text, "{file} {}: {}", one.path, served.join(", "));
            }
        }
    }
    expect![[r#"
        instrumentation/receive-path-2006 paths.copy_to_user.instrumentation: wc.share
        instrumentation/receive-path-2006 paths.netif_receive.instrumentation: wc.share
        machines/via-eden-553 nics.0.driver.receive.rtl8139_rx.ns: go.trace line 281 after the line before
        workloads/connect-close-ports roles.1.forever: ba.fig2
        workloads/connect-close-ports roles.2: ba.fig2
        workloads/iperf-profiled roles.2: ba.t6
        workloads/iperf-profiled roles.2.forever.1: ba.t6
    "#]]
    .assert_eq(&text);
}

#[test]
fn an_interval_is_that_of_students_distribution() {
    assert_eq!(interval(&[3.0]), (3.0, 0.0));
    assert_eq!(interval(&[3.0, 3.0]), (3.0, 0.0));
    let (mean, half) = interval(&[9.0, 10.0, 11.0]);
    assert_eq!(mean, 10.0);
    assert!((half - 4.303 / 3f64.sqrt()).abs() < 1e-9);
}
