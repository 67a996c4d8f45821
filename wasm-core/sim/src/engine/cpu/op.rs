//! The operations of a CPU: what a context does next, as entries of its stack.
//!
//! [`Op::Run`] runs a path, the steps of a data file; every other operation is a decision of a mechanism, to
//! which the dispatcher ([`crate::engine::execute`]) hands it.

use crate::engine::ids::{BufferId, NicId, QueueId, SkbId, SockId, TaskId};

use crate::time::SimTime;
use ringside::kernel::DropReason;

use super::code::Path;

/// The objects that a step or an event concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct About {
    /// The packet.
    pub skb: Option<SkbId>,
    /// The socket.
    pub sock: Option<SockId>,
    /// The task that is woken.
    pub task: Option<TaskId>,
    /// The NIC whose driver runs, where no packet determines it.
    pub nic: Option<NicId>,
    /// Number of bytes or items that the path works on.
    pub count: u32,
}

impl About {
    /// No object.
    pub const NOTHING: Self = Self {
        skb: None,
        sock: None,
        task: None,
        nic: None,
        count: 0,
    };

    /// A packet.
    pub const fn skb(skb: SkbId) -> Self {
        Self {
            skb: Some(skb),
            ..Self::NOTHING
        }
    }

    /// A socket.
    pub const fn sock(sock: SockId) -> Self {
        Self {
            sock: Some(sock),
            ..Self::NOTHING
        }
    }

    /// A NIC's driver, without a packet.
    pub const fn nic(nic: NicId) -> Self {
        Self {
            nic: Some(nic),
            ..Self::NOTHING
        }
    }

    /// A packet and its socket.
    pub const fn both(skb: SkbId, sock: SockId) -> Self {
        Self {
            skb: Some(skb),
            sock: Some(sock),
            ..Self::NOTHING
        }
    }

    /// The same with a number of bytes or items.
    pub const fn counting(self, count: u32) -> Self {
        Self { count, ..self }
    }
}

/// What a task waits for while it sleeps at a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// Data, or a connection to accept.
    Data,
    /// Free memory in the send buffer.
    Memory,
    /// That its own connection is established.
    Connection,
}

/// What an operation carries: its type says whether it is a packet, so that the audit of packets cannot miss one that
/// a new operation carries.
trait Carried: Copy {
    /// The packet.
    fn packet(self) -> Option<SkbId> {
        None
    }
}

impl Carried for SkbId {
    fn packet(self) -> Option<SkbId> {
        Some(self)
    }
}

impl Carried for Option<SkbId> {
    fn packet(self) -> Option<SkbId> {
        self
    }
}

impl Carried for About {
    fn packet(self) -> Option<SkbId> {
        self.skb
    }
}

macro_rules! carry_no_packet {
    ($($type:ty),*) => { $(impl Carried for $type {})* };
}
carry_no_packet!(bool, u16, u32, Path, Wait, SimTime, DropReason);
carry_no_packet!(BufferId, NicId, QueueId, SockId);

/// Makes the enum of operations, and what is known of each by what it carries.
macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident $({ $($field:ident: $type:ty),* $(,)? })?,)*) => {
        /// An operation: an entry of a context's stack.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Op { $($(#[$doc])* $name $({ $($field: $type),* })?,)* }

        impl Op {
            /// The packet that the operation carries.
            #[allow(clippy::match_same_arms, reason = "an arm for each operation")]
            pub fn skb(&self) -> Option<SkbId> {
                match *self {
                    $(Self::$name $({ $($field),* })? => None$($(.or(Carried::packet($field)))*)?,)*
                }
            }
        }
    };
}

ops! {
    /// Run the steps of a path, beginning with step `at`.
    Run { path: Path, at: u16, about: About },

    // ---- processes --------------------------------------------------------------------
    /// Compute in user space for `cycles` base cycles.
    Compute { cycles: u32 },
    /// The system call returns.
    CallEnds,
    /// `sched_yield(2)`.
    Yield,
    /// Sleep for `us` microseconds.
    SleepFor { us: u32 },
    /// Read the next page of a file; `left` bytes are still wanted.
    ReadPage { left: u32 },
    /// `bytes` bytes of a file have been copied to the process.
    PageRead { bytes: u32 },
    /// Send a message to every connection of the room, from the `next`th on.
    BroadcastNext { next: u32, bytes: u32 },
    /// The task's script restarts its loop.
    StartOver,
    /// The task's script continues at its next yield.
    SkipToYield,

    // ---- sockets ----------------------------------------------------------------------
    /// `socket(2)` has created a socket.
    MakeSocket,
    /// `listen(2)` has begun.
    StartListen { sock: SockId },
    /// `connect(2)` sends its SYN.
    StartConnect { sock: SockId },
    /// `connect(2)` waits for the connection.
    AwaitConnect { sock: SockId },
    /// `accept(2)` takes a connection; without one it waits, or the script continues.
    TakeConnection { listener: SockId, waits: bool },
    /// `close(2)` sends its FIN.
    StartClose { sock: SockId },
    /// `close(2)` returns: a socket that both ends have closed is destroyed.
    Closed { sock: SockId },
    /// Take ownership of the socket, or sleep until it is free (`lock_sock`).
    LockSock { sock: SockId },
    /// Release ownership of the socket and process its backlog (`release_sock`).
    ReleaseSock { sock: SockId },
    /// Sleep until the socket meets the condition `wait`.
    Sleep { sock: SockId, wait: Wait },
    /// Wake a reader.
    WakeReader { sock: SockId },
    /// Wake a writer.
    WakeWriter { sock: SockId },
    /// The send call continues with `left` bytes to send.
    SendLoop { sock: SockId, left: u32 },
    /// `bytes` bytes of a write have been copied into the write queue.
    Queued { sock: SockId, bytes: u32 },
    /// Send what TCP may send now.
    Push { sock: SockId },
    /// Send the packet that a write has just filled (`tcp_push_one`).
    PushOne { sock: SockId },
    /// The receive call continues; `left` bytes are still wanted.
    RecvLoop { sock: SockId, left: u32 },
    /// A piece has been copied to the process.
    Copied {
        skb: SkbId,
        sock: SockId,
        bytes: u32,
    },
    /// The receive call returns `bytes` bytes.
    Return { sock: SockId, bytes: u32 },
    /// Send a datagram of `bytes` bytes.
    SendDatagram { sock: SockId, bytes: u32 },
    /// Receive a datagram, at most `most` bytes of it.
    RecvDatagram { sock: SockId, most: u32 },
    /// Append a datagram to the receive queue.
    QueueDatagram { skb: SkbId, sock: SockId },
    /// The segment has reached TCP (`tcp_v4_rcv`).
    AtTcp { skb: SkbId, sock: SockId },
    /// The segment's socket has been found and its spin lock taken.
    Deliver { skb: SkbId, sock: SockId },
    /// Process the segment; its data may be copied straight to a reader's buffer.
    Process {
        skb: SkbId,
        sock: SockId,
        is_eaten: bool,
    },
    /// Append the segment to the receive queue, with its bytes that are in order.
    Queue {
        skb: SkbId,
        sock: SockId,
        in_order: u32,
    },
    /// Send an acknowledgement; after a read (`is_update`) only if the window opened enough.
    Ack { sock: SockId, is_update: bool },
    /// TX completion freed data of a throttled TCP: let the tasklet resume it (`tcp_wfree`).
    Unthrottle { sock: SockId },
    /// TCP resumes sending after it was throttled by small queues (`tcp_tasklet_func`).
    SmallQueue { sock: SockId },
    /// A socket's timer is due: raise the timer softirq.
    RaiseTimer { sock: SockId },
    /// Run a socket's timer handler.
    Timer { sock: SockId },
    /// Release the socket's spin lock.
    Unlock { sock: SockId },

    // ---- busy polling -----------------------------------------------------------------
    /// A reader that is about to sleep busy-polls its NIC's queue, if it may (`sk_busy_loop`).
    BusyLoop { sock: SockId },
    /// The reader polls again, or ends the loop at `until`.
    BusyTurn { sock: SockId, until: SimTime },
    /// Continue a busy poll of a queue; the last one releases the NAPI instance.
    BusyFrames { queue: QueueId, is_last: bool },

    // ---- IP, GRO, softirq -------------------------------------------------------------
    /// IP hands the packet down to its device.
    Transmit { skb: SkbId, sock: SockId },
    /// The packet is too large for its device: send its segments instead (GSO).
    Segment { skb: SkbId, sock: SockId },
    /// Enable bottom halves (`local_bh_enable`).
    BhEnable,
    /// The packet is at the hook `NF_INET_PRE_ROUTING`; if it passes, it joins those to be routed.
    PreRouting { skb: SkbId },
    /// Route and deliver the packets that passed the hook (`ip_rcv_finish`, `ip_list_rcv_finish`).
    RcvFinish,
    /// The packet is for this host (`ip_local_deliver`).
    AtTransport { skb: SkbId },
    /// The packet continues to its transport protocol (`ip_local_deliver_finish`).
    ToProtocol { skb: SkbId },
    /// Netfilter drops the packet (`NF_DROP`).
    NetfilterDrop { skb: SkbId },
    /// Drop a fragment: it is there already, or there is no memory for its datagram's reassembly.
    DropPiece { skb: SkbId, reason: DropReason },
    /// Drop the packet: its protocol, or a reader (`is_read`), found its checksum wrong.
    DropDamaged { skb: SkbId, is_read: bool },
    /// The softirq continues with its next packet or poll.
    SoftirqNext,
    /// Append the packet to this CPU's backlog (`netif_rx`).
    Enqueue { skb: SkbId },
    /// Append the packet to the backlog of CPU `target` (RPS).
    Steer { skb: SkbId, target: u16 },
    /// A packet that RPS has put on this CPU's backlog has been processed.
    InputQueueHead,
    /// Send an IPI to the CPUs whose backlogs received packets by RPS.
    RpsIpis,
    /// An RPS IPI arrived: this CPU schedules its backlog.
    RpsTrigger,
    /// Pass the packet to GRO (`napi_gro_receive`).
    Gro { skb: SkbId },
    /// GRO has examined the packet: merge it into a held one, or not.
    GroJoin { skb: SkbId },
    /// GRO flushes the packets that it holds.
    GroFlush,
    /// Hand up a packet of the poll, directly or on `rx_list` (`gro_normal_one`).
    GroNormal { skb: SkbId },
    /// Hand up the packets on `rx_list` (`gro_normal_list`).
    ListFlush,
    /// Take the packet off the backlog and hand it up from the device layer.
    LeaveBacklog { skb: SkbId },
    /// The packet was sent: the softirq frees it.
    Complete { skb: SkbId },
    /// Free the packet.
    Free { skb: SkbId },

    // ---- NICs -------------------------------------------------------------------------
    /// Hand the packet to the NIC's driver, or append it to the qdisc.
    DevXmit { skb: SkbId },
    /// The driver has posted the packet's descriptor to the NIC.
    HardXmit { skb: SkbId },
    /// Dequeue from the qdisc while descriptors are free.
    RestartQueue { nic: NicId },
    /// The softirq is to dequeue from the qdisc (`__netif_schedule`).
    NetifSchedule { nic: NicId },
    /// Handle a NIC's interrupt.
    NicInterrupt { queue: QueueId },
    /// The interrupt handler reads the interrupt causes; `round` counts its loops.
    DriverRound { queue: QueueId, round: u32 },
    /// The driver looks for the next received frame, without NAPI.
    DriverLoop { queue: QueueId },
    /// A poll that found the queue empty ends.
    NapiComplete { queue: QueueId },
    /// The driver has finished with a received frame's descriptor.
    LeaveRing { queue: QueueId },
    /// Refill empty descriptors with buffers.
    Refill { queue: QueueId },
    /// Post a buffer to a descriptor, with its `sk_buff` if it has one.
    Post {
        buffer: BufferId,
        skb: Option<SkbId>,
        queue: QueueId,
    },
    /// Run the NIC's XDP program on a frame.
    Xdp { buffer: BufferId, queue: QueueId },
    /// The XDP program has returned a verdict on the frame.
    XdpJudged { buffer: BufferId, queue: QueueId },
    /// The driver has posted a frame to the XDP send queue of a NIC.
    XdpXmit { buffer: BufferId, nic: NicId },
    /// Add a frame to the bulk queue of redirected frames (`bq_enqueue`).
    XdpEnqueue { buffer: BufferId, nic: NicId },
    /// Transmit the bulk queue, at the end of the poll or when it is full (`xdp_do_flush`).
    XdpFlush,
    /// Return the memory of a frame that XDP has sent (`xdp_return_frame`).
    XdpReturn { buffer: BufferId },
    /// Free a buffer.
    FreeBuffer { buffer: BufferId },
    /// Build an `sk_buff` around a frame (`build_skb`).
    BuildSkb { buffer: BufferId, queue: QueueId },

    // ---- the CPU ----------------------------------------------------------------------
    /// The timer tick.
    Tick,
    /// The hypervisor takes the CPU away for `ns` nanoseconds.
    Steal { ns: u32 },
}

impl Op {
    /// A path from its first step.
    pub const fn run(path: Path, about: About) -> Self {
        Self::Run { path, at: 0, about }
    }
}
