//! Recordings that tests read: the stretches in `tests/tracepoints/`, and any packed text.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

pub mod fewer;

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use ringside::import::Import;
use ringside::journey::Journeys;
use ringside::kernel::{EventIdx, PacketId};
use ringside::run::Run;

/// A place in the package's folder.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The packed files of a folder, in order of their names.
pub fn packed(name: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder(name)).unwrap();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "gz"))
        .collect();
    files.sort();
    files
}

/// The text of a packed file.
pub fn unpacked(path: &Path) -> String {
    let mut text = String::new();
    let packed = fs::File::open(path).unwrap();
    GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    text
}

/// A text as a run, with its journeys.
pub fn import(text: &str) -> (Run, Journeys) {
    let mut import = Import::new();
    import.push(text.as_bytes());
    let run = import.finish().unwrap().run;
    let journeys = Journeys::of(&run);
    (run, journeys)
}

/// The text of a stretch.
pub fn text(name: &str) -> String {
    unpacked(&folder(&format!("tests/tracepoints/{name}.txt.gz")))
}

/// A stretch as a run, with its journeys.
pub fn recording(name: &str) -> (Run, Journeys) {
    import(&text(name))
}

/// Whether a line is a kprobe's: it names its place, `(ip_rcv+0x0/0x1d0)`.
pub fn is_kprobe(line: &str) -> bool {
    let text = line.split_once(": ").map_or("", |(_, text)| text);
    text.split_once(": (").is_some_and(|(name, _)| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.')
    })
}

/// The text with an empty remark for each line of a kprobe's, so that the others keep their numbers.
pub fn without_kprobes(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| if is_kprobe(line) { "#" } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

/// The text with an empty remark for each event that is of none of these tracepoints.
pub fn with_events(text: &str, names: &[&str]) -> String {
    let lines = text.lines().map(|line| {
        let event = line
            .split_once(": ")
            .and_then(|(_, text)| text.split_once(": "));
        let is_other = event.is_some_and(|(name, _)| !names.contains(&name));
        if is_other && !line.starts_with('#') {
            "#"
        } else {
            line
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The text as a kernel before 6.10 would have printed it: its `tcp_probe` names neither a segment nor a socket.
pub fn with_unnamed_probes(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let named = line
            .contains(": tcp_probe: ")
            .then(|| line.find(" skbaddr="));
        named.flatten().map_or(line, |at| &line[..at])
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The packet of each event, by the event's line.
pub fn packets_by_line(run: &Run, journeys: &Journeys) -> BTreeMap<u32, PacketId> {
    run.indices()
        .map(|event| (run.line(event), journeys.packet_of[event.at()]))
        .filter(|(_, packet)| packet.is_some())
        .collect()
}

/// The packet that has the last of this one's own events, of those that have any, in another reading of the same lines. The copy
/// that reads what has joined a segment is an event of that segment.
pub fn packet_of_lines(
    run: &Run,
    journeys: &Journeys,
    packet: PacketId,
    by_line: &BTreeMap<u32, PacketId>,
) -> Option<PacketId> {
    let is_own = |event: &&EventIdx| journeys.packet_of[event.at()] == packet;
    let mut latest = journeys.events(packet).iter().rev().filter(is_own);
    latest.find_map(|&event| by_line.get(&run.line(event)).copied())
}
