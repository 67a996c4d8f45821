//! What is found in every shipped recording and scenario, in words, against its golden file:
//! `traces/<slug>/findings.golden` and `tests/findings/<scenario>.txt`, which
//! `UPDATE_EXPECT=1 cargo test --test all findings` rewrites. What a card promises is found.

#![allow(
    clippy::unwrap_used,
    reason = "a file that cannot be read fails the test"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use ringside::english::say;
use ringside::findings::{Finding, Kind, MOST, findings};
use ringside::import::Import;
use ringside::kernel::VerdictKind;
use ringside::opened::{Opened, Part};

use crate::shipped;

/// A recording as the page opens it: with its capture of the link and that one's clock.
fn recording(folder: &Path) -> Opened {
    let about = about(folder);
    let files = about["files"].as_array().unwrap();
    let offset = about["clock"]["wire_minus_trace_s"].as_f64();
    let part = |name: &serde_json::Value| {
        let name = name.as_str().unwrap();
        let mut import = Import::new();
        import.push(&fs::read(folder.join(name)).unwrap());
        Part {
            name: name.to_owned(),
            input: import.finish_any().unwrap(),
            clock_offset: offset.map(|seconds| (seconds * 1e9) as i64),
        }
    };
    Opened::together(files.iter().map(part).collect()).unwrap()
}

fn about(folder: &Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(folder.join("recording.json")).unwrap()).unwrap()
}

fn shelf() -> Vec<PathBuf> {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces");
    let folders = fs::read_dir(traces).unwrap();
    let mut folders: Vec<PathBuf> = folders
        .map(|entry| entry.unwrap().path())
        .filter(|folder| folder.join("recording.json").exists())
        .collect();
    folders.sort();
    folders
}

/// What is found, as a reader of the page would have it.
fn picture(opened: &Opened, found: &[Finding]) -> String {
    let mut text = String::new();
    for (number, one) in (1..).zip(found) {
        let seconds = |time: ringside::kernel::Nanos| time.since(opened.run.start()) as f64 / 1e9;
        let inferred = if one.detail.is_inferred || one.title.is_inferred {
            " (inferred)"
        } else {
            ""
        };
        writeln!(text, "{number} {} · {}", one.kind, one.severity.name()).unwrap();
        writeln!(text, "  {}", say(&one.title, &opened.replay)).unwrap();
        writeln!(text, "  {}{inferred}", say(&one.detail, &opened.replay)).unwrap();
        write!(text, "  at +{:.6} s", seconds(one.moment)).unwrap();
        write!(
            text,
            " of +{:.6} to +{:.6}",
            seconds(one.from),
            seconds(one.to)
        )
        .unwrap();
        if one.packet.is_some() {
            write!(text, ", packet {}", one.packet.0).unwrap();
        }
        writeln!(text, ", {}", one.view.name()).unwrap();
    }
    text
}

/// What holds for the findings of any run.
fn check(name: &str, opened: &Opened, found: &[Finding]) {
    assert!(found.len() <= MOST, "{name}: no summary");
    let (start, end) = (opened.run.start(), opened.run.end());
    for one in found {
        let place = format!("{name}: {}", one.kind);
        assert!(
            start <= one.from && one.from <= one.to && one.to <= end,
            "{place}: when"
        );
        assert!(
            start <= one.moment && one.moment <= end,
            "{place}: its moment"
        );
        let packets = opened.journeys.packets.len();
        assert!(
            one.packets.iter().all(|packet| packet.at() < packets),
            "{place}"
        );
        assert!(
            !one.packet.is_some() || one.packet.at() < packets,
            "{place}"
        );
        for saying in [&one.title, &one.detail] {
            let text = say(saying, &opened.replay);
            assert!(
                !text.contains(['{', '[']) && !text.contains("  "),
                "{place}: {text}"
            );
        }
    }
    let value = |kind: Kind, in_title: bool, name: &str| {
        let one = found.iter().find(|one| one.kind == kind)?;
        let saying = if in_title { &one.title } else { &one.detail };
        let (_, value) = saying.values.iter().find(|(its, _)| *its == name)?;
        Some(value.clone())
    };
    let longest = value(Kind::LongestWait, true, "station");
    if longest.is_some() && longest == value(Kind::MostOfTheWay, true, "station") {
        let usual = value(Kind::LongestWait, false, "usual");
        let half = value(Kind::MostOfTheWay, false, "wait");
        assert_eq!(usual, half, "{name}: the usual wait at one station");
    }
}

#[test]
fn every_recording_has_the_findings_of_its_golden() {
    let folders = shelf();
    assert!(folders.len() > 20, "the shelf is where it was");
    let mut broken = Vec::new();
    for folder in folders {
        let opened = recording(&folder);
        let found = findings(&opened);
        check(&folder.display().to_string(), &opened, &found);
        expect_file![folder.join("findings.golden")].assert_eq(&picture(&opened, &found));
        let promises: Vec<String> =
            serde_json::from_value(about(&folder)["promises"].clone()).unwrap_or_default();
        broken.extend(broken_promises(
            &folder.display().to_string(),
            &promises,
            &found,
        ));
        assert_eq!(dropped(&found), all_drops(&opened), "{}", folder.display());
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_scenario_has_the_findings_of_its_golden() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/findings");
    let mut broken = Vec::new();
    for simulated in shipped::all() {
        let one = simulated.shipped;
        let name = &one.name;
        let opened = simulated.opened();
        let found = findings(&opened);
        check(name, &opened, &found);
        expect_file![tests.join(format!("{name}.txt"))].assert_eq(&picture(&opened, &found));
        broken.extend(broken_promises(name, &one.promises, &found));
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// The promises of a card that are no kind of finding, or were not found.
fn broken_promises(card: &str, promises: &[String], found: &[Finding]) -> Vec<String> {
    if promises.is_empty() {
        return vec![format!("{card} promises nothing")];
    }
    let broken = |promise: &String| match Kind::from_name(promise) {
        None => Some(format!("{card}: \"{promise}\" is no kind of finding")),
        Some(kind) if found.iter().all(|one| one.kind != kind) => {
            Some(format!("{card} promises \"{promise}\", which is not found"))
        }
        Some(_) => None,
    };
    promises.iter().filter_map(broken).collect()
}

/// Packets dropped as the findings count them: fragments given up are counted as such.
fn dropped(found: &[Finding]) -> u64 {
    let count = |one: &Finding| {
        let (code, name) = match one.kind {
            Kind::Drops => (&one.title, "count"),
            Kind::IncompleteDatagrams => (&one.detail, "pieces"),
            _ => return 0,
        };
        let values: BTreeMap<_, _> = code
            .values
            .iter()
            .map(|(name, value)| (*name, value))
            .collect();
        values[name].number().unwrap() as u64
    };
    found.iter().map(count).sum()
}

fn all_drops(opened: &Opened) -> u64 {
    opened.journeys.count(VerdictKind::Dropped) as u64
}
