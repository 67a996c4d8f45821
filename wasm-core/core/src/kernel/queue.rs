//! The queues whose depth and limit the stage shows.

vocabulary! {
    /// A kind of queue. A run has one or more of each: a ring for each device, a
    /// backlog for each CPU, a receive queue for each socket.
    pub enum QueueKind {
        /// Frames in receive descriptors (frames); limit: the ring's size.
        RxRing = "rx ring",
        /// `softnet_data.input_pkt_queue` (packets); limit: `netdev_max_backlog`.
        Backlog = "backlog",
        /// Fragments waiting for their datagram (fragments).
        Reassembly = "reassembly",
        /// `sk_backlog` (bytes of truesize); limit: `sk_rcvbuf + sk_sndbuf`.
        SocketBacklog = "socket backlog",
        /// TCP's prequeue (packets).
        Prequeue = "prequeue",
        /// TCP's out-of-order queue (packets).
        OutOfOrder = "out-of-order queue",
        /// `sk_receive_queue` (bytes of truesize: `sk_rmem_alloc`); limit: `sk_rcvbuf`.
        ReceiveQueue = "receive queue",
        /// `sk_write_queue` (bytes: `sk_wmem_queued`); limit: `sk_sndbuf`.
        WriteQueue = "write queue",
        /// A queueing discipline (packets).
        Qdisc = "qdisc",
        /// Frames in transmit descriptors (frames).
        TxRing = "tx ring",
        /// Runnable tasks of a CPU that wait (tasks).
        RunQueue = "run queue",
    }
}

impl QueueKind {
    /// The unit of its depth and limit.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::RxRing | Self::TxRing => "frames",
            Self::Backlog | Self::Prequeue | Self::OutOfOrder | Self::Qdisc => "packets",
            Self::Reassembly => "fragments",
            Self::SocketBacklog | Self::ReceiveQueue | Self::WriteQueue => "bytes",
            Self::RunQueue => "tasks",
        }
    }
}
