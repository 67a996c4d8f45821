//! Every bundled recording with its capture: how many frames are which packets.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use flate2::read::GzDecoder;
use ringside::english::say_of_file;
use ringside::import::Import;
use ringside::run::Run;
use ringside::wire::{Capture, Reader, attach};

fn recordings() -> Vec<PathBuf> {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces");
    let entries = std::fs::read_dir(traces).expect("the traces are beside the core");
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder can be listed").path())
        .filter(|folder| folder.join("trace.txt.gz").exists())
        .collect();
    folders.sort();
    folders
}

fn import(file: &Path) -> Run {
    let mut import = Import::new();
    import.push(&std::fs::read(file).expect("the file was seen"));
    import.finish().expect("a bundled trace imports").run
}

fn read(file: &Path) -> Capture {
    let mut bytes = Vec::new();
    let packed = std::fs::read(file).expect("the file was seen");
    GzDecoder::new(&packed[..])
        .read_to_end(&mut bytes)
        .expect("it is packed by gzip");
    let mut reader = Reader::default();
    reader.feed(&bytes);
    reader.finish().expect("it is a capture")
}

#[test]
fn every_bundled_capture_joins_its_trace() {
    let mut table = String::new();
    for folder in recordings() {
        let wire = folder.join("wire.pcap.gz");
        if !wire.exists() {
            continue;
        }
        let capture = read(&wire);
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let (run, found) = attach(import(&folder.join("trace.txt.gz")), &capture, None);
        writeln!(
            table,
            "{name}: {} frames, rx {} matched {} dropped {} unobserved, tx {} matched {} without, others {}, {} {}, offset {} ns",
            capture.frames.len(),
            found.matched_rx,
            found.dropped_by_nic,
            found.unmatched_rx,
            found.matched_tx,
            found.unmatched_tx,
            found.of_others,
            found.device.as_deref().unwrap_or("no device"),
            found.host.join(" "),
            found.offset_ns,
        )
        .expect("a String takes any text");
        for note in &found.notes {
            writeln!(table, "  {}", say_of_file(note)).expect("a String takes any text");
        }
        assert!(run.times().is_sorted());
    }
    expect_file!["wire.golden"].assert_eq(&table);
}
