//! The probes: the kernel functions and tracepoints whose passing is an event.
//!
//! Spellings are the kernel's. Three groups have none of its: a driver's own
//! functions go by what the kernel calls them through (`ndo_start_xmit`, and
//! `driver_irq` and `driver_poll` for the handler and the `napi_struct.poll`, with
//! the function itself in the field `func`, and `driver_xdp_xmit`); the link beside the trace is
//! `wire_rx`, `wire_tx` and `rx_missed` (after `rx_missed_errors`); and what only
//! a model can see stands at the end. What each means is in [`crate::glossary`].

use super::Station;

vocabulary! {
    /// A kernel function or tracepoint whose passing is an event.
    pub enum Probe {
        // interrupts, softirqs, NAPI
        IrqHandlerEntry = "irq_handler_entry",
        IrqHandlerExit = "irq_handler_exit",
        SoftirqRaise = "softirq_raise",
        SoftirqEntry = "softirq_entry",
        SoftirqExit = "softirq_exit",
        TaskletEntry = "tasklet_entry",
        TaskletExit = "tasklet_exit",
        CallFunctionSingleEntry = "call_function_single_entry",
        RescheduleEntry = "reschedule_entry",
        DriverIrq = "driver_irq",
        DriverPoll = "driver_poll",
        DriverPollRet = "driver_poll_ret",
        NapiSchedule = "__napi_schedule",
        NetRxAction = "net_rx_action",
        NetTxAction = "net_tx_action",
        NapiPoll = "napi_poll",
        NapiCompleteDone = "napi_complete_done",
        ProcessBacklog = "process_backlog",
        RpsTriggerSoftirq = "rps_trigger_softirq",
        // receive: device and core
        WireRx = "wire_rx",
        RxMissed = "rx_missed",
        NapiGroReceive = "napi_gro_receive",
        NapiGroReceiveEntry = "napi_gro_receive_entry",
        NapiGroReceiveExit = "napi_gro_receive_exit",
        NapiGroFragsEntry = "napi_gro_frags_entry",
        NapiGroFragsExit = "napi_gro_frags_exit",
        SkbGroReceive = "skb_gro_receive",
        NetifReceiveSkbEntry = "netif_receive_skb_entry",
        NetifReceiveSkbExit = "netif_receive_skb_exit",
        NetifReceiveSkbListEntry = "netif_receive_skb_list_entry",
        NetifReceiveSkbListExit = "netif_receive_skb_list_exit",
        NetifReceiveSkbCore = "__netif_receive_skb_core",
        NetifReceiveSkb = "netif_receive_skb",
        NetifRxEntry = "netif_rx_entry",
        NetifRx = "netif_rx",
        NetifRxExit = "netif_rx_exit",
        EnqueueToBacklog = "enqueue_to_backlog",
        // receive: IP
        IpListRcv = "ip_list_rcv",
        IpRcv = "ip_rcv",
        IpRcvCore = "ip_rcv_core",
        IpLocalDeliver = "ip_local_deliver",
        IpDefrag = "ip_defrag",
        InetFragQueueInsert = "inet_frag_queue_insert",
        InetFragReasmFinish = "inet_frag_reasm_finish",
        InetFragKill = "inet_frag_kill",
        IpExpire = "ip_expire",
        IpProtocolDeliverRcu = "ip_protocol_deliver_rcu",
        IcmpSend = "icmp_send",
        // receive: TCP
        TcpV4Rcv = "tcp_v4_rcv",
        TcpV4DoRcv = "tcp_v4_do_rcv",
        TcpRcvEstablished = "tcp_rcv_established",
        TcpRcvStateProcess = "tcp_rcv_state_process",
        TcpProbe = "tcp_probe",
        TcpAck = "tcp_ack",
        TcpDataQueue = "tcp_data_queue",
        TcpQueueRcv = "tcp_queue_rcv",
        TcpTryCoalesce = "tcp_try_coalesce",
        TcpPrequeue = "tcp_prequeue",
        TcpAddBacklog = "tcp_add_backlog",
        TcpCollapse = "tcp_collapse",
        TcpDataReady = "tcp_data_ready",
        TcpBadCsum = "tcp_bad_csum",
        TcpReceiveReset = "tcp_receive_reset",
        TcpRcvbufGrow = "tcp_rcvbuf_grow",
        TcpCongStateSet = "tcp_cong_state_set",
        // receive: UDP
        UdpRcv = "udp_rcv",
        UdpQueueRcvSkb = "udp_queue_rcv_skb",
        UdpQueueRcvOneSkb = "udp_queue_rcv_one_skb",
        UdpEnqueueScheduleSkb = "__udp_enqueue_schedule_skb",
        UdpEnqueueScheduleSkbRet = "__udp_enqueue_schedule_skb_ret",
        UdpFailQueueRcvSkb = "udp_fail_queue_rcv_skb",
        // sockets and the process that reads
        SockDefReadable = "sock_def_readable",
        SkDataReady = "sk_data_ready",
        SockRcvqueueFull = "sock_rcvqueue_full",
        SockExceedBufLimit = "sock_exceed_buf_limit",
        SockRecvLength = "sock_recv_length",
        SockSendLength = "sock_send_length",
        SysEnter = "sys_enter",
        SysExit = "sys_exit",
        SysRecvfrom = "__sys_recvfrom",
        SysRecvfromRet = "__sys_recvfrom_ret",
        TcpRecvmsg = "tcp_recvmsg",
        TcpRecvmsgRet = "tcp_recvmsg_ret",
        UdpRecvmsg = "udp_recvmsg",
        UdpRecvmsgRet = "udp_recvmsg_ret",
        SkbRecvUdpRet = "__skb_recv_udp_ret",
        SkbWaitForMorePackets = "__skb_wait_for_more_packets",
        SkWaitData = "sk_wait_data",
        SkbCopyDatagramIter = "skb_copy_datagram_iter",
        SkbCopyDatagramIovec = "skb_copy_datagram_iovec",
        SkbConsumeUdp = "skb_consume_udp",
        UdpRmemRelease = "udp_rmem_release",
        TcpCleanupRbuf = "tcp_cleanup_rbuf",
        TcpRcvSpaceAdjust = "tcp_rcv_space_adjust",
        ReleaseSock = "release_sock",
        ReleaseSockBacklog = "__release_sock",
        InetSockSetState = "inet_sock_set_state",
        InetSkErrorReport = "inet_sk_error_report",
        TcpDestroySock = "tcp_destroy_sock",
        // send: process and transport
        SysSendto = "__sys_sendto",
        TcpSendmsg = "tcp_sendmsg",
        TcpSendmsgLocked = "tcp_sendmsg_locked",
        UdpSendmsg = "udp_sendmsg",
        TcpWriteXmit = "tcp_write_xmit",
        TcpTransmitSkb = "__tcp_transmit_skb",
        TcpRetransmitSkb = "tcp_retransmit_skb",
        TcpRetransmitSynack = "tcp_retransmit_synack",
        TcpSendAck = "tcp_send_ack",
        TcpSendReset = "tcp_send_reset",
        TcpDelackTimerHandler = "tcp_delack_timer_handler",
        // send: IP, queueing discipline, driver
        IpQueueXmit = "__ip_queue_xmit",
        IpSendSkb = "ip_send_skb",
        IpLocalOut = "__ip_local_out",
        IpOutput = "ip_output",
        IpDoFragment = "ip_do_fragment",
        IpFinishOutput2 = "ip_finish_output2",
        DevQueueXmit = "__dev_queue_xmit",
        NetDevQueue = "net_dev_queue",
        QdiscEnqueue = "qdisc_enqueue",
        QdiscDequeue = "qdisc_dequeue",
        QdiscReset = "qdisc_reset",
        QdiscCreate = "qdisc_create",
        QdiscDestroy = "qdisc_destroy",
        SchDirectXmit = "sch_direct_xmit",
        DevHardStartXmit = "dev_hard_start_xmit",
        NetDevStartXmit = "net_dev_start_xmit",
        NdoStartXmit = "ndo_start_xmit",
        NetDevXmit = "net_dev_xmit",
        NetDevXmitTimeout = "net_dev_xmit_timeout",
        WireTx = "wire_tx",
        // ends
        ConsumeSkb = "consume_skb",
        KfreeSkb = "kfree_skb",
        // scheduler
        SchedSwitch = "sched_switch",
        SchedWakeup = "sched_wakeup",
        SchedWakeupNew = "sched_wakeup_new",
        SchedWaking = "sched_waking",
        SchedMigrateTask = "sched_migrate_task",
        SchedProcessFork = "sched_process_fork",
        SchedProcessExec = "sched_process_exec",
        SchedProcessExit = "sched_process_exit",
        // the 2005 toolkit's ids, 1 to 10
        TpsSocket = "TPS_SOCKET",
        TpsSocketTrans = "TPS_SOCKET_TRANS",
        TpsTransIp = "TPS_TRANS_IP",
        TpsIpNet = "TPS_IP_NET",
        TpsNet = "TPS_NET",
        TprNet = "TPR_NET",
        TprNetIp = "TPR_NET_IP",
        TprIpTrans = "TPR_IP_TRANS",
        TprTransSocket = "TPR_TRANS_SOCKET",
        TprSocket = "TPR_SOCKET",
        // what only a model sees
        RxDma = "rx_dma",
        RxItr = "rx_itr",
        ContentionBegin = "contention_begin",
        ContentionEnd = "contention_end",
        LockRelease = "lock_release",
        CacheLineFill = "cache_line_fill",
        CacheLineMove = "cache_line_move",
        RunQueue = "run_queue",
        TimeSlice = "time_slice",
        ProbeCost = "probe_cost",
        // the recording itself
        LostEvents = "lost_events",
        // again a model's: a probe's place is in every fingerprint, so new ones come last
        CacheLineEvict = "cache_line_evict",
        CacheLineState = "cache_line_state",
        RunQueueTask = "run_queue_task",
        // a frame that has no `sk_buff`, or gets one
        BpfProgRunXdp = "bpf_prog_run_xdp",
        BuildSkb = "build_skb",
        DriverXdpXmit = "driver_xdp_xmit",
        XdpRedirect = "xdp_redirect",
        XdpDevmapXmit = "xdp_devmap_xmit",
        XdpException = "xdp_exception",
        XdpReturnFrame = "xdp_return_frame",
    }
}

impl Probe {
    /// The ten ids of the 2005 toolkit in order: `KPERF[id - 1]`. Thirteen names
    /// share them, as TCP and UDP have one id for a layer boundary
    /// (Demter et al. 2005, section 4.2, and its sample record).
    pub const KPERF: [Self; 10] = [
        Self::TpsSocket,
        Self::TpsSocketTrans,
        Self::TpsTransIp,
        Self::TpsIpNet,
        Self::TpsNet,
        Self::TprNet,
        Self::TprNetIp,
        Self::TprIpTrans,
        Self::TprTransSocket,
        Self::TprSocket,
    ];

    /// Whether the event tells how something of a model stands, and nothing that its CPU does.
    pub const fn tells_a_state(self) -> bool {
        matches!(self, Self::CacheLineState | Self::RunQueueTask)
    }

    #[allow(clippy::too_many_lines, reason = "a table: one arm for every station")]
    /// Where a packet is once it has passed this probe; none when the probe does
    /// not move one (it ends one, or it is about a CPU, a socket or a task).
    pub const fn station(self) -> Option<Station> {
        match self {
            Self::WireRx | Self::RxDma => Some(Station::RxRing),
            Self::BpfProgRunXdp => Some(Station::Xdp),
            Self::BuildSkb => Some(Station::Driver),
            Self::NapiGroReceive
            | Self::NapiGroReceiveEntry
            | Self::NapiGroFragsEntry
            | Self::SkbGroReceive => Some(Station::Gro),
            Self::NetifReceiveSkbEntry
            | Self::NetifReceiveSkbListEntry
            | Self::NetifReceiveSkbCore
            | Self::NetifReceiveSkb
            | Self::TprNet => Some(Station::NetCore),
            Self::NetifRxEntry | Self::NetifRx | Self::EnqueueToBacklog => Some(Station::Backlog),
            Self::IpRcv
            | Self::IpRcvCore
            | Self::IpLocalDeliver
            | Self::InetFragReasmFinish
            | Self::IpProtocolDeliverRcu
            | Self::TprNetIp => Some(Station::Ip),
            Self::IpDefrag | Self::InetFragQueueInsert => Some(Station::Reassembly),
            Self::TcpV4Rcv
            | Self::TcpV4DoRcv
            | Self::TcpRcvEstablished
            | Self::TcpRcvStateProcess
            | Self::TcpProbe
            | Self::TcpAck
            | Self::TcpDataQueue
            | Self::TcpBadCsum => Some(Station::Tcp),
            Self::TcpQueueRcv
            | Self::TcpTryCoalesce
            | Self::UdpEnqueueScheduleSkb
            | Self::TprTransSocket => Some(Station::ReceiveQueue),
            Self::TcpPrequeue => Some(Station::Prequeue),
            Self::TcpAddBacklog => Some(Station::SocketBacklog),
            Self::UdpRcv | Self::UdpQueueRcvSkb | Self::UdpQueueRcvOneSkb => Some(Station::Udp),
            Self::SkbRecvUdpRet
            | Self::SkbCopyDatagramIter
            | Self::SkbCopyDatagramIovec
            | Self::SkbConsumeUdp
            | Self::TprSocket => Some(Station::Process),
            Self::SysSendto | Self::TcpSendmsg | Self::UdpSendmsg | Self::TpsSocket => {
                Some(Station::SendCall)
            }
            Self::TcpSendmsgLocked => Some(Station::WriteQueue),
            Self::TcpTransmitSkb | Self::TcpRetransmitSkb => Some(Station::TcpSend),
            Self::IpQueueXmit
            | Self::IpSendSkb
            | Self::IpLocalOut
            | Self::IpOutput
            | Self::IpDoFragment
            | Self::IpFinishOutput2
            | Self::TpsTransIp => Some(Station::IpSend),
            Self::DevQueueXmit | Self::NetDevQueue | Self::QdiscEnqueue | Self::TpsIpNet => {
                Some(Station::Qdisc)
            }
            Self::QdiscDequeue
            | Self::SchDirectXmit
            | Self::DevHardStartXmit
            | Self::NetDevStartXmit
            | Self::NdoStartXmit
            | Self::TpsNet => Some(Station::DriverSend),
            Self::NetDevXmit | Self::DriverXdpXmit => Some(Station::TxRing),
            Self::WireTx => Some(Station::WireSend),
            Self::TpsSocketTrans => Some(Station::TransportSend),
            Self::TprIpTrans => Some(Station::Transport),
            Self::IrqHandlerEntry
            | Self::IrqHandlerExit
            | Self::SoftirqRaise
            | Self::SoftirqEntry
            | Self::SoftirqExit
            | Self::TaskletEntry
            | Self::TaskletExit
            | Self::CallFunctionSingleEntry
            | Self::RescheduleEntry
            | Self::DriverIrq
            | Self::DriverPoll
            | Self::DriverPollRet
            | Self::NapiSchedule
            | Self::NetRxAction
            | Self::NetTxAction
            | Self::NapiPoll
            | Self::NapiCompleteDone
            | Self::ProcessBacklog
            | Self::RpsTriggerSoftirq
            | Self::RxMissed
            | Self::NapiGroReceiveExit
            | Self::NapiGroFragsExit
            | Self::NetifReceiveSkbExit
            | Self::NetifReceiveSkbListExit
            | Self::NetifRxExit
            | Self::IpListRcv
            | Self::InetFragKill
            | Self::IpExpire
            | Self::IcmpSend
            | Self::TcpCollapse
            | Self::TcpDataReady
            | Self::TcpReceiveReset
            | Self::TcpRcvbufGrow
            | Self::TcpCongStateSet
            | Self::UdpEnqueueScheduleSkbRet
            | Self::UdpFailQueueRcvSkb
            | Self::SockDefReadable
            | Self::SkDataReady
            | Self::SockRcvqueueFull
            | Self::SockExceedBufLimit
            | Self::SockRecvLength
            | Self::SockSendLength
            | Self::SysEnter
            | Self::SysExit
            | Self::SysRecvfrom
            | Self::SysRecvfromRet
            | Self::TcpRecvmsg
            | Self::TcpRecvmsgRet
            | Self::UdpRecvmsg
            | Self::UdpRecvmsgRet
            | Self::SkbWaitForMorePackets
            | Self::SkWaitData
            | Self::UdpRmemRelease
            | Self::TcpCleanupRbuf
            | Self::TcpRcvSpaceAdjust
            | Self::ReleaseSock
            | Self::ReleaseSockBacklog
            | Self::InetSockSetState
            | Self::InetSkErrorReport
            | Self::TcpDestroySock
            | Self::TcpWriteXmit
            | Self::TcpRetransmitSynack
            | Self::TcpSendAck
            | Self::TcpSendReset
            | Self::TcpDelackTimerHandler
            | Self::QdiscReset
            | Self::QdiscCreate
            | Self::QdiscDestroy
            | Self::NetDevXmitTimeout
            | Self::ConsumeSkb
            | Self::KfreeSkb
            | Self::SchedSwitch
            | Self::SchedWakeup
            | Self::SchedWakeupNew
            | Self::SchedWaking
            | Self::SchedMigrateTask
            | Self::SchedProcessFork
            | Self::SchedProcessExec
            | Self::SchedProcessExit
            | Self::RxItr
            | Self::ContentionBegin
            | Self::ContentionEnd
            | Self::LockRelease
            | Self::CacheLineFill
            | Self::CacheLineMove
            | Self::CacheLineEvict
            | Self::CacheLineState
            | Self::RunQueueTask
            | Self::RunQueue
            | Self::TimeSlice
            | Self::ProbeCost
            | Self::XdpRedirect
            | Self::XdpDevmapXmit
            | Self::XdpException
            | Self::XdpReturnFrame
            | Self::LostEvents => None,
        }
    }
}
