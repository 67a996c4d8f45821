//! The fields that an event may carry beside its leading columns.
//!
//! Spellings are the tracepoints' own where they have one; they are also the keys
//! of the kperf 2 text format. A value is always 32 bits wide; [`FieldKind`] says
//! how to read it.

/// The value of [`Field::Vec`] that receives packets: `NET_RX_SOFTIRQ`,
/// `include/linux/interrupt.h` (v6.1).
pub const NET_RX: u32 = 3;

/// The protocol of a multipath TCP socket (`IPPROTO_MPTCP`, `include/uapi/linux/in.h`), whose subflows are sockets of TCP's.
pub const MPTCP: u32 = 262;

vocabulary! {
    /// A named value of an event.
    pub enum Field {
        // names
        Dev = "dev",
        Func = "func",
        Name = "name",
        Comm = "comm",
        PrevComm = "prev_comm",
        NextComm = "next_comm",
        PrevState = "prev_state",
        Location = "location",
        Oldstate = "oldstate",
        Newstate = "newstate",
        Object = "object",
        Lock = "lock",
        // addresses
        Napi = "napi",
        Into = "into",
        Q = "q",
        Cookie = "cookie",
        // numbers of the CPU and the scheduler
        Irq = "irq",
        Vec = "vec",
        Vector = "vector",
        Work = "work",
        Budget = "budget",
        TargetCpu = "target_cpu",
        OrigCpu = "orig_cpu",
        DestCpu = "dest_cpu",
        PrevPid = "prev_pid",
        PrevPrio = "prev_prio",
        NextPid = "next_pid",
        NextPrio = "next_prio",
        Prio = "prio",
        ChildPid = "child_pid",
        TargetPid = "target_pid",
        // the packet's headers
        Queue = "queue",
        Protocol = "protocol",
        Hash = "hash",
        IpId = "ip_id",
        FragOff = "frag_off",
        Proto = "proto",
        Saddr = "saddr",
        Daddr = "daddr",
        Sport = "sport",
        Dport = "dport",
        SeqNo = "seq_no",
        AckNo = "ack_no",
        TcpFlags = "tcp_flags",
        // the payload's marker (kperf)
        Thread = "thread",
        Packet = "packet",
        Frames = "frames",
        // sizes and segments
        Payload = "payload",
        GsoSize = "gso_size",
        GsoSegs = "gso_segs",
        Mss = "mss",
        Off = "off",
        End = "end",
        Size = "size",
        Count = "count",
        Copied = "copied",
        Clone = "clone",
        Packets = "packets",
        // the socket
        Num = "num",
        Rmem = "rmem",
        Rcvbuf = "rcvbuf",
        Rqlen = "rqlen",
        Backlog = "backlog",
        Owned = "owned",
        Wqueued = "wqueued",
        Fd = "fd",
        SndNxt = "snd_nxt",
        SndUna = "snd_una",
        SndCwnd = "snd_cwnd",
        Ssthresh = "ssthresh",
        SndWnd = "snd_wnd",
        Srtt = "srtt",
        RcvWnd = "rcv_wnd",
        // results
        Ret = "ret",
        Rc = "rc",
        Error = "error",
        Reason = "reason",
        // queues, locks, caches and probes of a model
        Depth = "depth",
        Limit = "limit",
        Lines = "lines",
        FromCpu = "from_cpu",
        Waited = "waited",
        Cycles = "cycles",
        Slice = "slice",
        Cost = "cost",
        Deadline = "deadline",
        Lag = "lag",
        // a field's place is in every fingerprint, so new ones come last
        Saddrv6 = "saddrv6",
        Daddrv6 = "daddrv6",
        Flags = "flags",
        CountHigh = "count_high",
        Data = "data",
        ProgId = "prog_id",
        Action = "action",
        FromIfindex = "from_ifindex",
        ToIfindex = "to_ifindex",
        MapId = "map_id",
        MapIndex = "map_index",
        Sent = "sent",
        Drops = "drops",
        Window = "window",
        WindowScale = "window_scale",
        SackFrom = "sack_from",
        SackTo = "sack_to",
        IpHeader = "ip_header",
        Family = "sk_family",
        // `enum sk_rst_reason` (`include/net/rstreason.h`, since v6.10); no packet need be dropped for it
        ResetReason = "reset_reason",
        IcmpType = "icmp_type",
        IcmpCode = "icmp_code",
        // the two bits of ECN in an IP header (RFC 3168, section 5)
        Ecn = "ecn",
        Vruntime = "vruntime",
    }
}

/// How the 32 bits of a field's value are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// An unsigned number; larger ones are clipped to `u32::MAX`.
    Number,
    /// A two's complement number.
    Signed,
    /// An unsigned number that is written in hexadecimal.
    Hex,
    /// A [`super::NameId`].
    Name,
    /// A [`super::AddrId`].
    Addr,
    /// An IPv4 address, the first octet in the highest byte.
    Ipv4,
    /// A [`super::DropReason`] by index.
    Reason,
}

impl Field {
    /// How this field's value is read.
    #[allow(clippy::too_many_lines, reason = "a table: one line for every field")]
    pub const fn kind(self) -> FieldKind {
        match self {
            Self::Dev
            | Self::Func
            | Self::Name
            | Self::Comm
            | Self::PrevComm
            | Self::NextComm
            | Self::PrevState
            | Self::Location
            | Self::Oldstate
            | Self::Newstate
            | Self::Object
            | Self::Lock
            | Self::Saddrv6
            | Self::Daddrv6
            | Self::Action
            | Self::ResetReason => FieldKind::Name,
            Self::Napi | Self::Into | Self::Q | Self::Cookie | Self::Data => FieldKind::Addr,
            Self::Irq
            | Self::Vec
            | Self::Vector
            | Self::Work
            | Self::Budget
            | Self::TargetCpu
            | Self::OrigCpu
            | Self::DestCpu
            | Self::PrevPid
            | Self::PrevPrio
            | Self::NextPid
            | Self::NextPrio
            | Self::Prio
            | Self::ChildPid
            | Self::TargetPid
            | Self::Queue
            | Self::Proto
            | Self::Sport
            | Self::Dport
            | Self::SeqNo
            | Self::AckNo
            | Self::Thread
            | Self::Packet
            | Self::Frames
            | Self::Payload
            | Self::GsoSize
            | Self::GsoSegs
            | Self::Mss
            | Self::Off
            | Self::End
            | Self::Size
            | Self::Count
            | Self::CountHigh
            | Self::Clone
            | Self::Packets
            | Self::Num
            | Self::Rmem
            | Self::Rcvbuf
            | Self::Rqlen
            | Self::Backlog
            | Self::Owned
            | Self::Wqueued
            | Self::Fd
            | Self::SndNxt
            | Self::SndUna
            | Self::SndCwnd
            | Self::Ssthresh
            | Self::SndWnd
            | Self::Srtt
            | Self::RcvWnd
            | Self::Depth
            | Self::Limit
            | Self::Lines
            | Self::FromCpu
            | Self::Waited
            | Self::Cycles
            | Self::Slice
            | Self::Cost
            | Self::ProgId
            | Self::FromIfindex
            | Self::ToIfindex
            | Self::MapId
            | Self::MapIndex
            | Self::Sent
            | Self::Drops
            | Self::Window
            | Self::WindowScale
            | Self::SackFrom
            | Self::SackTo
            | Self::IpHeader
            | Self::Family
            | Self::IcmpType
            | Self::IcmpCode
            | Self::Ecn => FieldKind::Number,
            Self::Protocol
            | Self::Hash
            | Self::IpId
            | Self::FragOff
            | Self::TcpFlags
            | Self::Flags => FieldKind::Hex,
            Self::Saddr | Self::Daddr => FieldKind::Ipv4,
            Self::Copied
            | Self::Ret
            | Self::Rc
            | Self::Error
            | Self::Deadline
            | Self::Lag
            | Self::Vruntime => FieldKind::Signed,
            Self::Reason => FieldKind::Reason,
        }
    }
}
