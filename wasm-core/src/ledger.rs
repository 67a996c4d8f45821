//! The import ledger: what became of every line of the input.
//!
//! Each line is entered exactly once, so the sums equal the number of lines. A
//! binary capture enters its frames as lines. The ledger keeps counts of
//! everything and the first [`Ledger::KEPT`] examples of each kind, with their text.

use std::collections::BTreeMap;

use crate::kernel::CpuId;

/// What became of every line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Lines that became events or told something of the recording (headers).
    pub understood: u64,
    /// Lines that are known and not needed, by event name (or what else they are,
    /// in brackets: `(blank line)`).
    pub skipped: BTreeMap<String, Tally>,
    /// Lines with an event that is not in the vocabulary, by its name.
    pub unknown: BTreeMap<String, Tally>,
    /// Lines that could not be read.
    pub malformed: u64,
    /// The first of them.
    pub malformed_kept: Vec<Malformed>,
    /// Lines in which the kernel says that it lost events.
    pub lost_markers: u64,
    /// Events lost by the kernel, per CPU, where it said how many.
    pub lost_events: BTreeMap<CpuId, u64>,
    /// What else the user should know, once each: overwritten buffers, unusual clocks.
    pub warnings: Vec<String>,
}

/// How often something came and where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// How often.
    pub count: u64,
    /// The first lines, by number from 1, with their text.
    pub kept: Vec<Line>,
}

/// A line of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number, from 1.
    pub number: u64,
    /// Its text, cut to [`Ledger::TEXT`] characters.
    pub text: String,
}

/// A line that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// The line.
    pub line: Line,
    /// Why, in words for the person who recorded it.
    pub why: String,
}

impl Ledger {
    /// How many examples of each kind are kept.
    pub const KEPT: usize = 100;
    /// How many characters of a line are kept.
    pub const TEXT: usize = 240;

    /// All lines entered: equals the number of lines of the input.
    pub fn total(&self) -> u64 {
        self.understood
            + self.skipped_lines()
            + self.unknown_lines()
            + self.malformed
            + self.lost_markers
    }

    /// Lines known and not needed.
    pub fn skipped_lines(&self) -> u64 {
        self.skipped.values().map(|tally| tally.count).sum()
    }

    /// Lines with an unknown event.
    pub fn unknown_lines(&self) -> u64 {
        self.unknown.values().map(|tally| tally.count).sum()
    }

    /// Events that the kernel says it lost.
    pub fn lost(&self) -> u64 {
        self.lost_events.values().sum()
    }

    /// Enters a line that is known and not needed.
    pub fn skip(&mut self, name: &str, number: u64, text: &[u8]) {
        enter(&mut self.skipped, name, number, text);
    }

    /// Enters a line whose event is not known.
    pub fn unknown(&mut self, name: &str, number: u64, text: &[u8]) {
        enter(&mut self.unknown, name, number, text);
    }

    /// Enters a line that could not be read.
    pub fn malformed(&mut self, number: u64, text: &[u8], why: &str) {
        self.malformed += 1;
        if self.malformed_kept.len() < Self::KEPT {
            self.malformed_kept.push(Malformed {
                line: Line::new(number, text),
                why: why.to_owned(),
            });
        }
    }

    /// Enters a line in which the kernel says that it lost events of a CPU.
    pub fn lose(&mut self, cpu: CpuId, events: u64) {
        self.lost_markers += 1;
        *self.lost_events.entry(cpu).or_default() += events;
    }

    /// Adds a warning, once.
    pub fn warn(&mut self, warning: &str) {
        if !self.warnings.iter().any(|known| known == warning) {
            self.warnings.push(warning.to_owned());
        }
    }
}

impl Line {
    fn new(number: u64, text: &[u8]) -> Self {
        Self {
            number,
            text: String::from_utf8_lossy(&text[..text.len().min(Ledger::TEXT * 4)])
                .chars()
                .take(Ledger::TEXT)
                .collect(),
        }
    }
}

fn enter(tallies: &mut BTreeMap<String, Tally>, name: &str, number: u64, text: &[u8]) {
    // Look up before allocating: a skipped event comes millions of times.
    if let Some(tally) = tallies.get_mut(name) {
        tally.count += 1;
        if tally.kept.len() < Ledger::KEPT {
            tally.kept.push(Line::new(number, text));
        }
    } else {
        let kept = vec![Line::new(number, text)];
        tallies.insert(name.to_owned(), Tally { count: 1, kept });
    }
}
