//! Detects the format by the first lines. No header is needed, and prose around a pasted trace does no harm: each
//! line votes for the format that it matches. Only a header on the first line decides alone: kperf's version line, or
//! the header of tracefs, after which lines vote for tracefs formats only, whatever the task's name, and other
//! comments do not vote.

use super::clean::Clean;
use super::ftrace::graph::{self, Comment};
use super::ftrace::prefix::{Layout, Prefix, Unit};
use super::kperf::Kperf;
use super::lines::TextLine;
use super::refuse::refuse;
use super::{Format, ImportError};

/// How many non-blank lines are examined, from the first that looks like a trace's.
const ENOUGH_LINES: usize = 200;
/// Bytes after which fewer lines suffice.
const ENOUGH_BYTES: usize = 256 << 10;
/// How many lines are searched for the start of a trace: more than the kernel log that precedes a trace dumped in a
/// crash.
const MOST_LINES: usize = 1 << 16;
/// The same limit in bytes.
const MOST_BYTES: usize = 8 << 20;
/// How many lines with a prefix of another program before their columns rule out chance.
const ENOUGH_DRESSED: u32 = 3;

/// A held line, or several empty ones.
#[derive(Debug)]
struct Held {
    /// The number of the first line.
    number: u64,
    /// The number of lines; all are empty if it is more than one.
    count: u64,
    /// Its end in the held bytes.
    end: usize,
    is_cut: bool,
}

/// The first lines with their votes.
#[derive(Debug, Default)]
pub(crate) struct Detect {
    bytes: Vec<u8>,
    lines: Vec<Held>,
    filled: usize,
    /// How many non-blank lines and bytes precede the first line that looks like a trace's.
    before: Option<(usize, usize)>,
    votes: [u32; Format::ALL.len()],
    has_trace_cmd_header: bool,
    has_kperf_version: bool,
    has_tracefs_header: bool,
    /// Lines with a prefix of another program before their columns, and lines without.
    dressed: u32,
    bare: u32,
    ticks: Ticks,
}

/// Times that are integers.
#[derive(Debug, Default)]
struct Ticks {
    count: u32,
    /// How many equal the time before.
    same: u32,
    last: Option<u64>,
}

impl Detect {
    /// Holds one of the first lines.
    pub fn hold(&mut self, line: TextLine<'_>) {
        self.keep(line);
        if line.text.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        self.filled += 1;
        if self.filled == 1 && line.text.starts_with(b"#") {
            self.has_kperf_version = Kperf::is_like(line.text);
            self.has_tracefs_header =
                line.text.starts_with(b"# tracer:") || line.text.starts_with(b"# ringside:");
        }
        if line.text.starts_with(b"cpus=") {
            self.has_trace_cmd_header = true;
        }
        let (look, prefix) = look(line.text);
        if let Some(format) = look.and_then(|format| self.vote(line.text, format)) {
            let before = (self.filled - 1, self.bytes.len() - line.text.len());
            self.before.get_or_insert(before);
            self.votes[format as usize] += 1;
            if let Some(mut prefix) = prefix {
                prefix.comm = prefix.name_without_buffer();
                if prefix.is_dressed() {
                    self.dressed += 1;
                } else {
                    self.bare += 1;
                }
                if prefix.unit == Unit::Ticks {
                    self.ticks.count += 1;
                    self.ticks.same += u32::from(self.ticks.last == Some(prefix.time));
                    self.ticks.last = Some(prefix.time);
                }
            }
        }
    }

    fn keep(&mut self, line: TextLine<'_>) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(line.text);
        let before = self
            .lines
            .len()
            .checked_sub(2)
            .map_or(0, |at| self.lines[at].end);
        match self.lines.last_mut() {
            Some(last) if line.text.is_empty() && last.end == start && before == start => {
                last.count += 1;
            }
            _ => self.lines.push(Held {
                number: line.number,
                count: 1,
                end: self.bytes.len(),
                is_cut: line.is_cut,
            }),
        }
    }

    /// The vote of a line that looks like one of this format.
    fn vote(&self, line: &[u8], format: Format) -> Option<Format> {
        if !self.has_tracefs_header {
            return Some(format);
        }
        match format {
            _ if line.starts_with(b"#") && !is_of_tracefs_header(line) => None,
            Format::Ftrace | Format::TraceCmd => Some(Format::Ftrace),
            Format::FtraceLatency | Format::TraceCmdLatency => Some(Format::FtraceLatency),
            _ => None,
        }
    }

    /// Whether most lines have a prefix of another program before their columns. A few may be damaged lines.
    pub const fn is_dressed(&self) -> bool {
        self.dressed > self.bare && self.dressed >= ENOUGH_DRESSED
    }

    /// Whether most lines have a trace's columns.
    pub const fn has_mostly_columns(&self) -> bool {
        let with = self.dressed + self.bare;
        with as usize * 2 > self.filled
    }

    /// Whether the times are of the clock `uptime`, which counts hundredths of a second (`kernel/trace/trace_clock.c:
    /// trace_clock_jiffies`, v6.18): most lines have the same time as the line before. Of the other integer clocks,
    /// `counter` never repeats a value and `x86-tsc` hardly ever.
    pub const fn is_uptime(&self) -> bool {
        self.ticks.same * 2 > self.ticks.count
    }

    /// The same lines after cleaning, with their votes.
    pub fn cleaned(&self, clean: &mut Clean) -> Self {
        let mut cleaned = Self::default();
        for line in self.held() {
            let text = clean.line(line.text);
            cleaned.hold(TextLine { text, ..line });
        }
        cleaned
    }

    /// Whether enough lines are held to decide.
    pub fn is_enough(&self) -> bool {
        match self.before {
            Some((lines, bytes)) => {
                self.filled - lines >= ENOUGH_LINES || self.bytes.len() - bytes >= ENOUGH_BYTES
            }
            None => self.filled >= MOST_LINES || self.bytes.len() >= MOST_BYTES,
        }
    }

    /// The held lines, in order.
    pub fn held(&self) -> impl Iterator<Item = TextLine<'_>> {
        let starts = std::iter::once(0).chain(self.lines.iter().map(|held| held.end));
        self.lines.iter().zip(starts).flat_map(|(held, start)| {
            let text = &self.bytes[start..held.end];
            (0..held.count).map(move |further| TextLine {
                number: held.number + further,
                text,
                is_cut: held.is_cut,
            })
        })
    }

    /// The format with the most votes.
    pub fn format(&self) -> Result<Format, ImportError> {
        if self.has_kperf_version {
            return Ok(Format::Kperf2);
        }
        let best = Format::ALL
            .iter()
            .copied()
            .max_by_key(|&format| (self.votes[format as usize], std::cmp::Reverse(format)));
        match best {
            Some(format) if self.votes[format as usize] > 0 => Ok(self.settle(format)),
            _ => Err(refuse(self.held().map(|line| line.text))),
        }
    }

    /// ftrace and trace-cmd share a grammar; they differ in the header, and trace-cmd pads the names of events to 20
    /// columns.
    fn settle(&self, format: Format) -> Format {
        let votes = |format: Format| self.votes[format as usize];
        let is_trace_cmd = self.has_trace_cmd_header
            || votes(Format::TraceCmd) * 4 > votes(Format::Ftrace) && votes(Format::TraceCmd) > 0;
        match format {
            Format::Ftrace | Format::TraceCmd if is_trace_cmd => Format::TraceCmd,
            Format::Ftrace | Format::TraceCmd => Format::Ftrace,
            Format::Kperf if votes(Format::Kperf2) > 0 => Format::Kperf2,
            other => other,
        }
    }
}

fn is_of_tracefs_header(line: &[u8]) -> bool {
    line.starts_with(b"# tracer:") || line.starts_with(b"# entries-in-buffer")
}

/// The format that a line matches, and its columns if it has some.
fn look(line: &[u8]) -> (Option<Format>, Option<Prefix<'_>>) {
    let text = line.trim_ascii_start();
    if is_of_tracefs_header(text) {
        return (Some(Format::Ftrace), None);
    }
    if Kperf::is_like(text) {
        // A 2005 record has ten words; the version line, `ev` and pairs are kperf 2.
        let words = text.split(u8::is_ascii_whitespace).count();
        let is_first = words == 10 && !text.starts_with(b"#");
        let format = if is_first {
            Format::Kperf
        } else {
            Format::Kperf2
        };
        return (Some(format), None);
    }
    if text.starts_with(b"N ") {
        let mut words = text.split(|&byte| byte == b' ').step_by(2);
        let is_bpftrace = ["N", "P", "S", "T"]
            .iter()
            .all(|key| words.next() == Some(key.as_bytes()));
        return (is_bpftrace.then_some(Format::BpftraceKperf), None);
    }
    let prefix = Prefix::read(line);
    let format = prefix.map(by_columns);
    let is_graph = || matches!(graph::comment(line), Some(Comment::Event(_)));
    (
        format.or_else(|| is_graph().then_some(Format::Ftrace)),
        prefix,
    )
}

/// The format with these columns.
fn by_columns(prefix: Prefix<'_>) -> Format {
    let is_padded = prefix
        .text
        .split(|&byte| byte == b':')
        .nth(1)
        .is_some_and(|args| args.starts_with(b"  "));
    match (prefix.layout, prefix.unit) {
        (Layout::Perf, _) => Format::PerfScript,
        (Layout::Latency, Unit::Micros) => Format::FtraceLatency,
        (Layout::Latency, _) => Format::TraceCmdLatency,
        (Layout::Columns, _) if is_padded => Format::TraceCmd,
        (Layout::Columns, _) => Format::Ftrace,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_lines_come_back_and_take_no_memory() {
        let mut detect = Detect::default();
        let texts = |number| if number == 500_000 { "text" } else { "" };
        for number in 1..=1_000_000 {
            let text = texts(number).as_bytes();
            detect.hold(TextLine {
                number,
                text,
                is_cut: false,
            });
        }
        assert!(detect.lines.len() <= 3, "{}", detect.lines.len());
        let mut number = 0;
        for line in detect.held() {
            number += 1;
            assert_eq!((line.number, line.text), (number, texts(number).as_bytes()));
        }
        assert_eq!(number, 1_000_000);
    }
}
