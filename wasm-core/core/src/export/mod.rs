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

pub use chrome::chrome_trace;
pub use ftrace::ftrace;
pub use kperf2::kperf2;
pub use pcapng::pcapng;
pub use words::fields_in_words;

sayings! {
    /// Frames are to be written of a recording in which none of the link is known.
    no_frames = "export.no_frames"();
}

/// Writes a run as a file.
type Writer = fn(&Opened, &mut dyn Write) -> io::Result<()>;

/// The formats that are written, by the names that commands have for them.
pub const FORMATS: [(&str, Writer); 4] = [
    ("kperf2", |opened, out| kperf2(&opened.run, out)),
    ("ftrace", |opened, out| ftrace(&opened.run, out)),
    ("chrome", |opened, out| chrome_trace(&opened.replay, out)),
    ("pcapng", pcapng),
];
