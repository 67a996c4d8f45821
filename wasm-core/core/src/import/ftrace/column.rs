//! The column of a task's name: what a kernel can have printed there, and what other programs put before it.

use memchr::memchr;

use super::prefix::{Layout, Prefix};

impl<'a> Prefix<'a> {
    /// What stands before it on the console is no part of the name: `[   12.345678] ` of printk, with who called it
    /// (`[  T123]`), behind the machine's and the kernel's name where a daemon has written it down.
    fn without_console(comm: &'a [u8]) -> &'a [u8] {
        let kernel = memchr::memmem::rfind(comm, CONSOLE);
        let mut comm = kernel.map_or(comm, |at| &comm[at + CONSOLE.len()..]);
        while let [b'[', tail @ ..] = comm
            && let Some(close) = memchr(b']', tail)
            && tail[..close]
                .iter()
                .all(|byte| matches!(byte, b'0'..=b'9' | b' ' | b'.' | b'T' | b'C'))
        {
            comm = tail[close + 1..].trim_ascii_start();
        }
        comm
    }

    /// The task's name as a kernel can have printed it. None where it is too long for one: then something else stands
    /// before the columns. Where that is so of most lines, of a file that is dressed, the name is what stands in its column.
    pub fn plausible_name(&self, is_dressed: bool) -> Option<&'a [u8]> {
        if is_dressed && let Some(comm) = self.name_in_column() {
            return Some(comm);
        }
        if is_plausible(self.comm) {
            return Some(self.comm);
        }
        let comm = Self::without_console(self.comm);
        is_plausible(comm).then_some(comm)
    }

    /// Whether another program put something before the columns, and the name can be told from it.
    pub fn is_dressed(&self) -> bool {
        let is_bare = self.layout != Layout::Latency && self.plausible_name(false).is_some();
        !is_bare && self.name_in_column().is_some()
    }

    /// The name in its column, if more stands before that. A name has a blank before it there, unless it was cut to the
    /// column of the latency format.
    fn name_in_column(&self) -> Option<&'a [u8]> {
        let width = self.width();
        let start = self
            .comm
            .len()
            .checked_sub(width)
            .filter(|&start| start > 0)?;
        let column = &self.comm[start..];
        let is_cut = width == SHORT_COLUMN || column.starts_with(b" ");
        Some(column.trim_ascii_start()).filter(|name| is_cut && !name.is_empty())
    }

    /// The task's name without that of a buffer, which `trace-cmd report` prints before each line of `trace-cmd record -B`:
    /// `rx:             bash-18614` (trace-cmd 3.1.6, `tracecmd/trace-read.c: print_handle_file`). The task's column behind
    /// it tells a buffer from a task whose name holds a colon. perf prints none: there it is another program's word.
    pub fn name_without_buffer(&self) -> &'a [u8] {
        let parted = self.comm.len().checked_sub(self.width());
        match parted.map(|at| self.comm.split_at(at)) {
            Some(([buffer @ .., b':', b' '], task))
                if is_buffer(buffer) && self.layout != Layout::Perf =>
            {
                task.trim_ascii_start()
            }
            _ => self.comm,
        }
    }

    /// How wide the task's column is.
    const fn width(&self) -> usize {
        match self.layout {
            Layout::Latency => SHORT_COLUMN,
            Layout::Columns | Layout::Perf => COLUMN,
        }
    }
}

/// Whether trace-cmd may have made a buffer of the name: a directory of tracefs.
pub(super) fn is_buffer(name: &[u8]) -> bool {
    !name.is_empty() && !name.iter().any(u8::is_ascii_whitespace)
}

/// Why a line without a plausible name is none of a trace.
pub(crate) const NAME_TOO_LONG: &str =
    "what stands before its columns is longer than any task's name";
/// Before what the kernel says in a log of the system.
const CONSOLE: &[u8] = b"kernel: ";
/// `TASK_COMM_LEN` of `include/linux/sched.h` (v6.12), without the zero at the end. Neither perf nor trace-cmd has more:
/// what they print comes from the kernel's events and its list of saved names.
const LONGEST_NAME: usize = 15;

/// The column that ftrace, trace-cmd and perf print a task's name in, to the right (`%16s`).
const COLUMN: usize = 16;
/// That of the latency format, where longer names are cut (`%8.8s`).
const SHORT_COLUMN: usize = 8;

/// Whether a task may have the name. One that was cut within a character may have come by way of a program that put a
/// sign of three bytes in place of what was left of it, so signs count.
fn is_plausible(comm: &[u8]) -> bool {
    comm.len() <= LONGEST_NAME || String::from_utf8_lossy(comm).chars().count() <= LONGEST_NAME
}
