//! Removes from lines what other programs added: terminal colours, tabs or non-breaking spaces in place of blanks,
//! HTML escapes, a JSON object around each line, and a log's suffix. The first lines show whether a file has any of
//! these; a single line with one stays as it is, because a task may be named so.

use memchr::{memchr, memchr2, memchr3, memmem};

use super::detect::Detect;
use super::ftrace::prefix::Prefix;
use super::{Ledger, says};
use super::{json, suffix};

/// The control character that begins a terminal escape sequence.
const ESCAPE: u8 = 0x1b;
/// U+00A0, the non-breaking space, in UTF-8.
const NO_BREAK: [u8; 2] = [0xc2, 0xa0];

/// An encoding around the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    /// HTML: `<` is `&lt;`.
    Html,
    /// HTML that was escaped twice: `&amp;lt;`.
    HtmlTwice,
    /// Each line is a JSON object, and one of its values is the logged text.
    Json,
}

/// What to remove from each line.
#[derive(Debug, Default)]
pub(crate) struct Clean {
    colours: bool,
    blanks: bool,
    /// The encoding around the text.
    written: Option<Written>,
    /// The suffix of each line.
    suffix: Vec<u8>,
    /// The line cleaned last.
    line: Vec<u8>,
}

impl Clean {
    /// Determines from the first lines what to remove: colours if half of the lines have some; other blanks if more
    /// lines have a trace's columns without them.
    pub fn of(detect: &Detect) -> Self {
        let texts = || detect.held().map(|line| line.text);
        let is_filled = |text: &&[u8]| !text.trim_ascii().is_empty();
        let coloured = texts().filter(|text| has_colours(text)).count();
        let mut clean = Self {
            colours: coloured > 0 && coloured * 2 >= texts().filter(is_filled).count(),
            ..Self::default()
        };
        let has_blanks =
            |text: &[u8]| memchr(b'\t', text).is_some() || memmem::find(text, &NO_BREAK).is_some();
        let logged: Vec<_> = texts().filter_map(json::logged).collect();
        let is_trace = logged.iter().any(|text| Prefix::read(text).is_some());
        if is_trace && logged.len() * 2 > texts().filter(is_filled).count() {
            clean.written = Some(Written::Json);
            return clean;
        }
        clean.written = html(&|| texts());
        clean.suffix = suffix::of(detect).to_vec();
        if texts().any(has_blanks) {
            let before = clean.columns_of(detect);
            clean.blanks = true;
            clean.blanks = clean.columns_of(detect) > 2 * before;
        }
        clean
    }

    /// The number of held lines that have a trace's columns after this cleaning.
    fn columns_of(&mut self, detect: &Detect) -> usize {
        detect
            .held()
            .filter(|line| Prefix::read(self.line(line.text)).is_some())
            .count()
    }

    /// Starts to remove colours if a line shows that they are not part of a task's name: the line has columns only
    /// without them, or they are in an event that names no task. Returns whether that is new.
    pub fn notice(&mut self, line: &[u8]) -> bool {
        if self.colours || !has_colours(line) {
            return false;
        }
        let columns =
            |line| Prefix::read(line).filter(|prefix| prefix.plausible_name(false).is_some());
        self.colours = if let Some(prefix) = columns(line) {
            has_colours(prefix.text) && !may_name_task(prefix.text)
        } else {
            let mut clean = Self {
                colours: true,
                ..Self::default()
            };
            columns(clean.line(line)).is_some()
        };
        self.colours
    }

    /// Whether any line changes.
    pub const fn is_needed(&self) -> bool {
        self.colours || self.blanks || self.written.is_some() || !self.suffix.is_empty()
    }

    /// Removes also what `other` removes.
    pub fn add(&mut self, other: Self) {
        self.colours |= other.colours;
        self.blanks |= other.blanks;
        self.written = self.written.or(other.written);
        if self.suffix.is_empty() {
            self.suffix = other.suffix;
        }
    }

    /// Reports to the ledger what is removed.
    pub fn tell(&self, ledger: &mut Ledger) {
        if self.colours {
            ledger.warn(says::coloured());
        }
        if self.blanks {
            ledger.warn(says::other_blanks());
        }
        match self.written {
            Some(Written::Html | Written::HtmlTwice) => ledger.warn(says::escaped()),
            Some(Written::Json) => ledger.warn(says::logged_as_json()),
            None => {}
        }
        if !self.suffix.is_empty() {
            let text = String::from_utf8_lossy(self.suffix.trim_ascii_start());
            ledger.warn(says::suffixed(text.into_owned()));
        }
    }

    fn without_suffix<'a>(&self, line: &'a [u8]) -> &'a [u8] {
        let without = |line: &'a [u8]| line.strip_suffix(&*self.suffix);
        let before_comma = || line.strip_suffix(b",").filter(|_| !self.suffix.is_empty());
        let shorter = without(line).or_else(|| before_comma().and_then(without));
        shorter.unwrap_or(line)
    }

    /// The line, cleaned.
    pub fn line<'a>(&'a mut self, line: &'a [u8]) -> &'a [u8] {
        if !self.is_needed() {
            return line;
        }
        if self.written == Some(Written::Json)
            && let Some(text) = json::logged(line)
        {
            self.line = text;
            return &self.line;
        }
        let line = self.without_suffix(line);
        let is_html = matches!(self.written, Some(Written::Html | Written::HtmlTwice));
        let is_twice = self.written == Some(Written::HtmlTwice);
        let is_escaped = is_html && memchr(b'&', line).is_some();
        if !is_escaped && memchr3(ESCAPE, NO_BREAK[0], b'\t', line).is_none() {
            return line;
        }
        self.line.clear();
        let mut rest = line;
        while let [byte, tail @ ..] = rest {
            rest = tail;
            match byte {
                b'\t' if self.blanks => self.line.push(b' '),
                _ if self.blanks && *byte == NO_BREAK[0] && tail.first() == Some(&NO_BREAK[1]) => {
                    self.line.push(b' ');
                    rest = &tail[1..];
                }
                &ESCAPE if self.colours => rest = behind_escape(tail),
                b'&' if is_html => {
                    let once = tail.strip_prefix(b"amp;").filter(|_| is_twice);
                    let (own, behind) = character(once.unwrap_or(tail)).unwrap_or((b'&', tail));
                    self.line.push(own);
                    rest = behind;
                }
                byte => self.line.push(*byte),
            }
        }
        &self.line
    }
}

/// The line without zeros at its ends, which a hole in a file leaves there. Zeros within a line are an error: the
/// text around them may be parts of two lines.
pub(super) fn without_zeros(line: &[u8]) -> Result<&[u8], &'static str> {
    let is_text = |&byte: &u8| byte != 0;
    let end = line.iter().rposition(is_text).ok_or(ZEROS)? + 1;
    let start = line.iter().position(is_text).unwrap_or_default();
    let text = &line[start..end];
    memchr(0, text).map_or(Ok(text), |_| Err(ZEROS))
}

const ZEROS: &str =
    "zeros stand in it, so a part of the file is missing here, or this part is in UTF-16";

/// Whether a line contains a byte that [`without_zeros`] or [`Clean::notice`] handles.
pub(super) fn is_odd(line: &[u8]) -> bool {
    memchr2(0, ESCAPE, line).is_some()
}

fn has_colours(text: &[u8]) -> bool {
    memmem::find(text, b"\x1b[").is_some()
}

/// Whether an event may contain a task's name, or text that a program wrote.
fn may_name_task(text: &[u8]) -> bool {
    [&b"comm="[..], b"sched_", b"mark_write", b"print"]
        .iter()
        .any(|part| memmem::find(text, part).is_some())
}

/// Whether the text is HTML source, escaped once or twice: a trace's markers then appear only as escapes.
fn html<'a, Texts: Iterator<Item = &'a [u8]>>(texts: &dyn Fn() -> Texts) -> Option<Written> {
    let has_mark = |text: &[u8]| {
        [&b"<idle>-"[..], b"<...>-", b" ==> "]
            .iter()
            .any(|mark| memmem::find(text, mark).is_some())
    };
    let escaped = || texts().filter(|text| memchr(b'&', text).is_some());
    if escaped().next().is_none() || texts().any(has_mark) {
        None
    } else if escaped().any(|text| has_mark(&unescaped(text))) {
        Some(Written::Html)
    } else {
        let is_twice = escaped().any(|text| has_mark(&unescaped(&unescaped(text))));
        is_twice.then_some(Written::HtmlTwice)
    }
}

fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut clean = Clean {
        written: Some(Written::Html),
        ..Clean::default()
    };
    clean.line(text).to_vec()
}

/// The character of an HTML escape, given the text after `&`, and the rest of the text.
fn character(text: &[u8]) -> Option<(u8, &[u8])> {
    if let Some(number) = text.strip_prefix(b"#") {
        return numbered(number);
    }
    let names: [(&[u8], u8); 6] = [
        (b"lt;", b'<'),
        (b"gt;", b'>'),
        (b"amp;", b'&'),
        (b"quot;", b'"'),
        (b"apos;", b'\''),
        (b"nbsp;", b' '),
    ];
    names
        .iter()
        .find_map(|&(name, own)| Some((own, text.strip_prefix(name)?)))
}

/// The character of a numeric escape, `39;` or `x27;`, if it is printable ASCII.
fn numbered(text: &[u8]) -> Option<(u8, &[u8])> {
    let end = memchr(b';', text)?;
    let digits = std::str::from_utf8(&text[..end]).ok()?;
    let number = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => u8::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    let own = number.ok().filter(|own| matches!(own, b' '..=b'~'))?;
    Some((own, &text[end + 1..]))
}

/// The text after a control sequence: `[1;31m`, `(B` (ECMA-48, 5.4; ISO 2022).
fn behind_escape(text: &[u8]) -> &[u8] {
    match text {
        [b'[', tail @ ..] => {
            let parameters = tail
                .iter()
                .take_while(|byte| matches!(byte, 0x20..=0x3f))
                .count();
            tail.get(parameters + 1..).unwrap_or_default()
        }
        [b'(' | b')', _, tail @ ..] => tail,
        _ => text,
    }
}
