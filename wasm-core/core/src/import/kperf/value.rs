//! The words of kperf 2 in both directions: how a value of each [`FieldKind`] is written and read, and the percent
//! encoding that keeps every text a single word.

use std::borrow::Cow;
use std::fmt::Write;

use crate::kernel::{AddrId, DropReason, Field, FieldKind, NameId, Nanos, Origin};
use crate::run::Run;

/// The keys of an event's leading columns; the rest are [`Field`]s by name.
pub(crate) mod key {
    pub(crate) const CPU: &str = "cpu";
    pub(crate) const CTX: &str = "ctx";
    pub(crate) const PID: &str = "pid";
    pub(crate) const SKB: &str = "skb";
    pub(crate) const SK: &str = "sk";
    pub(crate) const LEN: &str = "len";
}

/// The header key of a run's origin.
pub(crate) const ORIGIN: &str = "origin";

/// The word for an origin.
pub(crate) const fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Recorded => "recorded",
        Origin::Simulated => "simulated",
    }
}

/// The value of a pair, not yet interned: a malformed line must leave nothing in the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    Number(u32),
    /// A value out of range, as the nearest that 32 bits hold.
    Clipped(u32),
    Address(u64),
    Name(&'a [u8]),
}

impl<'a> Value<'a> {
    /// Reads the word after a field's key.
    pub(crate) fn read(field: Field, word: &'a [u8]) -> Result<Self, String> {
        let value = match field.kind() {
            FieldKind::Number | FieldKind::Hex => number(word).map(Self::unsigned),
            FieldKind::Signed => signed(word),
            FieldKind::Name => Some(Self::Name(word)),
            FieldKind::Addr => address(word).map(Self::Address),
            FieldKind::Ipv4 => ipv4(word).map(Self::Number),
            FieldKind::Reason => reason(word),
        };
        value.ok_or_else(|| {
            let word = String::from_utf8_lossy(word);
            let kind = kind_words(field.kind());
            format!("`{}` is {kind}, not `{word}`", field.name())
        })
    }

    fn unsigned(value: u64) -> Self {
        u32::try_from(value).map_or(Self::Clipped(u32::MAX), Self::Number)
    }
}

/// Writes a field's value in the form that [`Value::read`] reads.
pub(crate) fn write(run: &Run, field: Field, value: u32, line: &mut String) {
    let written = match field.kind() {
        FieldKind::Number => write!(line, "{value}"),
        FieldKind::Signed => write!(line, "{}", value.cast_signed()),
        FieldKind::Hex => write!(line, "{value:#x}"),
        FieldKind::Name => {
            encode(run.names.text(NameId(value)), Escape::Word, line);
            Ok(())
        }
        FieldKind::Addr => write!(line, "{:x}", run.addresses.value(AddrId(value))),
        FieldKind::Ipv4 => write!(line, "{}", std::net::Ipv4Addr::from_bits(value)),
        FieldKind::Reason => {
            let known = u8::try_from(value).ok().and_then(DropReason::from_index);
            match known {
                Some(reason) => write!(line, "{reason}"),
                None => write!(line, "{value}"),
            }
        }
    };
    debug_assert!(written.is_ok(), "a String takes any text");
}

const fn kind_words(kind: FieldKind) -> &'static str {
    match kind {
        FieldKind::Number | FieldKind::Hex => "a number",
        FieldKind::Signed => "a number with or without a sign",
        FieldKind::Name => "a text",
        FieldKind::Addr => "an address in hexadecimal",
        FieldKind::Ipv4 => "an IPv4 address",
        FieldKind::Reason => "a drop reason of the kernel",
    }
}

/// A decimal number, or a hexadecimal one after `0x`.
pub(super) fn number(word: &[u8]) -> Option<u64> {
    if let Some(hex) = word.strip_prefix(b"0x") {
        return digits(hex, 16);
    }
    digits(word, 10)
}

/// A kernel pointer as the kernel prints it: hexadecimal, with or without `0x`.
pub(super) fn address(word: &[u8]) -> Option<u64> {
    digits(word.strip_prefix(b"0x").unwrap_or(word), 16)
}

/// `SEC.USEC` or `SEC.NSEC` in nanoseconds. Exactly six or nine decimals: fewer were cut off or printed without
/// leading zeros.
pub(super) fn time(word: &[u8]) -> Option<Nanos> {
    let point = word.iter().position(|&byte| byte == b'.')?;
    let (seconds, fraction) = (&word[..point], &word[point + 1..]);
    let scale = match fraction.len() {
        6 => 1_000,
        9 => 1,
        _ => return None,
    };
    let seconds = digits(seconds, 10)?.checked_mul(1_000_000_000)?;
    Nanos::of_clock(seconds.checked_add(digits(fraction, 10)? * scale)?)
}

fn digits(word: &[u8], base: u32) -> Option<u64> {
    if word.is_empty() {
        return None;
    }
    let mut value = 0u64;
    for &byte in word {
        let digit = char::from(byte).to_digit(base)?;
        value = value
            .checked_mul(u64::from(base))?
            .checked_add(u64::from(digit))?;
    }
    Some(value)
}

fn signed<'a>(word: &[u8]) -> Option<Value<'a>> {
    let (magnitude, sign) = match word.strip_prefix(b"-") {
        Some(rest) => (rest, -1),
        None => (word, 1),
    };
    let value = sign * i128::from(number(magnitude)?);
    let clipped = if sign < 0 { i32::MIN } else { i32::MAX };
    let number = |value: i32| Value::Number(value.cast_unsigned());
    Some(i32::try_from(value).map_or(Value::Clipped(clipped.cast_unsigned()), number))
}

fn ipv4(word: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(word).ok()?;
    let address: std::net::Ipv4Addr = text.parse().ok()?;
    Some(address.to_bits())
}

fn reason<'a>(word: &[u8]) -> Option<Value<'a>> {
    let text = std::str::from_utf8(word).ok()?;
    match DropReason::from_name(text) {
        Some(reason) => Some(Value::Number(reason as u32)),
        None => number(word).map(Value::unsigned),
    }
}

/// The characters that must be escaped, by position of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escape {
    /// A word of a pair: blanks.
    Word,
    /// The key of a header, which ends at a colon: blanks and colons.
    Key,
    /// The rest of a header line: control characters, and blanks at an end.
    Line,
}

/// Appends a text with `%XX` for characters that must be escaped. An empty word is written as `%`.
pub(crate) fn encode(text: &str, escape: Escape, out: &mut String) {
    if text.is_empty() && escape != Escape::Line {
        out.push('%');
    }
    let end = text.len();
    for (at, letter) in text.char_indices() {
        let is_kept = match letter {
            '%' => false,
            ' ' => escape == Escape::Line && at != 0 && at + 1 != end,
            ':' => escape != Escape::Key,
            _ => !letter.is_ascii_control(),
        };
        if is_kept {
            out.push(letter);
        } else {
            let written = write!(out, "%{:02X}", u32::from(letter));
            debug_assert!(written.is_ok(), "a String takes any text");
        }
    }
}

/// Decodes what [`encode`] wrote. A `%` without two hexadecimal digits is literal.
pub(crate) fn decode(word: &[u8]) -> Cow<'_, str> {
    if word == b"%" {
        return Cow::Borrowed("");
    }
    if !word.contains(&b'%') {
        return String::from_utf8_lossy(word);
    }
    let mut bytes = Vec::with_capacity(word.len());
    let mut rest = word;
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|pair| digits(pair, 16));
        rest = if let (b'%', Some(code)) = (first, code) {
            bytes.push(code as u8);
            &after[2..]
        } else {
            bytes.push(first);
            after
        };
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}
