//! Every input that the fuzzer kept, through the same function again, without a fuzzer: what
//! each panicked on once, it must not panic on again.

#![allow(
    clippy::unwrap_used,
    reason = "a corpus that cannot be read fails the test"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use fuzz::TARGETS;
use ringside::import::Import;

/// Bytes of the whole corpus: small enough to be fetched with every clone.
const MOST: u64 = 300_000;

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

#[test]
fn nothing_in_the_corpus_breaks_what_must_be_true() {
    for target in TARGETS {
        let inputs = entries(&corpus().join(target.name));
        assert!(!inputs.is_empty(), "{} has no corpus", target.name);
        for input in inputs {
            // Seen only if it fails: how to have it again.
            println!(
                "cargo run -p fuzz --bin replay -- {} {}",
                target.name,
                input.display()
            );
            (target.check)(&fs::read(&input).unwrap());
        }
    }
}

#[test]
fn the_corpus_is_small_and_all_of_it_is_some_targets() {
    let folders = entries(&corpus());
    let names: Vec<_> = folders.iter().filter_map(|path| path.file_name()).collect();
    let mut targets: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    targets.sort_unstable();
    assert_eq!(names, targets);
    let files = folders.iter().flat_map(|folder| entries(folder));
    let bytes: u64 = files.map(|file| file.metadata().unwrap().len()).sum();
    assert!(bytes < MOST, "{bytes} bytes: npm run fuzz -- minimise");
}

/// The targets whose inputs are files as a user opens them.
const FILES: &[&str] = &[
    "bpftrace",
    "ftrace",
    "kperf",
    "kperf2",
    "latency",
    "packed",
    "perf-script",
    "trace-cmd",
];

/// `web/core/corpus.test.ts` holds the wasm build against the same lines.
#[test]
fn every_file_of_the_corpus_is_the_run_that_it_was() {
    let mut lines = String::new();
    for input in FILES.iter().flat_map(|name| entries(&corpus().join(name))) {
        let mut import = Import::new();
        import.push(&fs::read(&input).unwrap());
        let said = match import.finish() {
            Ok(imported) => {
                let (run, ledger) = (&imported.run, &imported.ledger);
                format!(
                    "{} events, {} lines, fingerprint {:016x}",
                    run.len(),
                    ledger.total(),
                    run.fingerprint()
                )
            }
            Err(_) => "refused".to_owned(),
        };
        let name = input.strip_prefix(corpus()).unwrap().display();
        writeln!(lines, "{name}: {said}").unwrap();
    }
    expect_file!["../corpus.golden"].assert_eq(&lines);
}
