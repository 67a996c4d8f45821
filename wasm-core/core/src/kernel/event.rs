//! One event: what importers and the simulator push and what a run gives back.

use super::{AddrId, Context, CpuId, Nanos, Pid, Probe};

/// The leading columns of an event. Further values follow as fields
/// ([`super::Field`]), in the order in which they were pushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// Time in ns, on the trace's clock.
    pub time: Nanos,
    /// On which CPU.
    pub cpu: CpuId,
    /// In which context, as the record's own flags say.
    pub context: Context,
    /// The probe that was passed.
    pub probe: Probe,
    /// The current task (`current`); in a softirq or hard interrupt the
    /// task that was interrupted, which has nothing to do with the event.
    pub pid: Pid,
    /// The packet's `sk_buff`; of a frame that has none, the memory that its descriptor points to.
    pub skb: AddrId,
    /// The socket.
    pub sk: AddrId,
    /// `skb->len` at this moment in bytes, headers in or out as the function sees
    /// it; [`Event::NO_LEN`] when not recorded.
    pub len: u32,
    /// The line (or, in a capture file, the frame) of the input it was read from, from 1.
    pub line: u32,
}

impl Event {
    /// The record has no length.
    pub const NO_LEN: u32 = u32::MAX;

    /// An event with nothing known but when and what.
    pub const fn new(time: Nanos, probe: Probe) -> Self {
        Self {
            time,
            cpu: CpuId::UNKNOWN,
            context: Context::Unknown,
            probe,
            pid: Pid::UNKNOWN,
            skb: AddrId::NONE,
            sk: AddrId::NONE,
            len: Self::NO_LEN,
            line: 0,
        }
    }

    /// Whether the CPU ran a task's own code or system call (`in_task()` in the kernel): not the idle task, and no
    /// softirq or interrupt.
    pub fn in_task(&self) -> bool {
        self.context == Context::Kernel && self.pid != Pid::IDLE
    }

    /// Its length, where that was recorded.
    pub const fn known_len(&self) -> Option<u32> {
        match self.len {
            Self::NO_LEN => None,
            len => Some(len),
        }
    }
}

/// Where a run comes from: the badge. Nothing else tells a recording from a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Recorded from a kernel.
    Recorded,
    /// Made by the simulator.
    Simulated,
}
