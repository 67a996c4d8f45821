//! Where a compressed file breaks off: a warning if something before it could be read, else an error.

use super::content::is_control;
use super::says;
use crate::saying::Saying;

/// How many bytes are examined to decide whether they are text.
const LOOKED_AT: usize = 64;

/// A break in a compressed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    packing: &'static str,
    /// Offset in the file in bytes, from 0.
    at: u64,
    why: Why,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Why {
    /// The file ends before its compressed data does.
    CutOff,
    /// The decompressor cannot go on: its words name its own states, which tell nobody more than where it is.
    Damaged,
    /// It needs the dictionary with this id, which is a separate file.
    Dictionary(u32),
    /// It needs a window of so many bytes, more than the decompressor allows.
    Window(u64),
    /// The compressed data is complete, and data of this kind follows it.
    Followed(Behind),
}

/// Data after the end of a compressed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behind {
    /// Compressed data, with the name of its format.
    Packed(&'static str),
    Text,
    Other,
}

impl Behind {
    /// Determined by the first bytes.
    fn of(bytes: &[u8]) -> Self {
        const MAGIC: [(&[u8], &str); 4] = [
            (b"\x1f\x8b", "gzip"),
            (b"\x28\xb5\x2f\xfd", "zstd"),
            (b"\xfd7zX", "xz"),
            (b"BZh", "bzip2"),
        ];
        match MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
            Some(&(_, packing)) => Self::Packed(packing),
            None if bytes.iter().copied().any(is_control) => Self::Other,
            None => Self::Text,
        }
    }
}

impl Broken {
    /// The file ends before its compressed data does.
    pub fn cut_off(packing: &'static str, at: u64) -> Self {
        let why = Why::CutOff;
        Self { packing, at, why }
    }

    pub const fn damaged(packing: &'static str, at: u64) -> Self {
        let why = Why::Damaged;
        Self { packing, at, why }
    }

    /// A frame needs a dictionary (RFC 8878 section 5).
    pub const fn wants_dictionary(packing: &'static str, at: u64, number: u32) -> Self {
        let why = Why::Dictionary(number);
        Self { packing, at, why }
    }

    /// A frame needs a window of so many bytes (RFC 8878 section 3.1.1.1.2).
    pub const fn wants_window(packing: &'static str, at: u64, bytes: u64) -> Self {
        let why = Why::Window(bytes);
        Self { packing, at, why }
    }

    /// Compressed data ends at `at` and these bytes follow: at least [`Self::TELLING`] of them if the file has as
    /// many.
    pub fn followed(packing: &'static str, at: u64, bytes: &[u8]) -> Self {
        let bytes = &bytes[..bytes.len().min(LOOKED_AT)];
        let why = Why::Followed(Behind::of(bytes));
        Self { packing, at, why }
    }

    /// How many bytes suffice to determine what follows.
    pub const TELLING: usize = 4;

    /// The warning, for a file whose earlier part could be read.
    pub fn said(&self) -> Saying {
        let packing = self.packing();
        match self.why {
            Why::CutOff => says::cut_off(packing, self.at),
            Why::Followed(Behind::Packed(by)) => {
                says::followed_by_packed(packing, self.at, by.to_owned())
            }
            Why::Followed(Behind::Text) => says::followed_by_text(packing, self.at),
            Why::Damaged | Why::Dictionary(_) | Why::Window(_) | Why::Followed(Behind::Other) => {
                says::damaged(packing, self.at)
            }
        }
    }

    /// `gzip` or `zstd`.
    pub fn packing(&self) -> String {
        self.packing.to_owned()
    }

    /// Why nothing could be read of the file, as a saying that is put into another.
    pub fn why_said(&self) -> Saying {
        match &self.why {
            Why::CutOff => says::no_right_end(self.at),
            Why::Followed(_) => says::nothing_in_it(self.at),
            Why::Damaged => says::damaged_near(self.at),
            Why::Dictionary(number) => says::wants_dictionary(number.to_string()),
            Why::Window(bytes) => says::wants_window(bytes >> 20),
        }
    }
}
