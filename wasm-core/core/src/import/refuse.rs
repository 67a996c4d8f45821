//! Tells what a text without a trace's line is.

use super::ImportError;
use super::foreign::tool;
use super::found::{Found, Kind};
use super::ftrace::names::names;
use super::ftrace::options::why_no_columns;

/// How many non-blank lines are examined.
const LOOKED_AT: usize = 20;

/// Why a text without a line of a trace is refused.
pub(super) fn refuse<'a>(lines: impl Iterator<Item = &'a [u8]>) -> ImportError {
    let filled: Vec<&[u8]> = lines
        .map(<[u8]>::trim_ascii)
        .filter(|text| !text.is_empty())
        .take(LOOKED_AT)
        .collect();
    let Some(&first) = filled.first() else {
        return ImportError::Empty;
    };
    let shown: String = String::from_utf8_lossy(first).chars().take(60).collect();
    let found = file(first)
        .or_else(|| filled.iter().find_map(|text| tool(text)))
        .map_or_else(|| Found::Text(without(&filled)), Found::Kind);
    ImportError::NotATrace {
        found,
        beginning: Some(shown),
    }
}

/// The kind of file that begins with this line.
fn file(first: &[u8]) -> Option<Kind> {
    match first {
        // `[000]` is a CPU.
        [b'[', b'0'..=b'9', _, _, b']', ..] => None,
        _ if is_kernel_log(first) => Some(Kind::KernelLog),
        _ if tool(first).is_some() => None,
        [b'{', ..] => Some(Kind::Json),
        [b'[', rest @ ..] if is_json(rest) => Some(Kind::Json),
        [b'<', ..] => Some(Kind::Html),
        _ => None,
    }
}

/// Whether the text after an opening bracket continues as a JSON list does.
fn is_json(list: &[u8]) -> bool {
    let begins = list.trim_ascii_start().first();
    begins.is_none_or(|byte| byte.is_ascii_digit() || b"{[]\"-tfn".contains(byte))
}

/// The option that left out what the lines of a plain text need.
fn without(filled: &[&[u8]]) -> Option<&'static str> {
    let names = names();
    let is_event = |name: &[u8]| names.find(name).is_some();
    filled
        .iter()
        .find_map(|text| why_no_columns(text, is_event))
}

/// Whether a line is one of `printk`: `[   12.345678] text`, with `<6>` before it from `/proc/kmsg`, or
/// `6,339,5140900,-;text` from `/dev/kmsg` (`kernel/printk/printk.c: print_prefix, info_print_ext_header`, v6.18).
fn is_kernel_log(line: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let after_number = |text: &mut &[u8], mark: u8| {
        let count = digits(text);
        let is_there = count > 0 && text.get(count) == Some(&mark);
        *text = text.get(count + 1..).unwrap_or_default();
        is_there
    };
    let mut rest = line;
    if (0..3).all(|_| after_number(&mut rest, b',')) {
        return memchr::memchr(b';', rest).is_some();
    }
    let mut rest = line.strip_prefix(b"<").unwrap_or(line);
    if rest.len() < line.len() && !after_number(&mut rest, b'>') {
        return false;
    }
    let Some(mut time) = rest.strip_prefix(b"[").map(<[u8]>::trim_ascii_start) else {
        return false;
    };
    after_number(&mut time, b'.') && digits(time) == 6 && time.get(6) == Some(&b']')
}
