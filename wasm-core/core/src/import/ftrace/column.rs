//! The column of a task's name: what a kernel can print there, and what other programs put before it.

use memchr::memchr;

use super::prefix::{Layout, Prefix};

impl<'a> Prefix<'a> {
    /// Removes a console prefix from the name: `[   12.345678] ` of printk, with its caller (`[  T123]`), after the
    /// host's name and `kernel: ` if a syslog daemon wrote it.
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

    /// The task's name as a kernel can print it; `None` if it is too long, so that something else precedes the
    /// columns. If most lines of the file have such a prefix (`is_dressed`), the name is taken from its fixed-width
    /// column.
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

    /// Whether another program put a prefix before the columns, from which the name can be separated.
    pub fn is_dressed(&self) -> bool {
        let is_bare = self.layout != Layout::Latency && self.plausible_name(false).is_some();
        !is_bare && self.name_in_column().is_some()
    }

    /// The name in its fixed-width column, if more precedes that. A blank precedes the name there, unless the latency
    /// format truncated it.
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

    /// The task's name without that of a buffer, which `trace-cmd report` prints before each line of `trace-cmd
    /// record -B`: `rx:             bash-18614` (trace-cmd 3.1.6, `tracecmd/trace-read.c: print_handle_file`). The
    /// task's column after it distinguishes a buffer from a task's name with a colon. perf prints no buffers; there
    /// it is another program's prefix.
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

    /// The width of the task's column in characters.
    const fn width(&self) -> usize {
        match self.layout {
            Layout::Latency => SHORT_COLUMN,
            Layout::Columns | Layout::Perf => COLUMN,
        }
    }
}

/// Whether trace-cmd can have a buffer of this name: a directory in tracefs.
pub(super) fn is_buffer(name: &[u8]) -> bool {
    !name.is_empty() && !name.iter().any(u8::is_ascii_whitespace)
}

/// The reason for refusing a line without a plausible name.
pub(crate) const NAME_TOO_LONG: &str =
    "what stands before its columns is longer than any task's name";
/// The marker before kernel messages in a system log.
const CONSOLE: &[u8] = b"kernel: ";
/// `TASK_COMM_LEN` of `include/linux/sched.h` (v6.12) without the terminating zero. perf and trace-cmd print no
/// longer names, as theirs come from the kernel's events and its saved command lines.
const LONGEST_NAME: usize = 15;

/// The width of the right-aligned task name of ftrace, trace-cmd and perf (`%16s`).
const COLUMN: usize = 16;
/// That of the latency format, which truncates longer names (`%8.8s`).
const SHORT_COLUMN: usize = 8;

/// Whether a task may have the name. Characters are counted too, as a program may have replaced a truncated character
/// by a sign of three bytes.
fn is_plausible(comm: &[u8]) -> bool {
    comm.len() <= LONGEST_NAME || String::from_utf8_lossy(comm).chars().count() <= LONGEST_NAME
}
