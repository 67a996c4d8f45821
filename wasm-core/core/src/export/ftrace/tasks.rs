//! What stands for a task on a line. A name goes there only if the importer reads it
//! back from there; the others are told once, in the header, and `<...>` stands for
//! them, as ftrace itself prints a task whose name it does not know.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::import::ftrace::prefix::Prefix;
use crate::kernel::{CpuId, Pid};
use crate::run::Run;

const UNKNOWN: &str = "<...>";

/// The tasks of a run.
pub(super) struct Tasks<'a> {
    run: &'a Run,
    /// The names that lines can hold.
    plain: BTreeMap<Pid, &'a str>,
}

impl<'a> Tasks<'a> {
    pub(super) fn of(run: &'a Run) -> Self {
        let named = run.comm.keys().filter_map(|&pid| {
            let comm = run.comm(pid)?;
            is_plain(pid, comm).then_some((pid, comm))
        });
        Self {
            run,
            plain: named.collect(),
        }
    }

    /// The task's name in the first column.
    pub(super) fn column(&self, pid: Pid) -> &str {
        if pid == Pid::IDLE {
            return "<idle>";
        }
        self.plain.get(&pid).unwrap_or(&UNKNOWN)
    }

    /// The task's name in an event's text.
    pub(super) fn comm(&self, pid: u32, cpu: CpuId) -> Cow<'_, str> {
        if pid == Pid::IDLE.0 {
            return Cow::Owned(format!("swapper/{}", cpu.0));
        }
        Cow::Borrowed(self.plain.get(&Pid(pid)).unwrap_or(&UNKNOWN))
    }

    /// The tasks that no line names.
    pub(super) fn without_line(&self) -> impl Iterator<Item = (Pid, &str)> {
        let seen: BTreeSet<Pid> = self
            .run
            .indices()
            .map(|index| self.run.pid(index))
            .collect();
        self.run.comm.keys().filter_map(move |&pid| {
            let is_on_a_line = seen.contains(&pid) && self.plain.contains_key(&pid);
            let comm = self.run.comm(pid).filter(|_| !is_on_a_line)?;
            Some((pid, comm))
        })
    }
}

/// Whether the importer reads a name back from a line: asked of the importer itself.
fn is_plain(pid: Pid, comm: &str) -> bool {
    // `#` opens a comment, and the scheduler's events mark with `=` where a name ends.
    let is_marked = |letter: char| letter.is_ascii_control() || letter == '=';
    if pid == Pid::IDLE || pid == Pid::UNKNOWN || comm == UNKNOWN {
        return false;
    }
    if comm.is_empty() || comm.starts_with('#') || comm.contains(is_marked) {
        return false;
    }
    let line = format!("{comm:>16}-{:<7} [000] .....     0.000000000: x: ", pid.0);
    Prefix::read(line.as_bytes())
        .is_some_and(|prefix| prefix.comm == comm.as_bytes() && prefix.pid == Some(pid.0))
}
