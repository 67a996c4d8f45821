//! Lines of text to the parser of their format. The first lines are held until
//! the format is known, then go the same way as all others. Where several lines on end are none of a trace, as another
//! program's words may begin anywhere in what was put together, they are looked at as the first ones were.
//!
//! To add a format: a variant of [`super::Format`], its look in `detect.rs`, and
//! an arm in [`Parser::open`] and [`Parser::line`].

use super::bpftrace::Bpftrace;
use super::clean::{Clean, is_odd, without_zeros};
use super::detect::Detect;
use super::foreign::{QUOTED_PRINTABLE, is_quoted_printable};
use super::ftrace::Ftrace;
use super::ftrace::prefix::Prefix;
use super::kperf::Kperf;
use super::lines::{Lines, TextLine};
use super::perf::Perf;
use super::{Format, ImportError, Imported, Ledger, says};
use crate::kernel::Origin;
use crate::run::{Excerpt, RunBuilder};

/// A recording is not longer than this, in nanoseconds: 104 days, which is also how far the page
/// counts them exactly.
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

/// What every line is entered into.
#[derive(Debug)]
struct Sink {
    run: RunBuilder,
    ledger: Ledger,
    doubted: says::Doubted,
    clean: Clean,
    unread: Unread,
}

/// Lines on end that are none of a trace, and why each is none.
#[derive(Debug, Default)]
struct Unread {
    lines: Detect,
    whys: Vec<&'static str>,
}

/// Begins a text in UTF-8 that a program of Windows wrote, and each part of what was put together of such.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// So many lines on end that are none are looked at together.
const ENOUGH_UNREAD: usize = 8;

/// The parser of a format: each has
/// `fn line(&mut self, number: u64, line: &[u8], run: &mut RunBuilder, ledger: &mut Ledger)`
/// and enters the line in the ledger exactly once; or it does not, and says why it is none of a trace.
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
            },
        }
    }

    /// Takes bytes of text, cut anywhere.
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

    /// The end of the text.
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
        } = self.sink;
        let run = parser.finish(run, &mut ledger);
        doubted.tell(&mut ledger);
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
    /// Chooses the parser and gives it the lines that were held.
    fn open(&mut self, detect: &mut Detect) -> Result<State, ImportError> {
        self.clean = Clean::of(detect);
        self.clean.tell(&mut self.ledger);
        if self.clean.is_needed() {
            *detect = detect.cleaned(&mut self.clean);
        }
        let format = detect.format()?;
        // Before it stands the head of a mail.
        let texts = detect.held().map(|line| line.text);
        if is_quoted_printable(texts.filter(|text| Prefix::read(text).is_some())) {
            let found = QUOTED_PRINTABLE.to_owned();
            return Err(ImportError::NotATrace { found });
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
        let read = self.read(parser, line);
        if !self.unread.whys.is_empty() && read.is_ok() {
            self.give_up();
        }
        if let Err(why) = read {
            self.unread.lines.hold(line);
            self.unread.whys.push(why);
            if self.unread.whys.len() >= ENOUGH_UNREAD {
                self.look_again(parser);
            }
        }
    }

    /// Gives a line to the parser.
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
        // A mark of lost events that is not taken stays one: it is of the file as a whole.
        if self.run.take_left_out() && self.ledger.understood > understood {
            self.ledger.leave_out();
        }
        Ok(())
    }

    /// Reads the lines that are held once more, if from here on another program's words stand before the columns, or what
    /// does not belong into text within the lines; else they are none of a trace.
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

    /// The lines that are held are none of a trace.
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

    /// Most lines from here on have another program's words before their columns, where the format has some.
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
