//! Why the kernel drops a packet, with the kernel's names.
//!
//! Source: `include/net/dropreason-core.h` (v6.18), without the `SKB_DROP_REASON_`
//! prefix, as `skb:kfree_skb` prints them. Their numbers shift between releases,
//! so only names are ever compared. Two entries are ours and say so.

use super::Station;

vocabulary! {
    /// A drop reason.
    pub enum DropReason {
        NotSpecified = "NOT_SPECIFIED",
        NoSocket = "NO_SOCKET",
        SocketClose = "SOCKET_CLOSE",
        SocketFilter = "SOCKET_FILTER",
        SocketRcvbuff = "SOCKET_RCVBUFF",
        UnixDisconnect = "UNIX_DISCONNECT",
        UnixSkipOob = "UNIX_SKIP_OOB",
        PktTooSmall = "PKT_TOO_SMALL",
        TcpCsum = "TCP_CSUM",
        UdpCsum = "UDP_CSUM",
        NetfilterDrop = "NETFILTER_DROP",
        Otherhost = "OTHERHOST",
        IpCsum = "IP_CSUM",
        IpInhdr = "IP_INHDR",
        IpRpfilter = "IP_RPFILTER",
        UnicastInL2Multicast = "UNICAST_IN_L2_MULTICAST",
        XfrmPolicy = "XFRM_POLICY",
        IpNoproto = "IP_NOPROTO",
        ProtoMem = "PROTO_MEM",
        TcpAuthHdr = "TCP_AUTH_HDR",
        TcpMd5notfound = "TCP_MD5NOTFOUND",
        TcpMd5unexpected = "TCP_MD5UNEXPECTED",
        TcpMd5failure = "TCP_MD5FAILURE",
        TcpAonotfound = "TCP_AONOTFOUND",
        TcpAounexpected = "TCP_AOUNEXPECTED",
        TcpAokeynotfound = "TCP_AOKEYNOTFOUND",
        TcpAofailure = "TCP_AOFAILURE",
        SocketBacklog = "SOCKET_BACKLOG",
        TcpFlags = "TCP_FLAGS",
        TcpAbortOnData = "TCP_ABORT_ON_DATA",
        TcpZerowindow = "TCP_ZEROWINDOW",
        TcpOldData = "TCP_OLD_DATA",
        TcpOverwindow = "TCP_OVERWINDOW",
        TcpOfomerge = "TCP_OFOMERGE",
        TcpRfc7323Paws = "TCP_RFC7323_PAWS",
        TcpRfc7323PawsAck = "TCP_RFC7323_PAWS_ACK",
        TcpRfc7323TwPaws = "TCP_RFC7323_TW_PAWS",
        TcpRfc7323Tsecr = "TCP_RFC7323_TSECR",
        TcpListenOverflow = "TCP_LISTEN_OVERFLOW",
        TcpOldSequence = "TCP_OLD_SEQUENCE",
        TcpInvalidSequence = "TCP_INVALID_SEQUENCE",
        TcpInvalidEndSequence = "TCP_INVALID_END_SEQUENCE",
        TcpInvalidAckSequence = "TCP_INVALID_ACK_SEQUENCE",
        TcpReset = "TCP_RESET",
        TcpInvalidSyn = "TCP_INVALID_SYN",
        TcpClose = "TCP_CLOSE",
        TcpFastopen = "TCP_FASTOPEN",
        TcpOldAck = "TCP_OLD_ACK",
        TcpTooOldAck = "TCP_TOO_OLD_ACK",
        TcpAckUnsentData = "TCP_ACK_UNSENT_DATA",
        TcpOfoQueuePrune = "TCP_OFO_QUEUE_PRUNE",
        TcpOfoDrop = "TCP_OFO_DROP",
        IpOutnoroutes = "IP_OUTNOROUTES",
        BpfCgroupEgress = "BPF_CGROUP_EGRESS",
        Ipv6disabled = "IPV6DISABLED",
        NeighCreatefail = "NEIGH_CREATEFAIL",
        NeighFailed = "NEIGH_FAILED",
        NeighQueuefull = "NEIGH_QUEUEFULL",
        NeighDead = "NEIGH_DEAD",
        NeighHhFillfail = "NEIGH_HH_FILLFAIL",
        TcEgress = "TC_EGRESS",
        SecurityHook = "SECURITY_HOOK",
        QdiscDrop = "QDISC_DROP",
        QdiscOverlimit = "QDISC_OVERLIMIT",
        QdiscCongested = "QDISC_CONGESTED",
        CakeFlood = "CAKE_FLOOD",
        FqBandLimit = "FQ_BAND_LIMIT",
        FqHorizonLimit = "FQ_HORIZON_LIMIT",
        FqFlowLimit = "FQ_FLOW_LIMIT",
        CpuBacklog = "CPU_BACKLOG",
        Xdp = "XDP",
        TcIngress = "TC_INGRESS",
        UnhandledProto = "UNHANDLED_PROTO",
        SkbCsum = "SKB_CSUM",
        SkbGsoSeg = "SKB_GSO_SEG",
        SkbUcopyFault = "SKB_UCOPY_FAULT",
        DevHdr = "DEV_HDR",
        DevReady = "DEV_READY",
        FullRing = "FULL_RING",
        Nomem = "NOMEM",
        HdrTrunc = "HDR_TRUNC",
        TapFilter = "TAP_FILTER",
        TapTxfilter = "TAP_TXFILTER",
        IcmpCsum = "ICMP_CSUM",
        InvalidProto = "INVALID_PROTO",
        IpInaddrerrors = "IP_INADDRERRORS",
        IpInnoroutes = "IP_INNOROUTES",
        IpLocalSource = "IP_LOCAL_SOURCE",
        IpInvalidSource = "IP_INVALID_SOURCE",
        IpLocalnet = "IP_LOCALNET",
        IpInvalidDest = "IP_INVALID_DEST",
        PktTooBig = "PKT_TOO_BIG",
        DupFrag = "DUP_FRAG",
        FragReasmTimeout = "FRAG_REASM_TIMEOUT",
        FragTooFar = "FRAG_TOO_FAR",
        TcpMinttl = "TCP_MINTTL",
        Ipv6BadExthdr = "IPV6_BAD_EXTHDR",
        Ipv6NdiscFrag = "IPV6_NDISC_FRAG",
        Ipv6NdiscHopLimit = "IPV6_NDISC_HOP_LIMIT",
        Ipv6NdiscBadCode = "IPV6_NDISC_BAD_CODE",
        Ipv6NdiscBadOptions = "IPV6_NDISC_BAD_OPTIONS",
        Ipv6NdiscNsOtherhost = "IPV6_NDISC_NS_OTHERHOST",
        QueuePurge = "QUEUE_PURGE",
        TcCookieError = "TC_COOKIE_ERROR",
        PacketSockError = "PACKET_SOCK_ERROR",
        TcChainNotfound = "TC_CHAIN_NOTFOUND",
        TcReclassifyLoop = "TC_RECLASSIFY_LOOP",
        VxlanInvalidHdr = "VXLAN_INVALID_HDR",
        VxlanVniNotFound = "VXLAN_VNI_NOT_FOUND",
        MacInvalidSource = "MAC_INVALID_SOURCE",
        VxlanEntryExists = "VXLAN_ENTRY_EXISTS",
        NoTxTarget = "NO_TX_TARGET",
        IpTunnelEcn = "IP_TUNNEL_ECN",
        TunnelTxinfo = "TUNNEL_TXINFO",
        LocalMac = "LOCAL_MAC",
        ArpPvlanDisable = "ARP_PVLAN_DISABLE",
        MacIeeeMacControl = "MAC_IEEE_MAC_CONTROL",
        BridgeIngressStpState = "BRIDGE_INGRESS_STP_STATE",
        CanRxInvalidFrame = "CAN_RX_INVALID_FRAME",
        CanfdRxInvalidFrame = "CANFD_RX_INVALID_FRAME",
        CanxlRxInvalidFrame = "CANXL_RX_INVALID_FRAME",
        Pfmemalloc = "PFMEMALLOC",
        Dualpi2StepDrop = "DUALPI2_STEP_DROP",
        PspInput = "PSP_INPUT",
        PspOutput = "PSP_OUTPUT",
        RecursionLimit = "RECURSION_LIMIT",
        /// Ours: the NIC had no free receive descriptor; no kernel event says so, only the wire and `rx_missed_errors`.
        RxRingFull = "RX_RING_FULL",
        /// Ours: the kernel named a reason this list does not have; the event's text has its spelling.
        Unrecognised = "UNRECOGNISED",
    }
}

impl DropReason {
    /// The queue at which packets with this reason end. Most of these queues had no room for them, which
    /// [`Self::is_full_queue`] says.
    ///
    /// `TCP_OFO_DROP` is another matter: with it TCP takes segments out of its out-of-order queue whose data have come by
    /// others meanwhile (`net/ipv4/tcp_input.c: tcp_ofo_queue`, v6.1). The counter `TCPOFODrop` counts something else, which
    /// has the reason `PROTO_MEM` (`tcp_data_queue_ofo`).
    pub const fn refused_at(self) -> Option<Station> {
        match self {
            Self::SocketRcvbuff => Some(Station::ReceiveQueue),
            Self::SocketBacklog => Some(Station::SocketBacklog),
            Self::CpuBacklog => Some(Station::Backlog),
            Self::TcpOfoDrop => Some(Station::OutOfOrder),
            Self::RxRingFull => Some(Station::RxRing),
            _ if self.is_of_qdisc() => Some(Station::Qdisc),
            _ => None,
        }
    }

    /// Whether a queueing discipline drops packets for it.
    const fn is_of_qdisc(self) -> bool {
        matches!(
            self,
            Self::QdiscDrop
                | Self::QdiscOverlimit
                | Self::QdiscCongested
                | Self::CakeFlood
                | Self::FqBandLimit
                | Self::FqHorizonLimit
                | Self::FqFlowLimit
                | Self::Dualpi2StepDrop
        )
    }

    /// Whether only what is being sent is dropped for it.
    pub const fn is_of_sending(self) -> bool {
        self.is_of_qdisc()
            || matches!(
                self,
                Self::IpOutnoroutes
                    | Self::BpfCgroupEgress
                    | Self::NeighCreatefail
                    | Self::NeighFailed
                    | Self::NeighQueuefull
                    | Self::NeighDead
                    | Self::NeighHhFillfail
                    | Self::TcEgress
            )
    }

    /// Whether a queue had too little room, for this packet or with it: some queues throw away
    /// what they held already.
    pub const fn is_full_queue(self) -> bool {
        matches!(
            self,
            Self::SocketRcvbuff
                | Self::SocketBacklog
                | Self::CpuBacklog
                | Self::QdiscDrop
                | Self::QdiscOverlimit
                | Self::FqBandLimit
                | Self::FqFlowLimit
                | Self::RxRingFull
                | Self::TcpOfoQueuePrune
        )
    }

    /// Whether the drop was intended, or nobody misses the packet.
    #[expect(
        clippy::too_many_lines,
        clippy::match_same_arms,
        reason = "each reason has a line, and those that are meant are grouped by why"
    )]
    pub const fn is_meant(self) -> bool {
        match self {
            // Somebody decided so, or nobody listens.
            Self::NoSocket
            | Self::NetfilterDrop
            | Self::SocketFilter
            | Self::Xdp
            | Self::TcIngress
            | Self::TcEgress
            | Self::BpfCgroupEgress
            | Self::SecurityHook
            | Self::XfrmPolicy
            | Self::IpRpfilter
            | Self::TapFilter
            | Self::TapTxfilter
            | Self::ArpPvlanDisable
            | Self::Ipv6disabled
            | Self::BridgeIngressStpState => true,
            // Not for this host: LLDP, STP and the like, and what a hub, a flooding switch or another's multicast brings.
            Self::Otherhost
            | Self::UnhandledProto
            | Self::UnicastInL2Multicast
            | Self::Ipv6NdiscNsOtherhost
            | Self::MacIeeeMacControl => true,
            // How a queue tells its senders to slow down.
            Self::QdiscCongested | Self::Dualpi2StepDrop => true,
            // What it carries has come before.
            Self::TcpOldData
            | Self::TcpOfomerge
            | Self::TcpOfoDrop
            | Self::DupFrag
            | Self::TcpOldSequence
            | Self::TcpOldAck
            | Self::TcpRfc7323PawsAck => true,
            // What was to take it is over.
            Self::TcpReset
            | Self::QueuePurge
            | Self::SocketClose
            | Self::UnixDisconnect
            | Self::UnixSkipOob => true,
            Self::NotSpecified
            | Self::SocketRcvbuff
            | Self::PktTooSmall
            | Self::TcpCsum
            | Self::UdpCsum
            | Self::IpCsum
            | Self::IpInhdr
            | Self::IpNoproto
            | Self::ProtoMem
            | Self::TcpAuthHdr
            | Self::TcpMd5notfound
            | Self::TcpMd5unexpected
            | Self::TcpMd5failure
            | Self::TcpAonotfound
            | Self::TcpAounexpected
            | Self::TcpAokeynotfound
            | Self::TcpAofailure
            | Self::SocketBacklog
            | Self::TcpFlags
            | Self::TcpAbortOnData
            | Self::TcpZerowindow
            | Self::TcpOverwindow
            | Self::TcpRfc7323Paws
            | Self::TcpRfc7323TwPaws
            | Self::TcpRfc7323Tsecr
            | Self::TcpListenOverflow
            | Self::TcpInvalidSequence
            | Self::TcpInvalidEndSequence
            | Self::TcpInvalidAckSequence
            | Self::TcpInvalidSyn
            | Self::TcpClose
            | Self::TcpFastopen
            | Self::TcpTooOldAck
            | Self::TcpAckUnsentData
            | Self::TcpOfoQueuePrune
            | Self::IpOutnoroutes
            | Self::NeighCreatefail
            | Self::NeighFailed
            | Self::NeighQueuefull
            | Self::NeighDead
            | Self::NeighHhFillfail
            | Self::QdiscDrop
            | Self::QdiscOverlimit
            | Self::CakeFlood
            | Self::FqBandLimit
            | Self::FqHorizonLimit
            | Self::FqFlowLimit
            | Self::CpuBacklog
            | Self::SkbCsum
            | Self::SkbGsoSeg
            | Self::SkbUcopyFault
            | Self::DevHdr
            | Self::DevReady
            | Self::FullRing
            | Self::Nomem
            | Self::HdrTrunc
            | Self::IcmpCsum
            | Self::InvalidProto
            | Self::IpInaddrerrors
            | Self::IpInnoroutes
            | Self::IpLocalSource
            | Self::IpInvalidSource
            | Self::IpLocalnet
            | Self::IpInvalidDest
            | Self::PktTooBig
            | Self::FragReasmTimeout
            | Self::FragTooFar
            | Self::TcpMinttl
            | Self::Ipv6BadExthdr
            | Self::Ipv6NdiscFrag
            | Self::Ipv6NdiscHopLimit
            | Self::Ipv6NdiscBadCode
            | Self::Ipv6NdiscBadOptions
            | Self::TcCookieError
            | Self::PacketSockError
            | Self::TcChainNotfound
            | Self::TcReclassifyLoop
            | Self::VxlanInvalidHdr
            | Self::VxlanVniNotFound
            | Self::MacInvalidSource
            | Self::VxlanEntryExists
            | Self::NoTxTarget
            | Self::IpTunnelEcn
            | Self::TunnelTxinfo
            | Self::LocalMac
            | Self::CanRxInvalidFrame
            | Self::CanfdRxInvalidFrame
            | Self::CanxlRxInvalidFrame
            | Self::Pfmemalloc
            | Self::PspInput
            | Self::PspOutput
            | Self::RecursionLimit
            | Self::RxRingFull
            | Self::Unrecognised => false,
        }
    }
}
