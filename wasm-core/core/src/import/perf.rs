//! `perf script` of tracepoints: the same events with other columns, the subsystem before the name, and call chains
//! in between.

use super::Ledger;
use super::ftrace::NO_LINE;
use super::ftrace::column::NAME_TOO_LONG;
use super::ftrace::events::Events;
use super::ftrace::prefix::{Layout, Prefix, unquoted};
use super::ftrace::values;
use crate::kernel::CpuId;
use crate::run::{Run, RunBuilder};

/// The parser.
#[derive(Debug, Default)]
pub(crate) struct Perf {
    events: Events,
    /// Most lines have a prefix of another program before their columns.
    pub is_dressed: bool,
}

impl Perf {
    /// Reads a line and enters it in the ledger. If it is not a trace's line it is not entered, and the reason is
    /// returned as the error.
    pub fn line(
        &mut self,
        number: u64,
        line: &[u8],
        run: &mut RunBuilder,
        ledger: &mut Ledger,
    ) -> Result<(), &'static str> {
        if !line.starts_with(b"#")
            && let Some(mut prefix) = Prefix::read(line)
        {
            let name = prefix.plausible_name(self.is_dressed);
            prefix.comm = name.ok_or(NAME_TOO_LONG)?;
            if let Some(name) = record_name(prefix.text) {
                if let Some(lost) = lost_by(name, prefix.text) {
                    let cpu = prefix.cpu.map_or(CpuId::UNKNOWN, CpuId);
                    self.events.lose(number, cpu, lost, ledger);
                } else {
                    ledger.skip(&format!("({name})"), number, line);
                }
                return Ok(());
            }
            if prefix.layout != Layout::Perf {
                // Without printed thread ids, what looks like one is part of the task's name: `migration-12 [001]`.
                (prefix.comm, prefix.pid) = (b"", None);
            }
            prefix.text = without_fields(without_subsystem(prefix.text));
            self.events.read(number, line, &prefix, run, ledger);
            return Ok(());
        }
        let text = unquoted(line).trim_ascii();
        if text.is_empty() {
            ledger.skip("(blank line)", number, line);
        } else if text.starts_with(b"#") || self.events.goes_on(number, text, run) {
            ledger.understood += 1;
        } else if is_frame(text) || is_frame_in_columns(line) {
            ledger.skip("(stack trace)", number, line);
        } else {
            return Err(NO_LINE);
        }
        Ok(())
    }

    /// The end of the text.
    pub fn finish(mut self, mut run: RunBuilder, _ledger: &mut Ledger) -> Run {
        self.events.finish(&mut run);
        run.finish()
    }
}

/// `netif_receive_skb: ...` of `  net:netif_receive_skb: ...`, whatever precedes the event (a period, `VCPU:`).
fn without_subsystem(text: &[u8]) -> &[u8] {
    let mut from = 0;
    while let Some(colon) = memchr::memchr(b':', &text[from..]).map(|at| from + at) {
        match text.get(colon + 1) {
            Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => {
                return &text[colon + 1..];
            }
            _ => from = colon + 1,
        }
        if text.get(from) == Some(&b' ') {
            // The event itself, without a subsystem.
            return text;
        }
    }
    text
}

/// Removes the fields that perf prints after an event, `ip,sym,symoff,dso` and `cgroup`: `ffffffff81a0b1f2
/// net_rx_action+0x82 ([kernel.kallsyms]) /user.slice` (`tools/perf/builtin-script.c: process_event`, v6.12).
fn without_fields(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_end();
    let cgroup = memchr::memrchr(b' ', text).filter(|&at| text[at + 1..].starts_with(b"/"));
    let text = cgroup.map_or(text, |at| text[..at].trim_ascii_end());
    let file = text
        .ends_with(b")")
        .then(|| memchr::memmem::rfind(text, b" ("));
    let rest = file.flatten().map_or(text, |at| &text[..at]);
    let Some((before, word)) = last_word(rest) else {
        return text;
    };
    match last_word(before) {
        Some((shorter, address)) if is_in_column(before, shorter, address) => shorter,
        _ if is_in_column(rest, before, word) => before,
        _ => text,
    }
}

/// The text before the last word, without trailing blanks, and that word.
fn last_word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let blank = memchr::memrchr(b' ', text)?;
    Some((text[..blank].trim_ascii_end(), &text[blank + 1..]))
}

/// Whether a text ends with an address in 16 columns after `before` and a blank (`sample__fprintf_sym` of
/// `tools/perf/util/evsel_fprintf.c`, v6.12).
fn is_in_column(text: &[u8], before: &[u8], address: &[u8]) -> bool {
    text.len() > before.len() + 16
        && (1..=16).contains(&address.len())
        && address.iter().all(u8::is_ascii_hexdigit)
}

/// The name of a record about perf itself or about tasks, printed on request (`--show-task-events`,
/// `--show-mmap-events`, `--show-switch-events`): `PERF_RECORD_MMAP2 1642/1642: [0x7fd588d34000(0x2000) @ 0 00:00 0
/// 0]: r-xp [vdso]` (`tools/perf/util/event.c: perf_event__fprintf`, v6.12).
fn record_name(text: &[u8]) -> Option<&str> {
    let text = text.trim_ascii_start();
    let is_of_name =
        |byte: &&u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || **byte == b'_';
    let name = &text[..text.iter().take_while(is_of_name).count()];
    let is_record = name.starts_with(b"PERF_RECORD_") && name.len() <= LONGEST_RECORD;
    std::str::from_utf8(name).ok().filter(|_| is_record)
}

/// How many events a record reports as lost for lack of buffer space: `PERF_RECORD_LOST lost 12`
/// (`tools/perf/util/event.c: perf_event__fprintf_lost`, v6.12). `None` for other records, 0 if it gives no number.
fn lost_by(name: &str, text: &[u8]) -> Option<u64> {
    if !matches!(name, "PERF_RECORD_LOST" | "PERF_RECORD_LOST_SAMPLES") {
        return None;
    }
    let lost = &text.trim_ascii_start()[name.len()..];
    let lost = lost.strip_prefix(b" lost ").and_then(values::number);
    Some(lost.unwrap_or(0))
}

/// Limit of the length of a perf record's name, in bytes.
const LONGEST_RECORD: usize = 40;

/// Whether a line is one of a call chain: `\tffffffff817d9d00 net_rx_action+0x0 ([kernel.kallsyms])`, the address in
/// 16 columns (`tools/perf/util/evsel_fprintf.c: sample__fprintf_callchain`, v6.12). A short address, as of user
/// space, is recognised by the file at the end of the line.
fn is_frame(text: &[u8]) -> bool {
    let digits = text
        .iter()
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count();
    let has_file = text.ends_with(b")") && memchr::memmem::find(text, b" (").is_some();
    match text.get(digits) {
        Some(b' ') => digits >= 6 || 0 < digits && has_file,
        None => digits >= 6,
        Some(_) => false,
    }
}

/// Whether a line is one of a call chain without files (`-F ip,sym`): a tab and an address in 16 columns, however
/// short.
fn is_frame_in_columns(line: &[u8]) -> bool {
    let Some((address, rest)) = line
        .strip_prefix(b"\t")
        .and_then(|line| line.split_at_checked(16))
    else {
        return false;
    };
    let digits = address.trim_ascii_start();
    !digits.is_empty()
        && digits.iter().all(u8::is_ascii_hexdigit)
        && matches!(rest.first(), Some(b' ') | None)
}
