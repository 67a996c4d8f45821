//! The event queue and the clock: what is due when, and how far the world has come.
//!
//! Whatever is due at one moment happens in the order in which it was scheduled, then CPUs by
//! number. There is no other source of order.

mod cpu_set;
mod queue;

use crate::time::SimTime;

use super::ids::{BufferId, FlightId, NicId, QueueId, SkbId, SockId, TaskId};

pub use cpu_set::CpuSet;
pub use queue::EventQueue;

/// What the event queue holds. CPUs are counted over all hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The timer interrupt of a CPU.
    Tick { cpu: u16 },
    /// An interprocessor interrupt: choose a task, or take steered packets.
    Ipi { cpu: u16 },
    /// An idle CPU that polls sees that it should choose a task.
    Poll { cpu: u16 },
    /// A socket's timer.
    SocketTimer { sock: SockId },
    /// A task has slept enough.
    Wake { task: TaskId },
    /// A client has waited long enough for its connection.
    GiveUp { sock: SockId },
    /// A packet's last bit is on the wire of a host's NIC.
    Sent { host: u8, nic: NicId, skb: SkbId },
    /// The last bit of a frame without a packet is on the wire of a host's NIC.
    XdpSent {
        host: u8,
        nic: NicId,
        buffer: BufferId,
    },
    /// A frame arrives.
    Arrive { flight: FlightId },
    /// A frame has crossed a host's bus.
    BusDone { host: u8, bus: u8 },
    /// A moderation timer of a host's queue.
    Moderation { host: u8, queue: QueueId },
    /// A queue's interrupt reaches a CPU.
    NicInterrupt { cpu: u16, queue: QueueId },
    /// A datagram was in pieces for too long.
    Reassembly { host: u8, id: u32 },
    /// A frame that waited for others to overtake it has waited long enough.
    LetGo { flight: FlightId },
    /// A task that was stopped may go on.
    Continue { task: TaskId },
    /// A CPU does not get on for a moment, of so many kinds of moments its machine's this one.
    Noise { cpu: u16, kind: u16 },
    /// A fault by hand.
    Fault { index: u16 },
}

/// The clock, the events to come, and the CPUs that have a step under way.
#[derive(Debug, Default)]
pub struct Events {
    /// The present.
    pub now: SimTime,
    /// Until when nothing else can happen: a CPU runs ahead up to there on its own.
    pub lookahead: SimTime,
    /// Steps so far, and other things that happened.
    pub steps: u64,
    /// CPUs with a step under way, and some without.
    pub busy: CpuSet,
    /// What is scheduled.
    pub queue: EventQueue,
}

impl Events {
    /// Schedules an event.
    pub fn at(&mut self, time: SimTime, event: Event) {
        self.queue.schedule(time, event);
        self.lookahead = self.lookahead.min(time);
    }
}
