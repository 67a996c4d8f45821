//! Sayings: what the core has to say about a run, as a code and typed values.
//!
//! The core never puts English together. It hands out a code; the message of a code
//! stands in `web/words/messages/en.json` under `say_` and the code with its dots as
//! underscores, and has exactly the code's parameters (`tests/sayings.rs` holds that).
//! The page says it in `web/words/say.ts`, the command line in [`crate::english`].
//!
//! A value is put into a message bare, so the message brings the noun: "CPU {cpu}",
//! "packet {packet}", "{count} frames". Only an amount brings its unit ("4.43 ms").

use crate::kernel::{CpuId, DropReason, PacketId, Pid, Probe, Station};

/// Something to be said, in no language.
#[derive(Debug, Clone, PartialEq)]
pub struct Saying {
    /// What: words with dots between them, `finding.drops`.
    pub code: &'static str,
    /// The values of its message by name, in the order in which the code declares them.
    pub values: Vec<(&'static str, Value)>,
    /// Whether it is inferred from what was recorded and was not itself recorded.
    pub is_inferred: bool,
}

impl Saying {
    /// The same, as something that is inferred.
    #[must_use]
    pub fn inferred(mut self) -> Self {
        self.is_inferred = true;
        self
    }
}

/// A value in a saying.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A length of time in nanoseconds.
    Nanos(of::Nanos),
    /// How many of something.
    Count(of::Count),
    /// A number that need not be whole, to three digits: frames for each interrupt.
    Number(of::Number),
    /// An amount of data in bytes.
    Bytes(of::Bytes),
    /// A part of a whole, from 0 to 1.
    Share(of::Share),
    /// A CPU by its number.
    Cpu(of::Cpu),
    /// A packet by its short name.
    Packet(of::Packet),
    /// A queue of the run, by its place in the replay's list: its kind and whose it is.
    Queue(of::Queue),
    /// A station by the glossary's name.
    Station(of::Station),
    /// A drop reason by the kernel's name.
    DropReason(of::DropReason),
    /// A probe by the kernel's name.
    Probe(of::Probe),
    /// A task by its command and number.
    Task(of::Task),
    /// A flow, by its place in the list of flows.
    Flow(of::Flow),
    /// A name from the trace itself: a device, a command, a lock.
    Name(of::Name),
    /// Why a line of an input cannot be read, by the ledger's text.
    Unread(of::Unread),
    /// Another saying, whose sentence is a part of this one's.
    Said(of::Said),
}

impl Value {
    /// What kind of value it is, as the page names it.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Nanos(_) => "nanos",
            Self::Count(_) => "count",
            Self::Number(_) => "number",
            Self::Bytes(_) => "bytes",
            Self::Share(_) => "share",
            Self::Cpu(_) => "cpu",
            Self::Packet(_) => "packet",
            Self::Queue(_) => "queue",
            Self::Station(_) => "station",
            Self::DropReason(_) => "dropReason",
            Self::Probe(_) => "probe",
            Self::Task(_) => "task",
            Self::Flow(_) => "flow",
            Self::Name(_) => "name",
            Self::Unread(_) => "unread",
            Self::Said(_) => "said",
        }
    }

    /// The value as a number, words by their place in the glossary; none for a text.
    pub fn number(&self) -> Option<f64> {
        match *self {
            Self::Nanos(whole) | Self::Count(whole) | Self::Bytes(whole) => Some(whole as f64),
            Self::Number(number) | Self::Share(number) => Some(number),
            Self::Cpu(cpu) => Some(f64::from(cpu.0)),
            Self::Packet(packet) => Some(f64::from(packet.0)),
            Self::Queue(index) | Self::Flow(index) => Some(f64::from(index)),
            Self::Station(station) => Some(f64::from(station as u8)),
            Self::DropReason(reason) => Some(f64::from(reason as u8)),
            Self::Probe(probe) => Some(f64::from(probe as u8)),
            Self::Task(pid) => Some(f64::from(pid.0)),
            Self::Name(_) | Self::Unread(_) | Self::Said(_) => None,
        }
    }
}

/// The type of a value of each kind, so that [`sayings!`] can name it by the kind.
pub mod of {
    /// Nanoseconds.
    pub type Nanos = u64;
    /// A whole number.
    pub type Count = u64;
    /// Any number.
    pub type Number = f64;
    /// Bytes.
    pub type Bytes = u64;
    /// From 0 to 1.
    pub type Share = f64;
    /// A CPU.
    pub type Cpu = super::CpuId;
    /// A packet.
    pub type Packet = super::PacketId;
    /// Place in `Replay::queues`.
    pub type Queue = u32;
    /// A station.
    pub type Station = super::Station;
    /// A drop reason.
    pub type DropReason = super::DropReason;
    /// A probe.
    pub type Probe = super::Probe;
    /// A task.
    pub type Task = super::Pid;
    /// Place in `Journeys::flows`.
    pub type Flow = u32;
    /// A text of the trace.
    pub type Name = String;
    /// A text of the ledger.
    pub type Unread = &'static str;
    /// A saying.
    pub type Said = super::Saying;
}

/// A code with the names of its values.
pub type Code = (&'static str, &'static [&'static str]);

/// Declares what a part of the core can say: a function for each code, which takes its values
/// by name and type, and `CODES`, the list of them.
///
/// ```text
/// sayings! {
///     longest_wait = "finding.longest_wait"(wait: Nanos, station: Station);
/// }
/// let saying = longest_wait(4_430_000, Station::RxRing);
/// ```
#[macro_export]
macro_rules! sayings {
    ($($(#[$meta:meta])* $name:ident = $code:literal($($value:ident: $Kind:ident),* $(,)?);)+) => {
        /// What can be said here: each code with the names of its values.
        pub const CODES: &[$crate::saying::Code] = &[$(($code, &[$(stringify!($value)),*])),+];

        $(
            $(#[$meta])*
            #[doc = concat!("Says `", $code, "`.")]
            pub fn $name($($value: $crate::saying::of::$Kind),*) -> $crate::saying::Saying {
                $crate::saying::Saying {
                    code: $code,
                    values: vec![$((stringify!($value), $crate::saying::Value::$Kind($value))),*],
                    is_inferred: false,
                }
            }
        )+
    };
}
