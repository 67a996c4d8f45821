//! What a text is that has no line of a trace, and what to do about it.

use memchr::memmem;

use super::ImportError;
use super::foreign::tool;
use super::ftrace::names::names;
use super::ftrace::options::why_no_columns;

/// No more lines are looked at for what they are of.
const LOOKED_AT: usize = 20;

/// Why a text without a line of a trace is refused.
pub(super) fn refuse<'a>(lines: impl Iterator<Item = &'a [u8]>) -> ImportError {
    let filled: Vec<&[u8]> = lines
        .map(<[u8]>::trim_ascii)
        .filter(|text| !text.is_empty())
        .take(LOOKED_AT)
        .collect();
    let Some(&first) = filled.first() else {
        return ImportError::Empty;
    };
    let shown: String = String::from_utf8_lossy(first).chars().take(60).collect();
    let kind = file(first)
        .or_else(|| {
            filled
                .iter()
                .find_map(|text| other_tool(text).or_else(|| tool(text)))
        })
        .map_or_else(|| no_line(&filled), str::to_owned);
    let found = format!("{kind}, beginning with \"{shown}\"");
    ImportError::NotATrace { found }
}

/// What a file is that begins so.
fn file(first: &[u8]) -> Option<&'static str> {
    match first {
        // `[000]` is a CPU.
        [b'[', b'0'..=b'9', _, _, b']', ..] => None,
        _ if is_kernel_log(first) => Some(
            "the kernel's log (dmesg, /proc/kmsg), which is no trace: that is in /sys/kernel/tracing/trace",
        ),
        _ if tool(first).is_some() => None,
        [b'{', ..] => Some("JSON"),
        [b'[', rest @ ..] if is_json(rest) => Some("JSON"),
        [b'<', ..] => Some("HTML or XML"),
        _ => None,
    }
}

/// Whether a list goes on so: none in brackets that is not JSON's.
fn is_json(list: &[u8]) -> bool {
    let begins = list.trim_ascii_start().first();
    begins.is_none_or(|byte| byte.is_ascii_digit() || b"{[]\"-tfn".contains(byte))
}

/// Text, with the option that left out what its lines need.
fn no_line(filled: &[&[u8]]) -> String {
    let names = names();
    let is_event = |name: &[u8]| names.find(name).is_some();
    let why = filled
        .iter()
        .find_map(|text| why_no_columns(text, is_event));
    let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
    format!("text without a line of a trace{why}")
}

/// What prints such lines, and prints them for people alone.
fn other_tool(text: &[u8]) -> Option<&'static str> {
    if text.starts_with(b"# To display the perf.data header info") {
        return Some(
            "the output of `perf report`: run `perf script` on the same perf.data and open its output",
        );
    }
    if text.starts_with(b"time ") && memmem::find(text, b"sch delay").is_some() {
        return Some(
            "the output of `perf sched timehist`: run `perf script --ns` on the same perf.data and open its output",
        );
    }
    if is_raw_dump(text) {
        return Some(
            "the output of `perf script -D`, a dump of bytes: run `perf script --ns` without -D and open its output",
        );
    }
    if is_tcpdump(text) {
        return Some(
            "the text of tcpdump: have it write a file (`tcpdump -w FILE`) and open that together with a trace of its host",
        );
    }
    is_perf_trace(text).then_some(
        "the output of `perf trace`: record the events with `perf record` and open what `perf script` prints",
    )
}

/// `0x4c8@perf.data [0x1d0]: event: 69` (`tools/perf/util/session.c: dump_event`, v6.12).
fn is_raw_dump(text: &[u8]) -> bool {
    text.starts_with(b"0x")
        && memchr::memchr(b'@', text).is_some()
        && memmem::find(text, b"]: event: ").is_some()
}

/// `20:31:02.836913 IP 127.0.0.1.35879 > 127.0.0.1.45999: UDP, length 100`, with a date before it (`-tttt`), the seconds since
/// 1970 in place of both (`-tt`), or the addresses of the link (`-e`).
fn is_tcpdump(text: &[u8]) -> bool {
    let has_protocol = [&b" IP "[..], b" IP6 ", b" ARP, ", b", ethertype "]
        .iter()
        .any(|protocol| memmem::find(text, protocol).is_some());
    let is_time = |word: &[u8]| {
        let point = memchr::memchr(b'.', word);
        let is_of_time = |byte: &u8| byte.is_ascii_digit() || b":.".contains(byte);
        point.is_some_and(|at| at >= 8 && word.len() == at + 7) && word.iter().all(is_of_time)
    };
    has_protocol && text.split(|&byte| byte == b' ').take(2).any(is_time)
}

/// `0.123 ( 0.028 ms): python3/19232 recvfrom(fd: 3, ...`, `0.351 python3/19179 sched:sched_switch(prev_comm: ...`
fn is_perf_trace(text: &[u8]) -> bool {
    let mut words = text
        .split(|&byte| byte == b' ')
        .filter(|word| !word.is_empty());
    let is_time = words.next().is_some_and(|time| {
        let point = memchr::memchr(b'.', time);
        point.is_some_and(|at| at + 4 == time.len())
            && time
                .iter()
                .all(|byte| byte.is_ascii_digit() || *byte == b'.')
    });
    let has_task = |word: &[u8]| memchr::memchr(b'/', word).is_some();
    is_time && words.take(5).any(has_task) && memmem::find(text, b": ").is_some()
}

/// Whether a line is of `printk`: `[   12.345678] text`, with `<6>` before it from `/proc/kmsg`, or `6,339,5140900,-;text`
/// from `/dev/kmsg` (`kernel/printk/printk.c: print_prefix, info_print_ext_header`, v6.18).
fn is_kernel_log(line: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let after_number = |text: &mut &[u8], mark: u8| {
        let count = digits(text);
        let is_there = count > 0 && text.get(count) == Some(&mark);
        *text = text.get(count + 1..).unwrap_or_default();
        is_there
    };
    let mut rest = line;
    if (0..3).all(|_| after_number(&mut rest, b',')) {
        return memchr::memchr(b';', rest).is_some();
    }
    let mut rest = line.strip_prefix(b"<").unwrap_or(line);
    if rest.len() < line.len() && !after_number(&mut rest, b'>') {
        return false;
    }
    let Some(mut time) = rest.strip_prefix(b"[").map(<[u8]>::trim_ascii_start) else {
        return false;
    };
    after_number(&mut time, b'.') && digits(time) == 6 && time.get(6) == Some(&b']')
}
