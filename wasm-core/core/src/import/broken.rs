//! Where a packed file breaks off: a note beside what could be read before, or else an error.

use std::fmt;

use super::content::is_control;
use super::{ImportError, says};
use crate::saying::Saying;

/// So many bytes are looked at for whether they are text.
const LOOKED_AT: usize = 64;

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
    /// It ends well, and something else of this kind begins behind it.
    Followed(Behind),
}

/// What stands behind the end of a packed file.
#[derive(Debug, Clone, Copy)]
enum Behind {
    /// Something packed, by the packing's name.
    Packed(&'static str),
    Text,
    Other,
}

impl Behind {
    /// By its first bytes.
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

    /// The packing ends there, and these bytes follow: at least [`Self::TELLING`] of them, if the file has so many.
    pub fn followed(packing: &'static str, at: u64, bytes: &[u8]) -> Self {
        let bytes = &bytes[..bytes.len().min(LOOKED_AT)];
        let why = Why::Followed(Behind::of(bytes));
        Self { packing, at, why }
    }

    /// With so many bytes it is told what follows.
    pub const TELLING: usize = 4;

    /// What is told where something before it could be read.
    pub fn said(&self) -> Saying {
        let packing = self.packing.to_owned();
        match self.why {
            Why::CutOff => says::cut_off(packing, self.at),
            Why::Followed(Behind::Packed(by)) => {
                says::followed_by_packed(packing, self.at, by.to_owned())
            }
            Why::Followed(Behind::Text) => says::followed_by_text(packing, self.at),
            Why::Damaged(_) | Why::Dictionary(_) | Why::Followed(Behind::Other) => {
                says::damaged(packing, self.at)
            }
        }
    }

    /// The same as an error, where nothing before it could be read.
    pub fn error(&self) -> ImportError {
        let Self { packing, at, why } = self;
        let why = match why {
            Why::CutOff => format!(
                "it has no right end at byte {at}: the file was cut off, or bytes in it are wrong"
            ),
            Why::Followed(_) => format!("it holds nothing, and something else begins at byte {at}"),
            Why::Damaged(why) => format!("it is damaged near byte {at} of the file: {why}"),
            Why::Dictionary(number) => format!(
                "it was packed with dictionary {number}, which is another file: unpack it first (zstd -d -D DICTIONARY)"
            ),
        };
        ImportError::Corrupt { packing, why }
    }
}
