//! The values of arguments: pointers, numbers, network order, addresses, text. Each reader stops at the first byte
//! that is not part of the value and returns `None` without a value.

use std::net::Ipv6Addr;

use crate::kernel::{AddrId, MPTCP, Probe};
use crate::run::RunBuilder;

/// Interns a text that may not be UTF-8.
pub(super) fn intern(text: &[u8], run: &mut RunBuilder) -> u32 {
    let text = unquoted(text);
    match std::str::from_utf8(text) {
        Ok(text) => run.name(text).0,
        Err(_) => run.name(&String::from_utf8_lossy(text)).0,
    }
}

/// The identifier of C at the start of a text, which may be empty.
pub(crate) fn identifier(text: &[u8]) -> &[u8] {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let end = text.iter().position(|byte| !is_part(byte));
    &text[..end.unwrap_or(text.len())]
}

/// Removes the quotes of a kprobe's string argument and a comma after it, or the semicolon that an editor made of that.
pub(super) fn unquoted(text: &[u8]) -> &[u8] {
    let text = text.strip_suffix(b",").unwrap_or(text);
    match text {
        [b'"', inner @ .., b'"'] | [b'"', inner @ .., b'"', b';'] => inner,
        _ => text,
    }
}

/// The number of a transport (IANA) that an event prints by its name: those of `include/trace/events/sock.h` (v6.18),
/// and two that others print.
pub(super) fn protocol_of_name(name: &[u8]) -> Option<u32> {
    match name {
        b"IPPROTO_TCP" => Some(6),
        b"IPPROTO_UDP" => Some(17),
        b"IPPROTO_ICMP" => Some(1),
        b"IPPROTO_DCCP" => Some(33),
        b"IPPROTO_SCTP" => Some(132),
        b"IPPROTO_MPTCP" => Some(MPTCP),
        _ => None,
    }
}

/// A pointer in any form: with or without `0x`, padded, or with the `x` that libtraceevent leaves after one printed
/// with `%px`. `(nil)` and `(____ptrval____)` give `NONE`.
pub(crate) fn address(text: &[u8], run: &mut RunBuilder) -> AddrId {
    let text = text.strip_prefix(b"0x").unwrap_or(text);
    let mut value = 0u64;
    for &byte in text {
        match digit(byte) {
            // No pointer has more than 64 bits.
            Some(_) if value >> 60 != 0 => return AddrId::NONE,
            Some(digit) => value = value << 4 | u64::from(digit),
            None => break,
        }
    }
    run.address(value)
}

const fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// A number, decimal or with `0x`, up to the first other byte; `u64::MAX` if it exceeds 64 bits.
pub(crate) fn number(text: &[u8]) -> Option<u64> {
    if let Some(text) = text.strip_prefix(b"0x") {
        let mut value = 0u64;
        for &byte in text {
            match digit(byte) {
                Some(_) if value >> 60 != 0 => value = u64::MAX,
                Some(digit) => value = value << 4 | u64::from(digit),
                None => break,
            }
        }
        return text.first().and_then(|&byte| digit(byte)).map(|_| value);
    }
    let (value, digits) = decimal(text);
    (digits > 0).then(|| value.unwrap_or(u64::MAX))
}

/// The number at the start of a text, if it fits 64 bits, and the count of its digits.
#[inline]
pub(super) fn decimal(text: &[u8]) -> (Option<u64>, usize) {
    // The standard library's checked 64-bit products are slow in WebAssembly.
    const TENTH: u64 = u64::MAX / 10;
    let (mut value, mut fits, mut digits) = (0, true, 0);
    for byte in text {
        let digit = u64::from(byte.wrapping_sub(b'0'));
        if digit > 9 {
            break;
        }
        fits &= value < TENTH || value == TENTH && digit <= u64::MAX % 10;
        value = u64::wrapping_mul(value, 10).wrapping_add(digit);
        digits += 1;
    }
    (fits.then_some(value), digits)
}

/// An unsigned number, clipped to 32 bits.
pub(crate) fn clipped(text: &[u8]) -> Option<u32> {
    number(text).map(|value| u32::try_from(value).unwrap_or(u32::MAX))
}

/// A signed number in 32 bits. The kernel prints negative ones as `-11`, `4294967285` or `0xfffffffffffffff5`; other
/// values out of range are clipped.
pub(crate) fn signed(text: &[u8]) -> Option<u32> {
    if let Some(text) = text.strip_prefix(b"-") {
        let value = number(text)?.min(1 << 31);
        return Some((value as u32).wrapping_neg());
    }
    let value = number(text)?;
    let is_negative = i32::try_from(value.cast_signed()).is_ok();
    let clipped = i32::MAX.cast_unsigned();
    Some(u32::try_from(value).unwrap_or(if is_negative { value as u32 } else { clipped }))
}

pub(super) fn be16(text: &[u8]) -> Option<u32> {
    let value = u16::try_from(number(text)?).ok()?;
    Some(value.swap_bytes().into())
}

pub(super) fn be32(text: &[u8]) -> Option<u32> {
    let value = u32::try_from(number(text)?).ok()?;
    Some(value.swap_bytes())
}

/// `192.0.2.1`; `None` for an IPv6 address, which 32 bits cannot hold.
pub(super) fn ipv4(text: &[u8]) -> Option<u32> {
    let mut address = 0u32;
    let mut octets = 0;
    for octet in text.split(|&byte| byte == b'.') {
        let value = number(octet).filter(|&value| value < 256 && octet.len() <= 3)?;
        address = address << 8 | value as u32;
        octets += 1;
    }
    (octets == 4).then_some(address)
}

pub(super) fn ipv6(text: &[u8]) -> Option<Ipv6Addr> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// The end of the value that begins at `from`: a blank, or the closing quote of a kprobe's string, which may contain
/// blanks.
pub(super) fn end_of_value(text: &[u8], from: usize, key: &[u8]) -> usize {
    if text.get(from) == Some(&b'"')
        && !key.starts_with(b".")
        && let Some(quote) = memchr::memchr(b'"', &text[from + 1..])
        && let end = from + quote + 2
        && matches!(text.get(end), Some(b' ') | None)
    {
        return end;
    }
    until(text, from, [b' '; 2])
}

/// The first position from `at` on with one of two bytes, or the end. Keys and values are short, so comparing eight
/// bytes at a time is faster than both single bytes and a search with a set-up cost.
#[inline]
pub(super) fn until(text: &[u8], mut at: usize, [one, other]: [u8; 2]) -> usize {
    const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    // The high bit of each matching byte, and possibly of some bytes after the first match.
    let is = |eight: u64, byte: u8| {
        let differs = eight ^ u64::from_ne_bytes([byte; 8]);
        differs.wrapping_sub(LOW) & !differs & HIGH
    };
    while let Some(eight) = text[at..].first_chunk() {
        let eight = u64::from_le_bytes(*eight);
        let found = is(eight, one) | is(eight, other);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while at < text.len() && text[at] != one && text[at] != other {
        at += 1;
    }
    at
}

/// A system call's argument: hexadecimal, with `0x` or (up to 6.12) without.
pub(super) fn bare_hex(text: &[u8]) -> Option<u32> {
    let text = text.strip_suffix(b")").unwrap_or(text).trim_ascii();
    if text.starts_with(b"0x") {
        return clipped(text);
    }
    let text = std::str::from_utf8(text).ok()?;
    u32::from_str_radix(text, 16).ok()
}

/// The arguments of a system call, between commas, or semicolons where an editor has changed them. Text in quotes is a
/// program's, and commas in it do not separate arguments. The kernel prints it unescaped, quotes included, so it
/// extends to the last quote (`kernel/trace/trace_syscalls.c: print_syscall_enter`, v6.19).
pub(super) fn parted(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    let first = memchr::memchr(b'"', list).unwrap_or(list.len());
    let (before, quoted) = list.split_at(first);
    let end = memchr::memrchr(b'"', quoted).filter(|&at| at > 0);
    let behind = end.map_or(&b""[..], |at| &quoted[at + 1..]);
    let parts = [before, behind].into_iter();
    parts
        .flat_map(|part| part.split(|byte| matches!(byte, b',' | b';')))
        .map(<[u8]>::trim_ascii)
}

/// Whether arguments begin with a location, `(ip_rcv+0x0/0x1d0)`. A task's name in parentheses, `(sd-pam):123 [120]`,
/// is not one.
pub(super) fn is_placed(args: &[u8]) -> bool {
    args.starts_with(b"(")
        && memchr::memchr(b')', args)
            .is_some_and(|end| matches!(args.get(end + 1), Some(b' ') | None))
}

/// The reason for refusing an event printed by its fields.
const BY_FIELDS: &str = "printed with ftrace's option fields: turn it off and record again";

/// Whether arguments are in the form of `kernel/trace/trace_output.c: print_fields` (v6.12): a number in hexadecimal,
/// and again in parentheses (`prev_pid=0x71c1 (29121)`).
fn is_by_fields(args: &[u8]) -> bool {
    let mut words = args.split(|&byte| byte == b' ');
    let mut before: &[u8] = b"";
    words.any(|word| {
        let is_pair = word.starts_with(b"(")
            && word.ends_with(b")")
            && memchr::memmem::find(before, b"=0x").is_some();
        before = word;
        is_pair
    })
}

/// The reason for refusing an event of `perf script -F comm,tid,cpu,time,event`.
pub(super) const NO_ARGUMENTS: &str =
    "an event without its arguments: give perf script the field trace, and print it again";

/// The reason for refusing an event of perf, `net:netif_rx: ...`, in a file of another format.
pub(super) const OF_PERF: &str = "a line of perf script in a file of another format: cut the file there and open each part by itself";

/// Whether a line has an event's name as perf prints it, behind its subsystem's: `sched:sched_stat_runtime: ...`.
pub(super) fn is_of_perf(line: &[u8], subsystem: &[u8], args: &[u8]) -> bool {
    let event = identifier(args);
    let name = [subsystem, b":", event, b":"].concat();
    !event.is_empty() && memchr::memmem::find(line, &name).is_some()
}

/// The reason for refusing an event that trace-cmd printed as raw fields.
const RAW: &str = "printed by trace-cmd without its own words (-R, -r): run `trace-cmd report` without that option";

/// The reason for refusing a `sched_switch` whose arrow an editor has made one sign.
const ONE_SIGN: &str =
    "an editor made one sign (⇒) of the arrow ==>: take the file as it was recorded";

/// Whether a sign stands where the kernel prints `==>`.
fn has_one_sign(args: &[u8]) -> bool {
    memchr::memmem::find(args, " ⇒ next_comm=".as_bytes()).is_some()
}

/// Whether arguments are the raw fields of `trace-cmd report -R` instead of the event's sentence: `prev_state=128
/// next_comm=ksoftirqd/1`, `sk=0xffff888102d0af40 family=2` (libtraceevent 1.7, `event-parse.c: tep_print_fields`).
fn is_raw(args: &[u8]) -> bool {
    let is_switch = args.starts_with(b"prev_comm=")
        && memchr::memmem::find(args, b" ==").is_none()
        && memchr::memmem::find(args, b" next_comm=").is_some();
    is_switch || args.starts_with(b"sk=0x") || args.starts_with(b"napi=0x")
}

/// Removes the time since the previous line, `(+23)    softirq_exit: ...` (`trace-cmd report --ts-diff`).
pub(super) fn without_difference(text: &[u8]) -> &[u8] {
    let difference = text.strip_prefix(b"(+").and_then(|rest| {
        let close = memchr::memchr(b')', rest)?;
        let is_number = close > 0 && rest[..close].iter().all(u8::is_ascii_digit);
        is_number.then(|| rest[close + 1..].trim_ascii_start())
    });
    difference.unwrap_or(text)
}

/// Removes a remark that somebody added after an event, ` <-- look here`. Returns whether there was one. An arrow
/// before a task's pid is part of its name, which may be anything (`kernel/sys.c: prctl, PR_SET_NAME`).
pub(super) fn without_remark(text: &[u8], names_tasks: bool) -> (&[u8], bool) {
    if memchr::memchr(b'<', text).is_none() {
        return (text, false);
    }
    let from = if names_tasks { last_task(text) } else { 0 };
    let is_arrow = |&at: &usize| {
        let (before, arrow) = text.split_at(at);
        before.ends_with(b" ")
            && [&b"<--"[..], b"<==", b"<<<"]
                .iter()
                .any(|begins| arrow.starts_with(begins))
    };
    let mut places = memchr::memchr_iter(b'<', &text[from..]).map(|at| from + at);
    match places.find(is_arrow) {
        Some(at) => (text[..at].trim_ascii_end(), true),
        None => (text, false),
    }
}

/// The position of a task's last pid: `pid=17`, or in trace-cmd's form `:17 [120]`.
fn last_task(text: &[u8]) -> usize {
    let is_behind_number = |&at: &usize| {
        let is_digit = |byte: &&u8| byte.is_ascii_digit();
        let digits = text[..at].iter().rev().take_while(is_digit).count();
        digits > 0 && text[..at - digits].ends_with(b":")
    };
    let by_key = memchr::memmem::rfind(text, b"pid=");
    let by_place = memchr::memmem::rfind_iter(text, b" [").find(is_behind_number);
    by_key.max(by_place).unwrap_or(0)
}

/// Why the arguments of an event could not be read.
pub(super) fn why_unread(probe: Probe, args: &[u8]) -> String {
    if is_by_fields(args) {
        BY_FIELDS.to_owned()
    } else if has_one_sign(args) {
        ONE_SIGN.to_owned()
    } else if is_raw(args) {
        RAW.to_owned()
    } else {
        format!("{probe} without the arguments it always has")
    }
}

/// Why arguments differ from those that the event prints: printed by their fields, addresses, states and reasons are
/// other numbers, and some are left out.
pub(super) fn not_as_printed(args: &[u8]) -> Option<&'static str> {
    if begins_or_ends_by_fields(args) {
        return Some(BY_FIELDS);
    }
    let is_cut = args.ends_with(b">");
    is_cut.then_some("cut off at the edge of a pager's screen")
}

/// Whether the first or the last argument is printed by its field. The text in between may be a task's name.
fn begins_or_ends_by_fields(args: &[u8]) -> bool {
    // Checked for every event: for nearly all of them one byte decides.
    let begins = memchr::memchr(b'=', args).is_some_and(|at| args[at..].starts_with(b"=0x"));
    let is_blank = |byte: &u8| *byte == b' ';
    if begins {
        let mut words = args.splitn(3, is_blank);
        if is_pair(words.next(), words.next()) {
            return true;
        }
    }
    let mut words = args.rsplitn(3, is_blank);
    let again = args.ends_with(b")").then(|| words.next()).flatten();
    again.is_some() && is_pair(words.next(), again)
}

/// Whether two words are a key with a hexadecimal number, and the number again in parentheses.
fn is_pair(number: Option<&[u8]>, again: Option<&[u8]>) -> bool {
    let key = number.and_then(|word| word.split(|&byte| byte == b'=').next());
    let is_hexadecimal = key.zip(number).is_some_and(|(key, word)| {
        let value = word.get(key.len()..);
        !key.is_empty() && value.is_some_and(|it| it.starts_with(b"=0x"))
    });
    let digits = again
        .and_then(|word| word.strip_prefix(b"(")?.strip_suffix(b")"))
        .map(|inner| inner.strip_prefix(b"-").unwrap_or(inner));
    is_hexadecimal
        && digits.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}
