//! ftrace text and `trace-cmd report`: two tools with one grammar.
//!
//! A line is an event with its columns ([`prefix`]), or one of a few others: headers, lost-events markers, stack
//! traces. A file written by [`crate::export::ftrace`] is marked after the kernel's header, or before it in older
//! ones. It extends the grammar by comments, by events with a location instead of a sentence, and by keys after a
//! dot, which are fields in the words of kperf 2.

mod arguments;
mod assumed;
pub(crate) mod column;
mod comms;
pub(crate) mod events;
pub(crate) mod graph;
mod hashed;
mod headers;
pub(crate) mod keys;
pub(crate) mod names;
pub(crate) mod options;
pub(crate) mod prefix;
mod prose;
pub(crate) mod values;

use super::kperf::value::{self, decode};
use super::{Ledger, describe, says};
use crate::kernel::{CpuId, Nanos, Origin, Pid};
use crate::run::{Run, RunBuilder};

use column::{NAME_TOO_LONG, is_buffer};
use events::Events;
use prefix::{Prefix, Unit};
use values::{clipped, number};

/// The comment that marks a file as exported by Ringside, followed by the word for its origin.
pub(crate) const OURS: &str = "ringside:";
/// The comment of a run without priorities, although the kernel's text format has them.
pub(crate) const NO_PRIORITIES: &str = "priorities: unknown";

/// The reason for refusing a line of neither tool.
pub(super) const NO_LINE: &str = "no line of a trace";

/// Limit of a comment's length in bytes, above all comments of the kernel and trace-cmd. A longer one may be a whole
/// file that lost its line ends.
const LONGEST_COMMENT: usize = 4096;
const MANY_IN_ONE: &str = "longer than any comment: if what ended the lines was lost (a form of a web page or a chat does that), take the file as it was recorded";

/// Nanoseconds of a tick of the clock `uptime`, which counts jiffies as user space sees them, 100 a second
/// (`include/asm-generic/param.h: USER_HZ`, v6.18).
const UPTIME_TICK: u64 = 10_000_000;

/// The parser.
#[derive(Debug, Default)]
pub(crate) struct Ftrace {
    events: Events,
    /// Names of the files that a `trace-cmd report` of several prints before each line.
    files: Vec<Box<[u8]>>,
    /// Whether Ringside exported the file: its comments are understood and its pointers are real.
    is_ours: bool,
    /// The tracer named in the kernel's header; not reported for an exported file.
    tracer: Option<String>,
    /// Events have begun: a line that looks like a comment may be the rest of an event whose task's name contains a
    /// line break.
    has_begun: bool,
    /// Most lines have a prefix of another program before their columns.
    pub is_dressed: bool,
    /// Nanoseconds per unit of integer times, if known.
    tick: Option<u64>,
    recordings: Recordings,
    headers: headers::Headers,
}

/// Recordings concatenated in one file: each begins with the kernel's header (`kernel/trace/trace.c:
/// print_trace_header`).
#[derive(Debug, Default)]
struct Recordings {
    /// The line of a header after events, until an event follows.
    header: Option<u64>,
    /// The number of recordings after the first, and the line where the second begins.
    further: Option<(u64, u64)>,
}

impl Recordings {
    /// An event: if a header came after earlier events, a further recording has begun.
    fn go_on(&mut self) {
        if let Some(line) = self.header.take() {
            let (count, _) = self.further.get_or_insert((0, line));
            *count += 1;
        }
    }
}

impl Ftrace {
    /// A parser; `is_uptime` says whether times are of the clock `uptime`.
    pub fn new(is_uptime: bool) -> Self {
        Self {
            tick: is_uptime.then_some(UPTIME_TICK),
            ..Self::default()
        }
    }

    /// Reads a line and enters it in the ledger. If it is not a trace's line it is not entered, and the reason is
    /// returned as the error.
    pub fn line(
        &mut self,
        number: u64,
        line: &[u8],
        run: &mut RunBuilder,
        ledger: &mut Ledger,
    ) -> Result<(), &'static str> {
        let may_be_event = !line.starts_with(b"#") || self.has_begun && !self.is_ours;
        if may_be_event && let Some(mut prefix) = Prefix::read(line) {
            if let (Some(tick), Unit::Ticks) = (self.tick, prefix.unit) {
                let time = prefix.time.checked_mul(tick).and_then(Nanos::of_clock);
                prefix.time = time.ok_or(NO_LINE)?.0;
                prefix.unit = Unit::Seconds;
            }
            if !self.files.is_empty() {
                prefix.comm = self.without_file(prefix.comm);
            }
            if !self.is_ours {
                prefix.comm = prefix.name_without_buffer();
            }
            // In an exported file a name is as long as it was in the run's source.
            let plausible = prefix.plausible_name(self.is_dressed);
            self.has_begun = true;
            self.recordings.go_on();
            let name = plausible.or(self.is_ours.then_some(prefix.comm));
            prefix.comm = name.ok_or(NAME_TOO_LONG)?;
            self.events.read(number, line, &prefix, run, ledger);
            return Ok(());
        }
        self.other(number, line, run, ledger)
    }

    /// Ends the text.
    pub fn finish(mut self, mut run: RunBuilder, ledger: &mut Ledger) -> Run {
        self.events.finish(&mut run);
        if let Some((further, line)) = self.recordings.further {
            ledger.warn(says::several_recordings(further + 1, line));
        }
        if self.is_ours {
            return run.finish();
        }
        if let Some(tracer) = &self.tracer {
            run.metadata("tracer", tracer);
        }
        assumed::take_back(hashed::unify(run.finish(), ledger))
    }

    fn other(
        &mut self,
        number: u64,
        line: &[u8],
        run: &mut RunBuilder,
        ledger: &mut Ledger,
    ) -> Result<(), &'static str> {
        let text = line.trim_ascii();
        let mut text = prefix::unquoted(text);
        if self.is_dressed {
            text = undressed(text, !self.has_begun);
        }
        if text.is_empty() {
            ledger.skip("(blank line)", number, line);
        } else if let Some((cpu, events)) = lost_marker(text) {
            self.events.lose(number, cpu, events, ledger);
        } else if self.has_begun && !self.is_ours && is_rest_of_event(text) {
            ledger.malformed(number, line, NO_LINE);
        } else if text.starts_with(b"#") && text.len() > LONGEST_COMMENT && !self.is_ours {
            return Err(MANY_IN_ONE);
        } else if let Some(header) = text.strip_prefix(b"#") {
            let header = header.trim_ascii();
            if self.has_begun && header.starts_with(b"tracer: ") {
                self.recordings.header = Some(number);
            }
            if let Some(origin) = header.strip_prefix(OURS.as_bytes()) {
                self.is_ours = true;
                our_origin(origin.trim_ascii(), run);
            } else if self.is_ours && header == NO_PRIORITIES.as_bytes() {
                self.events.arguments.has_no_priorities = true;
            } else if self.is_ours {
                our_comment(header, run, ledger);
            } else if let Some(tracer) = header.strip_prefix(b"tracer: ") {
                let named = || String::from_utf8_lossy(tracer).into_owned();
                self.tracer.get_or_insert_with(named);
            } else {
                self.headers.line(header, run, ledger);
            }
            ledger.understood += 1;
        } else if self.is_tool_line(text) || self.events.goes_on(number, text, run) {
            ledger.understood += 1;
        } else if text.starts_with(b"=> ") {
            ledger.skip("(stack trace)", number, line);
        } else if let Some(comment) = graph::comment(line) {
            self.graphed(number, line, &comment, run, ledger);
        } else if graph::is_of_graph(text) {
            ledger.skip("(function graph)", number, line);
        } else {
            let why = options::why_no_columns(text, |name| self.events.is_known(name));
            return Err(why.unwrap_or(NO_LINE));
        }
        Ok(())
    }

    /// Reads an event within a function graph.
    fn graphed(
        &mut self,
        number: u64,
        line: &[u8],
        comment: &graph::Comment<'_>,
        run: &mut RunBuilder,
        ledger: &mut Ledger,
    ) {
        if let graph::Comment::Event(prefix) = comment {
            self.has_begun = true;
            self.recordings.go_on();
            self.events.read(number, line, prefix, run, ledger);
        } else {
            ledger.malformed(number, line, graph::UNPLACED);
        }
    }

    /// Lines that trace-cmd prints about the file: `cpus=4`, `version = 6`, `CPU 0 is empty`.
    fn is_tool_line(&mut self, text: &[u8]) -> bool {
        if let Some(at) = memchr::memmem::find(text, b": cpus=") {
            self.files.push(text[..at].into());
            return true;
        }
        text.starts_with(b"cpus=")
            || text.starts_with(b"version = ")
            || text.starts_with(b"CPU ") && text.ends_with(b" is empty")
            || text.starts_with(b"CPU:") && text.ends_with(b"[SUBBUFFER START]")
    }

    fn without_file<'a>(&self, comm: &'a [u8]) -> &'a [u8] {
        self.files
            .iter()
            .find_map(|file| comm.strip_prefix(&**file)?.strip_prefix(b":"))
            .map_or(comm, <[u8]>::trim_ascii_start)
    }
}

/// A comment or lost-events marker without another program's prefix. Comments are recognised only before the first
/// event: later, a task may be named so.
fn undressed(text: &[u8], may_be_comment: bool) -> &[u8] {
    let mark = if text.ends_with(b"EVENTS]") || text.ends_with(b"DROPPED]") {
        memchr::memmem::find(text, b"CPU:")
    } else if may_be_comment {
        memchr::memchr(b'#', text)
    } else {
        memchr::memmem::find(text, b"##### CPU ")
    };
    mark.map_or(text, |at| &text[at..])
}

/// Parses `##### CPU 2 buffer started ####`, `CPU:2 [LOST 11745 EVENTS]`, `CPU:3 [123 EVENTS DROPPED]`, `rx: CPU:3
/// [EVENTS DROPPED]` of a buffer: the CPU and the number of lost events, 0 if not given.
fn lost_marker(text: &[u8]) -> Option<(CpuId, u64)> {
    let text = memchr::memmem::find(text, b": CPU:")
        .filter(|&at| is_buffer(&text[..at]))
        .map_or(text, |at| &text[at + 2..]);
    if let Some(rest) = text.strip_prefix(b"##### CPU ") {
        let cpu = rest.strip_suffix(b"buffer started ####")?;
        return Some((cpu_id(cpu)?, 0));
    }
    let rest = text.strip_prefix(b"CPU:")?;
    let open = memchr::memchr(b'[', rest)?;
    let (cpu, marker) = rest.split_at(open);
    let marker = marker.strip_prefix(b"[")?.strip_suffix(b"]")?;
    let count = match marker {
        b"LOST EVENTS" | b"EVENTS DROPPED" => 0,
        _ => {
            let count = marker
                .strip_prefix(b"LOST ")
                .and_then(|rest| rest.strip_suffix(b" EVENTS"))
                .or_else(|| marker.strip_suffix(b" EVENTS DROPPED"))?;
            number(count)?
        }
    };
    Some((cpu_id(cpu)?, count))
}

fn cpu_id(text: &[u8]) -> Option<CpuId> {
    let cpu = clipped(text.trim_ascii())?;
    u16::try_from(cpu).ok().map(CpuId)
}

/// `simulated` of `# ringside: simulated`.
fn our_origin(word: &[u8], run: &mut RunBuilder) {
    let origins = [Origin::Recorded, Origin::Simulated];
    let named = origins
        .into_iter()
        .find(|&origin| value::origin(origin).as_bytes() == word);
    if let Some(origin) = named {
        run.origin(origin);
    }
}

/// `# comm 325 urecv` and `# metadata kernel: 6.18`; other comments are the kernel's own.
fn our_comment(header: &[u8], run: &mut RunBuilder, ledger: &mut Ledger) {
    if let Some(task) = header.strip_prefix(b"comm ") {
        let blank = memchr::memchr(b' ', task);
        if let Some((pid, comm)) = blank.map(|at| (&task[..at], &task[at + 1..]))
            && let Some(pid) = clipped(pid)
        {
            run.comm(Pid(pid), &decode(comm));
        }
    } else if let Some(pair) = header.strip_prefix(b"metadata ")
        && let Some(colon) = memchr::memchr(b':', pair)
    {
        let said = pair[colon + 1..].trim_ascii();
        describe(&decode(&pair[..colon]), &decode(said), run, ledger);
    }
}

/// `# a prev_pid=28044 prev_prio=120`: not a comment, but the rest of an event whose task's name contains a line
/// break and `#`.
fn is_rest_of_event(text: &[u8]) -> bool {
    text.starts_with(b"#")
        && [&b" pid="[..], b"prev_pid=", b"next_pid="]
            .iter()
            .any(|key| memchr::memmem::find(text, key).is_some())
}
