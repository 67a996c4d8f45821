//! Imports trace text, or a capture of the link, as events: one streaming importer that takes chunks of any size,
//! detects the format by content and enters every line in the [`Ledger`].
//!
//! The path of the bytes: `decompress` decompresses, `content` distinguishes captures from text, `lines` splits,
//! `detect` detects the format by the first lines, and `text` passes every line to that format's parser. No stage
//! holds the whole file.

mod bpftrace;
mod broken;
mod clean;
mod clocks;
mod content;
mod cut;
mod decompress;
mod detect;
mod error;
mod foreign;
mod format;
pub mod found;
pub(crate) mod ftrace;
mod json;
pub mod kperf;

mod lines;
mod magic;
mod perf;
mod refuse;
pub mod says;
mod sequence;
mod suffix;
#[cfg(test)]
mod tests;
mod text;
mod wide;
pub(crate) mod words;

use crate::run::{Excerpt, Run, RunBuilder};
use content::Content;
use decompress::Decompress;
use found::Kind;

use crate::wire::Capture;

pub use crate::ledger::{Ledger, Line, Malformed, Tally};
pub use error::ImportError;
pub use format::Format;

/// The metadata key for the number of events that were overwritten in the ring buffer before it was read; only the
/// kernel's header counts them (`kernel/trace/trace.c: print_event_info`, v6.12).
const OVERWRITTEN: &str = "overwritten";

/// A header reports overwritten events. A file may hold several recordings, each with its own buffer; their counts
/// are added.
fn overwrote(events: u64, run: &mut RunBuilder, ledger: &mut Ledger) {
    let before = says::overwritten(ledger.overwritten);
    ledger.warnings.retain(|warning| *warning != before);
    ledger.overwritten = ledger.overwritten.saturating_add(events);
    ledger.warn(says::overwritten(ledger.overwritten));
    run.metadata(OVERWRITTEN, &ledger.overwritten.to_string());
}

/// A header of an exported file describes the recording.
fn describe(key: &str, said: &str, run: &mut RunBuilder, ledger: &mut Ledger) {
    match said.parse() {
        Ok(events @ 1..) if key == OVERWRITTEN => overwrote(events, run, ledger),
        _ => run.metadata(key, said),
    }
}

/// An import in progress.
#[derive(Debug)]
pub struct Import {
    decompress: Decompress,
    content: Content,
    bytes: u64,
    error: Option<ImportError>,
    /// The file could not be read beyond these bytes.
    is_broken_off: bool,
}

/// How far an import is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Bytes taken, as they are in the file.
    pub bytes: u64,
    /// Lines split from them.
    pub lines: u64,
    /// Events read from those.
    pub events: u64,
}

/// The result of an import.
#[derive(Debug)]
pub struct Imported {
    /// The events.
    pub run: Run,
    /// What became of every line.
    pub ledger: Ledger,
    /// Its format.
    pub format: Format,
}

/// The content of a file.
#[derive(Debug)]
pub enum Input {
    /// A trace of a kernel.
    Trace(Box<Imported>),
    /// A capture of the link, to be combined with the trace of one of its hosts.
    Capture(Box<Capture>),
}

impl Import {
    /// An import that has seen nothing yet.
    pub fn new() -> Self {
        Self::of(Excerpt::default())
    }

    /// An import of this part of a trace only. A link capture is always taken whole.
    pub fn of(excerpt: Excerpt) -> Self {
        Self {
            decompress: Decompress::new(),
            content: Content::new(excerpt),
            bytes: 0,
            error: None,
            is_broken_off: false,
        }
    }

    /// Takes the next bytes of the file, in any number.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        if self.error.is_none() {
            self.error = self.decompress.push(bytes, &mut self.content).err();
        }
    }

    /// Ends the file early because it disappeared or its disk failed: the bytes so far are all there is.
    pub fn break_off(&mut self) {
        self.is_broken_off = true;
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress {
            bytes: self.bytes,
            lines: self.content.lines(),
            events: self.content.events(),
        }
    }

    /// Why the file will be refused, as soon as that is certain; further bytes do not change it.
    pub fn error(&self) -> Option<&ImportError> {
        self.error.as_ref()
    }

    /// Ends a file that must be a trace. Fails if it is not one, or cannot be imported.
    pub fn finish(self) -> Result<Imported, ImportError> {
        match self.finish_any()? {
            Input::Trace(imported) => Ok(*imported),
            Input::Capture(_) => Err(Kind::Capture.into()),
        }
    }

    /// Ends a file that may be a trace or a link capture. Fails if it is neither, or cannot be imported.
    pub fn finish_any(mut self) -> Result<Input, ImportError> {
        if self.bytes == 0 {
            return Err(if self.is_broken_off {
                ImportError::Unreadable
            } else {
                ImportError::Empty
            });
        }
        if let Some(error) = self.error {
            return Err(error);
        }
        let broken = self.decompress.finish(&mut self.content)?;
        let mut input = self.content.finish()?;
        if let Input::Trace(imported) = &mut input {
            if imported.format == Format::PerfScript && sequence::are_differences(&imported.run) {
                return Err(Kind::Deltatime.into());
            }
            sequence::check(&imported.run, &mut imported.ledger);
            clocks::check(&imported.run, imported.format, &mut imported.ledger);
        }
        let ledger = match &mut input {
            Input::Trace(imported) if imported.run.is_empty() && self.is_broken_off => {
                return Err(ImportError::Unreadable);
            }
            Input::Trace(imported) => &mut imported.ledger,
            Input::Capture(capture) => &mut capture.ledger,
        };
        if self.is_broken_off {
            ledger.warn(says::unreadable(self.bytes));
        } else if let Some(broken) = broken {
            // Where the file is damaged, so are its lines.
            let of_lines = says::wrapped_lines(0).code;
            ledger.warnings.retain(|warning| warning.code != of_lines);
            ledger.warn(broken.said());
        }
        Ok(input)
    }
}

impl Default for Import {
    fn default() -> Self {
        Self::new()
    }
}
