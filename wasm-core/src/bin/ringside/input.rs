//! Files to what they hold: the only place that opens one, and that says what their import warns of.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use ringside::english::say_of_file;
use ringside::import::{Import, ImportError, Imported, Input};
use ringside::opened::{Opened, Part};
use ringside::run::Excerpt;
use ringside::saying::Saying;
use whole::data::regular as regular_file;
use whole::{LARGER_THAN_TEXTS, read_text};

use crate::complain;

/// Imports a file, or standard input for `-`, and says what the import warns of. The error says which file and why.
pub fn import(path: &str, excerpt: Excerpt) -> Result<Imported, String> {
    let imported = read(path, excerpt)?
        .finish()
        .map_err(|error| refusal(path, &error))?;
    warn(path, &imported.ledger.warnings);
    Ok(imported)
}

/// Opens a trace or a part of it, with a capture of its link if one is named, and says what their import warns of.
pub fn open(path: &str, wire: Option<&str>, excerpt: Excerpt) -> Result<Opened, String> {
    let parts = parts(path, wire, excerpt)?;
    parts.iter().for_each(tell);
    let opened = together(parts)?;
    if let (Some(name), Some(joined)) = (wire, &opened.wire) {
        warn(name, &joined.attachment.notes);
    }
    Ok(opened)
}

/// The same for a command whose output has the warnings.
pub fn open_untold(path: &str, wire: Option<&str>, excerpt: Excerpt) -> Result<Opened, String> {
    together(parts(path, wire, excerpt)?)
}

fn parts(path: &str, wire: Option<&str>, excerpt: Excerpt) -> Result<Vec<Part>, String> {
    let names = [Some(path), wire].into_iter().flatten();
    names.map(|name| part(name, read(name, excerpt)?)).collect()
}

fn together(parts: Vec<Part>) -> Result<Opened, String> {
    Opened::together(parts).map_err(|error| say_of_file(&error.said()))
}

/// Says on standard error what the import of a file warns of: that only a part of it could be read, for one, which
/// nothing that is made of it would show.
fn tell(part: &Part) {
    match &part.input {
        Input::Trace(imported) => warn(&part.name, &imported.ledger.warnings),
        // What else is to be said of it is among its notes, once it is joined to its trace.
        Input::Capture(capture) => {
            if let Some(damage) = &capture.damage {
                complain(&say_of_file(&damage.said(&part.name)));
            }
        }
    }
}

fn warn(name: &str, warnings: &[Saying]) {
    for warning in warnings {
        complain(&format!("{name}: {}", say_of_file(warning)));
    }
}

/// The text of a file, or of standard input for `-`; `what` it is, for the error, which names the file.
pub fn text(path: &str, what: &str) -> Result<String, String> {
    file(path)
        .and_then(|file| read_text(file, what))
        .map_err(|error| format!("{path}: {error}"))
}

/// The text of a file that nobody named as such: a pipe or a device, which may never end, is none.
pub fn regular(path: &Path, what: &str) -> io::Result<String> {
    read_text(regular_file(path)?, what)
}

/// What may stand in a file of which a run comes.
pub enum Source {
    /// The text of a scenario.
    Scenario(String),
    /// A trace.
    Trace(Box<Opened>),
}

/// Reads a file that may be a scenario or a trace, which is told by what is in it: it may be a pipe. Of a
/// trace the excerpt is taken.
pub fn source(path: &str, mut file: Box<dyn Read>, excerpt: Excerpt) -> Result<Source, String> {
    let fail = |error: io::Error| format!("{path}: {error}");
    let mut head = Vec::new();
    file.by_ref()
        .take(LARGER_THAN_TEXTS as u64)
        .read_to_end(&mut head)
        .map_err(fail)?;
    if let Some(text) = scenario_in(&head) {
        return Ok(Source::Scenario(text.to_owned()));
    }
    let whole = Box::new(Cursor::new(head).chain(file));
    let import = take(whole, excerpt).map_err(fail)?;
    let part = part(path, import)?;
    tell(&part);
    Ok(Source::Trace(Box::new(together(vec![part])?)))
}

/// The text, if it begins as a JSON object does and is none of Chrome's: no trace that is read begins so.
fn scenario_in(head: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(head).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let within = text.trim_start().strip_prefix('{')?.trim_start();
    let is_object = within.starts_with(['"', '}']);
    // A log in JSON is an object a line.
    let is_log = within
        .lines()
        .nth(1)
        .is_some_and(|line| line.starts_with("{\""));
    let is_scenario = is_object && !is_log && !within.contains("\"traceEvents\"");
    (is_scenario && head.len() < LARGER_THAN_TEXTS).then_some(text)
}

fn part(name: &str, import: Import) -> Result<Part, String> {
    Ok(Part {
        name: name.to_owned(),
        input: import.finish_any().map_err(|error| refusal(name, &error))?,
        clock_offset: None,
    })
}

fn refusal(path: &str, error: &ImportError) -> String {
    format!("{path}: {}", say_of_file(&error.said()))
}

fn read(path: &str, excerpt: Excerpt) -> Result<Import, String> {
    file(path)
        .and_then(|file| take(file, excerpt))
        .map_err(|error| format!("{path}: {error}"))
}

/// Opens a file, or standard input for `-`.
pub fn file(path: &str) -> io::Result<Box<dyn Read>> {
    if path == "-" {
        return Ok(Box::new(io::stdin()));
    }
    File::open(path).map(|file| Box::new(file) as Box<dyn Read>)
}

fn take(mut file: Box<dyn Read>, excerpt: Excerpt) -> io::Result<Import> {
    let mut import = Import::of(excerpt);
    let mut chunk = vec![0; 1 << 20];
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Ok(import),
            Ok(length) => import.push(&chunk[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) if import.progress().bytes > 0 => {
                import.break_off();
                return Ok(import);
            }
            Err(error) => return Err(error),
        }
        if import.error().is_some() {
            return Ok(import);
        }
    }
}
