//! The paths of a kernel, and those of a NIC's driver.

macro_rules! paths {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// The pieces of code that the engine strings together, by the names of the data files.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "the names are the kernel's")]
        pub enum Path { $($(#[$doc])* $name,)* }

        impl Path {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// As data files spell it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The path that data files spell so.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|path| path.name() == name)
            }
        }
    };
}

paths! {
    SyscallEntry = "syscall_entry",
    SyscallExit = "syscall_exit",
    Schedule = "schedule",
    ContextSwitch = "context_switch",
    TimerInterrupt = "timer_interrupt",
    IrqEntry = "irq_entry",
    SoftirqEntry = "softirq_entry",
    RescheduleIpi = "reschedule_ipi",
    SendIpi = "send_ipi",
    WakeUp = "wake_up",
    TcpSendmsg = "tcp_sendmsg",
    CopyFromUser = "copy_from_user",
    TcpTransmit = "tcp_transmit",
    /// IP takes a segment from TCP: what it does for a segment alone, before `IpOutput`.
    IpQueueXmit = "ip_queue_xmit",
    /// IP takes a datagram from UDP: what it does for a datagram alone, before `IpOutput`.
    IpSendSkb = "ip_send_skb",
    IpOutput = "ip_output",
    DevQueueXmit = "dev_queue_xmit",
    /// A packet goes from the queue of a device, or past it, to the driver.
    SchDirectXmit = "sch_direct_xmit",
    /// A packet goes to a device that has no queue, such as the loopback device: in place of `DevQueueXmit` and
    /// `SchDirectXmit`.
    NoqueueXmit = "noqueue_xmit",
    /// A segment is cut from a packet that is larger than the device takes (GSO).
    SkbSegment = "skb_segment",
    LoopbackXmit = "loopback_xmit",
    NetifRx = "netif_rx",
    ProcessBacklog = "process_backlog",
    NetifReceive = "netif_receive",
    IpReceive = "ip_receive",
    TcpReceive = "tcp_receive",
    TcpReceiveDone = "tcp_receive_done",
    TcpEstablished = "tcp_established",
    TcpAck = "tcp_ack",
    /// TCP takes the acknowledgements of a segment that has data too: what they cost beside the data.
    TcpAckWithData = "tcp_ack_with_data",
    TcpQueue = "tcp_queue",
    /// TCP keeps a segment that lies behind a hole: in place of `TcpQueue`.
    TcpDataQueueOfo = "tcp_data_queue_ofo",
    BacklogAdd = "backlog_add",
    PrequeueAdd = "prequeue_add",
    TcpRecvmsg = "tcp_recvmsg",
    CopyToUser = "copy_to_user",
    CleanupRbuf = "cleanup_rbuf",
    ReleaseSock = "release_sock",
    WaitForData = "wait_for_data",
    WaitForMemory = "wait_for_memory",
    TcpSendAck = "tcp_send_ack",
    SkbAlloc = "skb_alloc",
    /// An `sk_buff` is made around a frame that is in memory.
    SkbBuild = "skb_build",
    /// Memory for a receive descriptor is allocated, without an `sk_buff`.
    PageAlloc = "page_alloc",
    /// An XDP program runs.
    XdpProgram = "xdp_program",
    /// A frame joins those that XDP redirects.
    XdpRedirect = "xdp_redirect",
    /// The frames that XDP redirects are handed to a driver, so many at once.
    XdpFlush = "xdp_flush",
    SkbFree = "skb_free",
    /// TCP goes on sending, which it had stopped because enough of a connection was in the device's queue.
    TcpTasklet = "tcp_tasklet",
    RtoTimer = "rto_timer",
    DelackTimer = "delack_timer",
    NapiSchedule = "napi_schedule",
    /// A reader that is to wait begins to poll the NIC itself (busy polling).
    BusyLoop = "busy_loop",
    /// A reader that polls goes through its loop once, and finds nothing.
    BusyPoll = "busy_poll",
    /// A reader that polled gives the receive queue back to the softirq.
    BusyPollStop = "busy_poll_stop",
    Checksum = "checksum",
    DriverInterrupt = "driver_interrupt",
    DriverRound = "driver_round",
    DriverReceive = "driver_receive",
    DriverRefill = "driver_refill",
    DriverTransmit = "driver_transmit",
    DriverTransmitDone = "driver_transmit_done",
    /// The driver has an XDP program run: what it does around the program.
    DriverXdp = "driver_xdp",
    /// The driver uses the memory of a frame again that the XDP program drops.
    DriverXdpDrop = "driver_xdp_drop",
    DriverXdpTransmit = "driver_xdp_transmit",
    DriverXdpTransmitDone = "driver_xdp_transmit_done",
    GroReceive = "gro_receive",
    /// GRO looks at a TCP segment: what it does beside `GroReceive`.
    TcpGroReceive = "tcp_gro_receive",
    /// A CPU takes the interrupt by which RPS tells it that its backlog has packets.
    RpsTrigger = "rps_trigger",
    UdpSendmsg = "udp_sendmsg",
    UdpReceive = "udp_receive",
    UdpRecvmsg = "udp_recvmsg",
    IpFragment = "ip_fragment",
    IpDefrag = "ip_defrag",
    IpReassemble = "ip_reassemble",
    SocketCall = "socket",
    Bind = "bind",
    Listen = "listen",
    Connect = "connect",
    Accept = "accept",
    Close = "close",
    /// A listening socket takes a SYN.
    TcpSynReceive = "tcp_syn_receive",
    /// TCP takes a segment that opens or closes a connection: what it costs beside its acknowledgement.
    TcpState = "tcp_state",
    ReadFile = "read_file",
    ChecksumCopyToUser = "checksum_copy_to_user",
    ReacquireKernelLock = "reacquire_kernel_lock",
    SchedYield = "sched_yield",
    IpRouteInput = "ip_route_input",
    IpLocalDeliver = "ip_local_deliver",
    /// A packet for this host goes through a chain of so many netfilter rules.
    NetfilterLocalIn = "netfilter_local_in",
    /// Connection tracking looks up a packet.
    ConntrackIn = "conntrack_in",
    /// Connection tracking takes a datagram: what it costs beside `ConntrackIn`.
    ConntrackUdp = "conntrack_udp",
    /// Connection tracking takes a TCP segment: what it costs beside `ConntrackIn`.
    ConntrackTcp = "conntrack_tcp",
    /// Connection tracking makes an entry, for the first packet of a flow.
    ConntrackNew = "conntrack_new",
    /// Connection tracking looks through so many chains of its full table for an entry that can go.
    ConntrackEarlyDrop = "conntrack_early_drop",
    /// Connection tracking puts the new entry of a packet into its table.
    ConntrackConfirm = "conntrack_confirm",
    TcpRecvDone = "tcp_recv_done",
    UdpRecvDone = "udp_recv_done",
    HeadAlloc = "head_alloc",
    HeadBatch = "head_batch",
    DataAlloc = "data_alloc",
    DataBatch = "data_batch",
    TxCompletion = "tx_completion",
    TcpCoalesce = "tcp_coalesce",
    CopyMoreToUser = "copy_more_to_user",
}

impl Path {
    /// Whether a NIC's driver has it, not the kernel.
    pub const fn is_of_driver(self) -> bool {
        matches!(
            self,
            Self::DriverInterrupt
                | Self::DriverRound
                | Self::DriverReceive
                | Self::DriverRefill
                | Self::DriverTransmit
                | Self::DriverTransmitDone
                | Self::DriverXdp
                | Self::DriverXdpDrop
                | Self::DriverXdpTransmit
                | Self::DriverXdpTransmitDone
        )
    }
}
