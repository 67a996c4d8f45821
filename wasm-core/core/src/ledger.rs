//! The import ledger: what became of every line of the input.
//!
//! Each line is entered exactly once, so the sums equal the number of lines. A
//! binary capture enters its frames as lines. The ledger keeps counts of
//! everything and the first [`Ledger::KEPT`] examples of each kind, with their text.

use std::collections::BTreeMap;

use crate::kernel::CpuId;
use crate::run::harmless;
use crate::saying::Saying;

sayings! {
    further_warnings = "import.further_warnings"(kept: Count);
}

/// What became of every line.
#[derive(Debug, Clone, Default, PartialEq)]
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
    /// How many of them for each reason.
    pub malformed_reasons: BTreeMap<String, u64>,
    /// The first of them.
    pub malformed_kept: Vec<Malformed>,
    /// Lines in which the kernel says that it lost events.
    pub lost_markers: u64,
    /// Lines with an event outside the part of the file that was to be opened.
    pub left_out: u64,
    /// Events lost by the kernel, per CPU, where it said how many.
    pub lost_events: BTreeMap<CpuId, u64>,
    /// Events that the buffer overwrote before it was read, as its header counts them.
    pub overwritten: u64,
    /// What else the user should know, once each: overwritten buffers, unusual clocks.
    pub warnings: Vec<Saying>,
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
    /// How many names of a kind are kept apart: a kernel has some 2,000 tracepoints, of which a
    /// recording has some dozens. What has a further name is counted under [`Ledger::FURTHER`].
    pub const NAMES: usize = 1000;
    /// Where lines are counted whose names are one too many.
    pub const FURTHER: &str = "(further names)";
    /// How many characters of a line are kept.
    pub const TEXT: usize = 240;

    /// All lines entered: equals the number of lines of the input.
    pub fn total(&self) -> u64 {
        self.understood
            + self.skipped_lines()
            + self.unknown_lines()
            + self.malformed
            + self.lost_markers
            + self.left_out
    }

    /// Lines known and not needed.
    pub fn skipped_lines(&self) -> u64 {
        self.skipped.values().map(|tally| tally.count).sum()
    }

    /// Lines with an unknown event.
    pub fn unknown_lines(&self) -> u64 {
        self.unknown.values().map(|tally| tally.count).sum()
    }

    /// Events that the kernel says it lost; the largest number where 64 bits do not hold it. What
    /// was overwritten may be counted by a mark among the events as well, so the two are not added
    /// up: the greater of them is sure.
    pub fn lost(&self) -> u64 {
        let counts = self.lost_events.values();
        let marked = counts.fold(0u64, |sum, &count| sum.saturating_add(count));
        marked.max(self.overwritten)
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
        self.count_reason(why);
        if self.malformed_kept.len() < Self::KEPT {
            // An importer may enter a line after one that follows it.
            let kept = &self.malformed_kept;
            let at = kept.partition_point(|kept| kept.line.number <= number);
            let (line, why) = (Line::new(number, text), why.to_owned());
            self.malformed_kept.insert(at, Malformed { line, why });
        }
    }

    fn count_reason(&mut self, why: &str) {
        // A reason may name what stands in its line, so they are as many as lines at worst.
        let reasons = &mut self.malformed_reasons;
        if let Some(count) = reasons.get_mut(why) {
            *count += 1;
        } else if reasons.len() < Self::NAMES {
            reasons.insert(why.to_owned(), 1);
        } else {
            *reasons.entry(Self::FURTHER.to_owned()).or_default() += 1;
        }
    }

    /// Enters a line in which the kernel says that it lost events of a CPU.
    pub fn lose(&mut self, cpu: CpuId, events: u64) {
        self.lost_markers += 1;
        let lost = self.lost_events.entry(cpu).or_default();
        *lost = lost.saturating_add(events);
    }

    /// Enters a line that was understood among those that were left out by choice.
    pub fn leave_out(&mut self) {
        self.understood -= 1;
        self.left_out += 1;
    }

    /// Adds a warning, once; of a kind that names what stands in the file there may be as many as lines, and the first
    /// [`Self::KEPT`] are kept.
    pub fn warn(&mut self, warning: Saying) {
        if self.warnings.contains(&warning) {
            return;
        }
        let of_kind = self.warnings.iter().filter(|one| one.code == warning.code);
        if of_kind.count() < Self::KEPT {
            self.warnings.push(warning);
            return;
        }
        let further = further_warnings(Self::KEPT as u64);
        if !self.warnings.contains(&further) {
            self.warnings.push(further);
        }
    }
}

impl Line {
    fn new(number: u64, text: &[u8]) -> Self {
        let text = String::from_utf8_lossy(&text[..text.len().min(Ledger::TEXT * 4)]);
        let cut: String = text.chars().take(Ledger::TEXT).collect();
        // A tab is no harm, and what an excerpt is copied for is to be the line.
        let fields: Vec<_> = cut.split('\t').map(harmless).collect();
        Self {
            number,
            text: fields.join("\t"),
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
    } else if tallies.len() >= Ledger::NAMES && name != Ledger::FURTHER {
        enter(tallies, Ledger::FURTHER, number, text);
    } else {
        let kept = vec![Line::new(number, text)];
        tallies.insert(name.to_owned(), Tally { count: 1, kept });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_end_are_counted_and_not_kept() {
        let mut ledger = Ledger::default();
        for number in 1..=5000 {
            ledger.unknown(&format!("event_{number}"), number, b"a line");
        }
        ledger.unknown("event_1", 5001, b"a line");
        assert_eq!(ledger.total(), 5001);
        assert_eq!(ledger.unknown["event_1"].count, 2);
        assert_eq!(ledger.unknown.len(), Ledger::NAMES + 1);
        assert_eq!(ledger.unknown[Ledger::FURTHER].count, 4000);
        assert_eq!(ledger.unknown[Ledger::FURTHER].kept.len(), Ledger::KEPT);
    }

    #[test]
    fn each_line_that_could_not_be_read_counts_for_its_reason() {
        let mut ledger = Ledger::default();
        for number in 1..=2664 {
            ledger.malformed(number, b"@@", "no line of a trace");
        }
        for number in 0..2000 {
            ledger.malformed(2665 + number, b"##", &format!("no key {number}"));
        }
        assert_eq!(ledger.malformed_kept.len(), Ledger::KEPT);
        assert_eq!(ledger.malformed_reasons["no line of a trace"], 2664);
        assert_eq!(ledger.malformed_reasons[Ledger::FURTHER], 1001);
        assert_eq!(
            ledger.malformed_reasons.values().sum::<u64>(),
            ledger.malformed
        );
    }

    #[test]
    fn of_warnings_that_name_what_a_file_holds_the_first_are_kept() {
        let mut ledger = Ledger::default();
        for number in 0..10_000 {
            ledger.warn(further_warnings(number % 5_000));
        }
        let kept = Ledger::KEPT as u64;
        let mut expected: Vec<Saying> = (0..kept).map(further_warnings).collect();
        expected.push(further_warnings(kept));
        assert_eq!(ledger.warnings, expected);
    }

    #[test]
    fn an_excerpt_of_a_line_turns_nothing_around() {
        let mut ledger = Ledger::default();
        ledger.malformed(1, "a\tb\u{202e}c\u{1b}[2J".as_bytes(), "why");
        assert_eq!(
            ledger.malformed_kept[0].line.text,
            "a\tb\u{fffd}c\u{fffd}[2J"
        );
    }
}
