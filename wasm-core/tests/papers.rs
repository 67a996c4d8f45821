//! The scoreboard: no published number is left out, every experiment can be read, and
//! what the board says of a number follows from the run and the sources.

#![allow(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test; its numbers are exact"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use expect_test::expect;
use ringside::import::Import;
use ringside::measure::{Hop, Layer, Measures};
use ringside::opened::Opened;
use serde_json::Value;
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use validation::{Kind, Papers, Published, Reproduced, Verdict};

const PUBLISHED: &str = include_str!("../data/papers/published.json");

fn board(entry: &str) -> Vec<Reproduced> {
    Papers::shipped()
        .unwrap()
        .reproduce(entry, &Catalogue::shipped().unwrap())
        .unwrap()
}

fn item<'a>(board: &'a [Reproduced], name: &str) -> &'a Reproduced {
    board.iter().find(|one| one.item == name).unwrap()
}

#[test]
fn every_published_number_is_on_the_board() {
    assert_eq!(Papers::shipped().unwrap().left_out(), Vec::<String>::new());
    let all: BTreeMap<String, Value> = serde_json::from_str(PUBLISHED).unwrap();
    let studies = Papers::shipped()
        .unwrap()
        .studies(&Catalogue::shipped().unwrap());
    let entries = studies.iter().flat_map(|study| &study.entries);
    let ids: BTreeSet<&str> = entries.map(|entry| entry.id.as_str()).collect();
    for id in all.keys() {
        assert!(ids.contains(id.as_str()), "{id} is left out");
    }
}

#[test]
fn items_of_an_entry_have_names_of_their_own() {
    for study in Papers::shipped()
        .unwrap()
        .studies(&Catalogue::shipped().unwrap())
    {
        for entry in &study.entries {
            let names: BTreeSet<&str> = entry.items.iter().map(|one| one.item.as_str()).collect();
            assert_eq!(names.len(), entry.items.len(), "{}", entry.id);
        }
    }
}

#[test]
fn a_number_that_a_source_names_is_fitted_and_others_are_predicted() {
    let board = board("ba.fig5");
    let one = item(&board, "2.6: UNI, 1 connection");
    assert_eq!(one.published, Published::Number(5.5));
    assert_eq!(one.kind, Kind::Fitted);
    assert_eq!(one.interval, 0.0, "nothing in it is left to chance");
    let modelled = one.modelled.unwrap();
    assert!((one.ratio.unwrap() - modelled / 5.5).abs() < 1e-12);
    let is_within = (modelled / 5.5 - 1.0).abs() <= one.tolerance;
    assert_eq!(one.verdict == Verdict::Within, is_within);
    let two = item(&board, "2.6: SMP, 2 connections");
    assert!(
        two.scenario.contains(r#""connections":2"#),
        "{}",
        two.scenario
    );
    let range = item(&board, "2.6: SMP, 1 connection, HT on (range)");
    assert_eq!(range.published, Published::Range(3.4, 7.8));
    assert_eq!(range.ratio, None);
    assert_eq!(range.kind, Kind::Fitted);
}

#[test]
fn a_bound_for_which_something_was_put_in_counts_as_that() {
    let board = board("go.linear");
    let link_use = item(&board, "link use");
    assert_eq!(link_use.kind, Kind::Fitted);
    let threads = item(&board, "layer time against thread count");
    assert_eq!(threads.kind, Kind::Bound);
}

#[test]
fn a_number_that_was_put_in_counts_for_nothing() {
    let trace = board("go.trace");
    let kinds = |of: &str| {
        let kinds = trace.iter().filter(move |one| one.item.contains(of));
        kinds.map(|one| one.kind).collect::<BTreeSet<Kind>>()
    };
    assert_eq!(kinds("packet"), [Kind::Given].into());
    assert!(
        trace.iter().any(|one| one.kind != Kind::Given),
        "the times between its lines are the model's own"
    );
}

#[test]
fn what_has_no_mechanism_is_listed_with_the_reason() {
    let board = board("ah.t3");
    let one = item(&board, "base");
    assert_eq!((one.modelled, one.verdict), (None, Verdict::Missed));
    assert!(one.note.contains("instructions"), "{}", one.note);
}

#[test]
fn published_numbers_beside_a_sweep_are_those_of_its_conditions_and_no_others() {
    let catalogue = Catalogue::shipped().unwrap();
    let with_reno = &catalogue.scenario("wc-share").unwrap().scenario;
    // The study's sender has what its kernel has.
    let mut studied = with_reno.clone();
    studied.settings.tcp_congestion_control = None;
    let studied = &studied;
    let papers = Papers::shipped().unwrap();
    let said = |swept: &[&str], scenario: &Scenario| {
        let mut text = String::new();
        for one in papers.beside(scenario, swept) {
            let at = Value::from(one.at);
            let (low, high) = one.value;
            assert!(ringside::figures::Quantity::from_name(one.figure).is_some());
            assert_eq!(low, high, "{} publishes numbers", one.entry);
            writeln!(text, "{at} {} {low} {} {}", one.figure, one.by, one.item).unwrap();
        }
        text
    };
    expect![[r#"
        [0] throughput 464000000 Wenji Wu, Matt Crawford 2006 fast sender: BL0: throughput
        [1] throughput 241000000 Wenji Wu, Matt Crawford 2006 fast sender: BL1: throughput
        [2] throughput 159000000 Wenji Wu, Matt Crawford 2006 fast sender: BL2: throughput
        [4] throughput 97000000 Wenji Wu, Matt Crawford 2006 fast sender: BL4: throughput
        [8] throughput 74200000 Wenji Wu, Matt Crawford 2006 fast sender: BL8: throughput
    "#]]
    .assert_eq(&said(&["background_hogs"], studied));
    expect![[r#"
        [0,"fermilab-slow-sender"] throughput 436000000 Wenji Wu, Matt Crawford 2006 slow sender: BL0: throughput
        [1,"fermilab-slow-sender"] throughput 443000000 Wenji Wu, Matt Crawford 2006 slow sender: BL1: throughput
        [2,"fermilab-slow-sender"] throughput 438000000 Wenji Wu, Matt Crawford 2006 slow sender: BL2: throughput
        [4,"fermilab-slow-sender"] throughput 430000000 Wenji Wu, Matt Crawford 2006 slow sender: BL4: throughput
        [8,"fermilab-slow-sender"] throughput 440000000 Wenji Wu, Matt Crawford 2006 slow sender: BL8: throughput
        [0,"fermilab-fast-sender"] throughput 464000000 Wenji Wu, Matt Crawford 2006 fast sender: BL0: throughput
        [1,"fermilab-fast-sender"] throughput 241000000 Wenji Wu, Matt Crawford 2006 fast sender: BL1: throughput
        [2,"fermilab-fast-sender"] throughput 159000000 Wenji Wu, Matt Crawford 2006 fast sender: BL2: throughput
        [4,"fermilab-fast-sender"] throughput 97000000 Wenji Wu, Matt Crawford 2006 fast sender: BL4: throughput
        [8,"fermilab-fast-sender"] throughput 74200000 Wenji Wu, Matt Crawford 2006 fast sender: BL8: throughput
    "#]]
    .assert_eq(&said(&["background_hogs", "peer"], studied));
    let other = Scenario {
        kernel: "6.1".to_owned(),
        ..studied.clone()
    };
    assert_eq!(said(&["background_hogs"], &other), "");
    assert_eq!(said(&["background_hogs"], with_reno), "");
    assert_eq!(
        said(&["rx_ring"], studied),
        "",
        "the study does not say the ring"
    );
}

#[test]
fn an_unknown_entry_is_refused() {
    let refused = Papers::shipped()
        .unwrap()
        .reproduce("ba.t99", &Catalogue::shipped().unwrap());
    assert!(refused.unwrap_err().contains("ba.t99"));
}

#[test]
fn the_command_prints_one_object_for_each_number() {
    let output = Command::new(env!("CARGO_BIN_EXE_ringside"))
        .args(["reproduce", "--json", "ba.capacity", "wc.zones"])
        .output()
        .unwrap();
    assert!(output.status.success());
    let rows: Vec<BTreeMap<String, Value>> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(rows.len(), 3);
    let fields = "entry held_out interval item kind modelled note published ratio scenario tolerance unit verdict";
    for row in &rows {
        let keys: Vec<&str> = row.keys().map(String::as_str).collect();
        assert_eq!(keys, fields.split(' ').collect::<Vec<_>>());
    }
}

#[test]
fn the_command_refuses_an_entry_that_nobody_published() {
    let output = Command::new(env!("CARGO_BIN_EXE_ringside"))
        .args(["reproduce", "ba.t99"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// Of the recordings behind `own.json` the shelf has the two of 2000 bytes; the others
/// were measured by the same code.
#[test]
fn numbers_of_our_own_recordings_are_what_our_measures_say() {
    for (entry, name, slug) in [
        ("own.sizes", "TCP: 2000", "kperf-2005-tcp-ftrace"),
        ("own.sizes", "UDP: 2000", "kperf-2005-udp"),
    ] {
        let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces");
        let mut import = Import::new();
        import.push(&fs::read(traces.join(slug).join("trace.txt.gz")).unwrap());
        let opened = Opened::from(import.finish().unwrap());
        let measures = Measures::of(&opened.replay, opened.run.start(), opened.run.end());
        let whole = Layer::Hop(Hop { from: 6, to: 10 });
        let layer = measures.layers.iter().find(|layer| layer.layer == whole);
        let microseconds = layer.unwrap().times.trimmed_mean / 1e3;
        let studies = Papers::shipped()
            .unwrap()
            .studies(&Catalogue::shipped().unwrap());
        let mut entries = studies.iter().flat_map(|study| &study.entries);
        let entry = entries.find(|one| one.id == entry).unwrap();
        let item = entry.items.iter().find(|one| one.item == name).unwrap();
        let Published::Number(published) = item.published else {
            panic!("{name} is no number");
        };
        assert!(
            (published - microseconds).abs() < 0.005,
            "{name}: {microseconds}"
        );
    }
}
