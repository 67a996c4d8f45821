//! A run as a file again: what Ringside writes, other tools and people can read.

mod chrome;
mod ftrace;
mod kperf2;
mod pcapng;
#[cfg(test)]
mod tests;
mod words;

use std::io::{self, Write};

use crate::opened::Opened;
use crate::saying::Saying;

pub use chrome::chrome_trace;
pub use ftrace::ftrace;
pub use kperf2::kperf2;
pub use pcapng::pcapng;
pub use words::fields_in_words;

sayings! {
    /// Frames are to be written of a recording in which none of the link is known.
    no_frames = "export.no_frames"();
}

/// Why a run is not written.
#[derive(Debug)]
pub enum Unwritten {
    /// The format has no form for this run.
    Refused(Saying),
    /// What is written to takes no more.
    Failed(io::Error),
}

impl From<io::Error> for Unwritten {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// Writes a run as a file.
type Writer = fn(&Opened, &mut dyn Write) -> Result<(), Unwritten>;

/// The formats that are written, by the names that commands have for them.
pub const FORMATS: [(&str, Writer); 4] = [
    ("kperf2", |opened, out| Ok(kperf2(&opened.run, out)?)),
    ("ftrace", |opened, out| Ok(ftrace(&opened.run, out)?)),
    ("chrome", |opened, out| {
        Ok(chrome_trace(&opened.replay, out)?)
    }),
    ("pcapng", pcapng),
];
