//! What is to be known of a setting beside its type: its title, unit and purpose, what values it can
//! have, what holds where it is left out, and in which workloads it does something.

use super::workload::{Act, Amount, PerTask, Role, Route, Transport, Workload};

/// Bytes of a message where a scenario says nothing.
pub const USUAL_MESSAGE_BYTES: u32 = 8192;
/// A link's delay one way in µs where a scenario says nothing: a switch and some metres of cable.
pub const USUAL_LINK_DELAY_US: u32 = 10;
/// The machine at the other end where a scenario names none.
pub const USUAL_PEER: &str = "load-generator";

/// A setting as a learner meets it.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Its name in a scenario.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Unit of its number; empty: none.
    pub unit: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// What values it can have.
    pub allowed: Allowed,
    /// What holds where it is left out, if that is the same everywhere.
    pub default: Default,
    /// Where it does something.
    pub applies: Applies,
}

/// Words with what they are called.
pub type Words = &'static [(&'static str, &'static str)];

/// What values a setting can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowed {
    /// A whole number between these, both included.
    Range(u64, u64),
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Words(Words),
    /// One of these, or a CPU: an [`IrqAffinity`](super::choices::IrqAffinity).
    Cpus(Words),
    /// The name of a machine.
    Machine,
}

/// What holds without a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Default {
    /// What machine, kernel or workload say.
    Varies,
    /// A number.
    Number(u32),
    /// On or off.
    Flag(bool),
    /// A word.
    Word(&'static str),
}

/// The workloads in which a setting does something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applies {
    /// All.
    Always,
    /// Those between two hosts.
    Link,
    /// Those over TCP.
    Tcp,
    /// Those over TCP between two hosts.
    TcpLink,
    /// Those with messages of the scenario's size.
    Messages,
    /// Those in which clients send messages of the scenario's size.
    Offered,
    /// Those with tasks for each connection.
    Connections,
    /// Those with tasks for each thread.
    Threads,
}

impl Applies {
    /// Whether it does something only where there are NICs and a link.
    pub const fn needs_link(self) -> bool {
        matches!(self, Self::Link | Self::TcpLink)
    }

    /// Whether the setting does something in a workload.
    pub fn to(self, workload: &Workload) -> bool {
        let is_link = workload.route == Route::Link;
        let is_tcp = workload.transport == Transport::Tcp;
        match self {
            Self::Always => true,
            Self::Link => is_link,
            Self::Tcp => is_tcp,
            Self::TcpLink => is_tcp && is_link,
            Self::Messages => workload.roles.iter().any(|role| {
                let mut acts = role.once.iter().chain(&role.forever);
                acts.any(|act| amount(*act) == Some(Amount::Message))
            }),
            Self::Offered => workload.roles.iter().any(Role::offers),
            Self::Connections => workload.roles.iter().any(|role| {
                matches!(
                    role.per,
                    PerTask::Connection | PerTask::FurtherConnection | PerTask::Thread
                )
            }),
            Self::Threads => workload.roles.iter().any(|role| {
                matches!(
                    role.per,
                    PerTask::Thread | PerTask::HostThread | PerTask::IdlePort
                )
            }),
        }
    }
}

const fn amount(act: Act) -> Option<Amount> {
    match act {
        Act::Send { bytes }
        | Act::Receive { bytes, .. }
        | Act::Broadcast { bytes, .. }
        | Act::ReadFile { bytes } => Some(bytes),
        Act::Socket {}
        | Act::Bind {}
        | Act::Listen {}
        | Act::Connect {}
        | Act::Accept { .. }
        | Act::Close {}
        | Act::Yield {}
        | Act::Await {}
        | Act::Compute { .. }
        | Act::Sleep { .. }
        | Act::Pace { .. } => None,
    }
}

/// Makes the struct of a scenario's settings and the list of what is to be known of each from one table: for each
/// setting its meaning, name, type, and the fields of [`Setting`]. It may have no unit; where it says no default, that
/// varies.
macro_rules! settings {
    (@default) => { $crate::config::controls::Default::Varies };
    (@default $default:expr) => { $default };
    ($(
        $(#[$doc:meta])*
        $name:ident: $type:ty = {
            title: $title:literal,
            $(unit: $unit:literal,)?
            about: $about:literal,
            allowed: $allowed:expr,
            $(default: $default:expr,)?
            applies: $applies:expr,
        },
    )*) => {
        /// Changes to the machine, kernel and workload of a scenario; what is absent stays as
        /// the files have it.
        #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        #[serde(default, deny_unknown_fields)]
        pub struct Settings {
            $(
                $(#[$doc])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $name: Option<$type>,
            )*
        }

        /// Every setting; `cpus` and `nics` have the machine's limit besides.
        pub const SETTINGS: &[Setting] = &[
            $(Setting {
                name: stringify!($name),
                title: $title,
                unit: concat!("", $($unit)?),
                about: $about,
                allowed: $allowed,
                default: settings!(@default $($default)?),
                applies: $applies,
            },)*
        ];

        /// The setting of this name.
        pub fn setting(name: &str) -> Option<&'static Setting> {
            SETTINGS.iter().find(|setting| setting.name == name)
        }
    };
}
pub(super) use settings;
