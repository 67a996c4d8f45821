//! The messages of an import: what its ledger has beside its sums, and why files cannot be opened.

use crate::ledger::Ledger;
use crate::run::Doubtful;
use crate::saying::Saying;

sayings! {
    unknown_key = "import.unknown_key"(key: Name, line: Count);
    unknown_probe = "import.unknown_probe"(name: Name, id: Count);
    other_version = "import.other_version"(version: Name, read_as: Name);
    clock_is_counter = "import.clock_is_counter"();
    clock_is_uptime = "import.clock_is_uptime"();
    reason_is_number = "import.reason_is_number"(line: Count);
    reason_tail = "import.reason_tail"(line: Count);
    /// Of text that another program has shown or kept.
    dressed = "import.dressed"();
    coloured = "import.coloured"();
    other_blanks = "import.other_blanks"();
    escaped = "import.escaped"();
    logged_as_json = "import.logged_as_json"();
    /// `text` stands behind each line.
    suffixed = "import.suffixed"(text: Name);
    remark = "import.remark"(line: Count);
    overwritten = "import.overwritten"(events: Count);
    hashed_pointers = "import.hashed_pointers"(unmatched: Count, of: Count);
    clipped = "import.clipped"(line: Count);
    /// Of these two `line` is the first of so many lines.
    no_length = "import.no_length"(lines: Count, line: Count);
    long_name = "import.long_name"(lines: Count, line: Count);
    /// `lines` have `width` bytes, and none has more; `broken` of them end in the middle of a field.
    cut_lines = "import.cut_lines"(lines: Count, width: Count, broken: Count);
    /// `rests` lines are none of a trace, and follow a line that lacks its rest.
    wrapped_lines = "import.wrapped_lines"(rests: Count);
    /// `span` is from the first event to the last.
    far_apart = "import.far_apart"(span: Nanos);
    /// `by` is how much a later line is earlier at most.
    out_of_order = "import.out_of_order"(lines: Count, by: Nanos);
    backwards = "import.backwards"(events: Count);
    repeated = "import.repeated"(lines: Count);
    /// The second begins at this line.
    several_recordings = "import.several_recordings"(recordings: Count, line: Count);
    /// `count` wake-ups by `waker` come after the task was awake on `woken`, by up to `by`.
    clocks_apart = "import.clocks_apart"(count: Count, by: Nanos, waker: Cpu, woken: Cpu);
    /// Likewise in perf's output, whose clock is chosen otherwise.
    clocks_of_perf_apart = "import.clocks_of_perf_apart"(count: Count, by: Nanos, waker: Cpu, woken: Cpu);
    /// Likewise, though the recording says that its clock is one for all CPUs.
    clocks_apart_though = "import.clocks_apart_though"(count: Count, by: Nanos, waker: Cpu, woken: Cpu, clock: Name);
    nothing_known = "import.nothing_known"();
    nothing_in_part = "import.nothing_in_part"();
    damaged = "import.damaged"(packing: Name, at: Count);
    cut_off = "import.cut_off"(packing: Name, at: Count);
    /// From this byte on.
    unreadable = "import.unreadable"(at: Count);
    /// One of several files that were opened together, and why it cannot be imported.
    file_left_out = "import.file_left_out"(name: Name, why: Said);
    /// `by` is the packing of what follows.
    followed_by_packed = "import.followed_by_packed"(packing: Name, at: Count, by: Name);
    followed_by_text = "import.followed_by_text"(packing: Name, at: Count);

    /// A file that cannot be opened, and why.
    named = "refused.named"(name: Name, why: Said);
    no_file = "refused.no_file"();
    two_traces = "refused.two_traces"(first: Name, second: Name);
    two_captures = "refused.two_captures"(first: Name, second: Name);
    /// Why a file cannot be imported, and what can be.
    accepted = "refused.accepted"(why: Said);
    cannot_be_read = "refused.cannot_be_read"();
    empty = "refused.empty"();
    found = "refused.found"(found: Said);
    /// A text that begins so.
    found_beginning = "refused.found_beginning"(found: Said, beginning: Name);
    unpacks_to_more = "refused.unpacks_to_more"(packing: Name, packed: Count, unpacked: Count);
    cannot_be_unpacked = "refused.cannot_be_unpacked"(packing: Name, why: Said);
    no_right_end = "broken.no_right_end"(at: Count);
    /// Something else begins at this byte.
    nothing_in_it = "broken.nothing_in_it"(at: Count);
    damaged_near = "broken.damaged_near"(at: Count);
    wants_dictionary = "broken.wants_dictionary"(number: Name);
    wants_window = "broken.wants_window"(mebibytes: Count);
    found_text = "found.text"();
    /// `why` is what left out the columns that a trace's line has.
    found_text_without = "found.text_without"(why: Unread);
}

/// A message that is given only for the first line that causes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OfFirst {
    said: fn(u64) -> Saying,
    is_told: bool,
}

impl OfFirst {
    /// The message, given the line number.
    pub(crate) const fn new(said: fn(u64) -> Saying) -> Self {
        let is_told = false;
        Self { said, is_told }
    }

    /// Warns about this line, unless it did so before.
    pub(crate) fn tell(&mut self, line: u64, ledger: &mut Ledger) {
        if !std::mem::replace(&mut self.is_told, true) {
            ledger.warn((self.said)(line));
        }
    }
}

/// Lines with an implausible value: how many, and the first.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Doubted {
    lengths: (u64, u64),
    names: (u64, u64),
}

impl Doubted {
    /// Records the implausible values of this line.
    pub(crate) fn enter(&mut self, line: u64, doubtful: Doubtful) {
        let count = |is_so, (lines, first): &mut (u64, u64)| {
            if is_so {
                *first = if *lines == 0 { line } else { *first };
                *lines += 1;
            }
        };
        count(doubtful.length, &mut self.lengths);
        count(doubtful.name, &mut self.names);
    }

    /// Warns about them.
    pub(crate) fn tell(&self, ledger: &mut Ledger) {
        if let (lines @ 1.., first) = self.lengths {
            ledger.warn(no_length(lines, first));
        }
        if let (lines @ 1.., first) = self.names {
            ledger.warn(long_name(lines, first));
        }
    }
}
