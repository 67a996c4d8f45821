//! The leading columns of a line, in all variants of ftrace text, trace-cmd and perf: task, CPU, context, time.
//!
//! Grammar: `kernel/trace/trace_output.c: trace_print_context` and `trace_print_lat_context` (v6.12); trace-cmd 3.3
//! `tracecmd/trace-read.c`; perf `builtin-script.c: perf_sample__fprintf_start` (v6.12). Only the colon after the
//! time is in all of them, so the columns are parsed from there to the left: a command may contain blanks, dashes,
//! colons and brackets.

use memchr::memchr;

use super::values::decimal;
use crate::kernel::{Context, Nanos};

/// A line split into its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Prefix<'a> {
    /// The command of the task; empty when not printed.
    pub comm: &'a [u8],
    /// The thread id; `None` when not printed.
    pub pid: Option<u32>,
    /// `None` when perf was told not to print it.
    pub cpu: Option<u16>,
    /// irqs-off, need-resched, context, preempt-depth and so on; empty when not printed.
    pub flags: &'a [u8],
    /// In nanoseconds, or in ticks of an integer clock.
    pub time: u64,
    /// The printed unit of the time.
    pub unit: Unit,
    /// The tool and option that print such columns.
    pub layout: Layout,
    /// The text after the colon and one blank: the event.
    pub text: &'a [u8],
}

/// The arrangement of the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// `comm-pid [cpu] flags time:`.
    Columns,
    /// `comm-pid cpuflags time:`.
    Latency,
    /// `comm pid [cpu] time:`.
    Perf,
}

/// The printed unit of a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Seconds with a fraction.
    Seconds,
    /// `1108457677us`, the latency format.
    Micros,
    /// An integer: the clocks `counter`, `uptime` and `x86-tsc` (`kernel/trace/trace.c: trace_clocks`, v6.18).
    Ticks,
}

impl<'a> Prefix<'a> {
    /// Splits a line; `None` if it has no such columns.
    pub fn read(line: &'a [u8]) -> Option<Self> {
        let mut from = 0;
        loop {
            let colon = from + memchr(b':', &line[from..])?;
            from = colon + 1;
            if matches!(line.get(from), Some(b' ') | None)
                && let Some(prefix) = Self::around(line, colon)
            {
                return Some(prefix);
            }
        }
    }

    fn around(line: &'a [u8], colon: usize) -> Option<Self> {
        let (left, time, unit) = time_before(&line[..colon])?;
        Nanos::of_clock(time)?;
        let text = line.get(colon + 2..).unwrap_or_default();
        let columns = Self {
            comm: b"",
            pid: None,
            cpu: None,
            flags: b"",
            time,
            unit,
            layout: Layout::Perf,
            text,
        };
        let left = trim_end(left);
        if left.is_empty() || is_no_task(left) {
            // `perf script -F time,event,trace`: recognised only by an event with its subsystem.
            let is_perf = unit == Unit::Seconds && has_subsystem(text);
            return is_perf.then_some(columns);
        }
        let (left, flags) = flags_before(left);
        if let Some((left, cpu)) = bracketed_cpu(left) {
            let left = trim_end(left);
            if left.is_empty() {
                // `perf script -F cpu,time,event,trace`.
                let is_perf = unit == Unit::Seconds && has_subsystem(text);
                let cpu = Some(cpu);
                return is_perf.then_some(Self { cpu, ..columns });
            }
            let columns = Self {
                cpu: Some(cpu),
                flags,
                ..columns
            };
            let is_perf = unit == Unit::Seconds && flags.is_empty() && has_subsystem(text);
            return columns
                .with_task(left)
                // `perf script -F comm,cpu,time,event,trace`.
                .or_else(|| {
                    is_perf.then(|| Self {
                        comm: unquoted(left),
                        ..columns
                    })
                });
        }
        let (left, cpu, flags) = latency_cpu(left, flags)?;
        let prefix = Self {
            cpu,
            flags,
            ..columns
        }
        .with_task(left)?;
        match (prefix.layout, cpu) {
            (Layout::Columns, Some(_)) => Some(Self {
                layout: Layout::Latency,
                ..prefix
            }),
            (Layout::Perf, None) if has_subsystem(text) => Some(prefix),
            _ => None,
        }
    }

    /// Reads `comm-pid` or `comm pid`, with the thread group in parentheses or after a slash.
    fn with_task(self, left: &'a [u8]) -> Option<Self> {
        let mut left = trim_end(left);
        if let [head @ .., b')'] = left {
            let open = memchr::memrchr(b'(', head)?;
            let tgid = head[open + 1..].trim_ascii();
            if !tgid
                .iter()
                .all(|byte| byte.is_ascii_digit() || *byte == b'-')
            {
                return None;
            }
            left = trim_end(&head[..open]);
        }
        if is_no_task(left) {
            return Some(Self {
                layout: Layout::Perf,
                ..self
            });
        }
        let (head, pid) = number_before(left)?;
        let (comm, layout) = match head {
            [comm @ .., b'-'] => (comm, Layout::Columns),
            [group @ .., b'/'] => (number_before(group)?.0, Layout::Perf),
            [comm @ .., b' '] => (comm, Layout::Perf),
            // `perf script -F tid,...`: a padded number begins the line.
            [] if has_subsystem(self.text) => (head, Layout::Perf),
            _ => return None,
        };
        Some(Self {
            comm: unquoted(comm),
            pid: Some(pid),
            layout,
            ..self
        })
    }

    /// The context according to the flags: the third column is `s`, `h`, `H`, `z` or `Z`. Vendors' PREEMPT_RT kernels
    /// have an additional column before it, so it is searched for.
    pub fn context(&self) -> Context {
        if self.flags.len() < 3 {
            return Context::Unknown;
        }
        for flag in &self.flags[2..] {
            match flag {
                b's' => return Context::Softirq,
                b'h' | b'H' => return Context::Hardirq,
                b'z' | b'Z' => return Context::Nmi,
                _ => {}
            }
        }
        if self.pid == Some(0) {
            Context::Idle
        } else {
            Context::Kernel
        }
    }
}

/// What perf prints for an unknown task: `:-1    -1`.
fn is_no_task(left: &[u8]) -> bool {
    let name = left.strip_suffix(b" -1").map(<[u8]>::trim_ascii);
    name == Some(b":-1")
}

/// The time at the end of `left`, with the text before it.
pub(super) fn time_before(left: &[u8]) -> Option<(&[u8], u64, Unit)> {
    let start = left
        .iter()
        .rposition(|&byte| byte == b' ')
        .map_or(0, |blank| blank + 1);
    let (before, time) = left.split_at(start);
    if time.is_empty() {
        // The latency format marks the delay to the next event; a short delay is marked by a blank.
        let left = left
            .strip_suffix(b" ")
            .filter(|left| left.ends_with(b"us"))?;
        return time_before(left);
    }
    let (number, at) = decimal(time);
    // A number beyond 64 bits is not a time.
    let number = number.filter(|_| at > 0)?;
    match &time[at..] {
        [] => Some((before, number, Unit::Ticks)),
        [b'u', b's'] | [b'u', b's', b' ' | b'$' | b'@' | b'*' | b'#' | b'!' | b'+'] => {
            Some((before, times(number, 1000)?, Unit::Micros))
        }
        // A comma is the decimal mark of some locales; then all decimals are printed.
        [mark @ (b'.' | b','), fraction @ ..]
            if (1..=9).contains(&fraction.len())
                && (*mark == b'.' || matches!(fraction.len(), 6 | 9)) =>
        {
            let mut nanos = 0u64;
            for byte in fraction {
                if !byte.is_ascii_digit() {
                    return None;
                }
                nanos = nanos * 10 + u64::from(byte - b'0');
            }
            nanos *= 10u64.pow(9 - fraction.len() as u32);
            let time = times(number, 1_000_000_000)?.checked_add(nanos)?;
            Some((before, time, Unit::Seconds))
        }
        _ => None,
    }
}

/// A product, if it fits 64 bits: the standard library's checked product is slow in WebAssembly.
#[inline]
fn times(number: u64, by: u64) -> Option<u64> {
    (number <= u64::MAX / by).then(|| number * by)
}

/// The flags `..s1.` at the end of `left`, unless that is a bracketed CPU or something longer.
fn flags_before(left: &[u8]) -> (&[u8], &[u8]) {
    if left.ends_with(b"]") {
        return (left, b"");
    }
    let start = left
        .iter()
        .rposition(|&byte| byte == b' ')
        .map_or(0, |blank| blank + 1);
    let (before, flags) = left.split_at(start);
    let before = trim_end(before);
    if !before.ends_with(b"]") {
        (left, b"")
    } else if (4..=8).contains(&flags.len()) {
        (before, flags)
    } else if is_misc(flags) {
        (before, b"")
    } else {
        (left, b"")
    }
}

/// Whether these are the flags of `perf script -F +misc`, on a sample or a record of perf: the mode of the sampled
/// code and the kind of record (`tools/perf/builtin-script.c: perf_sample__fprintf_start`, v6.12).
fn is_misc(flags: &[u8]) -> bool {
    matches!(flags.len(), 1..=3) && flags.iter().all(|flag| b"KUHGgMESp".contains(flag))
}

/// The CPU of `[003]` at the end of `left`.
fn bracketed_cpu(left: &[u8]) -> Option<(&[u8], u16)> {
    let [head @ .., b']'] = left else {
        return None;
    };
    let (head, cpu) = number_before(head)?;
    let [head @ .., b'['] = head else {
        return None;
    };
    Some((head, u16::try_from(cpu).ok()?))
}

/// `3d.h1.` at the end of `left`: the CPU with the flags appended.
fn latency_cpu<'a>(left: &'a [u8], flags: &'a [u8]) -> Option<(&'a [u8], Option<u16>, &'a [u8])> {
    if !flags.is_empty() {
        return None;
    }
    let start = left
        .iter()
        .rposition(|&byte| byte == b' ')
        .map_or(0, |blank| blank + 1);
    let (before, glued) = left.split_at(start);
    let digits = glued
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let (cpu, flags) = glued.split_at(digits);
    if flags.is_empty() {
        // Perf without `[cpu]`: this is the pid; read it as the task.
        return (digits > 0).then_some((left, None, flags));
    }
    if !are_flags(flags) || digits == 0 {
        return None;
    }
    let (_, cpu) = number_before(cpu)?;
    Some((before, Some(u16::try_from(cpu).ok()?), flags))
}

/// Whether the text is flags, such as `d.h1.`.
pub(super) fn are_flags(text: &[u8]) -> bool {
    let is_flag = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'.';
    (3..=8).contains(&text.len()) && text.iter().all(is_flag)
}

/// The decimal number at the end of `text`, with the text before it.
pub(super) fn number_before(text: &[u8]) -> Option<(&[u8], u32)> {
    let digits = text
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if digits == 0 || digits > 10 {
        return None;
    }
    let (head, tail) = text.split_at(text.len() - digits);
    let number = tail
        .iter()
        .fold(0u64, |number, byte| number * 10 + u64::from(byte - b'0'));
    Some((head, u32::try_from(number).ok()?))
}

/// Whether an event's text begins with `subsystem:event:`.
fn has_subsystem(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let first = text.iter().take_while(|byte| is_word(byte)).count();
    let rest = &text[first..];
    first > 0 && rest.first() == Some(&b':') && rest.get(1).is_some_and(is_word)
}

/// Removes indentation and a mail's quote marks.
pub(crate) fn unquoted(mut text: &[u8]) -> &[u8] {
    while let Some(tail) = text.strip_prefix(BLANKS) {
        text = tail;
    }
    while let [b' ' | b'\t' | b'>', tail @ ..] = text {
        text = tail;
    }
    trim_end(text)
}

/// Columns are padded with blanks, which are mostly removed eight at a time.
const BLANKS: &[u8; 8] = b"        ";

/// Removes trailing blanks.
fn trim_end(text: &[u8]) -> &[u8] {
    let mut text = text;
    while let Some(head) = text.strip_suffix(BLANKS) {
        text = head;
    }
    while let [head @ .., b' '] = text {
        text = head;
    }
    text
}
