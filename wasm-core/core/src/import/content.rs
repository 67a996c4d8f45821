//! What the unpacked bytes are: lines of text, or something binary that has its
//! own reader or none. Told by the first bytes.

use super::text::Text;
use super::{ImportError, Input};
use crate::run::Excerpt;
use crate::wire;

/// How many bytes are looked at before text is believed to be text.
const HEAD: usize = 512;

/// The reader of the unpacked bytes.
#[derive(Debug)]
pub(crate) enum Content {
    /// The first bytes, until there are enough to tell, and what of a trace is wanted.
    Head(Vec<u8>, Excerpt),
    /// Lines.
    Text(Box<Text>),
    /// Frames of the link.
    Capture(Box<wire::Reader>),
}

impl Content {
    /// A reader that has seen nothing yet.
    pub const fn new(excerpt: Excerpt) -> Self {
        Self::Head(Vec::new(), excerpt)
    }

    /// Takes unpacked bytes.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<(), ImportError> {
        if let Self::Head(head, _) = self {
            let missing = HEAD.saturating_sub(head.len()).min(bytes.len());
            head.extend_from_slice(&bytes[..missing]);
            bytes = &bytes[missing..];
            if head.len() < HEAD {
                return Ok(());
            }
            self.open()?;
        }
        match self {
            Self::Head(..) => Ok(()),
            Self::Text(text) => text.push(bytes),
            Self::Capture(reader) => {
                reader.feed(bytes);
                Ok(())
            }
        }
    }

    /// The end of the bytes.
    pub fn finish(mut self) -> Result<Input, ImportError> {
        self.open()?;
        match self {
            Self::Head(..) => Err(ImportError::Empty),
            Self::Text(text) => text
                .finish()
                .map(|imported| Input::Trace(Box::new(imported))),
            Self::Capture(reader) => reader
                .finish()
                .map(|capture| Input::Capture(Box::new(capture)))
                .map_err(|error| ImportError::NotATrace {
                    found: error.to_string(),
                }),
        }
    }

    /// Lines so far.
    pub fn lines(&self) -> u64 {
        match self {
            Self::Head(..) => 0,
            Self::Text(text) => text.lines(),
            Self::Capture(reader) => reader.frames(),
        }
    }

    /// Events so far.
    pub fn events(&self) -> u64 {
        match self {
            Self::Head(..) | Self::Capture(_) => 0,
            Self::Text(text) => text.events(),
        }
    }

    /// Chooses the reader by the head and gives the head to it.
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
        if let Some(found) = binary(&head) {
            let found = found.to_owned();
            return Err(ImportError::NotATrace { found });
        }
        let mut text = Text::new(excerpt);
        text.push(head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head))?;
        *self = Self::Text(Box::new(text));
        Ok(())
    }
}

/// Beginnings of files that people take for a trace, with what to do about them.
const MAGIC: [(&[u8], &str); 16] = [
    (
        b"\x17\x08\x44tracing",
        "trace.dat, trace-cmd's binary: run `trace-cmd report` and open its output",
    ),
    (
        b"PERFILE2",
        "perf.data, perf's binary: run `perf script` and open its output",
    ),
    (
        b"TRACE:\n",
        "a compressed systrace (TRACE:): open the ftrace text it was made of",
    ),
    (b"\x7fELF", "an ELF binary"),
    (
        b"PK\x03\x04",
        "a zip archive: unpack it and open what is in it",
    ),
    (
        b"\xfd7zXZ\x00",
        "an xz file: unpack it, or pack it with gzip or zstd",
    ),
    (
        b"BZh",
        "a bzip2 file: unpack it, or pack it with gzip or zstd",
    ),
    (b"\x1f\x8b", "a gzip inside a gzip: unpack it once"),
    (
        b"\x28\xb5\x2f\xfd",
        "a zstd inside a packed file: unpack it once",
    ),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "an image (PNG)"),
    (b"\xff\xd8\xff", "an image (JPEG)"),
    (b"\xff\xfe\x00\x00", "text in UTF-32: save it as UTF-8"),
    (b"\x00\x00\xfe\xff", "text in UTF-32: save it as UTF-8"),
    (b"\xff\xfe", "text in UTF-16: save it as UTF-8"),
    (b"\xfe\xff", "text in UTF-16: save it as UTF-8"),
];

/// What the bytes are, unless they may be text.
fn binary(head: &[u8]) -> Option<&'static str> {
    if let Some((_, name)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Some(name);
    }
    // "ustar" at 257: POSIX.1-1988, the header of a tar archive.
    if head.get(257..262) == Some(b"ustar") {
        return Some("a tar archive: unpack it and open what is in it");
    }
    if is_wide(head) {
        return Some("text in UTF-16: save it as UTF-8");
    }
    if is_split_by_returns(head) {
        return Some(
            "text whose lines end with a carriage return alone: turn each into a line feed (`tr '\\r' '\\n'`)",
        );
    }
    // One damaged byte must not cost the file; a binary is full of control bytes.
    let controls = head.iter().filter(|&&byte| is_control(byte)).count();
    if controls * 20 > head.len() {
        // A Perfetto trace is one protobuf message: field 1, length-delimited.
        return Some(if head[0] == 0x0a {
            "a binary protobuf, perhaps a Perfetto trace (.pftrace): export it as ftrace text"
        } else {
            "a binary file of no known kind"
        });
    }
    None
}

/// Whether it is ASCII in UTF-16 without a mark: of nearly every two bytes one is zero, always the first or always the second.
fn is_wide(head: &[u8]) -> bool {
    let (pairs, _) = head.as_chunks::<2>();
    [0, 1].into_iter().any(|zero| {
        let is_ascii = |pair: &&[u8; 2]| pair[zero] == 0 && matches!(pair[1 - zero], 1..0x80);
        pairs.len() > 1 && pairs.iter().filter(is_ascii).count() * 10 >= pairs.len() * 9
    })
}

/// Whether lines end as they did before Mac OS X. A single carriage return may stand in the name of a task, and what is not
/// all text may be damaged.
fn is_split_by_returns(head: &[u8]) -> bool {
    let is_text = |&byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\r');
    memchr::memchr_iter(b'\r', head).count() > 1 && head.iter().all(is_text)
}

/// Whether text has no such byte.
pub(super) const fn is_control(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x1b | 0x0c)
}
