//! Lines without what does not belong into text: a terminal's colours, and tabs or blanks that do not break where a trace has
//! blanks. The first lines tell whether there is such in a file at all; a single one stays as it is, for a task may be
//! named so.

use memchr::{memchr, memchr3, memmem};

use super::detect::Detect;
use super::ftrace::prefix::Prefix;
use super::{Ledger, says};

/// Begins what a terminal does not show as text.
const ESCAPE: u8 = 0x1b;
/// U+00A0, a blank at which no line is broken.
const NO_BREAK: [u8; 2] = [0xc2, 0xa0];

/// What is taken off each line.
#[derive(Debug, Default)]
pub(crate) struct Clean {
    colours: bool,
    blanks: bool,
    /// The line that was cleaned last.
    line: Vec<u8>,
}

impl Clean {
    /// What the first lines show to be needed. Colours are where half of the lines have some; blanks count as such where
    /// columns are found by that.
    pub fn of(detect: &Detect) -> Self {
        let texts = || detect.held().map(|line| line.text);
        let is_filled = |text: &&[u8]| !text.trim_ascii().is_empty();
        let has_colours = |text: &&[u8]| memmem::find(text, b"\x1b[").is_some();
        let coloured = texts().filter(has_colours).count();
        let mut clean = Self {
            colours: coloured > 0 && coloured * 2 >= texts().filter(is_filled).count(),
            ..Self::default()
        };
        let has_blanks =
            |text: &[u8]| memchr(b'\t', text).is_some() || memmem::find(text, &NO_BREAK).is_some();
        if texts().any(has_blanks) {
            let before = clean.columns_of(detect);
            clean.blanks = true;
            clean.blanks = clean.columns_of(detect) > 2 * before;
        }
        clean
    }

    /// How many lines have the columns of a trace, cleaned as this does.
    fn columns_of(&mut self, detect: &Detect) -> usize {
        detect
            .held()
            .filter(|line| Prefix::read(self.line(line.text)).is_some())
            .count()
    }

    /// Whether lines change.
    pub const fn is_needed(&self) -> bool {
        self.colours || self.blanks
    }

    /// Tells of it.
    pub fn tell(&self, ledger: &mut Ledger) {
        if self.colours {
            ledger.warn(says::coloured());
        }
        if self.blanks {
            ledger.warn(says::other_blanks());
        }
    }

    /// The line, cleaned.
    pub fn line<'a>(&'a mut self, line: &'a [u8]) -> &'a [u8] {
        if !self.is_needed() || memchr3(ESCAPE, NO_BREAK[0], b'\t', line).is_none() {
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
                byte => self.line.push(*byte),
            }
        }
        &self.line
    }
}

/// What follows a control sequence: `[1;31m`, `(B` (ECMA-48, 5.4; ISO 2022).
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
