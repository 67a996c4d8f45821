//! Every shipped recording and scenario, told: something moves within a second, enough can be
//! followed, and nothing stands still for long.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::import::Import;
use crate::kernel::PacketId;
use crate::opened::{Opened, Part};
use crate::sim::config::catalogue::Catalogue;
use crate::sim::engine::simulate;
use crate::told::moves::{Move, Moves};
use crate::told::{Kind, Told};

/// A recording with its capture of the link, as the page opens them.
pub fn recording(name: &str) -> Opened {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../traces")
        .join(name);
    let part = |name: &str| {
        let mut import = Import::new();
        import.push(&fs::read(folder.join(name)).ok()?);
        Some(Part {
            name: name.to_owned(),
            input: import.finish_any().unwrap(),
            clock_offset: None,
        })
    };
    let parts = ["trace.txt.gz", "wire.pcap.gz"];
    Opened::together(parts.into_iter().filter_map(part).collect()).unwrap()
}

/// A shipped scenario, simulated.
pub fn scenario(name: &str) -> Opened {
    let catalogue = Catalogue::shipped().unwrap();
    let scenario = &catalogue.scenario(name).unwrap().scenario;
    let simulated = simulate(scenario, &catalogue, true).unwrap();
    Opened::from(simulated.run.unwrap())
}

fn recordings() -> Vec<(String, Opened)> {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces");
    let mut folders: Vec<_> = fs::read_dir(traces)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|folder| folder.join("recording.json").exists())
        .collect();
    folders.sort();
    folders
        .iter()
        .map(|folder| {
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            let opened = recording(&name);
            (name, opened)
        })
        .collect()
}

fn scenarios() -> impl Iterator<Item = (String, Opened)> {
    let catalogue = Catalogue::shipped().unwrap();
    let names: Vec<String> = catalogue.scenarios().map(|one| one.name.clone()).collect();
    names.into_iter().map(|name| {
        let opened = scenario(&name);
        (name, opened)
    })
}

/// How a run plays from where it opens.
struct Plays {
    first: f64,
    hops_in_ten: usize,
    hops_left: usize,
    still: f64,
    longest_fold: f64,
    /// Film for each hop of the packet that is followed, in the first minute, where nothing
    /// else happens on the way.
    own_hops: Vec<f64>,
    length: f64,
}

fn plays(opened: &Opened, told: &Told) -> Plays {
    let pieces = &told.pieces;
    let moves = Moves::of(&opened.journeys);
    let ahead: Vec<(f64, &Move)> = moves
        .all
        .iter()
        .map(|one| (pieces.film_at(one.time) - told.opens_at, one))
        .filter(|(film, _)| *film > 0.0)
        .collect();
    let hops = || ahead.iter().filter(|(_, one)| one.stay != Move::END);
    let minute: Vec<f64> = std::iter::once(0.0)
        .chain(ahead.iter().map(|(film, _)| *film))
        .filter(|film| *film < 60.0)
        .collect();
    let is_cued = |from: f64, to: f64| {
        let mut cues = told
            .cues
            .iter()
            .map(|cue| pieces.film_at(cue.time) - told.opens_at);
        cues.any(|cue| from < cue && cue < to)
    };
    let dwells = |from: f64, to: f64| -> f64 {
        let first = pieces
            .film
            .partition_point(|film| film - told.opens_at < from - 1e-9);
        (first..pieces.kind.len())
            .take_while(|&at| pieces.film[at] - told.opens_at < to)
            .filter(|&at| pieces.kind[at] == Kind::Dwell)
            .map(|at| pieces.film[at + 1] - pieces.film[at])
            .sum()
    };
    let own_hops = ahead
        .windows(2)
        .filter(|pair| pair[1].0 < 60.0 && pair[0].0 < pair[1].0)
        .filter(|pair| told.actor_at(pair[0].1.time) == Some(pair[1].1.packet))
        .filter(|pair| !is_cued(pair[0].0, pair[1].0))
        .map(|pair| pair[1].0 - pair[0].0 - dwells(pair[0].0, pair[1].0))
        .collect();
    let folds = (0..pieces.kind.len()).filter(|&at| pieces.kind[at] == Kind::Fold);
    Plays {
        first: ahead.first().map_or(f64::INFINITY, |(film, _)| *film),
        hops_in_ten: hops().filter(|(film, _)| *film < 10.0).count(),
        hops_left: hops().count(),
        still: minute
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .fold(0.0, f64::max),
        longest_fold: folds
            .map(|at| pieces.film[at + 1] - pieces.film[at])
            .fold(0.0, f64::max),
        own_hops,
        length: pieces.length(),
    }
}

fn check(name: &str, opened: &Opened, wrong: &mut String) {
    let told = Told::of(&opened.replay, None);
    let plays = plays(opened, &told);
    let mut say = |what: String| writeln!(wrong, "{name}: {what}").unwrap();
    if plays.first >= 1.0 {
        say(format!("moves after {:.2} s", plays.first));
    }
    // A run with fewer hops in all is told in full.
    if plays.hops_in_ten < 8.min(plays.hops_left) {
        say(format!("{} hops in 10 s", plays.hops_in_ten));
    }
    if plays.still > 1.5 {
        say(format!("nothing moves for {:.2} s", plays.still));
    }
    if plays.longest_fold > 0.6 {
        say(format!("a fold of {:.2} s", plays.longest_fold));
    }
    if let Some(odd) = plays
        .own_hops
        .iter()
        .find(|hop| !(0.3999..=0.8001).contains(*hop))
    {
        say(format!(
            "a hop of the packet that is followed takes {odd:.2} s"
        ));
    }
    assert!(plays.length.is_finite());
}

#[test]
fn every_run_on_the_shelf_moves_at_once_and_can_be_followed() {
    let mut wrong = String::new();
    for (name, opened) in recordings().into_iter().chain(scenarios()) {
        check(&name, &opened, &mut wrong);
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn a_packet_that_was_asked_for_is_followed_to_its_end() {
    for (name, opened) in recordings() {
        let last = opened.journeys.packets.len() as u32 - 1;
        for packet in [0, last / 2, last].map(PacketId) {
            let told = Told::of(&opened.replay, Some(packet));
            let row = &opened.journeys.packets[packet.at()];
            let first = told.opens_with.unwrap();
            assert!(first <= packet, "{name}: {packet:?} begins with {first:?}");
            assert_eq!(
                told.actor_at(opened.journeys.packets[first.at()].start),
                Some(first),
                "{name}"
            );
            let is_itself =
                first == packet && told.acts.iter().any(|act| act.packet == Some(packet));
            let goes_into_it = told
                .acts
                .iter()
                .any(|act| act.packet == Some(packet) && row.start <= act.from);
            assert!(
                is_itself || goes_into_it,
                "{name}: {packet:?} is never followed"
            );
        }
    }
}
