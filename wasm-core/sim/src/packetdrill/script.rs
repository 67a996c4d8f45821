//! A script as it was read: its settings, and its events in order, each with the line it stands in.

use crate::tcp::Flags;

use super::python::Statement;
use super::shell::Settings;

/// Microseconds, the unit of a script's times.
pub type Us = i64;

/// The latest time of a script: the simulator's clock goes on for five hours (`crate::time`).
pub const LATEST_US: Us = 18_000_000_000;

/// A whole script.
#[derive(Debug)]
pub struct Script {
    /// How far a packet or the end of a call may be from its time (`--tolerance_usecs`).
    pub tolerance: Us,
    /// What its shell commands set before the first event.
    pub settings: Settings,
    /// The events in order.
    pub events: Vec<Event>,
}

/// One event.
#[derive(Debug)]
pub struct Event {
    /// Where it stands, from 1.
    pub line: u32,
    /// When it is to happen.
    pub when: When,
    /// What is to happen.
    pub what: What,
}

/// The time of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// From the start of the script.
    At(Us),
    /// From the time of the event before.
    After(Us),
    /// Between two times from the start.
    Between(Us, Us),
    /// Between two times from the event before.
    BetweenAfter(Us, Us),
    /// Whenever.
    Any,
}

/// What happens.
#[derive(Debug)]
pub enum What {
    /// A program calls the kernel.
    Call(Call),
    /// A segment goes in or has to come out.
    Packet(Packet),
    /// What has to hold.
    Code(Vec<Statement>),
    /// A shell command that changes settings.
    Command(Settings),
}

/// A system call with the result that it has to have.
#[derive(Debug)]
pub struct Call {
    /// Its name.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<Value>,
    /// What it returns; `None`: anything.
    pub result: Option<i64>,
    /// The error it returns, by its name, with a result of -1.
    pub errno: Option<String>,
    /// When it returns, from the base of the event's time: only for calls that block.
    pub ends: Option<Us>,
}

/// An argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// `...`
    Dots,
    /// A number.
    Number(i64),
    /// A text in quotes.
    Text(String),
    /// A name of the kernel's, or several joined by `|`.
    Name(String),
    /// `[a, b]` or `{a, b}`.
    List(Vec<Value>),
    /// `name=value` or `name(count)=value`.
    Field(String, Box<Value>),
}

/// A segment as the script has it. Its sequence numbers count from the initial ones.
#[derive(Debug, Clone)]
pub struct Packet {
    /// Whether the kernel under test has to send it.
    pub is_outbound: bool,
    /// Its control bits.
    pub flags: Flags,
    /// The first sequence number.
    pub seq: u64,
    /// Bytes of payload.
    pub len: u32,
    /// The acknowledgement number.
    pub ack: Option<u64>,
    /// The window field as it is in the header, not scaled.
    pub window: Option<u32>,
    /// The options; `None`: `<...>`, whatever they are.
    pub options: Option<Vec<TcpOption>>,
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
