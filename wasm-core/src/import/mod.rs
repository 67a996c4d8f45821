//! Trace text (or a capture of the link) to events: one streaming importer that
//! takes chunks of any size, tells the format by content and enters every line in
//! the [`Ledger`].
//!
//! The way of the bytes: `decompress` unpacks, `content` tells a capture from
//! text, `lines` splits, `detect` names the format by the first lines, and
//! `text` hands every line to the parser of that format. No stage holds the file.

mod bpftrace;
mod content;
mod decompress;
mod detect;
mod error;
mod format;
mod ftrace;
pub mod kperf;
mod ledger;
mod lines;
mod perf;
#[cfg(test)]
mod tests;
mod text;
mod words;

use crate::run::Run;
use content::Content;
use decompress::Decompress;

pub use error::ImportError;
pub use format::Format;
pub use ledger::{Ledger, Line, Malformed, Tally};

/// An import in progress.
#[derive(Debug)]
pub struct Import {
    decompress: Decompress,
    content: Content,
    bytes: u64,
    error: Option<ImportError>,
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

/// What an import gives.
#[derive(Debug)]
pub struct Imported {
    /// The events.
    pub run: Run,
    /// What became of every line.
    pub ledger: Ledger,
    /// What the file is.
    pub format: Format,
}

impl Import {
    /// An import that has seen nothing yet.
    pub fn new() -> Self {
        Self {
            decompress: Decompress::new(),
            content: Content::new(),
            bytes: 0,
            error: None,
        }
    }

    /// Takes the next bytes of the file, as many as there are.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        if self.error.is_none() {
            self.error = self.decompress.push(bytes, &mut self.content).err();
        }
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress {
            bytes: self.bytes,
            lines: self.content.lines(),
            events: self.content.events(),
        }
    }

    /// Why the file will be refused, as soon as that is certain: more bytes do not help.
    pub fn error(&self) -> Option<&ImportError> {
        self.error.as_ref()
    }

    /// The end of the file.
    pub fn finish(mut self) -> Result<Imported, ImportError> {
        if self.bytes == 0 {
            return Err(ImportError::Empty);
        }
        if let Some(error) = self.error {
            return Err(error);
        }
        let warning = self.decompress.finish(&mut self.content)?;
        let mut imported = self.content.finish()?;
        if let Some(warning) = warning {
            imported.ledger.warn(&warning);
        }
        Ok(imported)
    }
}

impl Default for Import {
    fn default() -> Self {
        Self::new()
    }
}
