//! Where a packed file breaks off: a note beside what could be read before, or else an error.

use std::fmt;

use super::{ImportError, says};
use crate::saying::Saying;

/// Where a packed file breaks off.
#[derive(Debug, Clone)]
pub(super) struct Broken {
    packing: &'static str,
    /// A byte of the file, from 0.
    at: u64,
    why: Why,
}

#[derive(Debug, Clone)]
enum Why {
    /// The file ends before its packing does.
    CutOff,
    /// What the unpacker says of the bytes there.
    Damaged(String),
    /// It was packed with a dictionary of this number, which is another file.
    Dictionary(u32),
}

impl Broken {
    /// The file ends, and its packing does not.
    pub fn cut_off(packing: &'static str, at: u64) -> Self {
        let why = Why::CutOff;
        Self { packing, at, why }
    }

    pub fn damaged(packing: &'static str, at: u64, why: &impl fmt::Display) -> Self {
        let why = Why::Damaged(why.to_string());
        Self { packing, at, why }
    }

    /// A frame was packed with a dictionary (RFC 8878 section 5).
    pub const fn wants_dictionary(packing: &'static str, at: u64, number: u32) -> Self {
        let why = Why::Dictionary(number);
        Self { packing, at, why }
    }

    /// What is told where something before it could be read.
    pub fn said(&self) -> Saying {
        let packing = self.packing.to_owned();
        match self.why {
            Why::CutOff => says::cut_off(packing, self.at),
            Why::Damaged(_) | Why::Dictionary(_) => says::damaged(packing, self.at),
        }
    }

    /// The same as an error, where nothing before it could be read.
    pub fn error(&self) -> ImportError {
        let Self { packing, at, why } = self;
        let why = match why {
            Why::CutOff => format!(
                "it has no right end at byte {at}: the file was cut off, or bytes in it are wrong"
            ),
            Why::Damaged(why) => format!("it is damaged near byte {at} of the file: {why}"),
            Why::Dictionary(number) => format!(
                "it was packed with dictionary {number}, which is another file: unpack it first (zstd -d -D DICTIONARY)"
            ),
        };
        ImportError::Corrupt { packing, why }
    }
}
