//! A parsed script: its settings, and its events in order, each with its line.

use crate::ecn::Ecn;
use crate::tcp::Flags;

use super::python::Statement;
use super::shell::Settings;

/// Microseconds, the unit of a script's times.
pub type Us = i64;

/// The latest time of a script: the simulator's clock covers five hours (`crate::time`).
pub const LATEST_US: Us = 18_000_000_000;

/// A parsed script.
#[derive(Debug)]
pub struct Script {
    /// How far the time of a packet or of the end of a call may differ, in microseconds (`--tolerance_usecs`).
    pub tolerance: Us,
    /// Settings by its shell commands before the first event.
    pub settings: Settings,
    /// The events in order.
    pub events: Vec<Event>,
}

/// An event of a script.
#[derive(Debug)]
pub struct Event {
    /// Line number, from 1.
    pub line: u32,
    /// The time of the event.
    pub when: When,
    /// The event itself.
    pub what: What,
}

/// The time of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Relative to the start of the script.
    At(Us),
    /// Relative to the previous event.
    After(Us),
    /// Between two times relative to the start.
    Between(Us, Us),
    /// Between two times relative to the previous event.
    BetweenAfter(Us, Us),
    /// At any time.
    Any,
}

/// The kind of an event.
#[derive(Debug)]
pub enum What {
    /// A program calls the kernel.
    Call(Call),
    /// A segment arrives, or has to be sent.
    Packet(Packet),
    /// Assertions that have to hold.
    Code(Vec<Statement>),
    /// A shell command that changes settings.
    Command(Settings),
}

/// A system call, with its expected result.
#[derive(Debug)]
pub struct Call {
    /// Its name.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<Value>,
    /// The expected result; `None`: any.
    pub result: Option<i64>,
    /// The expected error by its name, with a result of -1.
    pub errno: Option<String>,
    /// When a blocking call has to return, relative to the same base as the event's time.
    pub ends: Option<Us>,
}

/// An argument of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// `...`
    Dots,
    /// A number.
    Number(i64),
    /// A text in quotes.
    Text(String),
    /// The name of a kernel constant, or several joined by `|`.
    Name(String),
    /// `[a, b]` or `{a, b}`.
    List(Vec<Value>),
    /// `name=value` or `name(count)=value`.
    Field(String, Box<Value>),
}

/// A segment of a script. Its sequence numbers are relative to the initial ones.
#[derive(Debug, Clone)]
pub struct Packet {
    /// Whether the host under test has to send it.
    pub is_outbound: bool,
    /// What its IP header says of ECN.
    pub ecn: EcnField,
    /// Its TCP flags.
    pub flags: Flags,
    /// The first sequence number.
    pub seq: u64,
    /// Bytes of payload.
    pub len: u32,
    /// The acknowledgement number.
    pub ack: Option<u64>,
    /// The window field as in the header, not scaled.
    pub window: Option<u32>,
    /// The options; `None`: any (`<...>`).
    pub options: Option<Vec<TcpOption>>,
}

/// What a script says of ECN in the IP header of a segment (`enum ip_ecn_t` of packetdrill).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EcnField {
    /// Nothing: it is not compared, and a segment that arrives has none.
    Unchecked,
    /// `ect01`: that the transport knows ECN, in either way.
    AnyEct,
    /// These bits.
    Is(Ecn),
}

impl EcnField {
    /// The bits of a segment that arrives.
    pub fn on_arrival(self) -> Ecn {
        match self {
            Self::Unchecked => Ecn::NotEct,
            Self::AnyEct => Ecn::Ect0,
            Self::Is(ecn) => ecn,
        }
    }
}

/// A TCP option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TcpOption {
    /// Padding.
    Nop,
    /// The end of the list.
    End,
    /// Maximum segment size.
    Mss(u16),
    /// Window scale.
    Scale(u8),
    /// SACK permitted.
    SackPermitted,
    /// SACK blocks.
    Sack(Vec<(u64, u64)>),
    /// Timestamps: TSval and TSecr.
    Timestamps(u32, u32),
}
