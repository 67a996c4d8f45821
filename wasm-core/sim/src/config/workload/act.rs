//! What a task of a workload does: system calls and time in user mode, with the number of bytes that each moves.

use serde::{Deserialize, Deserializer, de};

/// A thing that a task does: a system call or time in user mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Act {
    /// `socket(2)`.
    Socket {},
    /// `bind(2)`.
    Bind {},
    /// `listen(2)`.
    Listen {},
    /// `connect(2)`, until the connection is established.
    Connect {},
    /// `accept(2)`, until there is a connection.
    Accept {
        /// Whether it waits; if not and there is none, the script goes on at its next
        /// `yield`, or starts over.
        #[serde(default = "yes")]
        wait: bool,
    },
    /// `sched_yield(2)`.
    Yield {},
    /// `close(2)`.
    Close {},
    /// `send(2)`, until the buffer has taken all.
    Send {
        /// How much.
        bytes: Amount,
    },
    /// `recv(2)`.
    Receive {
        /// At most so much.
        bytes: Amount,
        /// `MSG_WAITALL`: return only with all of it.
        #[serde(default)]
        wait_all: bool,
    },
    /// Work in user mode.
    Compute {
        /// Base cycles, as those of a kernel's steps.
        cycles: u64,
        /// Whether that is for each CPU of the host, as where something is done about all of them.
        #[serde(default)]
        each_cpu: bool,
    },
    /// `nanosleep(2)`.
    Sleep {
        /// Microseconds.
        us: u64,
        /// Whether it is any time up to that, by the scenario's seed: the first wait of something
        /// that began long before the run.
        #[serde(default)]
        up_to: bool,
    },
    /// Sleep until the next of the role's times for this connection, one each round; after the last
    /// for good.
    Await {},
    /// Waits in `nanosleep(2)` for the next of so many moments a second, which begin when the task does;
    /// where that has passed it goes on at once, so that it makes up for what was late.
    Pace {
        /// Moments a second.
        per_s: u32,
    },
    /// One `send(2)` on each connection of the host, or of the task's room.
    Broadcast {
        /// How much on each.
        bytes: Amount,
        /// Connections of a room; 0: all are in one.
        #[serde(default)]
        room: u32,
    },
    /// `read(2)` of a file in the page cache.
    ReadFile {
        /// How much.
        bytes: Amount,
    },
}

fn yes() -> bool {
    true
}

/// A number of bytes, or the scenario's `message_bytes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(untagged))]
pub enum Amount {
    /// So many.
    Bytes(u32),
    /// What the scenario says: `"message"`.
    #[cfg_attr(test, schemars(with = "String"))]
    Message,
}

impl Amount {
    /// In bytes, in a run with messages of `message_bytes`.
    pub const fn bytes(self, message_bytes: u32) -> u32 {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Message => message_bytes,
        }
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Amount;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("a number of bytes or \"message\"")
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Amount, E> {
                u32::try_from(value)
                    .map(Amount::Bytes)
                    .map_err(|_| E::invalid_value(de::Unexpected::Unsigned(value), &self))
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<Amount, E> {
                if value == "message" {
                    Ok(Amount::Message)
                } else {
                    Err(E::invalid_value(de::Unexpected::Str(value), &self))
                }
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}
