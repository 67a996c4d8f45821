//! Interned text and addresses: long values become small numbers in order of
//! first appearance, so that the same input gives the same numbers.

use std::borrow::Cow;

use foldhash::fast::RandomState;
use indexmap::IndexSet;

use crate::kernel::{AddrId, NameId};

/// Bytes that an index set takes for a value of at most 16 bytes: its hash and itself in the
/// list, its place and a byte of control in the table, which is half empty.
const ENTRY_BYTES: usize = 42;

/// The text without what would do something where it is shown: controls, which a terminal obeys, and format characters
/// ([`is_format`]). A trace's names may be anybody's. Each becomes U+FFFD, so that it is seen.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| (b' '..0x7f).contains(&byte)) || !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace(is_harmful, "\u{fffd}"))
}

fn is_harmful(letter: char) -> bool {
    letter.is_control() || is_format(letter)
}

/// Whether a character is not seen itself and changes how others are: it turns the direction of what follows, breaks or
/// joins lines and words, or stands there without a width (Unicode's category Cf, as far as names have no use for it, and
/// its line and paragraph separators).
pub const fn is_format(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    )
}

/// The texts of a run, each once and harmless.
#[derive(Debug, Clone, Default)]
pub struct Names {
    texts: IndexSet<Box<str>, RandomState>,
}

impl Names {
    /// The number for `text`, a new one if it was not seen before.
    pub fn intern(&mut self, text: &str) -> NameId {
        if let Some(index) = self.texts.get_index_of(text) {
            return NameId(index as u32);
        }
        NameId(self.texts.insert_full(harmless(text).into()).0 as u32)
    }

    /// The number of a text that was seen before.
    pub fn find(&self, text: &str) -> Option<NameId> {
        self.texts
            .get_index_of(text)
            .map(|index| NameId(index as u32))
    }

    /// The text behind a number of this run.
    pub fn text(&self, id: NameId) -> &str {
        &self.texts[id.0 as usize]
    }

    /// Bytes of memory that they take, about: a text with its length, pointer, hash and place.
    pub fn memory_bytes(&self) -> usize {
        let texts: usize = self.iter().map(str::len).sum();
        texts + self.texts.capacity() * ENTRY_BYTES
    }

    /// All texts in order of first appearance.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(AsRef::as_ref)
    }
}

/// The kernel addresses of a run, each once. Hashed addresses (`%p` without
/// `no_hash_pointers`) are addresses like any other: stable within one boot.
#[derive(Debug, Clone, Default)]
pub struct Addresses {
    values: IndexSet<u64, RandomState>,
}

impl Addresses {
    /// The number for an address; none for the null pointer.
    pub fn intern(&mut self, address: u64) -> AddrId {
        if address == 0 {
            return AddrId::NONE;
        }
        AddrId(self.values.insert_full(address).0 as u32)
    }

    /// The address behind a number; zero for none.
    pub fn value(&self, id: AddrId) -> u64 {
        self.values.get_index(id.0 as usize).copied().unwrap_or(0)
    }

    /// All addresses in order of first appearance.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        self.values.iter().copied()
    }

    /// How many different addresses there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Bytes of memory that they take, about: an address with its hash and place.
    pub fn memory_bytes(&self) -> usize {
        self.values.capacity() * ENTRY_BYTES
    }

    /// Whether no address was seen.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}
