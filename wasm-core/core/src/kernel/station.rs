//! The places a packet can be, on the way up and on the way down.
//!
//! Stations are rows of the stage. A queue is a station too: to be in one is to
//! wait there. Which probe puts a packet where is said by [`crate::kernel::Probe::station`].

vocabulary! {
    /// A place a packet can be.
    pub enum Station {
        /// On the link, before the NIC has it.
        Wire = "wire",
        /// In a receive descriptor of the NIC, waiting for a poll.
        RxRing = "rx ring",
        /// In the driver's poll or its interrupt handler.
        Driver = "driver",
        /// Before the XDP program of its NIC, still without an `sk_buff`.
        Xdp = "XDP",
        /// Held or being merged by generic receive offload.
        Gro = "GRO",
        /// In `__netif_receive_skb_core`: taps, VLAN, the choice of protocol.
        NetCore = "net core",
        /// In a CPU's `softnet_data.input_pkt_queue`.
        Backlog = "backlog",
        /// In the IP layer.
        Ip = "IP",
        /// A fragment waiting for the rest of its datagram.
        Reassembly = "reassembly",
        /// In TCP's receive processing.
        Tcp = "TCP",
        /// In UDP's receive processing.
        Udp = "UDP",
        /// In the transport layer, when the record does not say which (2005 kperf).
        Transport = "transport",
        /// In the socket's backlog while a process owns the socket.
        SocketBacklog = "socket backlog",
        /// In TCP's prequeue (kernels before 4.14).
        Prequeue = "prequeue",
        /// In TCP's out-of-order queue.
        OutOfOrder = "out-of-order queue",
        /// In the socket's receive queue.
        ReceiveQueue = "receive queue",
        /// Being copied to the process that reads.
        Process = "process",
        /// The process's system call that sends.
        SendCall = "send call",
        /// In the socket's write queue.
        WriteQueue = "write queue",
        /// In TCP's transmit processing.
        TcpSend = "TCP send",
        /// In UDP's transmit processing.
        UdpSend = "UDP send",
        /// In the transport layer on the way down, when the record does not say which.
        TransportSend = "transport send",
        /// In the IP layer on the way down.
        IpSend = "IP send",
        /// In a queueing discipline.
        Qdisc = "qdisc",
        /// In the driver's transmit function.
        DriverSend = "driver send",
        /// In a transmit descriptor of the NIC.
        TxRing = "tx ring",
        /// On the link, sent.
        WireSend = "wire out",
    }
}

/// Which way a packet travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// From the NIC to a process.
    Receive,
    /// From a process (or the stack itself, an ACK) to the NIC.
    Transmit,
}

impl Direction {
    /// `rx` or `tx`, as the kernel abbreviates them.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Receive => "rx",
            Self::Transmit => "tx",
        }
    }
}

impl Station {
    /// The way a packet here travels.
    pub const fn direction(self) -> Direction {
        match self {
            Self::Wire
            | Self::RxRing
            | Self::Driver
            | Self::Xdp
            | Self::Gro
            | Self::NetCore
            | Self::Backlog
            | Self::Ip
            | Self::Reassembly
            | Self::Tcp
            | Self::Udp
            | Self::Transport
            | Self::SocketBacklog
            | Self::Prequeue
            | Self::OutOfOrder
            | Self::ReceiveQueue
            | Self::Process => Direction::Receive,
            Self::SendCall
            | Self::WriteQueue
            | Self::TcpSend
            | Self::UdpSend
            | Self::TransportSend
            | Self::IpSend
            | Self::Qdisc
            | Self::DriverSend
            | Self::TxRing
            | Self::WireSend => Direction::Transmit,
        }
    }

    /// Whether a packet here waits in a queue rather than being worked on.
    pub const fn is_queue(self) -> bool {
        match self {
            Self::Wire
            | Self::RxRing
            | Self::Gro
            | Self::Backlog
            | Self::Reassembly
            | Self::SocketBacklog
            | Self::Prequeue
            | Self::OutOfOrder
            | Self::ReceiveQueue
            | Self::WriteQueue
            | Self::Qdisc
            | Self::TxRing
            | Self::WireSend => true,
            Self::Driver
            | Self::Xdp
            | Self::NetCore
            | Self::Ip
            | Self::Tcp
            | Self::Udp
            | Self::Transport
            | Self::Process
            | Self::SendCall
            | Self::TcpSend
            | Self::UdpSend
            | Self::TransportSend
            | Self::IpSend
            | Self::DriverSend => false,
        }
    }
}
