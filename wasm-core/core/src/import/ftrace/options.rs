//! Recognises lines printed with options that omit what a line needs, and advises what to change.

use super::graph::{self, Comment};

/// `16434 1 1795811169421431496 type: 2285`, of the options `raw`, `hex` and `bin` (`kernel/trace/trace.c:
/// print_raw_fmt`, v6.18).
const RAW: &str =
    "printed with ftrace's option raw, hex or bin: turn it off and print the trace again";
/// `bash   16774   1 1 00000002 00000000 [141e89724d] 16.459ms (+3.462ms): sched_switch: ...`
/// (`kernel/trace/trace_output.c: trace_print_lat_context`, v6.18).
const VERBOSE: &str = "printed with ftrace's options latency-format and verbose: turn verbose off and print the trace again";
/// `sched_waking: comm=...`, or `perf 17108 [000] sched:sched_waking: comm=...`.
const NO_TIME: &str = "an event without its time: turn ftrace's option context-info on, or give perf script the fields comm,tid,cpu,time,event,trace, and print it again";

/// `bash-17 [70000] d..2. 1.000001: ...`.
const NO_CPU: &str = "a number of a CPU that no kernel has";
/// `bash-21208 [000]24064784790757: consume_skb: ...` (trace-cmd 3.1.6).
const RAW_TIME: &str = "printed by `trace-cmd report --raw-ts`: print it again without that option";

/// `ringside-captur 2312.571986: sched:sched_waking: ...` of `perf script -F comm,time,event,trace`.
const NO_TASK: &str = "an event of perf script with neither its task's number nor its CPU: give perf script the fields comm,tid,cpu,time,event,trace, and print it again";
/// `bash 17866 [000] 2026-11-28 07:00:00.571986 2312.571986: sched:sched_waking: ...` (`tools/perf/builtin-script.c:
/// perf_sample__fprintf_start`, v6.12).
const TIME_OF_DAY: &str = "printed by perf script with the field tod, the time of the day: print it again without that field (`perf script -F -tod`), so that each event has its time of the clock alone";

/// Why a line lacks a trace's columns, if an option explains it.
pub(crate) fn why_no_columns(
    text: &[u8],
    is_event: impl Fn(&[u8]) -> bool,
) -> Option<&'static str> {
    if matches!(graph::comment(text), Some(Comment::Unplaced)) {
        return Some(graph::UNPLACED);
    }
    if memchr::memmem::find(text, b"ms): ").is_some_and(|at| is_span(&text[..at])) {
        return Some(VERBOSE);
    }
    if is_of_raw_time(text) {
        return Some(RAW_TIME);
    }
    if is_of_no_cpu(text) {
        return Some(NO_CPU);
    }
    let kind = memchr::memmem::rfind(text, b"type: ").map(|at| &text[at + 6..]);
    if kind.is_some_and(|kind| !kind.is_empty() && kind.iter().all(u8::is_ascii_digit)) {
        return Some(RAW);
    }
    if let Some(why) = of_perf(text, &is_event) {
        return Some(why);
    }
    let mut words = text.split(u8::is_ascii_whitespace);
    let name = words.find_map(|word| word.strip_suffix(b":"))?;
    let name = name.rsplit(|&byte| byte == b':').next()?;
    is_event(name).then_some(NO_TIME)
}

/// Whether a text ends like `[141e89724d] 16.459ms (+3.462`.
fn is_span(text: &[u8]) -> bool {
    let mut words = text.rsplit(|&byte| byte == b' ');
    let is_further = words.next().is_some_and(|word| word.starts_with(b"(+"));
    is_further && words.next().is_some_and(|word| word.ends_with(b"ms"))
}

/// Whether an integer time follows the CPU's brackets without a blank.
fn is_of_raw_time(text: &[u8]) -> bool {
    let close = memchr::memchr_iter(b']', text).find(|&at| at > 0 && text[at - 1].is_ascii_digit());
    let rest = close.map_or(&b""[..], |at| &text[at + 1..]);
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && rest[digits..].starts_with(b": ")
}

/// Whether a pid is followed by a CPU number of more than 16 bits in brackets: kernels have at most 8192 CPUs
/// (`arch/x86/Kconfig: NR_CPUS`, v6.18).
fn is_of_no_cpu(text: &[u8]) -> bool {
    let ends_with_digit =
        |text: &[u8]| text.trim_ascii_end().last().is_some_and(u8::is_ascii_digit);
    let open = memchr::memmem::find(text, b" [").filter(|&at| ends_with_digit(&text[..at]));
    let number = open.map(|at| &text[at + 2..]);
    let number = number.and_then(|rest| rest.get(..memchr::memchr(b']', rest)?));
    number.is_some_and(|number| {
        number.len() > 4
            && number.iter().all(u8::is_ascii_digit)
            && super::values::number(number).is_some_and(|it| it > u16::MAX.into())
    })
}

/// The `perf script` options that explain an event without usable columns.
fn of_perf(text: &[u8], is_event: impl Fn(&[u8]) -> bool) -> Option<&'static str> {
    let mut words = text
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let (mut before, mut is_of_day, mut has_cpu) = (&b""[..], false, false);
    let time = words.by_ref().find_map(|word| {
        is_of_day |= is_date(before) && memchr::memchr(b':', word) == Some(2) || word == b"N/A";
        has_cpu |= word.starts_with(b"[") && word.ends_with(b"]");
        before = word;
        word.strip_suffix(b":")
    })?;
    let is_time = time
        .iter()
        .all(|byte| byte.is_ascii_digit() || b".:".contains(byte));
    let event = words.find_map(|word| word.strip_suffix(b":"))?;
    let colon = memchr::memrchr(b':', event)?;
    if !is_time || !is_event(&event[colon + 1..]) {
        None
    } else if is_of_day {
        Some(TIME_OF_DAY)
    } else {
        (!has_cpu).then_some(NO_TASK)
    }
}

/// `2026-11-28`.
fn is_date(word: &[u8]) -> bool {
    word.len() == 10
        && word.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}
