//! `perf script` of tracepoints: the same events behind other columns, with the
//! subsystem before the name and call chains between.

use super::Ledger;
use super::ftrace::events::Events;
use super::ftrace::prefix::{NAME_TOO_LONG, Prefix, unquoted};
use crate::run::{Run, RunBuilder};

/// The parser.
#[derive(Debug, Default)]
pub(crate) struct Perf {
    events: Events,
}

impl Perf {
    /// Reads a line and enters it in the ledger.
    pub fn line(&mut self, number: u64, line: &[u8], run: &mut RunBuilder, ledger: &mut Ledger) {
        if !line.starts_with(b"#")
            && let Some(prefix) = Prefix::read(line)
        {
            let Some(mut prefix) = prefix.with_plausible_name() else {
                ledger.malformed(number, line, NAME_TOO_LONG);
                return;
            };
            prefix.text = without_subsystem(prefix.text);
            self.events.read(number, line, &prefix, run, ledger);
            return;
        }
        let text = unquoted(line).trim_ascii();
        if text.is_empty() {
            ledger.skip("(blank line)", number, line);
        } else if text.starts_with(b"#") || self.events.goes_on(number, text, run) {
            ledger.understood += 1;
        } else if is_frame(text) {
            ledger.skip("(stack trace)", number, line);
        } else {
            ledger.malformed(number, line, "no line of a trace");
        }
    }

    /// The end of the text.
    pub fn finish(mut self, mut run: RunBuilder, _ledger: &mut Ledger) -> Run {
        self.events.finish(&mut run);
        run.finish()
    }
}

/// `netif_receive_skb: ...` of `  net:netif_receive_skb: ...`, whatever stands
/// before the event (a period, `VCPU:`).
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

/// A line of a call chain: `\tffffffff817d9d00 net_rx_action+0x0 ([kernel.kallsyms])`.
fn is_frame(text: &[u8]) -> bool {
    let digits = text
        .iter()
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count();
    digits >= 6 && matches!(text.get(digits), Some(b' ') | None)
}
