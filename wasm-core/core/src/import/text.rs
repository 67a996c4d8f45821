//! Passes lines of text to the parser of their format. The first lines are held until the format is known and then
//! take the same path as all others. If several consecutive lines are not a trace's, the prefix or encoding may have
//! changed, as in concatenated files; they are then examined like the first ones.
//!
//! To add a format: a variant of [`super::Format`], its detection in `detect.rs`, and an arm in [`Parser::open`] and
//! [`Parser::line`].

use super::bpftrace::Bpftrace;
use super::clean::{Clean, is_odd, without_zeros};
use super::cut::Cut;
use super::detect::Detect;
use super::foreign::is_quoted_printable;
use super::found::Kind;
use super::ftrace::Ftrace;
use super::ftrace::prefix::Prefix;
use super::kperf::Kperf;
use super::lines::{Lines, TextLine};
use super::perf::Perf;
use super::{Format, ImportError, Imported, Ledger, says};
use crate::kernel::Origin;
use crate::run::{Excerpt, RunBuilder};

/// Longest accepted recording in nanoseconds: 104 days, up to which the page represents times exactly.
const LONGEST: u64 = 1 << 53;

/// An import of text in progress.
#[derive(Debug)]
pub(crate) struct Text {
    lines: Lines,
    state: State,
    sink: Sink,
}

#[derive(Debug)]
enum State {
    Detecting(Box<Detect>),
    Reading(Format, Parser),
}

/// The destination of every line.
#[derive(Debug)]
struct Sink {
    run: RunBuilder,
    ledger: Ledger,
    doubted: says::Doubted,
    clean: Clean,
    unread: Unread,
    cut: Cut,
}

/// Consecutive lines that are not a trace's, and why each is not.
#[derive(Debug, Default)]
struct Unread {
    lines: Detect,
    whys: Vec<&'static str>,
}

/// The UTF-8 byte order mark, written by Windows programs at the start of a text; also within concatenated ones.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// How many consecutive unreadable lines are examined together.
const ENOUGH_UNREAD: usize = 8;

/// The parser of a format. Each has `fn line(&mut self, number: u64, line: &[u8], run: &mut RunBuilder, ledger: &mut
/// Ledger)` and enters the line in the ledger exactly once, or returns why it is not a trace's line.
#[derive(Debug)]
enum Parser {
    Ftrace(Box<Ftrace>),
    Perf(Box<Perf>),
    Bpftrace(Bpftrace),
    Kperf(Box<Kperf>),
}

impl Text {
    /// An import of this part of a text.
    pub fn new(excerpt: Excerpt) -> Self {
        let mut run = RunBuilder::new(Origin::Recorded);
        run.only(excerpt);
        Self {
            lines: Lines::default(),
            state: State::Detecting(Box::default()),
            sink: Sink {
                run,
                ledger: Ledger::default(),
                doubted: says::Doubted::default(),
                clean: Clean::default(),
                unread: Unread::default(),
                cut: Cut::default(),
            },
        }
    }

    /// Takes bytes of text, split anywhere.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<(), ImportError> {
        while let Some(line) = self.lines.next(&mut bytes) {
            match &mut self.state {
                State::Reading(_, parser) => self.sink.enter(parser, line),
                State::Detecting(detect) => {
                    detect.hold(line);
                    if detect.is_enough() {
                        self.state = self.sink.open(detect)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Ends the text.
    pub fn finish(mut self) -> Result<Imported, ImportError> {
        if let State::Detecting(detect) = &mut self.state {
            if let Some(line) = self.lines.last() {
                detect.hold(line);
            }
            self.state = self.sink.open(detect)?;
        }
        let State::Reading(format, mut parser) = self.state else {
            return Err(ImportError::Empty);
        };
        if let Some(line) = self.lines.last() {
            self.sink.enter(&mut parser, line);
        }
        self.sink.look_again(&mut parser);
        let Sink {
            run,
            mut ledger,
            doubted,
            clean: _,
            unread: _,
            cut,
        } = self.sink;
        let run = parser.finish(run, &mut ledger);
        doubted.tell(&mut ledger);
        cut.tell(&mut ledger);
        if run.is_empty() {
            ledger.warn(if ledger.left_out > 0 {
                says::nothing_in_part()
            } else {
                says::nothing_known()
            });
        }
        let span = run.end().since(run.start());
        if span > LONGEST {
            ledger.warn(says::far_apart(span));
        }
        Ok(Imported {
            run,
            ledger,
            format,
        })
    }

    /// Lines so far.
    pub const fn lines(&self) -> u64 {
        self.lines.count()
    }

    /// Events so far.
    pub fn events(&self) -> u64 {
        self.sink.run.len() as u64
    }
}

impl Sink {
    /// Chooses the parser and passes the held lines to it.
    fn open(&mut self, detect: &mut Detect) -> Result<State, ImportError> {
        self.clean = Clean::of(detect);
        self.clean.tell(&mut self.ledger);
        if self.clean.is_needed() {
            *detect = detect.cleaned(&mut self.clean);
        }
        let format = detect.format()?;
        // A mail's header may precede the columns.
        let texts = detect.held().map(|line| line.text);
        if is_quoted_printable(texts.filter(|text| Prefix::read(text).is_some())) {
            return Err(Kind::QuotedPrintable.into());
        }
        let mut parser = Parser::open(format, detect.is_uptime());
        if detect.is_dressed() {
            parser.dress();
            self.ledger.warn(says::dressed());
        }
        if detect.is_uptime() {
            self.ledger.warn(says::clock_is_uptime());
        }
        for line in detect.held() {
            self.enter(&mut parser, line);
        }
        Ok(State::Reading(format, parser))
    }

    fn enter(&mut self, parser: &mut Parser, line: TextLine<'_>) {
        self.cut.enter(line);
        let malformed = self.ledger.malformed;
        let read = self.read(parser, line);
        if self.ledger.malformed > malformed {
            self.cut.enter_unread(line.number);
        }
        if !self.unread.whys.is_empty() && read.is_ok() {
            self.give_up();
        }
        if let Err(why) = read {
            self.cut.enter_foreign(line.number);
            self.unread.lines.hold(line);
            self.unread.whys.push(why);
            if self.unread.whys.len() >= ENOUGH_UNREAD {
                self.look_again(parser);
            }
        }
    }

    /// Passes a line to the parser.
    fn read(&mut self, parser: &mut Parser, line: TextLine<'_>) -> Result<(), &'static str> {
        if line.is_cut {
            return Err("longer than any line of a trace");
        }
        let understood = self.ledger.understood;
        let mut text = line.text.strip_prefix(MARK).unwrap_or(line.text);
        if is_odd(text) {
            text = without_zeros(text)?;
            if self.clean.notice(text) {
                self.ledger.warn(says::coloured());
            }
        }
        let text = self.clean.line(text);
        parser.line(line.number, text, &mut self.run, &mut self.ledger)?;
        self.doubted.enter(line.number, self.run.take_doubtful());
        // A line outside the wanted part is counted as left out. A lost-events marker is not, as it concerns the
        // whole file.
        if self.run.take_left_out() && self.ledger.understood > understood {
            self.ledger.leave_out();
        }
        Ok(())
    }

    /// Reads the held lines again if they have a prefix of another program before their columns from here on, or need
    /// cleaning; otherwise they are not a trace's lines.
    fn look_again(&mut self, parser: &mut Parser) {
        let mut clean = Clean::of(&self.unread.lines);
        let lines = self.unread.lines.cleaned(&mut clean);
        let is_cleaner = clean.is_needed() && lines.has_mostly_columns();
        if !is_cleaner && !lines.is_dressed() {
            self.give_up();
            return;
        }
        if is_cleaner {
            clean.tell(&mut self.ledger);
            self.clean.add(clean);
        }
        if lines.is_dressed() {
            self.ledger.warn(says::dressed());
            parser.dress();
        }
        let unread = std::mem::take(&mut self.unread);
        for line in unread.lines.held() {
            if let Err(why) = self.read(parser, line) {
                self.ledger
                    .malformed(line.number, self.clean.line(line.text), why);
            }
        }
    }

    /// Enters the held lines as malformed.
    fn give_up(&mut self) {
        let Unread { lines, whys } = std::mem::take(&mut self.unread);
        for (line, why) in lines.held().zip(whys) {
            self.ledger
                .malformed(line.number, self.clean.line(line.text), why);
        }
    }
}

impl Parser {
    fn open(format: Format, is_uptime: bool) -> Self {
        match format {
            Format::Ftrace
            | Format::FtraceLatency
            | Format::TraceCmd
            | Format::TraceCmdLatency
            | Format::Pcap
            | Format::Pcapng => Self::Ftrace(Box::new(Ftrace::new(is_uptime))),
            Format::PerfScript => Self::Perf(Box::default()),
            Format::BpftraceKperf => Self::Bpftrace(Bpftrace::default()),
            Format::Kperf | Format::Kperf2 => Self::Kperf(Box::default()),
        }
    }

    /// From here on most lines have a prefix of another program before their columns, for formats with columns.
    fn dress(&mut self) {
        match self {
            Self::Ftrace(ftrace) => ftrace.is_dressed = true,
            Self::Perf(perf) => perf.is_dressed = true,
            Self::Bpftrace(_) | Self::Kperf(_) => {}
        }
    }

    fn line(
        &mut self,
        number: u64,
        line: &[u8],
        run: &mut RunBuilder,
        ledger: &mut Ledger,
    ) -> Result<(), &'static str> {
        match self {
            Self::Ftrace(ftrace) => return ftrace.line(number, line, run, ledger),
            Self::Perf(perf) => return perf.line(number, line, run, ledger),
            Self::Bpftrace(bpftrace) => bpftrace.line(number, line, run, ledger),
            Self::Kperf(kperf) => kperf.line(number, line, run, ledger),
        }
        Ok(())
    }

    fn finish(self, run: RunBuilder, ledger: &mut Ledger) -> crate::run::Run {
        match self {
            Self::Ftrace(ftrace) => ftrace.finish(run, ledger),
            Self::Perf(perf) => perf.finish(run, ledger),
            Self::Bpftrace(_) | Self::Kperf(_) => run.finish(),
        }
    }
}
