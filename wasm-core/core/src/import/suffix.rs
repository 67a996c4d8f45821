//! The suffix that a log adds to each line: words such as ` host=web1 level=info`, or the end of a table row or list
//! item: `",`, `</td>`. It belongs to no event, but would become part of a text at the end of a line, or make its
//! last number unreadable.

use memchr::memmem;

use super::detect::Detect;
use super::ftrace::keys::keys;
use super::ftrace::prefix::Prefix;

/// How many lines with the same end rule out chance.
const ENOUGH_LINES: usize = 3;

/// The last key of several kernel events, for which there is no field.
const OF_EVENTS: &[u8] = b"gso_type";

/// The suffix of all held lines, with the blank before it: `key=value` pairs whose keys no event has. A comma may
/// follow it, except on the last line of a list. Lines of one event may end alike, so lines of several events are
/// required.
pub(super) fn of(detect: &Detect) -> &[u8] {
    let mut lines = detect
        .held()
        .filter_map(|line| Some((line.text, Prefix::read(line.text)?.text)))
        .filter_map(|(line, text)| Some((line, text, name(text)?)))
        .map(|(line, text, name)| (line.strip_suffix(b",").unwrap_or(line), text, name));
    let Some((first, text, event)) = lines.next() else {
        return b"";
    };
    let (mut common, mut count, mut is_of_one) = (first, 1, true);
    let mut is_quote_own = closes_its_quotes(text);
    for (line, text, other) in lines {
        common = common_end(common, line);
        count += 1;
        is_of_one &= other == event;
        is_quote_own |= closes_its_quotes(text);
    }
    if is_of_one || count < ENOUGH_LINES {
        return b"";
    }
    match unknown_pairs(common) {
        b"" if is_quote_own && common.ends_with(b"\"") => b"",
        b"" => ending(common),
        pairs => pairs,
    }
}

/// The name of an event.
fn name(text: &[u8]) -> Option<&[u8]> {
    memmem::find(text, b": ").map(|end| &text[..end])
}

/// Whether each quotation mark in an event's text is closed; one that a list adds to the end of the line is not.
fn closes_its_quotes(text: &[u8]) -> bool {
    let (mut is_closed, mut is_escaped) = (true, false);
    for byte in text {
        is_closed ^= *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
    }
    is_closed
}

/// The common suffix of both texts.
fn common_end<'a>(one: &'a [u8], other: &[u8]) -> &'a [u8] {
    let both = one.iter().rev().zip(other.iter().rev());
    let length = both.take_while(|(one, other)| one == other).count();
    &one[one.len() - length..]
}

/// The end of a table row, a list item or a coloured text in what a program wrote: no event prints that.
fn ending(text: &[u8]) -> &[u8] {
    let mut rest = text;
    while let Some(shorter) = without_mark(rest).or_else(|| without_tag(rest)) {
        rest = shorter;
    }
    &text[rest.len()..]
}

/// Without a quotation mark, a table's edge, or a colour sequence without its escape character.
fn without_mark(text: &[u8]) -> Option<&[u8]> {
    let marks = [&b"\""[..], b" |", b"^[[0m", b"^[[m", b"[0m", b"[m"];
    let without = marks.iter().find_map(|mark| text.strip_suffix(*mark));
    // Complete escape sequences are removed elsewhere.
    without.filter(|rest| !rest.ends_with(b"\x1b"))
}

/// Without a trailing HTML tag: `</span>`, `<br />`.
fn without_tag(text: &[u8]) -> Option<&[u8]> {
    let open = memchr::memrchr(b'<', text.strip_suffix(b">")?)?;
    let tag = &text[open + 1..text.len() - 1];
    let is_end = tag.starts_with(b"/") || tag.starts_with(b"br");
    let is_tag = is_end
        && tag
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"/ ".contains(byte));
    is_tag.then_some(&text[..open])
}

/// The trailing words that are pairs with keys of no event, with the blank before them.
fn unknown_pairs(text: &[u8]) -> &[u8] {
    let keys = keys();
    let is_of_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let mut from = text.len();
    while let Some(blank) = memchr::memrchr(b' ', &text[..from]) {
        let word = &text[blank + 1..from];
        let key = word.split(|&byte| byte == b'=').next().unwrap_or_default();
        let is_pair = !key.is_empty() && key.len() + 1 < word.len() && key.iter().all(is_of_key);
        if !is_pair || key == OF_EVENTS || keys.find(key).is_some() {
            break;
        }
        from = blank;
    }
    &text[from..]
}
