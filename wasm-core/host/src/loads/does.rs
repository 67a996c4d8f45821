//! What loads do: their messages, in what their rates are told, and which workload of the model does the same.

/// What a load does; a message has the load's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// One side writes messages without end, the other reads up to as much of whatever there is, over TCP.
    Stream,
    /// The same, where each read asks for 64 KiB.
    Gathered,
    /// The same, where each write has 64 KiB, and a read asks for a message.
    Scattered,
    /// One side writes messages without end, the other reads, over TCP with `TCP_NODELAY`.
    Undelayed,
    /// A message goes and one comes back, over TCP with `TCP_NODELAY`.
    RequestResponse,
    /// The same, where 100 bytes go for a message.
    Fetched,
    /// The same, where a byte comes back for a message.
    Stored,
    /// The same, where eight messages go before eight come back.
    Pipelined,
    /// One side sends datagrams without end, the other receives those that are not dropped.
    Datagrams,
    /// A datagram goes and one comes back.
    DatagramRequest,
    /// Eight datagrams go before eight come back.
    DatagramBurst,
    /// A connection is opened, and closed by its server, then by its client.
    Opened,
    /// The same, where the client asks for a message with 100 bytes and gets it before.
    Visited,
}

/// In what the rate of a load is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rate {
    /// Bytes.
    Bytes,
    /// Rounds of request and response.
    Rounds,
    /// Datagrams that were received.
    Datagrams,
    /// Connections that were opened and closed.
    Connections,
}

/// Bytes of a call that is to be larger than messages.
const LARGE: usize = 65_536;
/// Bytes that ask for a message.
const SHORT: usize = 100;
/// Messages that go before the first comes back, in a pipeline.
const IN_FLIGHT: usize = 8;

impl Does {
    /// In what its rate is told.
    pub const fn rate(self) -> Rate {
        match self {
            Self::Stream | Self::Gathered | Self::Scattered | Self::Undelayed => Rate::Bytes,
            Self::RequestResponse
            | Self::Fetched
            | Self::Stored
            | Self::Pipelined
            | Self::DatagramRequest
            | Self::DatagramBurst => Rate::Rounds,
            Self::Datagrams => Rate::Datagrams,
            Self::Opened | Self::Visited => Rate::Connections,
        }
    }

    /// The model's workload of it, whose ends are on one CPU.
    pub const fn workload(self) -> &'static str {
        match self {
            Self::Stream => "host-stream",
            Self::Gathered => "host-gathered",
            Self::Scattered => "host-scattered",
            Self::Undelayed => "host-undelayed",
            Self::RequestResponse => "host-request",
            Self::Fetched => "host-fetched",
            Self::Stored => "host-stored",
            Self::Pipelined => "host-pipelined",
            Self::Datagrams => "host-datagrams",
            Self::DatagramRequest => "host-datagram-request",
            Self::DatagramBurst => "host-datagram-burst",
            Self::Opened => "host-opened",
            Self::Visited => "host-visited",
        }
    }

    /// Messages that go before the first comes back.
    pub const fn at_once(self) -> usize {
        match self {
            Self::Pipelined | Self::DatagramBurst => IN_FLIGHT,
            _ => 1,
        }
    }

    /// Bytes of a call of the first side, and of one of the second: what that reads at most, or sends back.
    pub const fn calls(self, message: usize) -> (usize, usize) {
        match self {
            Self::Gathered => (message, LARGE),
            Self::Scattered => (LARGE, message),
            Self::Fetched | Self::Visited => (SHORT, message),
            Self::Stored => (message, 1),
            Self::Stream
            | Self::Undelayed
            | Self::RequestResponse
            | Self::Pipelined
            | Self::Datagrams
            | Self::DatagramRequest
            | Self::DatagramBurst => (message, message),
            Self::Opened => (0, 0),
        }
    }
}
