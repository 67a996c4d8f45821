//! What the comments before a recording's events say of it: the kernel's header, and what `ringside-capture` adds.

use super::values::number;
use crate::import::{Ledger, overwrote};
use crate::run::RunBuilder;

/// The comment with which `ringside-capture` begins what it adds, followed by a version.
const CAPTURE: &[u8] = b"ringside-capture ";
/// What it says of the host and of itself, as metadata. `nic` is the only device whose events were kept.
const SAID: [&str; 8] = [
    "kernel",
    "machine",
    "cpus",
    "events",
    "kprobes",
    "nic",
    "addresses",
    "buffer",
];
/// The command that it recorded, as it was given.
const COMMAND: &str = "command";

/// The comments of a file, of one recording or of several.
#[derive(Debug, Default)]
pub(super) struct Headers {
    /// The comments are those of `ringside-capture`.
    is_of_capture: bool,
    /// Events that this recording's buffer lost, as the kernel's header counts them.
    overwritten: u64,
}

impl Headers {
    /// Takes what a comment reports.
    pub(super) fn line(&mut self, header: &[u8], run: &mut RunBuilder, ledger: &mut Ledger) {
        if let Some(counts) = header.strip_prefix(b"entries-in-buffer/entries-written: ") {
            self.is_of_capture = false;
            self.overwritten = entries(counts);
            lose(self.overwritten, run, ledger);
        } else if header.starts_with(CAPTURE) {
            self.is_of_capture = true;
        } else if let Some(clock) = header.strip_prefix(b"clock: ") {
            run.metadata("clock", &String::from_utf8_lossy(clock));
        } else if let Some(at) = memchr::memmem::find(header, b" latency trace v") {
            let release = memchr::memmem::find(&header[at..], b" on ")
                .map(|on| String::from_utf8_lossy(&header[at + on + 4..]));
            if let Some(release) = release {
                run.metadata("kernel", &release);
            }
        } else if self.is_of_capture {
            self.of_capture(header, run, ledger);
        }
    }

    /// `# nic: eth0` and the like.
    fn of_capture(&mut self, header: &[u8], run: &mut RunBuilder, ledger: &mut Ledger) {
        let Some(colon) = memchr::memmem::find(header, b": ") else {
            return;
        };
        let (key, said) = (&header[..colon], &header[colon + 2..]);
        if key == b"lost" {
            // It counts what the kernel's header does, and what a full buffer did not take.
            let more = number(said).unwrap_or(0).saturating_sub(self.overwritten);
            self.overwritten += more;
            lose(more, run, ledger);
            return;
        }
        let known = SAID.into_iter().chain([COMMAND]);
        if let Some(key) = known.into_iter().find(|known| known.as_bytes() == key) {
            run.metadata(key, String::from_utf8_lossy(said).trim());
        }
    }
}

/// Enters lost events that only a header counts.
fn lose(events: u64, run: &mut RunBuilder, ledger: &mut Ledger) {
    // A clipped number is not a valid count.
    if events > 0 && events < u64::MAX {
        overwrote(events, run, ledger);
    }
}

/// `17635/20000   #P:4`, the entries in the buffer and the entries written to it: how many were overwritten.
fn entries(counts: &[u8]) -> u64 {
    let slash = memchr::memchr(b'/', counts).unwrap_or(counts.len());
    let (kept, written) = counts.split_at(slash);
    let written = written.strip_prefix(b"/").and_then(number);
    let both = number(kept).zip(written);
    let lost = both.filter(|&(_, written)| written < u64::MAX);
    lost.map_or(0, |(kept, written)| written.saturating_sub(kept))
}
