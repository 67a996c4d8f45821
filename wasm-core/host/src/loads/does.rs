//! The communication patterns of loads: their messages, the units of their rates, and the corresponding
//! workloads of the model.

/// A communication pattern; a message has the load's size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// One side writes messages continuously, the other reads at most a message at a time, over TCP.
    Stream,
    /// As `Stream`, but each read asks for 64 KiB.
    Gathered,
    /// As `Stream`, but each write has 64 KiB, and a read asks for a message.
    Scattered,
    /// One side writes messages continuously, the other reads, over TCP with `TCP_NODELAY`.
    Undelayed,
    /// A request of one message and a response of one message, over TCP with `TCP_NODELAY`.
    RequestResponse,
    /// As `RequestResponse`, but a request has 100 bytes.
    Fetched,
    /// As `RequestResponse`, but a response has one byte.
    Stored,
    /// As `RequestResponse`, but eight requests are sent before eight responses return.
    Pipelined,
    /// One side sends datagrams continuously, the other receives those that are not dropped.
    Datagrams,
    /// A request and a response of one datagram each.
    DatagramRequest,
    /// As `DatagramRequest`, but eight requests are sent before eight responses return.
    DatagramBurst,
    /// A connection is opened, then closed by the server, then by the client.
    Opened,
    /// As `Opened`, but before closing the client requests a message with 100 bytes and receives it.
    Visited,
}

/// The unit that the rate of a load counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rate {
    /// Bytes.
    Bytes,
    /// Round trips of request and response.
    Rounds,
    /// Received datagrams.
    Datagrams,
    /// Opened and closed connections.
    Connections,
}

/// Bytes of a call that is larger than any message.
const LARGE: usize = 65_536;
/// Bytes of a short request.
const SHORT: usize = 100;
/// Number of pipelined requests.
const IN_FLIGHT: usize = 8;

impl Does {
    /// The unit of its rate.
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

    /// Whether its messages are datagrams.
    pub const fn is_of_datagrams(self) -> bool {
        matches!(
            self,
            Self::Datagrams | Self::DatagramRequest | Self::DatagramBurst
        )
    }

    /// The model's workload for the pattern, with both ends on one CPU.
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

    /// Number of requests sent before the first response.
    pub const fn at_once(self) -> usize {
        match self {
            Self::Pipelined | Self::DatagramBurst => IN_FLIGHT,
            _ => 1,
        }
    }

    /// Bytes of a call of the first side, and of one of the second: the most that it reads, or the response.
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
