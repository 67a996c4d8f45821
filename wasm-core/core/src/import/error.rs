//! Why a file cannot be imported at all: it is no trace, or it cannot be unpacked.
//! A damaged line is no error; it is entered in the ledger.

use std::fmt;

/// A file that cannot be imported. Its text says what was found and what is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportError {
    /// There is nothing in it.
    Empty,
    /// The system cannot read it, or not as far as its first event.
    Unreadable,
    /// It is something else, which is named.
    NotATrace {
        /// What it looks like, with what to do about it where there is something.
        found: String,
    },
    /// It could not be unpacked from the start.
    Corrupt {
        /// `gzip` or `zstd`.
        packing: &'static str,
        /// What the unpacker said.
        why: String,
    },
    /// It unpacks to far more than a trace would.
    Bomb {
        /// `gzip` or `zstd`.
        packing: &'static str,
        /// Bytes of the file that were read.
        packed: u64,
        /// Bytes that they unpacked to.
        unpacked: u64,
    },
}

impl ImportError {
    /// What can be opened, for every message that refuses a file.
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
