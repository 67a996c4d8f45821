//! What a log puts behind each line: words like ` host=web1 level=info`. They are of no event, yet a text that goes to the
//! end of its line would end with them.

use memchr::memmem;

use super::detect::Detect;
use super::ftrace::keys::keys;
use super::ftrace::prefix::Prefix;

/// So many lines that end alike are no chance.
const ENOUGH_LINES: usize = 3;

/// The last key of several events of the kernel, which no field holds.
const OF_EVENTS: &[u8] = b"gso_type";

/// What stands behind all of the first lines, with the blank before it: `key=value` after `key=value`, each of a key that no
/// event has. Lines of one event may well end alike, so it is told of several.
pub(super) fn of(detect: &Detect) -> &[u8] {
    let mut lines = detect
        .held()
        .filter_map(|line| Some((line.text, name(Prefix::read(line.text)?.text)?)));
    let Some((first, event)) = lines.next() else {
        return b"";
    };
    let (mut common, mut count, mut is_of_one) = (first, 1, true);
    for (line, other) in lines {
        common = common_end(common, line);
        count += 1;
        is_of_one &= other == event;
    }
    if is_of_one || count < ENOUGH_LINES {
        return b"";
    }
    unknown_pairs(common)
}

/// An event's name.
fn name(text: &[u8]) -> Option<&[u8]> {
    memmem::find(text, b": ").map(|end| &text[..end])
}

/// The end that both have.
fn common_end<'a>(one: &'a [u8], other: &[u8]) -> &'a [u8] {
    let both = one.iter().rev().zip(other.iter().rev());
    let length = both.take_while(|(one, other)| one == other).count();
    &one[one.len() - length..]
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
