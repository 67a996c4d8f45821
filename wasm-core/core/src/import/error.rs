//! Errors that prevent the import of a whole file: it is not a trace, or cannot be decompressed. A damaged line is
//! not an error; it is entered in the ledger.

use super::broken::Broken;
use super::found::{Found, Kind};
use super::says;
use crate::saying::Saying;

/// Why a file cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportError {
    /// There is nothing in it.
    Empty,
    /// The system could not read the file, or not up to its first event.
    Unreadable,
    /// It is something else.
    NotATrace {
        /// What it looks like.
        found: Found,
        /// How it begins, if it is text.
        beginning: Option<String>,
    },
    /// It could not be decompressed from the start.
    Corrupt(Broken),
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

impl From<Kind> for ImportError {
    fn from(kind: Kind) -> Self {
        Self::NotATrace {
            found: Found::Kind(kind),
            beginning: None,
        }
    }
}

impl ImportError {
    /// It as a saying: what was found and, except of a file that cannot be read, what is accepted.
    pub fn said(&self) -> Saying {
        says::accepted(match self {
            Self::Unreadable => return says::cannot_be_read(),
            Self::Empty => says::empty(),
            Self::NotATrace { found, beginning } => {
                let found = found.said();
                match beginning.clone() {
                    None => says::found(found),
                    Some(beginning) => says::found_beginning(found, beginning),
                }
            }
            Self::Corrupt(broken) => says::cannot_be_unpacked(broken.packing(), broken.why_said()),
            &Self::Bomb {
                packing,
                packed,
                unpacked,
            } => says::unpacks_to_more(packing.to_owned(), packed, unpacked),
        })
    }
}
