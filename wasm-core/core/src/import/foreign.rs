//! Recognises the output of other tracing tools, none of which is read, and advises how to get a readable trace from
//! each.

use memchr::{memchr, memchr_iter, memmem};

/// Parts that a line has all of, and the advice for the tool that prints such lines.
const TOOLS: [(&[&[u8]], &str); 25] = [
    (&[b"SKB ", b" CPU ", b" PROCESS "], PWRU),
    (&[b"Attaching kprobes..."], PWRU),
    (&[b" [tp] ", b":"], RETIS),
    (&[b" [k] ", b" (skb "], RETIS),
    (&[b"TID/PID ", b" -> "], RETSNOOP),
    (&[b"FUNCTION CALL TRACE"], RETSNOOP),
    (&[b"Attaching ", b" probe"], BPFTRACE),
    (&[b"Attached ", b" probe"], BPFTRACE),
    (
        &[b"dropwatch>"],
        "the output of dropwatch, which is not read: record the event skb:kfree_skb with ftrace, trace-cmd or perf",
    ),
    (
        &[b"SADDR:SPORT"],
        "the output of a tool of bcc, which is not read: record with ftrace, trace-cmd or perf",
    ),
    (
        &[b"NETWORK_NS ", b"TRACE_INFO"],
        "the output of skbtracer, which is not read: record with ftrace, trace-cmd or perf",
    ),
    (&[b"{ cpu_id = "], LTTNG),
    (&[b"/* CTF "], LTTNG),
    (&["\u{2192}".as_bytes(), b" Len="], TSHARK),
    (&[b"\"No.\",\"Time\",\"Source\""], TSHARK),
    (
        &[b"# event histogram"],
        "a histogram of ftrace, which has no events: record the events themselves (/sys/kernel/tracing/trace)",
    ),
    (
        &[b"field:unsigned short common_type;"],
        "the format of an event, not a trace: that is in /sys/kernel/tracing/trace",
    ),
    (
        &[b"version https://git-lfs"],
        "a pointer of Git LFS in place of the file: fetch that (`git lfs pull`)",
    ),
    (&[b": Permission denied"], REFUSED),
    (&[b": No such file or directory"], REFUSED),
    (&[b"data recorded at offset="], MESSAGES),
    (&[b"[ perf "], MESSAGES),
    (
        &[b"Performance counter stats for"],
        "the output of `perf stat`, which has no events: record with `perf record` and open what `perf script` prints",
    ),
    (
        &[b"begin 6", b"4 "],
        "a file that was written as text for a mail (uuencode): decode it first (`uudecode FILE`)",
    ),
    (
        &[b"Content-Transfer-Encoding: base64"],
        "a mail: save the file that is attached to it, and open that",
    ),
];

const PWRU: &str = "the output of pwru, which is not read: record with ringside-capture, ftrace, trace-cmd or perf";
const RETIS: &str = "the output of retis, which is not read: record with ringside-capture, ftrace, trace-cmd or perf";
const RETSNOOP: &str = "the output of retsnoop, which is not read: record with ringside-capture, ftrace, trace-cmd or perf";
const BPFTRACE: &str = "the output of a bpftrace script of another's: record with ringside-capture, ftrace, trace-cmd or perf";
const LTTNG: &str =
    "a trace of LTTng (CTF, babeltrace), which is not read: record with ftrace, trace-cmd or perf";
const TSHARK: &str = "the text of tshark or Wireshark: have it write a file (`tshark -w FILE`) and open that together with a trace of its host";
const REFUSED: &str = "what a program says that could not read a file: run what was to write the trace once more, as root";
const MESSAGES: &str = "what a program says while it records: open what `trace-cmd report` or `perf script` prints of the recording";

/// The advice for the tool that prints such a line.
pub(super) fn tool(text: &[u8]) -> Option<&'static str> {
    if let Some(said) = perf_or_tcpdump(text) {
        return Some(said);
    }
    let has = |part: &&[u8]| memmem::find(text, part).is_some();
    if let Some((_, said)) = TOOLS.iter().find(|(parts, _)| parts.iter().all(has)) {
        return Some(said);
    }
    if is_dump(text) {
        return Some(
            "a dump of a file's bytes (xxd, hexdump): open the file itself, or make it of the dump (`xxd -r`)",
        );
    }
    if text.starts_with(b"H4sI") && text.iter().copied().all(is_of_base64) {
        return Some(
            "a packed file that was written as text (base64): decode it first (`base64 -d FILE >NEW`)",
        );
    }
    is_system_call(text).then_some(
        "the output of strace, which has no packets: record with ftrace, trace-cmd or perf",
    )
}

/// Output of perf and tcpdump meant for people only, which is not recognised by words alone.
fn perf_or_tcpdump(text: &[u8]) -> Option<&'static str> {
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
        && memchr(b'@', text).is_some()
        && memmem::find(text, b"]: event: ").is_some()
}

/// `20:31:02.836913 IP 127.0.0.1.35879 > 127.0.0.1.45999: UDP, length 100`, with a date before it (`-tttt`), the
/// seconds since 1970 in place of both (`-tt`), or the addresses of the link (`-e`).
fn is_tcpdump(text: &[u8]) -> bool {
    let has_protocol = [&b" IP "[..], b" IP6 ", b" ARP, ", b", ethertype "]
        .iter()
        .any(|protocol| memmem::find(text, protocol).is_some());
    let is_time = |word: &[u8]| {
        let point = memchr(b'.', word);
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
        let point = memchr(b'.', time);
        point.is_some_and(|at| at + 4 == time.len())
            && time
                .iter()
                .all(|byte| byte.is_ascii_digit() || *byte == b'.')
    });
    let has_task = |word: &[u8]| memchr(b'/', word).is_some();
    is_time && words.take(5).any(has_task) && memmem::find(text, b": ").is_some()
}

const fn is_of_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// `00000010: 2320 656e 7472  # entr`, `0000010 2320 656e 7472`: an offset, and bytes in groups of two or four.
fn is_dump(text: &[u8]) -> bool {
    let mut words = text
        .split(|&byte| byte == b' ')
        .filter(|word| !word.is_empty());
    let is_hex = |word: &[u8]| word.iter().all(u8::is_ascii_hexdigit);
    let place = words
        .next()
        .map(|word| word.strip_suffix(b":").unwrap_or(word));
    let is_place = place.is_some_and(|place| matches!(place.len(), 7 | 8) && is_hex(place));
    is_place
        && words
            .by_ref()
            .take(6)
            .filter(|word| matches!(word.len(), 2 | 4) && is_hex(word))
            .count()
            == 6
}

/// `1234 17:00:01.123456 sendto(3, "x", 1, 0, NULL, 0) = 1 <0.000012>`
fn is_system_call(text: &[u8]) -> bool {
    let Some(result) = memmem::find(text, b") = ") else {
        return false;
    };
    let Some(open) = memchr(b'(', &text[..result]) else {
        return false;
    };
    let name = text[..open].rsplit(|&byte| byte == b' ').next();
    let is_name = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_';
    let is_call = name.is_some_and(|name| !name.is_empty() && name.iter().all(is_name));
    is_call && matches!(text.get(result + 4), Some(b'-' | b'?' | b'0'..=b'9'))
}

/// Whether the text is quoted-printable, as in a saved mail (RFC 2045 section 6.7): `=` is `=3D`, and one at the end
/// of a line joins it with the next.
pub(super) fn is_quoted_printable<'a>(lines: impl Iterator<Item = &'a [u8]>) -> bool {
    let mut equals = 0;
    for line in lines {
        for at in memchr_iter(b'=', line) {
            match &line[at + 1..] {
                [b'3', b'D', ..] => equals += 1,
                [] | [b'0'..=b'9' | b'A'..=b'F', b'0'..=b'9' | b'A'..=b'F', ..] => {}
                _ => return false,
            }
        }
    }
    equals >= ENOUGH
}

/// How many escapes rule out chance.
const ENOUGH: u32 = 3;

pub(super) const QUOTED_PRINTABLE: &str = "a trace as a mail is kept (quoted-printable: =3D for =): save what is attached to the mail, or decode it (`python3 -m quopri -d FILE >NEW`)";
