//! Recordings whose lines were cut at a column, as a terminal or a pager does: the ledger tells so, and tells it of no whole
//! one.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use ringside::import::{Import, says};

use crate::recordings::{packed, unpacked};

/// Whether the ledger of a text says that its lines were cut.
fn is_told(text: &str) -> bool {
    let mut import = Import::new();
    import.push(text.as_bytes());
    let warnings = import.finish().unwrap().ledger.warnings;
    let cut = says::cut_lines(0, 0, 0).code;
    warnings.iter().any(|warning| warning.code == cut)
}

/// The ftrace text of each recording on the shelf.
fn shelf() -> Vec<(String, String)> {
    let folders = std::fs::read_dir(crate::recordings::folder("../traces")).unwrap();
    let texts = folders.filter_map(|folder| {
        let folder = folder.unwrap().path();
        let file = folder.join("trace.txt.gz");
        let name = folder.file_name()?.to_string_lossy().into_owned();
        file.exists().then(|| (name, unpacked(&file)))
    });
    texts.collect()
}

#[test]
fn no_whole_recording_was_cut() {
    for (name, text) in shelf() {
        assert!(!is_told(&text), "{name}");
    }
    for folder in [
        "tests/tracepoints",
        "tests/kprobes",
        "tests/others/perf",
        "tests/others/trace-cmd",
    ] {
        for path in packed(folder) {
            assert!(!is_told(&unpacked(&path)), "{}", path.display());
        }
    }
}

#[test]
fn every_recording_of_ftrace_that_was_cut_is_told_of() {
    for (name, text) in shelf() {
        if !text.starts_with("# tracer: ") {
            continue;
        }
        for width in [80, 100, 120, 132, 160, 200] {
            let cut: String = text
                .lines()
                .flat_map(|line| [line.get(..width).unwrap_or(line), "\n"])
                .collect();
            assert!(is_told(&cut), "{name} at {width}");
        }
    }
}
