//! Every recording on the shelf, imported and stitched, against its golden file
//! `traces/<slug>/summary.golden`, which `UPDATE_EXPECT=1 cargo test` rewrites.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use ringside::import::{Import, Imported};
use ringside::journey::{self, Journeys, invariants};
use ringside::kernel::{PacketId, VerdictKind};

/// How many whole journeys a golden file shows.
const SHOWN: usize = 12;

fn shelf() -> Vec<PathBuf> {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces");
    let mut folders: Vec<PathBuf> = fs::read_dir(traces)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|folder| folder.join("recording.json").exists())
        .collect();
    folders.sort();
    folders
}

fn import(folder: &Path) -> Imported {
    let mut import = Import::new();
    import.push(&fs::read(folder.join("trace.txt.gz")).unwrap());
    import.finish().unwrap()
}

#[test]
fn every_recording_matches_its_golden_summary() {
    let folders = shelf();
    assert!(folders.len() > 20, "the shelf is where it was");
    for folder in folders {
        let imported = import(&folder);
        expect_file![folder.join("summary.golden")].assert_eq(&summary(&imported));
    }
}

/// A tab has 4 GB: 20 million events have to fit, and what their journeys need beside them.
#[test]
fn an_event_takes_at_most_32_bytes() {
    for folder in shelf() {
        let run = import(&folder).run;
        let each = run.event_bytes() as f64 / run.len() as f64;
        assert!(each <= 32.0, "{each} bytes: {}", folder.display());
    }
}

#[test]
fn no_recording_has_a_line_that_is_not_understood() {
    for folder in shelf() {
        let ledger = import(&folder).ledger;
        let name = folder.display();
        assert_eq!(ledger.malformed, 0, "{name}");
        assert_eq!(ledger.unknown.keys().next(), None, "{name}");
        assert_eq!(
            ledger.total(),
            ledger.understood + ledger.skipped_lines(),
            "{name}"
        );
    }
}

#[test]
fn what_holds_for_every_journey() {
    for folder in shelf() {
        let imported = import(&folder);
        let journeys = Journeys::of(&imported.run);
        assert_eq!(
            invariants::broken(&imported.run, &journeys),
            [],
            "{folder:?}"
        );
        // No kernel records what is odd; in one recording both ends of a veth pair are called veth0.
        let codes: Vec<_> = journeys.warnings.iter().map(|it| it.code).collect();
        let has_two_of_one_name = folder.ends_with("veth-6.18");
        let expected: &[&str] = if has_two_of_one_name {
            &["odd.one_name"]
        } else {
            &[]
        };
        assert_eq!(codes, expected, "{folder:?}");
    }
}

fn summary(imported: &Imported) -> String {
    let Imported {
        run,
        ledger,
        format,
        ..
    } = imported;
    let journeys = Journeys::of(run);
    let mut text = format!(
        "{}, {} events on {} CPUs, fingerprint {:016x}\n{} lines: {} understood, {} not needed\n",
        format.name(),
        run.len(),
        run.cpus().len(),
        run.fingerprint(),
        ledger.total(),
        ledger.understood,
        ledger.skipped_lines(),
    );
    write!(text, "{} journeys", journeys.packets.len()).unwrap();
    for &kind in VerdictKind::ALL {
        write!(text, ", {} {kind}", journeys.count(kind)).unwrap();
    }
    let delivered: u64 = journeys
        .packets
        .iter()
        .filter(|packet| packet.verdict.kind() == VerdictKind::Delivered)
        .map(|packet| u64::from(packet.payload))
        .sum();
    writeln!(text, "\n{delivered} bytes of payload delivered\n").unwrap();
    // A stretch from the middle, where the recording is in its stride.
    let middle = journeys.packets.len() / 2;
    for id in journeys
        .ids()
        .skip(middle)
        .take(SHOWN)
        .map(|id| PacketId(id.0))
    {
        text.push_str(&journey::picture(run, &journeys, id));
    }
    text
}

#[test]
fn fragments_are_named_by_the_packet_that_becomes_whole() {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces");
    let imported = import(&traces.join("udp-fragments"));
    let journeys = Journeys::of(&imported.run);
    let names: Vec<String> = (0..7)
        .map(|id| journeys.name(PacketId(id)).to_string())
        .collect();
    assert_eq!(
        names.join(", "),
        "5 · 1/6, 5 · 2/6, 5 · 3/6, 5 · 4/6, 5 · 5/6, 5, 11 · 1/6"
    );
}
