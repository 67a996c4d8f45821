//! What is to be known of a setting beside its type: its unit, what values it can have, what holds where it is left
//! out, in which workloads and kernels it does something, and which part of the host it changes. Its words are
//! messages of the page (`setting_NAME`, `setting_NAME_about`), and so are those of its choices
//! (`setting_choice_WORD`).

use super::path::Path;
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
    /// Unit of its number; empty: none.
    pub unit: &'static str,
    /// What values it can have.
    pub allowed: Allowed,
    /// What holds where it is left out, if that is the same everywhere.
    pub default: Default,
    /// The workloads in which it does something.
    pub applies: Applies,
    /// The paths of a kernel without which it does nothing: a kernel that lacks one refuses the setting.
    pub needs: &'static [Path],
    /// The part of the host that it changes.
    pub place: Place,
}

/// Words that can be chosen.
pub type Words = &'static [&'static str];

/// A part of the host, or what is around it: the form has the settings of each together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The link, and the host at its other end.
    Link,
    /// The NICs, their interrupts and queues.
    Nic,
    /// The driver and what is above it, up to IP.
    Driver,
    /// The CPUs.
    Cpus,
    /// The sockets, with TCP.
    Sockets,
    /// The programs.
    Processes,
    /// What watches the host.
    Observer,
}

impl Place {
    /// As the page calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Nic => "nic",
            Self::Driver => "driver",
            Self::Cpus => "cpus",
            Self::Sockets => "sockets",
            Self::Processes => "processes",
            Self::Observer => "observer",
        }
    }
}

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
/// setting its meaning, name, type, and the fields of [`Setting`]. It may have no unit and need no path; where it says
/// no default, that varies.
macro_rules! settings {
    (@default) => { $crate::config::controls::Default::Varies };
    (@default $default:expr) => { $default };
    (@needs) => { &[] };
    (@needs $needs:expr) => { $needs };
    ($(
        $(#[$doc:meta])*
        $name:ident: $type:ty = {
            $(unit: $unit:literal,)?
            allowed: $allowed:expr,
            $(default: $default:expr,)?
            applies: $applies:expr,
            $(needs: $needs:expr,)?
            place: $place:expr,
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
                unit: concat!("", $($unit)?),
                allowed: $allowed,
                default: settings!(@default $($default)?),
                applies: $applies,
                needs: settings!(@needs $($needs)?),
                place: $place,
            },)*
        ];

        impl Settings {
            /// Those that are there.
            pub fn set(&self) -> impl Iterator<Item = &'static Setting> + use<> {
                let is_set = [$(self.$name.is_some()),*];
                SETTINGS.iter().zip(is_set).filter_map(|(setting, is_set)| is_set.then_some(setting))
            }
        }

        /// The setting of this name.
        pub fn setting(name: &str) -> Option<&'static Setting> {
            SETTINGS.iter().find(|setting| setting.name == name)
        }
    };
}
pub(super) use settings;
