//! The parts of the board: expressions, places, sources, intervals.

#![expect(clippy::float_cmp, reason = "small whole numbers are exact")]

use std::fmt::Write as _;
use std::slice::from_ref;

use expect_test::expect;
use serde_json::json;

use super::board::{self, interval, is_unsettled};
use super::cells;
use super::expression::Expression;
use super::fitted::names_item;
use super::papers::Papers;
use super::quantity::Quantity;
use super::runs::Runs;
use super::testing::{study, study_with};
use super::{Kind, Published, Verdict};
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
    // Both have the words 2, NIC and shared.
    let (two_shared, pci) = find("ah.pci", "2 NICs shared: NIC 1");
    let (three_shared, _) = find("ah.pci", "3 NICs shared: NIC 2");
    let (socket, t1) = find("ba.t1", "2.6.3: socket");
    let (full, capacity) = find("ba.capacity", "2.6");
    for (fit, item, entry, is_named) in [
        ("ba.fig5 2.6 UNI", one, fig5, true),
        ("ba.fig5 2.6 UNI", two, fig5, false),
        ("ba.fig5 UNI 2.6", one, fig5, false),
        ("ba.fig5 2 UNI", one, fig5, false),
        ("ah.pci 2 NICs shared", two_shared, pci, true),
        ("ah.pci 2 NICs shared", three_shared, pci, false),
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
        machines/piii-700-8way buses.0.frame_overhead_ns: ah.pci, ah.fig7
        machines/piii-700-8way buses.4.frame_overhead_ns: ah.pci, ah.fig7
        machines/piii-700-8way-separate buses.0.frame_overhead_ns: ah.pci, ah.fig7
        machines/piii-700-8way-separate buses.4.frame_overhead_ns: ah.pci, ah.fig7
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

#[test]
fn numbers_share_a_reason_that_is_there_and_read() {
    let measure = r#""measure": "hop_us(6, 7)""#;
    let reason =
        r#"{ "late": { "note": "it comes late", "counterfactual": { "what": "otherwise" } } }"#;
    let late = format!(r#"{measure}, "reason": "late""#);
    let shared = study_with(reason, "", [&late, measure, &late]).unwrap();
    let items = shared.entries[0].items.iter();
    let notes = items.map(|item| (item.note.as_str(), item.counterfactual.is_some()));
    let notes: Vec<_> = notes.collect();
    let expected = [
        ("it comes late", true),
        ("", false),
        ("it comes late", true),
    ];
    assert_eq!(notes, expected);
    let refused = |reasons: &str, told: &str| {
        study_with(reasons, "", [told, measure, measure])
            .map(|_| ())
            .unwrap_err()
    };
    let absent = refused("{}", &late);
    assert_eq!(absent, r#"x: x.a: reason "late" is not there"#);
    assert_eq!(
        refused(reason, measure),
        r#"x: nothing has the reason "late""#
    );
    let both = refused(reason, &format!(r#"{late}, "note": "my own""#));
    assert_eq!(
        both,
        r#"x: x.a: reason "late" stands beside a note or a counterfactual"#
    );
}

#[test]
fn what_repeats_another_number_is_given_and_hides_no_miss() {
    let measure = r#""measure": "hop_us(6, 7)""#;
    let again = format!(r#"{measure}, "repeats": "x.a one""#);
    let study = study([measure, &again, &again]).unwrap();
    let catalogue = Catalogue::shipped().unwrap();
    let rows = board::entry(
        from_ref(&study),
        0,
        &study.entries[0],
        &mut Runs::new(&catalogue),
    );
    let told: Vec<_> = rows.iter().map(|row| (row.verdict, row.kind)).collect();
    let expected = [
        (Verdict::Within, Kind::Predicted),
        (Verdict::Within, Kind::Given),
        (Verdict::Missed, Kind::Predicted),
    ];
    assert_eq!(told, expected);
    assert_eq!(rows[1].note, "It is x.a, one again.");
}

#[test]
fn a_sum_is_given_and_hides_no_miss_of_its_parts() {
    let measure = r#""measure": "hop_us(6, 7)""#;
    let wrong = r#""measure": "hop_us(6, 7) * 2""#;
    let sum = format!(r#"{measure}, "repeats": ["x.a one", "x.a two"]"#);
    let catalogue = Catalogue::shipped().unwrap();
    let told = |items: [&str; 3]| {
        let study = study(items).unwrap();
        let rows = board::entry(
            from_ref(&study),
            0,
            &study.entries[0],
            &mut Runs::new(&catalogue),
        );
        (rows[2].verdict, rows[2].kind, rows[2].note.clone())
    };
    let (verdict, kind, _) = told([measure, measure, &sum]);
    assert_eq!((verdict, kind), (Verdict::Missed, Kind::Predicted));
    let (verdict, kind, note) = told([measure, wrong, &sum]);
    assert_eq!((verdict, kind), (Verdict::Missed, Kind::Given));
    assert_eq!(note, "It is the sum of x.a, one and x.a, two.");
    let met = sum.replace("(6, 7)", "(6, 7) / 2.2 * 9");
    let (verdict, kind, _) = told([measure, measure, &met]);
    assert_eq!((verdict, kind), (Verdict::Within, Kind::Given));
}

#[test]
fn a_number_repeats_one_that_is_there_and_has_a_run_of_its_own() {
    let measure = r#""measure": "hop_us(6, 7)""#;
    let again = |what: &str| format!(r#"{measure}, "repeats": "{what}""#);
    let told = |first: &str, of: &str| study([first, measure, &again(of)]).map(|_| ()).unwrap_err();
    expect![[r#"
        x: three is x.a, four again, of which one has no run of its own
        x: three is x.a, three again, of which one has no run of its own
        x: three is x.a, one again, of which one has no run of its own
        x: three is x.a, one again, of which one has no run of its own
        x: x.a: three: repeats is an entry and an item, or two and more
        x: x.a: three: repeats is an entry and an item, or two and more
    "#]]
    .assert_eq(
        &[
            told(measure, "x.a four"),
            told(measure, "x.a three"),
            told(&again("x.a two"), "x.a one"),
            told(r#""note": "not modelled""#, "x.a one"),
            told(measure, "x.a"),
            study([
                measure,
                measure,
                r#""measure": "1", "repeats": ["x.a one"]"#,
            ])
            .map(|_| ())
            .unwrap_err(),
            String::new(),
        ]
        .join("\n"),
    );
}

#[test]
fn chance_decides_where_the_interval_crosses_the_limit() {
    let papers = Papers::shipped().unwrap();
    let find = |id: &str| {
        let mut entries = papers.studies.iter().flat_map(|study| &study.entries);
        &entries.find(|entry| entry.id == id).unwrap().items
    };
    // 604 Mbit/s within 15 %: from 513.4 to 694.6.
    let one = &find("ah.fig7")[0];
    for (mean, interval, is_so) in [
        (604.0, 90.0, false),
        (604.0, 91.0, true),
        (690.0, 5.0, true),
        (700.0, 5.0, false),
        (700.0, 6.0, true),
        (700.0, 1000.0, true),
    ] {
        assert_eq!(
            is_unsettled(one, mean, interval),
            is_so,
            "{mean} {interval}"
        );
    }
    // Below 4 %.
    let bound = &find("br.web")[2];
    assert!(is_unsettled(bound, 3.9, 0.2) && !is_unsettled(bound, 3.9, 0.05));
}

/// 100 within a tenth, measured between 95 and 120: then from 85.5 to 104.5, or from 108 to 132.
#[test]
fn chance_decides_where_the_hosts_own_interval_crosses_the_limit() {
    let mut one = study(["", "", ""].map(|_| r#""measure": "hop_us(6, 7)""#)).unwrap();
    let item = &mut one.entries[0].items[0];
    item.published = Published::Number(100.0);
    item.measured_between = Some((95.0, 120.0));
    for (mean, is_so) in [
        (80.0, false),
        (88.0, true),
        (100.0, true),
        (130.0, true),
        (140.0, false),
    ] {
        assert_eq!(is_unsettled(item, mean, 0.0), is_so, "{mean}");
    }
    item.measured_between = Some((99.0, 101.0));
    assert!(!is_unsettled(item, 100.0, 0.0));
    // Both ends of what was measured lie further from the mean than the tolerance, and what lies between them does not.
    item.measured_between = Some((50.0, 200.0));
    assert!(is_unsettled(item, 112.0, 0.0));
}

#[test]
fn what_has_no_run_is_not_held_out() {
    let papers = Papers::shipped().unwrap();
    let catalogue = Catalogue::shipped().unwrap();
    let rows = papers.reproduce("ah.t3", &catalogue).unwrap();
    let lacks: Vec<_> = rows.iter().filter(|row| row.modelled.is_none()).collect();
    assert!(lacks.len() == 3 && lacks.iter().all(|row| !row.is_held_out));
}
