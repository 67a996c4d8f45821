//! What a context does next: the entries of its stack.
//!
//! A path runs the steps of a data file; everything else is a decision of the mechanism
//! between paths, and has its method on the engine.

use crate::sim::engine::cpu::code::Path;

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
    /// The packet is at a NIC's driver or waits in the device's queue.
    DevXmit,
    /// The driver has given the packet to the chip.
    HardXmit,
    /// A NIC's interrupt: `arg` is the queue.
    NicInterrupt,
    /// The driver looks at the causes of queue `arg` (its lower half), for the so manieth
    /// time (its upper half).
    DriverRound,
    /// The driver looks for the next frame of queue `arg`, without NAPI.
    DriverLoop,
    /// Descriptors of queue `arg` get new buffers.
    Refill,
    /// The packet's buffer goes into a descriptor of queue `arg`.
    Post,
    /// The driver hands the packet to this CPU's backlog.
    Enqueue,
    /// The packet joins the backlog of CPU `arg` (RPS).
    Steer,
    /// The packet was sent: the softirq is to free it.
    Complete,
    /// The queue of device `arg` goes on while there are descriptors.
    RestartQueue,
    /// The softirq takes its next packet.
    SoftirqNext,
    /// The packet is at GRO.
    Gro,
    /// GRO has looked at it: it joins the packet that is held, or not.
    GroJoin,
    /// GRO hands up what it holds.
    GroFlush,
    /// The packet of a poll goes up, alone or with others.
    Normal,
    /// The packets that wait to go up together do.
    ListFlush,
    /// The packet goes up from the device layer.
    NetReceive,
    /// The packet is at its transport protocol.
    AtTransport,
    /// The packet is at its socket's protocol.
    AtTcp,
    /// The segment is processed.
    Process,
    /// The segment's data join the receive queue.
    Queue,
    /// A datagram joins the receive queue.
    QueueDatagram,
    /// An acknowledgement is sent.
    Ack,
    /// Wake the reader.
    WakeReader,
    /// Wake the writer.
    WakeWriter,
    /// The receive call goes on; `arg` bytes are still wanted.
    RecvLoop,
    /// A datagram is to be received, at most `arg` bytes of it.
    RecvDatagram,
    /// A datagram of `arg` bytes is to be sent.
    SendDatagram,
    /// A piece of `arg` bytes was copied to the process.
    Copied,
    /// The socket is let go: its backlog is served.
    Release,
    /// The socket is owned by the process now, or the process waits until it is.
    Own,
    /// The call returns `arg`.
    Return,
    /// The task sleeps until the socket has something for it (`arg` 0: data, 1: memory).
    Sleep,
    /// The task sleeps until time `arg` µs from now.
    SleepFor,
    /// The packet is freed.
    Free,
    /// The timer tick.
    Tick,
    /// A socket's timer is due.
    RaiseTimer,
    /// A socket's timer fires.
    Timer,
    /// The socket's spin lock is let go.
    Unlock,
    /// The segment's socket is found and locked.
    Deliver,
    /// `sched_yield(2)`.
    Yield,
    /// `socket(2)` has made a socket.
    MakeSocket,
    /// `listen(2)` has begun.
    StartListen,
    /// `connect(2)` sends its SYN.
    StartConnect,
    /// `connect(2)` waits for the connection.
    AwaitConnect,
    /// `accept(2)` takes a connection or waits for one.
    TakeConnection,
    /// `close(2)` sends its FIN.
    StartClose,
    /// `close(2)` is over: a socket that both ends have closed is gone.
    Closed,
    /// The next page of a file is read; `arg` bytes are wanted.
    ReadPage,
    /// `arg` bytes of a file were copied to the process.
    PageRead,
    /// The system call ends.
    CallEnds,
    /// A message of `arg` bytes goes to every connection of the room, from the `pkt`th on.
    BroadcastNext,
    /// A CPU is taken away for `arg` ns.
    Steal,
}

impl Op {
    /// A path for a packet and a socket.
    pub(crate) fn run(path: Path, pkt: u32, sock: u32, arg: u32) -> Self {
        Self {
            act: OpKind::Run(path),
            at: 0,
            pkt,
            sock,
            arg,
        }
    }

    /// Something to do.
    pub(crate) fn act(act: OpKind, pkt: u32, sock: u32, arg: u32) -> Self {
        Self {
            act,
            at: 0,
            pkt,
            sock,
            arg,
        }
    }
}
