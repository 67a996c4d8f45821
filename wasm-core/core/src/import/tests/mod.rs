//! Importers against pictures: a few lines of trace in, the run as kperf 2 lines
//! and the ledger out. `import` and `picture` are the only code that knows the API.

mod assumed;
mod clocks;
mod columns;
mod cut;
mod damage;
mod dressed;
mod events;
mod excerpts;
mod files;
mod graph;
mod headers;
mod markers;
mod marred;
mod numbers;
mod packing;
mod perf;
mod separators;
mod sequence;
mod tasks;
mod tools;
mod wide;

use std::fmt::Write as _;

use super::{Import, ImportError, Imported};
use crate::english::say_of_file;
use crate::export::kperf2;

/// Imports bytes in chunks of these sizes, over and over.
fn import_in(bytes: &[u8], sizes: &[usize]) -> Result<Imported, ImportError> {
    let mut import = Import::new();
    let mut rest = bytes;
    for &size in sizes.iter().cycle() {
        let (chunk, tail) = rest.split_at(size.clamp(1, rest.len().max(1)).min(rest.len()));
        import.push(chunk);
        rest = tail;
        if rest.is_empty() {
            break;
        }
    }
    import.finish()
}

fn import(text: &str) -> Result<Imported, ImportError> {
    import_in(text.as_bytes(), &[usize::MAX])
}

/// What the command line says of a file that cannot be imported.
fn refusal_of(error: &ImportError) -> String {
    say_of_file(&error.said())
}

/// The events as kperf 2 lines, then what the ledger says that is not plain.
fn picture(text: &str) -> String {
    let imported = match import(text) {
        Ok(imported) => imported,
        Err(error) => return refusal_of(&error),
    };
    let Imported {
        run,
        ledger,
        format,
    } = imported;
    let mut lines = Vec::new();
    kperf2(&run, &mut lines).expect("a vector takes any bytes");
    let lines = String::from_utf8(lines).expect("kperf 2 is text");
    let mut picture = format!("{format}\n");
    for line in lines.lines().filter(|line| !is_plain(line)) {
        picture.push_str(line);
        picture.push('\n');
    }
    for (name, tally) in &ledger.skipped {
        let _ = writeln!(picture, "not needed: {name} {}", tally.count);
    }
    for (name, tally) in &ledger.unknown {
        let _ = writeln!(picture, "unknown: {name} {}", tally.count);
    }
    for malformed in &ledger.malformed_kept {
        let line = &malformed.line;
        let _ = writeln!(picture, "line {}: {}", line.number, malformed.why);
    }
    for warning in &ledger.warnings {
        let _ = writeln!(picture, "warning: {}", say_of_file(warning));
    }
    assert_eq!(ledger.total(), text.lines().count() as u64, "{picture}");
    picture
}

/// Header lines that say the same in every picture.
fn is_plain(line: &str) -> bool {
    ["# kperf ", "# origin: ", "# tracer: "]
        .iter()
        .any(|plain| line.starts_with(plain))
}

fn check(text: &str, expect: &expect_test::Expect) {
    expect.assert_eq(&picture(text));
}
