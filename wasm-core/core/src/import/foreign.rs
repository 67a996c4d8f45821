//! Recognises the output of other tracing tools, none of which is read.

use memchr::{memchr, memchr_iter, memmem};

use super::found::Kind;

/// Parts that a line has all of, and the kind of file that has such lines.
const TOOLS: [(&[&[u8]], Kind); 25] = [
    (&[b"SKB ", b" CPU ", b" PROCESS "], Kind::Pwru),
    (&[b"Attaching kprobes..."], Kind::Pwru),
    (&[b" [tp] ", b":"], Kind::Retis),
    (&[b" [k] ", b" (skb "], Kind::Retis),
    (&[b"TID/PID ", b" -> "], Kind::Retsnoop),
    (&[b"FUNCTION CALL TRACE"], Kind::Retsnoop),
    (&[b"Attaching ", b" probe"], Kind::Bpftrace),
    (&[b"Attached ", b" probe"], Kind::Bpftrace),
    (&[b"dropwatch>"], Kind::Dropwatch),
    (&[b"SADDR:SPORT"], Kind::Bcc),
    (&[b"NETWORK_NS ", b"TRACE_INFO"], Kind::Skbtracer),
    (&[b"{ cpu_id = "], Kind::Babeltrace),
    (&[b"/* CTF "], Kind::Babeltrace),
    (&["\u{2192}".as_bytes(), b" Len="], Kind::Tshark),
    (&[b"\"No.\",\"Time\",\"Source\""], Kind::Tshark),
    (&[b"# event histogram"], Kind::Histogram),
    (&[b"field:unsigned short common_type;"], Kind::EventFormat),
    (&[b"version https://git-lfs"], Kind::GitLfs),
    (&[b": Permission denied"], Kind::NotPermitted),
    (&[b": No such file or directory"], Kind::NotPermitted),
    (&[b"data recorded at offset="], Kind::RecordingSaid),
    (&[b"[ perf "], Kind::RecordingSaid),
    (&[b"Performance counter stats for"], Kind::PerfStat),
    (&[b"begin 6", b"4 "], Kind::Uuencode),
    (&[b"Content-Transfer-Encoding: base64"], Kind::Mail),
];

/// What has such a line.
pub(super) fn tool(text: &[u8]) -> Option<Kind> {
    if let Some(kind) = perf_or_tcpdump(text) {
        return Some(kind);
    }
    let has = |part: &&[u8]| memmem::find(text, part).is_some();
    if let Some(&(_, kind)) = TOOLS.iter().find(|(parts, _)| parts.iter().all(has)) {
        return Some(kind);
    }
    if is_dump(text) {
        return Some(Kind::Dump);
    }
    if text.starts_with(b"H4sI") && text.iter().copied().all(is_of_base64) {
        return Some(Kind::Base64);
    }
    is_system_call(text).then_some(Kind::Strace)
}

/// Output of perf and tcpdump meant for people only, which is not recognised by words alone.
fn perf_or_tcpdump(text: &[u8]) -> Option<Kind> {
    if text.starts_with(b"# To display the perf.data header info") {
        return Some(Kind::PerfReport);
    }
    if text.starts_with(b"time ") && memmem::find(text, b"sch delay").is_some() {
        return Some(Kind::PerfTimehist);
    }
    if is_raw_dump(text) {
        return Some(Kind::PerfDump);
    }
    if is_tcpdump(text) {
        return Some(Kind::Tcpdump);
    }
    is_perf_trace(text).then_some(Kind::PerfTrace)
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
