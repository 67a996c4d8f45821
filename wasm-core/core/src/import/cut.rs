//! Detects lines that were cut at a fixed column, as a terminal, a pager or `cut` does: many have exactly the length of
//! the longest, and end in the middle of a field. Lines of one event may all have that length too, but end with a value.
//! Lines that were wrapped go on in the next one, which is none of a trace.
//!
//! Only what is cut within the event's name, within a key, behind its `=`, within a pointer or within brackets can be
//! seen: of several events some lines are cut there.

use memchr::memmem;

use super::lines::TextLine;
use super::{Ledger, says};
use crate::kernel::Probe;

/// The least number of broken lines that are reported.
const LEAST: u64 = 4;
/// They are reported if at least one in this many of the longest lines is broken. In whole recordings none is.
const ONE_IN: u64 = 25;
/// Keys whose value may contain blanks, so that a word follows it, or may be empty at the end of a line.
const OPEN: [&[u8]; 4] = [b"name", b"filename", b"comm", b"flags"];
/// Parts of the names of events whose text is a program's: `bpf_trace_printk`, `tracing_mark_write`, `bputs`,
/// `console`.
const FREE: [&[u8]; 4] = [b"print", b"mark_write", b"bputs", b"console"];

/// The longest lines so far, and what stands alone behind events that could not be read.
#[derive(Debug, Default)]
pub(super) struct Cut {
    longest: Longest,
    /// The number of the last event that could not be read.
    unread: u64,
    /// How many such events are followed by lines that are none of a trace, and how many lines those are.
    torn: u64,
    rests: u64,
    /// The number of the last of those lines.
    rest: u64,
}

/// The longest lines so far.
#[derive(Debug, Default)]
struct Longest {
    /// Their length in bytes.
    width: usize,
    lines: u64,
    /// How many of them end in the middle of a field.
    broken: u64,
    /// The numbers of the last of them and of the one before.
    last: [u64; 2],
    /// How many of them are followed by a line that is none of a trace.
    continued: u64,
}

impl Cut {
    /// Takes a line.
    #[inline]
    pub fn enter(&mut self, line: TextLine<'_>) {
        if line.text.len() >= self.longest.width {
            self.longest.enter(line);
        }
    }

    /// The line of this number is an event that could not be read.
    pub const fn enter_unread(&mut self, number: u64) {
        self.unread = number;
    }

    /// The line of this number, which was taken last, is none of a trace.
    pub fn enter_foreign(&mut self, number: u64) {
        let before = number - 1;
        if before == 0 {
            return;
        }
        if self.longest.last.contains(&before) {
            self.longest.continued += 1;
        }
        if self.unread == before || self.rest == before {
            self.torn += u64::from(self.unread == before);
            self.rests += 1;
            self.rest = number;
        }
    }

    /// Warns about lines that were cut or wrapped.
    pub fn tell(&self, ledger: &mut Ledger) {
        let longest = &self.longest;
        let is_often = |count| count >= LEAST && count * ONE_IN >= longest.lines;
        if is_often(longest.broken) && is_often(longest.continued) {
            ledger.warn(says::wrapped_lines(longest.continued));
        } else if is_often(longest.broken) {
            let width = longest.width as u64;
            ledger.warn(says::cut_lines(longest.lines, width, longest.broken));
        } else if self.torn >= LEAST {
            ledger.warn(says::wrapped_lines(self.rests));
        }
    }
}

impl Longest {
    fn enter(&mut self, TextLine { number, text, .. }: TextLine<'_>) {
        if text.len() > self.width {
            *self = Self {
                width: text.len(),
                ..Self::default()
            };
        }
        self.lines += 1;
        self.last = [number, self.last[0]];
        self.broken += u64::from(is_broken(text));
    }
}

/// Whether a line ends in the middle of a field, or of the event's name.
fn is_broken(line: &[u8]) -> bool {
    let mut words = line.rsplitn(3, |&byte| byte == b' ');
    let last = words.next().unwrap_or_default();
    let before = words.next().unwrap_or_default();
    let is_in_field = match (pair(last), last) {
        (Some((key, b"")), _) => !OPEN.contains(&key),
        (Some((_, value)), _) => value == b"0x" || is_part_of_pointer(value),
        // The location of a kprobe event, or an interpretation: `[action=NET_RX]`.
        (None, [b'(', rest @ ..]) => !rest.contains(&b')'),
        (None, [b'[', rest @ ..]) => !rest.contains(&b']'),
        // The beginning of a key, behind another or the event's name.
        (None, _) if is_key(last) => match before.strip_suffix(b":") {
            Some([b'0'..=b'9', ..]) => is_part_of_name(last),
            Some(name) => is_key(name.rsplit(|&byte| byte == b':').next().unwrap_or_default()),
            None => pair(before).is_some_and(|(key, _)| !OPEN.contains(&key)),
        },
        (None, _) => false,
    };
    is_in_field && !FREE.iter().any(|part| memmem::find(line, part).is_some())
}

/// Whether an event's name goes on behind this text. A function tracer prints names without a colon too, but whole ones.
fn is_part_of_name(text: &[u8]) -> bool {
    let names = || Probe::ALL.iter().map(|probe| probe.name().as_bytes());
    names().any(|name| name.starts_with(text)) && !names().any(|name| name == text)
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
