//! What exists in a simulated world: hosts, CPUs, tasks, sockets, packets.
//!
//! Plain data in vectors with numbers for references; the mechanisms are in the
//! modules beside this one.

use std::collections::VecDeque;

use crate::kernel::AddrId;
use crate::sim::cache::ObjectId;
use crate::sim::config::workload::Act;
use crate::sim::sched::TaskId;
use crate::sim::tcp::{Segment, Tcb};
use crate::sim::time::SimTime;

use crate::sim::engine::cpu::charge::Charge;
use crate::sim::engine::cpu::op::Op;
use crate::sim::engine::execute::turns::Postponed;
pub use crate::sim::engine::locks::spin::{Lock, LockId, Spin};

/// No packet, socket, task or buffer.
pub const NONE: u32 = u32::MAX;

/// A CPU's levels: what runs on top hides what it interrupted.
pub const TASK: usize = 0;
/// Softirq level.
pub const SOFT: usize = 1;
/// Hard interrupt level.
pub const HARD: usize = 2;

/// One logical CPU.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Cpu {
    /// Its host.
    pub host: u8,
    /// Its number within the host.
    pub local: u16,
    /// Index of its cache.
    pub cache: u8,
    /// The other thread of its core, or itself, among the CPUs of all hosts.
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
    /// A softirq runs, or is interrupted.
    pub in_softirq: bool,
    /// Bottom halves are off so many times.
    pub bh_off: u32,
    /// A task should be chosen anew.
    pub resched: bool,
    /// Spin locks held by level.
    pub held: u32,
    /// Whether the step under way is user code.
    pub in_user: bool,
    /// The lock spun for at each level.
    pub spinning: [Option<Spin>; 3],
    /// The lock let go at the end of each level's step.
    pub unlocks: [Option<LockId>; 3],
    /// Sockets whose timers are due: the timer softirq's work.
    pub timers: VecDeque<u32>,
    /// `softnet_data.input_pkt_queue`.
    pub backlog: VecDeque<u32>,
    /// `softnet_data.poll_list`: devices with packets.
    pub polls: VecDeque<Poll>,
    /// Whether the backlog is among them.
    pub polls_backlog: bool,
    /// Packets that the device polled now may still have.
    pub quota: u32,
    /// Sent packets that the softirq is to free (`softnet_data.completion_queue`).
    pub completions: Vec<u32>,
    /// Devices that the round of the softirq under way has still to poll.
    pub round_polls: usize,
    /// Whether it has polled them all.
    pub round_done: bool,
    /// When that round began.
    pub round_began: SimTime,
    /// When the softirq under way began.
    pub softirq_began: SimTime,
    /// Packets done by the softirq under way.
    pub softirq_work: u32,
    /// Times that the softirq under way started over.
    pub softirq_rounds: u32,
    /// Receive queues whose tasklets are scheduled here.
    pub tasklets: VecDeque<u32>,
    /// Whether the network softirq was raised while it ran.
    pub is_raised_again: bool,
    /// Whether the rest is left to ksoftirqd.
    pub is_deferred: bool,
    /// Its ksoftirqd or [`NONE`].
    pub ksoftirqd: u32,
    /// Packets that GRO holds.
    pub held_by_gro: Vec<u32>,
    /// Packets of the poll under way that go up together.
    pub list: Vec<u32>,
    /// The receive queue whose driver runs or ran last.
    pub device: u16,
    /// Whom each level's step is charged to.
    pub charged: [Charge; 3],
    /// Time by context in fs.
    pub time: [u64; 6],
    /// Its interrupt controller.
    pub apic: crate::sim::engine::nic::moderation::Apic,
    /// Since when it idles, if it does.
    pub idle_since: Option<SimTime>,
    /// What waits for its turn, where CPUs take turns.
    pub postponed: Postponed,
    /// Which function it runs.
    pub running: crate::sim::engine::cpu::lines_out::Running,
}

/// A device that a softirq polls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Poll {
    /// The CPU's backlog.
    Backlog,
    /// A receive queue of the host.
    Queue(u16),
}

/// A process.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Task {
    /// Its host.
    pub host: u8,
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
    /// Whom it is charged to.
    pub rest_charge: Charge,
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
    /// Where it runs or ran last, among the CPUs of all hosts.
    pub cpu: u16,
    /// The listening socket that it accepts from.
    pub listener: u32,
    /// The system call under way.
    pub call: u8,
    /// How often it has taken the kernel lock (`lock_depth`).
    pub kernel_locks: u32,
    /// What its messages are, in bytes.
    pub message: u32,
    /// Its kind for the measures.
    pub role: u16,
    /// Where it reads in the file, in bytes.
    pub file_at: u32,
    /// When it begins.
    pub begins: SimTime,
    /// Its number among the connections: chooses NIC and CPU.
    pub lane: u32,
    /// Its room's first socket and connections, for broadcasts.
    pub room: (u32, u32),
    /// Whether it is on the server's side.
    pub is_server: bool,
    /// CPU time in fs.
    pub cpu_fs: u64,
    /// Rounds of its loop.
    pub rounds: u64,
    /// Bytes that it has read.
    pub delivered: u64,
}

/// A socket.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Socket {
    /// Its host.
    pub host: u8,
    /// The NIC, or [`LOOPBACK`].
    pub nic: u8,
    /// Whether it is a UDP socket.
    pub is_udp: bool,
    /// TCP's state.
    pub tcb: Tcb,
    /// The other end.
    pub peer: u32,
    /// A number of its flow, for hashes.
    pub flow: u32,
    /// Whether connections arrive at it.
    pub is_listening: bool,
    /// Connections that wait for `accept`, of a listening socket.
    pub accept_queue: VecDeque<u32>,
    /// The listening socket that it came from.
    pub parent: u32,
    /// Whether the process has closed it.
    pub is_closed: bool,
    /// Whether its objects were given back.
    pub is_gone: bool,
    /// Tasks that wait until nobody owns it.
    pub owner_waiters: VecDeque<u32>,
    /// Bytes of datagrams on their way out.
    pub in_transit: u32,
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
    /// The task in `recv` for which segments wait there (`ucopy.task`), or [`NONE`].
    pub prequeues_for: u32,
    /// Tasks that sleep for data.
    pub readers: VecDeque<u32>,
    /// Tasks that sleep for memory.
    pub writers: VecDeque<u32>,
    /// Chunks of the write queue: first byte, bytes, capacity, buffer.
    pub chunks: VecDeque<Chunk>,
    /// The bytes written so far, as a stream offset.
    pub written: u64,
    /// When its timer is in the heap.
    pub timer_at: SimTime,
    /// Whether that time has come and the softirq has not.
    pub timer_is_due: bool,
    /// CPU that last processed it.
    pub cpu: u16,
    /// CPU on which a process last read from it (RFS).
    pub reader_cpu: u16,
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

/// What stands for a NIC where packets go through `lo`.
pub const LOOPBACK: u8 = u8::MAX;

/// A piece of a datagram.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Fragment {
    /// The datagram's identification.
    pub id: u32,
    /// Offset of its payload in bytes.
    pub offset: u32,
    /// Bytes of the whole datagram; 0: not a fragment.
    pub total: u32,
}

/// An `sk_buff`.
#[derive(Debug, Clone, Copy)]
pub struct Packet {
    /// The TCP segment, or a datagram as one.
    pub segment: Segment,
    /// Whether it is a datagram.
    pub is_udp: bool,
    /// Its place in a larger datagram.
    pub fragment: Fragment,
    /// The socket it comes from.
    pub from: u32,
    /// The socket it goes to.
    pub to: u32,
    /// The next piece of the same packet (GRO, reassembly) or [`NONE`].
    pub next: u32,
    /// The last piece of its chain or [`NONE`].
    pub last: u32,
    /// Frames merged into it.
    pub frames: u32,
    /// The NIC that it came from or goes to, or [`LOOPBACK`].
    pub nic: u8,
    /// Whether its checksum is computed while it is copied to the process.
    pub sum_with_copy: bool,
    /// Whether RPS has moved it already.
    pub is_steered: bool,
    /// How many segments of the same packet of the receive queue come before it.
    pub joined: u16,
    /// Bytes that it counts in its sender's buffer.
    pub counts: u32,
    /// Bytes of its own buffer.
    pub own: u32,
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

impl Default for Packet {
    fn default() -> Self {
        Self {
            segment: Segment::default(),
            is_udp: false,
            fragment: Fragment::default(),
            from: NONE,
            to: NONE,
            next: NONE,
            last: NONE,
            frames: 1,
            nic: LOOPBACK,
            sum_with_copy: false,
            is_steered: false,
            joined: 0,
            counts: 0,
            own: 0,
            head: ObjectId(0),
            buffer: NONE,
            offset: 0,
            unread: 0,
            address: AddrId::NONE,
        }
    }
}

impl Cpu {
    /// Whether nothing runs here.
    pub fn is_idle(&self) -> bool {
        self.level == TASK
            && self.current == NONE
            && self.until == SimTime::NEVER
            && self.spinning[TASK].is_none()
    }
}

/// A task's program.
#[derive(Debug, Clone)]
pub struct Script {
    /// The role.
    pub name: String,
    /// Once.
    pub once: Vec<Act>,
    /// Then again and again.
    pub forever: Vec<Act>,
}
