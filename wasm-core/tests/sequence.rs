//! Time-sequence graphs of shipped recordings and of a scenario, as text against golden files, which
//! `UPDATE_EXPECT=1 cargo test --test all sequence` rewrites.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;

use expect_test::expect_file;
use ringside::import::Import;
use ringside::opened::{Opened, Part};
use ringside::sequence::{End, Kind, Sequence, of_connection, picture, reverse};
use sim::config::catalogue::Catalogue;
use sim::config::settings::Watch;
use sim::engine::simulate;

fn recorded(name: &str, files: &[&str]) -> Opened {
    let parts = files.iter().map(|file| {
        let path = format!("{}/../traces/{name}/{file}", env!("CARGO_MANIFEST_DIR"));
        let mut import = Import::new();
        import.push(&std::fs::read(Path::new(&path)).unwrap());
        Part {
            name: (*file).to_owned(),
            input: import.finish_any().unwrap(),
            clock_offset: None,
        }
    });
    Opened::together(parts.collect()).unwrap()
}

/// Two hosts and a link that loses two frames of a thousand, watched at one of its ends.
fn lossy_link(watch: Watch) -> Opened {
    let catalogue = Catalogue::shipped().unwrap();
    let mut scenario = catalogue
        .scenario("today-lost-frame")
        .unwrap()
        .scenario
        .clone();
    scenario.faults = Vec::new();
    scenario.settings.watch = Some(watch);
    scenario.settings.link_loss_permille = Some(2);
    Opened::from(simulate(&scenario, &catalogue, true).unwrap().run.unwrap())
}

fn graph(opened: &Opened, end: Option<End>) -> Sequence {
    of_connection(&opened.run, &opened.journeys, None, false, end).1
}

fn check(name: &str, opened: &Opened, end: Option<End>) {
    let graph = graph(opened, end);
    let (start, last) = (opened.run.start(), opened.run.end());
    let golden = format!("{}/tests/sequence/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    expect_file![golden].assert_eq(&picture(&graph.within(start, last, 60), start));
}

#[test]
fn a_loss_is_seen_on_the_link_and_at_the_receiver() {
    let with_wire = recorded("tcp-loss", &["trace.txt.gz", "wire.pcap.gz"]);
    check("tcp-loss-link", &with_wire, Some(End::Link));
    check(
        "tcp-loss-receiver",
        &recorded("tcp-loss", &["trace.txt.gz"]),
        None,
    );
}

#[test]
fn a_sender_tells_its_congestion_window() {
    let opened = recorded("send-tcp-tso", &["trace.txt.gz"]);
    check("send-tcp-tso", &opened, None);
}

#[test]
fn a_simulated_loss_is_told_alike_by_both_ends() {
    let (receiver, sender) = (lossy_link(Watch::Receiver), lossy_link(Watch::Sender));
    check("lossy-link-receiver", &receiver, None);
    check("lossy-link-sender", &sender, None);
    let (receiver, sender) = (graph(&receiver, None), graph(&sender, None));
    assert_eq!((receiver.end, sender.end), (End::Receiver, End::Sender));
    // What was lost never came: to the receiver it fills a hole, to the sender it goes again.
    let late: Vec<_> = receiver
        .segments
        .iter()
        .filter(|one| one.kind == Kind::Late)
        .collect();
    assert!(!late.is_empty(), "nothing was lost");
    let again: Vec<_> = sender
        .segments
        .iter()
        .filter(|one| one.kind == Kind::Again)
        .collect();
    for one in late {
        let is_sent_again = again
            .iter()
            .any(|other| other.from <= one.from && one.to <= other.to);
        assert!(is_sent_again, "{one:?} was not sent again");
    }
    assert!(
        !sender.sacks.is_empty(),
        "the sender hears of what came behind a hole"
    );
    assert!(!sender.sender.ssthresh.is_empty(), "its window was halved");
}

/// The acknowledgements go the other way: they carry blocks, and no data.
#[test]
fn the_other_way_has_no_data_and_shows_the_one_that_has() {
    for files in [&["trace.txt.gz"][..], &["trace.txt.gz", "wire.pcap.gz"]] {
        let opened = recorded("tcp-loss", files);
        let (run, journeys) = (&opened.run, &opened.journeys);
        let (flow, graph) = of_connection(run, journeys, None, false, None);
        let (back, turned) = of_connection(run, journeys, Some(flow), true, None);
        assert_eq!(
            (reverse(journeys, flow), reverse(journeys, back)),
            (Some(back), Some(flow))
        );
        assert_eq!(turned.segments, []);
        assert_eq!(
            of_connection(run, journeys, Some(back), false, None),
            (flow, graph)
        );
        assert_eq!(
            of_connection(run, journeys, Some(back), true, None),
            (back, turned)
        );
    }
}
