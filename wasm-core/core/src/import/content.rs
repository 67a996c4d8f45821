//! Determines by the first bytes what the decompressed data is: lines of text, or a binary format with or without a
//! reader.

use super::found::Kind;
use super::magic::{binary, is_zeros};
use super::text::Text;
use super::wide::Wide;
use super::{ImportError, Input};
use crate::run::Excerpt;
use crate::wire::{self, NotACapture};

/// How many zeros at the beginning count as a hole, as in a log that was truncated while a program wrote to it.
const HOLE: usize = 64;
/// How many bytes are examined before data is accepted as text.
const HEAD: usize = 512;

/// The reader of the unpacked bytes.
#[derive(Debug)]
pub(crate) enum Content {
    /// The first bytes, until there are enough to decide, and the wanted part of the trace.
    Head(Vec<u8>, Excerpt),
    /// Lines.
    Text(Box<Text>),
    /// Lines in UTF-16.
    Wide(Wide, Box<Text>),
    /// Frames of a link capture.
    Capture(Box<wire::Reader>),
}

impl Content {
    /// A reader that has seen nothing yet.
    pub const fn new(excerpt: Excerpt) -> Self {
        Self::Head(Vec::new(), excerpt)
    }

    /// Takes decompressed bytes.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<(), ImportError> {
        while let Self::Head(head, _) = self {
            let missing = HEAD.saturating_sub(head.len()).min(bytes.len());
            head.extend_from_slice(&bytes[..missing]);
            bytes = &bytes[missing..];
            if head.len() < HEAD {
                return Ok(());
            }
            leave_out_hole(head);
            if head.len() == HEAD {
                self.open()?;
            }
        }
        match self {
            Self::Head(..) => Ok(()),
            Self::Text(text) => text.push(bytes),
            Self::Wide(wide, text) => text.push(wide.narrow(bytes)),
            Self::Capture(reader) => {
                reader.feed(bytes);
                Ok(())
            }
        }
    }

    /// Ends the input.
    pub fn finish(mut self) -> Result<Input, ImportError> {
        if let Self::Head(head, _) = &mut self {
            leave_out_hole(head);
        }
        self.open()?;
        match self {
            Self::Head(..) => Err(ImportError::Empty),
            Self::Text(text) | Self::Wide(_, text) => text
                .finish()
                .map(|imported| Input::Trace(Box::new(imported))),
            Self::Capture(reader) => reader
                .finish()
                .map(|capture| Input::Capture(Box::new(capture)))
                .map_err(|NotACapture| Kind::NoHeader.into()),
        }
    }

    /// Lines so far.
    pub fn lines(&self) -> u64 {
        match self {
            Self::Head(..) => 0,
            Self::Text(text) | Self::Wide(_, text) => text.lines(),
            Self::Capture(reader) => reader.frames(),
        }
    }

    /// Events so far.
    pub fn events(&self) -> u64 {
        match self {
            Self::Head(..) | Self::Capture(_) => 0,
            Self::Text(text) | Self::Wide(_, text) => text.events(),
        }
    }

    /// Chooses the reader by the first bytes and passes them to it.
    fn open(&mut self) -> Result<(), ImportError> {
        let Self::Head(head, excerpt) = self else {
            return Ok(());
        };
        let (head, excerpt) = (std::mem::take(head), *excerpt);
        if head.iter().all(u8::is_ascii_whitespace) && head.len() < HEAD {
            return Err(ImportError::Empty);
        }
        if wire::Reader::is_like(&head) {
            let mut reader = wire::Reader::default();
            reader.feed(&head);
            *self = Self::Capture(Box::new(reader));
            return Ok(());
        }
        if let Some(mut wide) = Wide::of(&head) {
            let mut text = Text::new(excerpt);
            text.push(wide.narrow(&head))?;
            *self = Self::Wide(wide, Box::new(text));
            return Ok(());
        }
        if let Some(kind) = binary(&head) {
            return Err(kind.into());
        }
        let mut text = Text::new(excerpt);
        text.push(head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head))?;
        *self = Self::Text(Box::new(text));
        Ok(())
    }
}

/// Removes leading zeros; if there is nothing else, a few stay, to be reported.
fn leave_out_hole(head: &mut Vec<u8>) {
    let zeros = head.iter().take_while(|&&byte| byte == 0).count();
    if is_zeros(head) {
        head.truncate(HOLE);
    } else if zeros >= HOLE {
        head.drain(..zeros);
    }
}

/// Whether it is a control character that text does not contain.
pub(super) const fn is_control(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x1b | 0x0c)
}
