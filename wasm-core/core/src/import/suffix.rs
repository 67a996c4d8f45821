//! What a log puts behind each line: words like ` host=web1 level=info`, or the end of a table's or a list's: `",`, `</td>`. They
//! are of no event, yet a text that goes to the end of its line would end with them, and the last number would be none.

use memchr::memmem;

use super::detect::Detect;
use super::ftrace::keys::keys;
use super::ftrace::prefix::Prefix;

/// So many lines that end alike are no chance.
const ENOUGH_LINES: usize = 3;

/// The last key of several events of the kernel, which no field holds.
const OF_EVENTS: &[u8] = b"gso_type";

/// What stands behind all of the first lines, with the blank before it: `key=value` after `key=value`, each of a key that no
/// event has. A comma may follow it, but behind the last line of a list. Lines of one event may well end alike, so it is told of several.
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

/// An event's name.
fn name(text: &[u8]) -> Option<&[u8]> {
    memmem::find(text, b": ").map(|end| &text[..end])
}

/// Whether each quotation mark that opens in an event's text is closed there: one that a list puts behind the line is not.
fn closes_its_quotes(text: &[u8]) -> bool {
    let (mut is_closed, mut is_escaped) = (true, false);
    for byte in text {
        is_closed ^= *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
    }
    is_closed
}

/// The end that both have.
fn common_end<'a>(one: &'a [u8], other: &[u8]) -> &'a [u8] {
    let both = one.iter().rev().zip(other.iter().rev());
    let length = both.take_while(|(one, other)| one == other).count();
    &one[one.len() - length..]
}

/// What ends a line of a table, a list or a text with colours, in text that a program has written: nothing that an event prints.
fn ending(text: &[u8]) -> &[u8] {
    let mut rest = text;
    while let Some(shorter) = without_mark(rest).or_else(|| without_tag(rest)) {
        rest = shorter;
    }
    &text[rest.len()..]
}

/// Without a quotation mark, a table's edge, or the end of colours that are no longer such.
fn without_mark(text: &[u8]) -> Option<&[u8]> {
    let marks = [&b"\""[..], b" |", b"^[[0m", b"^[[m", b"[0m", b"[m"];
    let without = marks.iter().find_map(|mark| text.strip_suffix(*mark));
    // Where they still are such, they are left out as that.
    without.filter(|rest| !rest.ends_with(b"\x1b"))
}

/// Without the tag of HTML that ends it: `</span>`, `<br />`.
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

/// The last words of the text that are pairs with keys of no event, with the blank before them.
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
