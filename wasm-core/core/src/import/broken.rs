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
    /// What the unpacker says of the bytes there, if it got so far.
    why: Option<String>,
}

impl Broken {
    /// The file ends, and its packing does not.
    pub fn cut_off(packing: &'static str, at: u64) -> Self {
        let why = None;
        Self { packing, at, why }
    }

    pub fn damaged(packing: &'static str, at: u64, why: &impl fmt::Display) -> Self {
        let why = Some(why.to_string());
        Self { packing, at, why }
    }

    /// What is told where something before it could be read.
    pub fn said(&self) -> Saying {
        let packing = self.packing.to_owned();
        match self.why {
            None => says::cut_off(packing, self.at),
            Some(_) => says::damaged(packing, self.at),
        }
    }

    /// The same as an error, where nothing before it could be read.
    pub fn error(&self) -> ImportError {
        let Self { packing, at, why } = self;
        let why = match why {
            None => format!(
                "it has no right end at byte {at}: the file was cut off, or bytes in it are wrong"
            ),
            Some(why) => format!("it is damaged near byte {at} of the file: {why}"),
        };
        ImportError::Corrupt { packing, why }
    }
}
