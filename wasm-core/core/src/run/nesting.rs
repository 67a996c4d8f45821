//! The levels at which a CPU's work nests: a task, a softirq over it, a hard
//! interrupt over both; and which of them is open after each event.
//!
//! The handlers' own entry and exit events say it where they were recorded, the
//! flag column of each record corrects it (`kernel/trace/trace_output.c:
//! trace_print_lat_fmt` (v6.12)). What a task does is not told here.

use super::Run;
use crate::kernel::{Context, EventIdx, Field, Probe};

/// A level of a CPU's work; an inner one interrupts an outer one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A task, the idle one included.
    Task,
    /// A softirq, on the way out of an interrupt or in `ksoftirqd`.
    Softirq,
    /// A hard interrupt handler.
    Hardirq,
}

/// What is open on one CPU.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Nesting {
    /// The vector of the softirq that runs or is interrupted.
    pub softirq: Option<u32>,
    /// The number of the interrupt that is being handled.
    pub hardirq: Option<u32>,
}

impl Nesting {
    /// A handler is open of which the recording has no entry.
    pub const UNNAMED: u32 = u32::MAX;

    /// The innermost level that is open.
    pub const fn running(&self) -> Level {
        if self.hardirq.is_some() {
            Level::Hardirq
        } else if self.softirq.is_some() {
            Level::Softirq
        } else {
            Level::Task
        }
    }

    /// Takes in an event of this CPU and gives the level at which it was made.
    ///
    /// A hard interrupt without a handler of its own (an inter-processor
    /// interrupt, the local timer) is a moment: it opens nothing.
    pub fn pass(&mut self, run: &Run, index: EventIdx) -> Level {
        let number = |field| run.field(index, field).unwrap_or(Self::UNNAMED);
        match run.probe[index.at()] {
            Probe::IrqHandlerEntry => {
                self.hardirq = Some(number(Field::Irq));
                Level::Hardirq
            }
            Probe::IrqHandlerExit => {
                self.hardirq = None;
                Level::Hardirq
            }
            Probe::SoftirqEntry => {
                self.hardirq = None;
                self.softirq = Some(number(Field::Vec));
                Level::Softirq
            }
            Probe::SoftirqExit => {
                *self = Self::default();
                Level::Softirq
            }
            Probe::CallFunctionSingleEntry | Probe::RescheduleEntry => Level::Hardirq,
            Probe::SchedSwitch
            | Probe::SysEnter
            | Probe::SysExit
            | Probe::SysRecvfrom
            | Probe::SysRecvfromRet
            | Probe::SysSendto
            | Probe::LostEvents => {
                *self = Self::default();
                Level::Task
            }
            _ => self.correct(run.context[index.at()]),
        }
    }

    /// Closes what the record's flags say is over and opens a softirq that began unseen.
    fn correct(&mut self, flags: Context) -> Level {
        match flags {
            Context::Idle | Context::User | Context::Kernel => {
                *self = Self::default();
                Level::Task
            }
            Context::Softirq => {
                self.hardirq = None;
                self.softirq.get_or_insert(Self::UNNAMED);
                Level::Softirq
            }
            Context::Hardirq | Context::Nmi => Level::Hardirq,
            Context::Unknown | Context::Spinning => self.running(),
        }
    }
}
