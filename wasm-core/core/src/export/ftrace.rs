//! A run as ftrace text, as `/sys/kernel/tracing/trace` prints it, so that importing
//! the text gives the same run, and other readers of ftrace text read it too: the kernel's header
//! first, then ours, then tracepoints in their own words, everything else as a
//! kprobe event `name: (function) key=value ...`.
//!
//! What ftrace has no place for is a comment or a key with a dot before it, spelled as
//! in kperf 2 (`traces/FORMAT.md`). Whatever a line cannot hold is not forced into it:
//! a tracepoint that carries more than its prose is written as a kprobe event too.

mod pairs;
mod prose;
mod spelling;
mod tasks;

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use crate::import::ftrace::names::{Known, names};
use crate::import::ftrace::{NO_PRIORITIES, OURS};
use crate::import::kperf::value::{self, Escape, encode};
use crate::import::words::Words;
use crate::kernel::{Context, CpuId, Event, EventIdx, Field, Pid, Probe};
use crate::run::Run;

use tasks::Tasks;

/// Writes the run. An unknown CPU or task stands as the number that means unknown.
pub fn ftrace(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    let mut text = String::new();
    let writer = Writer {
        run,
        tasks: Tasks::of(run),
        names: names(),
        has_priorities: run
            .indices()
            .any(|index| run.fields(index).any(|(field, _)| is_priority(field))),
    };
    writer.header(&mut text).map_err(io::Error::other)?;
    for index in run.indices() {
        writer.line(index, &mut text).map_err(io::Error::other)?;
        if text.len() > BUFFER {
            out.write_all(text.as_bytes())?;
            text.clear();
        }
    }
    out.write_all(text.as_bytes())
}

/// How much text is gathered before it is handed on.
const BUFFER: usize = 1 << 16;

/// The columns' names (`kernel/trace/trace.c: print_func_help_header_irq`, v6.12).
const COLUMNS: &str = "\
#                                _-----=> irqs-off/BH-disabled
#                               / _----=> need-resched
#                              | / _---=> hardirq/softirq
#                              || / _--=> preempt-depth
#                              ||| / _-=> migrate-disable
#                              |||| /     delay
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
";

/// What every line is written with.
struct Writer<'a> {
    run: &'a Run,
    tasks: Tasks<'a>,
    /// Whether any event tells a task's priority.
    has_priorities: bool,
    /// The names that the importer knows, among them those of drivers' functions.
    names: Words<Known>,
}

/// An event with its fields at hand.
struct Line<'a> {
    run: &'a Run,
    event: Event,
    fields: &'a [(Field, u32)],
    has_priorities: bool,
}

impl Writer<'_> {
    fn header(&self, text: &mut String) -> fmt::Result {
        let run = self.run;
        let (events, cpus) = (run.len(), run.cpus().len());
        writeln!(text, "# tracer: nop\n#")?;
        writeln!(
            text,
            "# entries-in-buffer/entries-written: {events}/{events}   #P:{cpus}\n#"
        )?;
        text.push_str(COLUMNS);
        writeln!(text, "# {OURS} {}", value::origin(run.origin))?;
        if !self.has_priorities {
            writeln!(text, "# {NO_PRIORITIES}")?;
        }
        for (name, said) in &run.metadata {
            text.push_str("# metadata ");
            encode(name, Escape::Key, text);
            text.push_str(": ");
            encode(said, Escape::Line, text);
            text.push('\n');
        }
        for (pid, comm) in self.tasks.without_line() {
            write!(text, "# comm {} ", pid.0)?;
            encode(comm, Escape::Word, text);
            text.push('\n');
        }
        Ok(())
    }

    fn line(&self, index: EventIdx, text: &mut String) -> fmt::Result {
        let event = self.run.event(index);
        let fields: Vec<(Field, u32)> = self.run.fields(index).collect();
        if let Some(marker) = self.lost_marker(index, &event, &fields) {
            text.push_str(&marker);
            return Ok(());
        }
        let comm = self.tasks.column(event.pid);
        let (pid, cpu) = (event.pid.0, event.cpu.0);
        let flags = flags(event.context);
        let (seconds, nanos) = (event.time.0 / 1_000_000_000, event.time.0 % 1_000_000_000);
        write!(
            text,
            "{comm:>16}-{pid:<7} [{cpu:03}] {flags} {seconds:>5}.{nanos:09}: "
        )?;
        let line = Line {
            run: self.run,
            event,
            fields: &fields,
            has_priorities: self.has_priorities,
        };
        let said = line.is_told().then(|| prose::write(&line, &self.tasks));
        if let Some(prose) = said.flatten() {
            text.push_str(&prose);
        } else {
            pairs::write(&line, &self.names, text)?;
        }
        text.push('\n');
        Ok(())
    }

    /// `CPU:2 [LOST 11745 EVENTS]`, which has no columns of its own: it is read with
    /// the time of the event that follows.
    fn lost_marker(
        &self,
        index: EventIdx,
        event: &Event,
        fields: &[(Field, u32)],
    ) -> Option<String> {
        let plain = Event {
            cpu: event.cpu,
            line: event.line,
            ..Event::new(event.time, Probe::LostEvents)
        };
        if *event != plain {
            return None;
        }
        let (before, behind) = self.run.probe.split_at(index.at());
        let is_event = |&probe: &Probe| probe != Probe::LostEvents;
        // At the end of a file it is read with the time of the last event.
        let neighbour = match behind.iter().position(is_event) {
            Some(next) => Some(index.at() + next),
            None => before.iter().rposition(is_event),
        };
        let is_read_there =
            neighbour.is_some_and(|at| self.run.time(EventIdx(at as u32)) == event.time);
        let cpu = event.cpu.0;
        match fields {
            _ if !is_read_there => None,
            [] => Some(format!("CPU:{cpu} [LOST EVENTS]\n")),
            &[(Field::Count, count @ 1..)] => Some(format!("CPU:{cpu} [LOST {count} EVENTS]\n")),
            &[(Field::Count, low), (Field::CountHigh, high @ 1..)] => {
                let count = u64::from(high) << 32 | u64::from(low);
                Some(format!("CPU:{cpu} [LOST {count} EVENTS]\n"))
            }
            _ => None,
        }
    }
}

const fn is_priority(field: Field) -> bool {
    matches!(field, Field::Prio | Field::PrevPrio | Field::NextPrio)
}

/// The flag columns of a context, as far as they can tell it; no columns for unknown.
const fn flags(context: Context) -> &'static str {
    match context {
        Context::Unknown => "",
        Context::Idle | Context::User | Context::Kernel | Context::Spinning => ".....",
        Context::Softirq => "..s1.",
        Context::Hardirq => "d.h1.",
        Context::Nmi => "d.z1.",
    }
}

impl Line<'_> {
    /// Whether flags and task tell the context.
    const fn is_told(&self) -> bool {
        let is_idle = self.event.pid.0 == Pid::IDLE.0;
        match self.event.context {
            Context::Unknown | Context::Softirq | Context::Hardirq | Context::Nmi => true,
            Context::Idle => is_idle,
            Context::Kernel => !is_idle,
            Context::User | Context::Spinning => false,
        }
    }

    fn skb(&self) -> Option<u64> {
        let id = self.event.skb;
        id.is_some().then(|| self.run.addresses.value(id))
    }

    fn sk(&self) -> Option<u64> {
        let id = self.event.sk;
        id.is_some().then(|| self.run.addresses.value(id))
    }

    fn len(&self) -> Option<u32> {
        Some(self.event.len).filter(|&len| len != Event::NO_LEN)
    }

    /// Whether there is neither a packet nor a socket nor a length.
    fn is_bare(&self) -> bool {
        let event = &self.event;
        !event.skb.is_some() && !event.sk.is_some() && event.len == Event::NO_LEN
    }

    /// The CPU, for the name of its idle task.
    const fn cpu(&self) -> CpuId {
        self.event.cpu
    }
}
