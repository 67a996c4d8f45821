//! What exists in a simulated world: hosts, CPUs, tasks, sockets, packets.
//!
//! Plain data in vectors with numbers for references; the mechanisms are in the
//! modules beside this one.

use std::collections::VecDeque;

use crate::kernel::AddrId;
use crate::sim::cache::ObjectId;
use crate::sim::config::workload::Act;
use crate::sim::sched::{Scheduler, TaskId};
use crate::sim::tcp::{Segment, Tcb};
use crate::sim::time::SimTime;

use super::code::{Code, Path};

/// No packet, socket, task or buffer.
pub const NONE: u32 = u32::MAX;

/// A CPU's levels: what runs on top hides what it interrupted.
pub const TASK: usize = 0;
/// Softirq level.
pub const SOFT: usize = 1;
/// Hard interrupt level.
pub const HARD: usize = 2;

/// What to do next: an entry of a context's stack.
#[derive(Debug, Clone, Copy)]
pub struct Op {
    /// What.
    pub act: OpKind,
    /// The next step of a path.
    pub at: u16,
    /// Packet or [`NONE`].
    pub pkt: u32,
    /// Socket or [`NONE`].
    pub sock: u32,
    /// A number: bytes, a count.
    pub arg: u32,
}

/// The kinds of [`Op`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpKind {
    /// Run the steps of a path.
    Run(Path),
    /// Compute in user space for `arg` cycles.
    Compute,
    /// The send call goes on with `arg` bytes left.
    SendLoop,
    /// Data are in the write queue: `arg` bytes.
    Queued,
    /// Send what TCP may send now.
    Push,
    /// The packet goes down from IP.
    Transmit,
    /// Bottom halves are allowed again.
    BhEnable,
    /// The loopback device hands the packet to this CPU's backlog.
    Loopback,
    /// The softirq takes its next packet.
    SoftirqNext,
    /// The packet is at its socket's protocol.
    AtTcp,
    /// The segment is processed.
    Process,
    /// The segment's data join the receive queue.
    Queue,
    /// An acknowledgement is sent.
    Ack,
    /// Wake the reader.
    WakeReader,
    /// Wake the writer.
    WakeWriter,
    /// The receive call goes on; `arg` bytes are still wanted.
    RecvLoop,
    /// A piece of `arg` bytes was copied to the process.
    Copied,
    /// The socket is let go: its backlog is served.
    Release,
    /// The socket is owned by the process now.
    Own,
    /// The call returns `arg`.
    Return,
    /// The task sleeps until the socket has something for it (`arg` 0: data, 1: memory).
    Sleep,
    /// The packet is freed.
    Free,
    /// The timer tick.
    Tick,
    /// A socket's timer fires.
    Timer,
}

/// One logical CPU.
#[derive(Debug)]
pub struct Cpu {
    /// Index of its cache.
    pub cache: u8,
    /// The other thread of its core, or itself.
    pub sibling: u16,
    /// What runs.
    pub level: usize,
    /// When its present step is done; NEVER when idle or spinning.
    pub until: SimTime,
    /// What is left of the interrupted steps, by level.
    pub rest: [SimTime; 2],
    /// The stacks of softirq and hard interrupt (1 and 2); 0 is the scheduler's own.
    pub stacks: [Vec<Op>; 3],
    /// The current task or [`NONE`] (idle).
    pub current: u32,
    /// A softirq is raised.
    pub softirq: bool,
    /// Bottom halves are off so many times.
    pub bh_off: u32,
    /// A task should be chosen anew.
    pub resched: bool,
    /// Spin locks held by level.
    pub held: u32,
    /// Whether the step under way is user code.
    pub in_user: bool,
    /// The lock spun for at each level, [`super::code::NO_LOCK`] if none: (host lock or socket).
    pub spinning: Option<Spin>,
    /// `softnet_data.input_pkt_queue`.
    pub backlog: VecDeque<u32>,
    /// Packets done by the softirq under way.
    pub softirq_work: u32,
    /// Time by context in fs: idle is what remains.
    pub time: [u64; 6],
}

/// A CPU that spins.
#[derive(Debug, Clone, Copy)]
pub struct Spin {
    /// Which lock.
    pub lock: LockId,
    /// Since when.
    pub since: SimTime,
    /// The level that spins.
    pub level: usize,
}

/// A lock: one of the host's by index, or a socket's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockId {
    /// By index into [`Code::locks`].
    Host(u8),
    /// A socket's spin lock.
    Socket(u32),
}

/// A spin lock.
#[derive(Debug, Clone, Default)]
pub struct Lock {
    /// The CPU that holds it.
    pub holder: Option<u16>,
    /// CPUs that wait, in the order in which they came.
    pub waiting: VecDeque<u16>,
    /// Whether somebody waited during this hold.
    pub is_contended: bool,
}

/// A process.
#[derive(Debug)]
pub struct Task {
    /// What the scheduler calls it.
    pub id: TaskId,
    /// What it does before it loops, and in the loop.
    pub script: u16,
    /// The next act.
    pub at: u16,
    /// Its stack in the kernel.
    pub stack: Vec<Op>,
    /// What is left of the step in which it was preempted.
    pub rest: SimTime,
    /// Whether that step is user code.
    pub rest_in_user: bool,
    /// Its socket.
    pub sock: u32,
    /// Its buffer's pages, and how many.
    pub user: (ObjectId, u32),
    /// Its own objects.
    pub objects: ObjectId,
    /// Whether it sleeps.
    pub is_asleep: bool,
    /// Bytes that the call under way has moved.
    pub moved: u32,
    /// Bytes that the receive call under way wants at least.
    pub least: u32,
    /// Whether what it read opened the window enough to say so.
    pub wants_update: bool,
    /// Where it runs or ran last.
    pub cpu: u16,
}

/// A socket.
#[derive(Debug)]
pub struct Socket {
    /// TCP's state.
    pub tcb: Tcb,
    /// The other end.
    pub peer: u32,
    /// Its objects in the cache.
    pub objects: ObjectId,
    /// Its spin lock.
    pub lock: Lock,
    /// The task that owns it, or [`NONE`].
    pub owner: u32,
    /// `sk_receive_queue`: packets with unread bytes.
    pub receive_queue: VecDeque<u32>,
    /// Bytes readable.
    pub readable: u32,
    /// Out-of-order segments.
    pub out_of_order: Vec<u32>,
    /// `sk_backlog`.
    pub backlog: VecDeque<u32>,
    /// Prequeue.
    pub prequeue: VecDeque<u32>,
    /// The task that sleeps for data.
    pub reader: u32,
    /// The task that sleeps for memory.
    pub writer: u32,
    /// Chunks of the write queue: first byte, bytes, capacity, buffer.
    pub chunks: VecDeque<Chunk>,
    /// The bytes written so far, as a stream offset.
    pub written: u64,
    /// When its timer is in the heap.
    pub timer_at: SimTime,
    /// CPU that last processed it.
    pub cpu: u16,
    /// Address in the recording.
    pub address: AddrId,
    /// Bytes that processes read from it.
    pub delivered: u64,
}

/// A piece of the write queue.
#[derive(Debug, Clone, Copy)]
pub struct Chunk {
    /// Sequence number of its first byte.
    pub from: u64,
    /// Bytes in it.
    pub len: u32,
    /// Bytes it can hold.
    pub room: u32,
    /// Its memory.
    pub buffer: u32,
    /// Whether a segment was sent from it.
    pub is_sent: bool,
}

/// Memory of packet data: pages.
#[derive(Debug, Clone, Copy)]
pub struct Buffer {
    /// First page.
    pub first: ObjectId,
    /// Pages.
    pub pages: u32,
    /// Users.
    pub refs: u32,
}

/// An `sk_buff`.
#[derive(Debug, Clone, Copy)]
pub struct Packet {
    /// The TCP segment.
    pub segment: Segment,
    /// The socket it goes to.
    pub to: u32,
    /// Its head's objects in the cache.
    pub head: ObjectId,
    /// Its data or [`NONE`].
    pub buffer: u32,
    /// Where its data start in the buffer.
    pub offset: u32,
    /// Bytes not yet read.
    pub unread: u32,
    /// Address in the recording.
    pub address: AddrId,
}

/// A host.
#[derive(Debug)]
pub struct Host {
    /// The compiled kernel.
    pub code: Code,
    /// Its scheduler.
    pub scheduler: Scheduler,
    /// Its locks.
    pub locks: Vec<Lock>,
    /// Objects that exist once: host, then CPU objects by kind.
    pub own_objects: ObjectId,
    /// First object of the CPUs.
    pub cpu_objects: ObjectId,
    /// A line for each lock.
    pub lock_objects: ObjectId,
}

/// A task's program.
#[derive(Debug, Clone)]
pub struct Script {
    /// Once.
    pub once: Vec<Act>,
    /// Then again and again.
    pub forever: Vec<Act>,
}
