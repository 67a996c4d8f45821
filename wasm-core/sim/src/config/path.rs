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
    /// What IP has for a segment alone, before `IpOutput`.
    IpQueueXmit = "ip_queue_xmit",
    /// What it has for a datagram alone.
    IpSendSkb = "ip_send_skb",
    IpOutput = "ip_output",
    DevQueueXmit = "dev_queue_xmit",
    /// From the queue of a device, or past it, to its driver.
    SchDirectXmit = "sch_direct_xmit",
    /// Instead of both for a device without a queue, as the loopback device.
    NoqueueXmit = "noqueue_xmit",
    /// Of each segment of a piece that is larger than the device takes.
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
    /// What new acknowledgements in a segment with data take beside the data.
    TcpAckWithData = "tcp_ack_with_data",
    TcpQueue = "tcp_queue",
    /// Instead of it for a segment behind a hole.
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
    /// An `sk_buff` around a frame that is in memory.
    SkbBuild = "skb_build",
    /// Memory for a descriptor, without an `sk_buff`.
    PageAlloc = "page_alloc",
    /// The instructions of an XDP program.
    XdpProgram = "xdp_program",
    /// A frame joins those that are redirected.
    XdpRedirect = "xdp_redirect",
    /// They are handed to a driver, so many at once.
    XdpFlush = "xdp_flush",
    SkbFree = "skb_free",
    /// TCP goes on that had enough in the device's queue.
    TcpTasklet = "tcp_tasklet",
    RtoTimer = "rto_timer",
    DelackTimer = "delack_timer",
    NapiSchedule = "napi_schedule",
    /// A reader begins to poll in place of the softirq.
    BusyLoop = "busy_loop",
    /// A turn of its loop, with a poll that finds nothing.
    BusyPoll = "busy_poll",
    /// It gives the queue back.
    BusyPollStop = "busy_poll_stop",
    Checksum = "checksum",
    DriverInterrupt = "driver_interrupt",
    DriverRound = "driver_round",
    DriverReceive = "driver_receive",
    DriverRefill = "driver_refill",
    DriverTransmit = "driver_transmit",
    DriverTransmitDone = "driver_transmit_done",
    /// The driver around the XDP program.
    DriverXdp = "driver_xdp",
    /// A frame that the program drops: its memory is used again.
    DriverXdpDrop = "driver_xdp_drop",
    DriverXdpTransmit = "driver_xdp_transmit",
    DriverXdpTransmitDone = "driver_xdp_transmit_done",
    GroReceive = "gro_receive",
    /// What GRO has for a segment besides.
    TcpGroReceive = "tcp_gro_receive",
    /// In the interrupt by which RPS tells a CPU of packets.
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
    /// What a listening socket does with a SYN.
    TcpSynReceive = "tcp_syn_receive",
    /// What a segment takes beside its acknowledgement that opens a connection or closes it.
    TcpState = "tcp_state",
    ReadFile = "read_file",
    ChecksumCopyToUser = "checksum_copy_to_user",
    ReacquireKernelLock = "reacquire_kernel_lock",
    SchedYield = "sched_yield",
    IpRouteInput = "ip_route_input",
    IpLocalDeliver = "ip_local_deliver",
    /// What is for this host goes through so many rules of netfilter.
    NetfilterLocalIn = "netfilter_local_in",
    /// A packet of a host that tracks connections is looked up.
    ConntrackIn = "conntrack_in",
    /// What that takes beside, of a datagram.
    ConntrackUdp = "conntrack_udp",
    /// And of a segment.
    ConntrackTcp = "conntrack_tcp",
    /// It is the first of its flow.
    ConntrackNew = "conntrack_new",
    /// And finds the table full: so many chains are looked through for a flow that can go.
    ConntrackEarlyDrop = "conntrack_early_drop",
    /// Its entry joins the table.
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
