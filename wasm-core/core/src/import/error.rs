//! Errors that prevent the import of a whole file: it is not a trace, or cannot be decompressed. A damaged line is
//! not an error; it is entered in the ledger.

use std::fmt;

/// A file that cannot be imported. Its text says what was found and what is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportError {
    /// There is nothing in it.
    Empty,
    /// The system could not read the file, or not up to its first event.
    Unreadable,
    /// It is something else, which the message names.
    NotATrace {
        /// What it looks like, with advice where there is some.
        found: String,
    },
    /// It could not be decompressed from the start.
    Corrupt {
        /// `gzip` or `zstd`.
        packing: &'static str,
        /// The decompressor's message.
        why: String,
    },
    /// It decompresses to far more than a trace would.
    Bomb {
        /// `gzip` or `zstd`.
        packing: &'static str,
        /// Bytes of the file read so far.
        packed: u64,
        /// Bytes that they decompressed to.
        unpacked: u64,
    },
}

impl ImportError {
    /// The accepted formats, named in every message that refuses a file.
    pub const ACCEPTED: &'static str = "ftrace text (trace, trace_pipe), `trace-cmd report`, \
        `perf script`, kperf lines, pcap and pcapng; each plain, .gz or .zst";
}

impl fmt::Display for ImportError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(formatter, "the file is empty"),
            Self::Unreadable => return write!(formatter, "the file cannot be read"),
            Self::NotATrace { found } => write!(formatter, "found {found}"),
            Self::Corrupt { packing, why } => {
                write!(formatter, "the {packing} cannot be unpacked: {why}")
            }
            Self::Bomb {
                packing,
                packed,
                unpacked,
            } => write!(
                formatter,
                "{packed} bytes of {packing} unpack to more than {unpacked}, which no trace does"
            ),
        }?;
        write!(formatter, "; accepted is {}", Self::ACCEPTED)
    }
}

impl std::error::Error for ImportError {}
