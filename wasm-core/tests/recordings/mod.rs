//! Recordings that tests read: the stretches in `tests/tracepoints/`, and any packed text.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use ringside::import::Import;
use ringside::journey::Journeys;
use ringside::run::Run;

/// A place in the package's folder.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
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
