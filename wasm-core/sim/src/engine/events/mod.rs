//! The event queue and the clock.
//!
//! Events due at one time are handled in the order in which they were
//! scheduled, before any CPU step that ends then; of several such steps the
//! CPU with the lowest number goes first. Nothing else decides the order.

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
    /// An interprocessor interrupt: reschedule, or poll the backlog that RPS has filled.
    Ipi { cpu: u16 },
    /// An idle CPU that polls (`TIF_POLLING_NRFLAG`) sees `need_resched`.
    Poll { cpu: u16 },
    /// A socket's timer.
    SocketTimer { sock: SockId },
    /// A task has slept enough.
    Wake { task: TaskId },
    /// A client's time to wait for `connect` is over.
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
    /// The watchdog of a NIC's queueing discipline goes off on a CPU.
    QdiscWatchdog { cpu: u16, nic: NicId },
    /// A queue's interrupt reaches a CPU.
    NicInterrupt { cpu: u16, queue: QueueId },
    /// The reassembly timer of a datagram expires (`ip_expire`).
    Reassembly { host: u8, id: u32 },
    /// A frame held back for reordering has waited long enough.
    LetGo { flight: FlightId },
    /// A task that was stopped may go on.
    Continue { task: TaskId },
    /// A CPU loses time to something outside its kernel;
    /// `kind` is an index into its machine's kinds of noise.
    Noise { cpu: u16, kind: u16 },
    /// A fault takes effect, by its place in the scenario's list.
    Fault { index: u16 },
}

/// The clock, the events to come, and the CPUs that have a step under way.
#[derive(Debug, Default)]
pub struct Events {
    /// The present.
    pub now: SimTime,
    /// The lookahead: no event is due and no other CPU's step ends
    /// before it, so a CPU runs up to it without a look at the queue.
    pub lookahead: SimTime,
    /// CPU steps ended and events handled so far.
    pub steps: u64,
    /// The CPUs with a step under way, and possibly some without.
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
