//! The layout of the tracer `function_graph`, ` 0)   1.234 us
//!   ip_rcv();`: functions, which are skipped, and events in comments, ` 100.000002
//!    0)
//!     /* netif_receive_skb: dev=lo ... */`.
//!
//! Grammar: `kernel/trace/trace_functions_graph.c: print_graph_prologue` and `print_graph_comment` (v6.18). The CPU
//! is preceded by the time if `funcgraph-abstime` is set, and followed by the task (`funcgraph-proc`) and the flags
//! (`latency-format`).

use super::prefix::{Layout, Prefix, Unit, are_flags, number_before, time_before};
use super::values::clipped;

/// An event in a comment.
#[derive(Debug)]
pub(crate) enum Comment<'a> {
    /// With its columns.
    Event(Prefix<'a>),
    /// An event without a printed time or CPU.
    Unplaced,
}

/// The reason for refusing such an event.
pub(crate) const UNPLACED: &str = "an event within a graph of functions, without its time or its CPU: set options/funcgraph-abstime and options/funcgraph-cpu to 1 and print the trace again, or record without the tracer (`echo nop > current_tracer`)";

/// `print_graph_proc` truncates a task's name to this many characters.
const CUT_NAME: usize = 7;

/// The event in a line of a graph; `None` for other lines, and for comments with something else, such as a text of
/// `trace_marker`, for which the graph prints no name.
pub(crate) fn comment(line: &[u8]) -> Option<Comment<'_>> {
    let inner = line.trim_ascii_end().strip_suffix(b"*/")?;
    let is_behind_bar = |&at: &usize| inner[..at].trim_ascii_end().ends_with(b"|");
    let open = memchr::memmem::find_iter(inner, b"/* ").find(is_behind_bar)?;
    let text = inner[open + 3..].trim_ascii();
    let columns = inner[..open].trim_ascii_end().strip_suffix(b"|")?;
    let placed = || columns_of(columns, text).map_or(Comment::Unplaced, Comment::Event);
    is_event(text).then(placed)
}

/// Whether a text begins like an event: `netif_receive_skb: `, `sys_sendto(`, `sys_sendto -> `.
fn is_event(text: &[u8]) -> bool {
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let (name, rest) = text.split_at(text.iter().take_while(is_name).count());
    let is_call =
        name.starts_with(b"sys_") && (rest.starts_with(b"(") || rest.starts_with(b" -> "));
    is_call || !name.is_empty() && rest.starts_with(b": ")
}

/// The columns of a line, `100.000002
///    0)  sshd-1234
///  d.h1. `, if it has a time and a CPU.
fn columns_of<'a>(columns: &'a [u8], text: &'a [u8]) -> Option<Prefix<'a>> {
    let bar = memchr::memchr(b'|', columns)?;
    let (before, time, unit) = time_before(columns[..bar].trim_ascii_end())?;
    if unit != Unit::Seconds || !before.trim_ascii().is_empty() {
        return None;
    }
    let rest = columns[bar + 1..].trim_ascii_start();
    let close = memchr::memchr(b')', rest)?;
    let cpu = &rest[..close];
    let is_number = !cpu.is_empty() && cpu.iter().all(u8::is_ascii_digit);
    let cpu = clipped(cpu).filter(|_| is_number)?;
    let mut prefix = Prefix {
        comm: b"",
        pid: None,
        cpu: Some(u16::try_from(cpu).ok()?),
        flags: b"",
        time,
        unit,
        layout: Layout::Columns,
        text,
    };
    for column in rest[close + 1..].split(|&byte| byte == b'|') {
        let column = column.trim_ascii();
        if let Some(([comm @ .., b'-'], pid)) = number_before(column) {
            // A possibly truncated name is not learned.
            prefix.comm = if comm.len() < CUT_NAME { comm } else { b"" };
            prefix.pid = Some(pid);
        } else if are_flags(column) {
            prefix.flags = column;
        }
    }
    Some(prefix)
}

/// Whether a line of a graph holds no event: a function, or a context switch with the lines around it.
pub(super) fn is_of_graph(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if let Some(bar) = memchr::memmem::find(text, b" |  ")
        && !text[..bar].is_empty()
        && text[..bar]
            .iter()
            .all(|&byte| byte.is_ascii_digit() || byte == b'.')
    {
        // With a time before it (option funcgraph-abstime).
        return is_of_graph(text[bar + 4..].trim_ascii_start());
    }
    text.get(digits) == Some(&b')') && digits > 0 || text.iter().all(|&byte| byte == b'-')
}
