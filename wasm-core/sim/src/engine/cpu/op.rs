//! What a context does next: the entries of its stack.
//!
//! A path runs the steps of a data file; everything else is a decision of a mechanism between
//! paths, which the dispatcher ([`crate::engine::execute`]) hands to it.

use crate::engine::ids::{BufferId, NicId, QueueId, SkbId, SockId, TaskId};

use crate::time::SimTime;

use super::code::Path;

/// What a step or an event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct About {
    /// The packet.
    pub skb: Option<SkbId>,
    /// The socket.
    pub sock: Option<SockId>,
    /// The task that is woken.
    pub task: Option<TaskId>,
    /// The NIC whose driver runs, where no packet says it.
    pub nic: Option<NicId>,
    /// Bytes, or how many of what the path works on.
    pub count: u32,
}

impl About {
    /// Nothing in particular.
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

    /// A NIC's driver, with no packet in hand.
    pub const fn nic(nic: NicId) -> Self {
        Self {
            nic: Some(nic),
            ..Self::NOTHING
        }
    }

    /// A packet at its socket.
    pub const fn both(skb: SkbId, sock: SockId) -> Self {
        Self {
            skb: Some(skb),
            sock: Some(sock),
            ..Self::NOTHING
        }
    }

    /// So many bytes, or items, of it.
    pub const fn counting(self, count: u32) -> Self {
        Self { count, ..self }
    }
}

/// What a task sleeps for at a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// Data, or a connection to accept.
    Data,
    /// Memory for what it sends.
    Memory,
    /// That its own connection stands.
    Connection,
}

/// What to do next: an entry of a context's stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// Run the steps of a path from `at` on.
    Run { path: Path, at: u16, about: About },

    // ---- processes --------------------------------------------------------------------
    /// Compute in user space.
    Compute { cycles: u32 },
    /// The system call ends.
    CallEnds,
    /// `sched_yield(2)`.
    Yield,
    /// The task sleeps for a while.
    SleepFor { us: u32 },
    /// The next page of a file is read; so many bytes are wanted.
    ReadPage { left: u32 },
    /// Bytes of a file were copied to the process.
    PageRead { bytes: u32 },
    /// A message goes to every connection of the room, from the `next`th on.
    BroadcastNext { next: u32, bytes: u32 },
    /// The task's script begins its loop again.
    StartOver,
    /// The task's script goes on where it next yields.
    SkipToYield,

    // ---- sockets ----------------------------------------------------------------------
    /// `socket(2)` has made a socket.
    MakeSocket,
    /// `listen(2)` has begun.
    StartListen { sock: SockId },
    /// `connect(2)` sends its SYN.
    StartConnect { sock: SockId },
    /// `connect(2)` waits for the connection.
    AwaitConnect { sock: SockId },
    /// `accept(2)` takes a connection; without one it waits or the script goes on.
    TakeConnection { listener: SockId, waits: bool },
    /// `close(2)` sends its FIN.
    StartClose { sock: SockId },
    /// `close(2)` is over: a socket that both ends have closed is gone.
    Closed { sock: SockId },
    /// The process owns the socket from now on, or waits until it does (`lock_sock`).
    LockSock { sock: SockId },
    /// The socket is let go: its backlog is served (`release_sock`).
    ReleaseSock { sock: SockId },
    /// The task sleeps until the socket has what it waits for.
    Sleep { sock: SockId, wait: Wait },
    /// Wake a reader.
    WakeReader { sock: SockId },
    /// Wake a writer.
    WakeWriter { sock: SockId },
    /// The send call goes on with so many bytes left.
    SendLoop { sock: SockId, left: u32 },
    /// A part of a write was copied into the write queue.
    Queued { sock: SockId, bytes: u32 },
    /// Send what TCP may send now.
    Push { sock: SockId },
    /// Send the piece that a write has just filled.
    PushOne { sock: SockId },
    /// The receive call goes on; so many bytes are still wanted.
    RecvLoop { sock: SockId, left: u32 },
    /// A piece was copied to the process.
    Copied {
        skb: SkbId,
        sock: SockId,
        bytes: u32,
    },
    /// The receive call returns so many bytes.
    Return { sock: SockId, bytes: u32 },
    /// A datagram is to be sent.
    SendDatagram { sock: SockId, bytes: u32 },
    /// A datagram is to be received, at most so many bytes of it.
    RecvDatagram { sock: SockId, most: u32 },
    /// A datagram joins the receive queue.
    QueueDatagram { skb: SkbId, sock: SockId },
    /// The segment is at TCP (`tcp_v4_rcv`).
    AtTcp { skb: SkbId, sock: SockId },
    /// The segment's socket is found and locked.
    Deliver { skb: SkbId, sock: SockId },
    /// The segment is processed; its data may go straight to a reader's buffer.
    Process {
        skb: SkbId,
        sock: SockId,
        is_eaten: bool,
    },
    /// The segment joins the receive queue with so many bytes in order.
    Queue {
        skb: SkbId,
        sock: SockId,
        in_order: u32,
    },
    /// An acknowledgement is sent; after reading only if the window opened enough.
    Ack { sock: SockId, is_update: bool },
    /// Some of what a TCP waited for is sent: the softirq is to let it go on.
    Unthrottle { sock: SockId },
    /// TCP goes on that had enough in the device's queue.
    SmallQueue { sock: SockId },
    /// A socket's timer is due.
    RaiseTimer { sock: SockId },
    /// A socket's timer fires.
    Timer { sock: SockId },
    /// The socket's spin lock is let go.
    Unlock { sock: SockId },

    // ---- busy polling -----------------------------------------------------------------
    /// A reader that is about to sleep polls the NIC's queue, if it may (`sk_busy_loop`).
    BusyLoop { sock: SockId },
    /// The reader polls again, or has polled long enough.
    BusyTurn { sock: SockId, until: SimTime },
    /// The reader's poll of a queue goes on; the last one gives the queue back.
    BusyFrames { queue: QueueId, is_last: bool },

    // ---- IP, GRO, softirq -------------------------------------------------------------
    /// The packet goes down from IP.
    Transmit { skb: SkbId, sock: SockId },
    /// Its device takes no packet of that size, and gets its segments.
    Segment { skb: SkbId, sock: SockId },
    /// Bottom halves are allowed again.
    BhEnable,
    /// The packet is for this host (`ip_local_deliver`).
    AtTransport { skb: SkbId },
    /// It goes on to its transport protocol (`ip_local_deliver_finish`).
    ToProtocol { skb: SkbId },
    /// A rule of netfilter drops it.
    NetfilterDrop { skb: SkbId },
    /// There is no memory for the datagram that it is a piece of.
    DropPiece { skb: SkbId },
    /// Its checksum is wrong, as its protocol finds or a reader.
    DropDamaged { skb: SkbId, is_read: bool },
    /// The softirq takes its next packet.
    SoftirqNext,
    /// The packet joins this CPU's backlog (`netif_rx`).
    Enqueue { skb: SkbId },
    /// The packet joins the backlog of another CPU (RPS).
    Steer { skb: SkbId, target: u16 },
    /// The CPUs whose backlogs have got packets so are told.
    RpsIpis,
    /// This CPU is told: it will poll its backlog.
    RpsTrigger,
    /// The packet is at GRO.
    Gro { skb: SkbId },
    /// GRO has looked at it: it joins the packet that is held, or not.
    GroJoin { skb: SkbId },
    /// GRO hands up what it holds.
    GroFlush,
    /// The packet of a poll goes up, alone or with others.
    Normal { skb: SkbId },
    /// The packets that wait to go up together do.
    ListFlush,
    /// The packet leaves the backlog and goes up from the device layer.
    LeaveBacklog { skb: SkbId },
    /// The packet was sent: the softirq is to free it.
    Complete { skb: SkbId },
    /// The packet is freed.
    Free { skb: SkbId },

    // ---- NICs -------------------------------------------------------------------------
    /// The packet is at a NIC's driver or waits in the device's queue.
    DevXmit { skb: SkbId },
    /// The driver has given the packet to the chip.
    HardXmit { skb: SkbId },
    /// The device's queue goes on while there are descriptors.
    RestartQueue { nic: NicId },
    /// A NIC's interrupt.
    NicInterrupt { queue: QueueId },
    /// The interrupt handler reads its chip's causes; `round` counts its loops.
    DriverRound { queue: QueueId, round: u32 },
    /// The driver looks for the next frame, without NAPI.
    DriverLoop { queue: QueueId },
    /// The driver is done with a frame's descriptor.
    LeaveRing { queue: QueueId },
    /// Descriptors get new buffers.
    Refill { queue: QueueId },
    /// A buffer goes into a descriptor, with its packet if it has one.
    Post {
        buffer: BufferId,
        skb: Option<SkbId>,
        queue: QueueId,
    },
    /// The NIC's XDP program looks at a frame.
    Xdp { buffer: BufferId, queue: QueueId },
    /// The program has looked at the frame.
    XdpJudged { buffer: BufferId, queue: QueueId },
    /// The driver has put a frame on the XDP send queue of a NIC.
    XdpXmit { buffer: BufferId, nic: NicId },
    /// A frame has joined those that are redirected.
    XdpEnqueue { buffer: BufferId, nic: NicId },
    /// What is redirected leaves, as the poll ends or there is enough of it.
    XdpFlush,
    /// The memory of a frame that XDP has sent goes back (`xdp_return_frame`).
    XdpReturn { buffer: BufferId },
    /// A buffer is free again.
    FreeBuffer { buffer: BufferId },
    /// A packet is made of a frame.
    BuildSkb { buffer: BufferId, queue: QueueId },

    // ---- the CPU ----------------------------------------------------------------------
    /// The timer tick.
    Tick,
    /// A CPU is taken away for a while.
    Steal { ns: u32 },
}

impl Op {
    /// The steps of a path.
    pub const fn run(path: Path, about: About) -> Self {
        Self::Run { path, at: 0, about }
    }

    /// The packet that it carries. The match names every operation, so that a new one that carries a packet is not missed
    /// by the audit of packets.
    pub const fn skb(&self) -> Option<SkbId> {
        match *self {
            Self::Run { about, .. } => about.skb,
            Self::Copied { skb, .. }
            | Self::QueueDatagram { skb, .. }
            | Self::AtTcp { skb, .. }
            | Self::Deliver { skb, .. }
            | Self::Process { skb, .. }
            | Self::Queue { skb, .. }
            | Self::Transmit { skb, .. }
            | Self::Segment { skb, .. }
            | Self::AtTransport { skb }
            | Self::ToProtocol { skb }
            | Self::NetfilterDrop { skb }
            | Self::DropPiece { skb }
            | Self::DropDamaged { skb, .. }
            | Self::Enqueue { skb }
            | Self::Steer { skb, .. }
            | Self::Gro { skb }
            | Self::GroJoin { skb }
            | Self::Normal { skb }
            | Self::LeaveBacklog { skb }
            | Self::Complete { skb }
            | Self::Free { skb }
            | Self::DevXmit { skb }
            | Self::HardXmit { skb } => Some(skb),
            Self::Post { skb, .. } => skb,
            Self::Compute { .. }
            | Self::CallEnds
            | Self::Yield
            | Self::SleepFor { .. }
            | Self::ReadPage { .. }
            | Self::PageRead { .. }
            | Self::BroadcastNext { .. }
            | Self::StartOver
            | Self::SkipToYield
            | Self::MakeSocket
            | Self::StartListen { .. }
            | Self::StartConnect { .. }
            | Self::AwaitConnect { .. }
            | Self::TakeConnection { .. }
            | Self::StartClose { .. }
            | Self::Closed { .. }
            | Self::LockSock { .. }
            | Self::ReleaseSock { .. }
            | Self::Sleep { .. }
            | Self::WakeReader { .. }
            | Self::WakeWriter { .. }
            | Self::SendLoop { .. }
            | Self::Queued { .. }
            | Self::Push { .. }
            | Self::PushOne { .. }
            | Self::RecvLoop { .. }
            | Self::Return { .. }
            | Self::SendDatagram { .. }
            | Self::RecvDatagram { .. }
            | Self::Ack { .. }
            | Self::Unthrottle { .. }
            | Self::SmallQueue { .. }
            | Self::RaiseTimer { .. }
            | Self::Timer { .. }
            | Self::Unlock { .. }
            | Self::BusyLoop { .. }
            | Self::BusyTurn { .. }
            | Self::BusyFrames { .. }
            | Self::BhEnable
            | Self::SoftirqNext
            | Self::RpsIpis
            | Self::RpsTrigger
            | Self::GroFlush
            | Self::ListFlush
            | Self::RestartQueue { .. }
            | Self::NicInterrupt { .. }
            | Self::DriverRound { .. }
            | Self::DriverLoop { .. }
            | Self::LeaveRing { .. }
            | Self::Refill { .. }
            | Self::Xdp { .. }
            | Self::XdpJudged { .. }
            | Self::XdpXmit { .. }
            | Self::XdpEnqueue { .. }
            | Self::XdpFlush
            | Self::XdpReturn { .. }
            | Self::FreeBuffer { .. }
            | Self::BuildSkb { .. }
            | Self::Tick
            | Self::Steal { .. } => None,
        }
    }
}
