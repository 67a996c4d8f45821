//! Detects lines that were cut at a fixed column, as a terminal, a pager or `cut` does: many have exactly the length of
//! the longest, and end in the middle of a field. Lines of one event may all have that length too, but end with a value.
//!
//! Only what is cut within a key, behind its `=`, within a pointer or within brackets can be seen: of several events some
//! lines are cut there.

use memchr::memmem;

use super::{Ledger, says};

/// The least number of broken lines that are reported.
const LEAST: u64 = 4;
/// They are reported if at least one in this many of the longest lines is broken. In whole recordings none is.
const ONE_IN: u64 = 25;
/// Keys whose value may contain blanks, so that a word follows it, or may be empty at the end of a line.
const OPEN: [&[u8]; 4] = [b"name", b"filename", b"comm", b"flags"];
/// Parts of the names of events whose text is a program's: `bpf_trace_printk`, `tracing_mark_write`, `console`.
const FREE: [&[u8]; 3] = [b"print", b"mark_write", b"console"];

/// The longest lines so far.
#[derive(Debug, Default)]
pub(super) struct Cut {
    /// Their length in bytes.
    width: usize,
    lines: u64,
    /// How many of them end in the middle of a field.
    broken: u64,
}

impl Cut {
    /// Takes a line.
    #[inline]
    pub fn enter(&mut self, line: &[u8]) {
        if line.len() >= self.width {
            self.enter_longest(line);
        }
    }

    fn enter_longest(&mut self, line: &[u8]) {
        if line.len() > self.width {
            *self = Self {
                width: line.len(),
                ..Self::default()
            };
        }
        self.lines += 1;
        self.broken += u64::from(is_broken(line));
    }

    /// Warns about lines that were cut.
    pub fn tell(&self, ledger: &mut Ledger) {
        if self.broken >= LEAST && self.broken * ONE_IN >= self.lines {
            ledger.warn(says::cut_lines(self.lines, self.width as u64, self.broken));
        }
    }
}

/// Whether a line ends in the middle of a field.
fn is_broken(line: &[u8]) -> bool {
    let mut words = line.rsplitn(3, |&byte| byte == b' ');
    let last = words.next().unwrap_or_default();
    let is_in_field = match (pair(last), last) {
        (Some((key, b"")), _) => !OPEN.contains(&key),
        (Some((_, value)), _) => value == b"0x" || is_part_of_pointer(value),
        // The location of a kprobe event, or an interpretation: `[action=NET_RX]`.
        (None, [b'(', rest @ ..]) => !rest.contains(&b')'),
        (None, [b'[', rest @ ..]) => !rest.contains(&b']'),
        // The beginning of a key.
        (None, _) => {
            is_key(last)
                && words
                    .next()
                    .and_then(pair)
                    .is_some_and(|(key, _)| !OPEN.contains(&key))
        }
    };
    is_in_field && !FREE.iter().any(|part| memmem::find(line, part).is_some())
}

/// `len=60`: key and value.
fn pair(word: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(b'=', word)?;
    is_key(&word[..end]).then_some((&word[..end], &word[end + 1..]))
}

fn is_key(word: &[u8]) -> bool {
    let is_part = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
    word.first().is_some_and(|first| !first.is_ascii_digit()) && word.iter().all(is_part)
}

/// The first digits of a kernel address, of which there are 16 in all, or 8 on 32 bits.
fn is_part_of_pointer(value: &[u8]) -> bool {
    let digits = value.strip_prefix(b"0x").unwrap_or(value);
    digits.starts_with(b"ffff")
        && !matches!(digits.len(), 8 | 16)
        && digits.iter().all(u8::is_ascii_hexdigit)
}
