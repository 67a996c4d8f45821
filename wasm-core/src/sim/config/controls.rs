//! What a control on the page says about a setting: its title, unit and purpose, what
//! holds where it is left out, and in which workloads it does something. What values it
//! can have is in `settings`.

use super::workload::{Act, Amount, PerTask, Route, Transport, Workload};

/// A setting as a learner meets it.
#[derive(Debug, Clone, Copy)]
pub struct Control {
    /// Its name in a scenario.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Unit of its number; empty: none.
    pub unit: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// What holds where it is left out, if that is the same everywhere.
    pub default: Default,
    /// Where it does something.
    pub applies: Applies,
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
    /// Those with tasks for each connection.
    Connections,
    /// Those with tasks for each thread.
    Threads,
}

impl Applies {
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
        | Act::Compute { .. }
        | Act::Sleep { .. } => None,
    }
}

/// What a word that can be chosen is called.
pub fn title_of(setting: &str, word: &str) -> Option<&'static str> {
    let titles: &[(&str, &str)] = match setting {
        "copy" => &[("movsd", "rep movsd"), ("integer", "integer registers")],
        "checksum" => &[
            ("nic", "by the NIC"),
            ("softirq", "in the softirq"),
            ("with_copy", "with the copy"),
        ],
        "irq_affinity" => &[
            ("spread", "each NIC’s own CPU"),
            ("fixed", "where the machine sends them"),
        ],
        "watch" => &[("receiver", "the receiver"), ("sender", "the sender")],
        "xdp" => &[
            ("drop", "drops frames"),
            ("pass", "passes them on"),
            ("tx", "sends them back"),
            ("redirect", "sends them out of the next NIC"),
        ],
        _ => &[],
    };
    let title = titles.iter().find(|(name, _)| *name == word);
    title.map(|(_, title)| *title)
}

/// The control of a setting.
pub fn control(name: &str) -> Option<&'static Control> {
    CONTROLS.iter().find(|control| control.name == name)
}

/// The control of every setting, in the order of [`SETTINGS`](super::settings::SETTINGS).
pub const CONTROLS: &[Control] = &[
    Control {
        name: "cpus",
        title: "CPUs",
        unit: "",
        about: "Processors in use, the first ones.",
        default: Default::Varies,
        applies: Applies::Always,
    },
    Control {
        name: "hyper_threading",
        title: "Hyper-threading",
        unit: "",
        about: "Whether each processor shows its threads as CPUs.",
        default: Default::Flag(false),
        applies: Applies::Always,
    },
    Control {
        name: "connections",
        title: "Connections",
        unit: "",
        about: "All at the same time.",
        default: Default::Number(1),
        applies: Applies::Connections,
    },
    Control {
        name: "message_bytes",
        title: "Message",
        unit: "bytes",
        about: "What one call sends or asks for.",
        default: Default::Number(8192),
        applies: Applies::Messages,
    },
    Control {
        name: "send_buffer_bytes",
        title: "Send buffer",
        unit: "bytes",
        about: "SO_SNDBUF: how much a sender may have on the way.",
        default: Default::Varies,
        applies: Applies::Tcp,
    },
    Control {
        name: "receive_buffer_bytes",
        title: "Receive buffer",
        unit: "bytes",
        about: "SO_RCVBUF: how much may wait for the reader.",
        default: Default::Varies,
        applies: Applies::Always,
    },
    Control {
        name: "mtu_bytes",
        title: "MTU",
        unit: "bytes",
        about: "Largest IP packet of the device.",
        default: Default::Varies,
        applies: Applies::Always,
    },
    Control {
        name: "irq_affinity",
        title: "Interrupts go to",
        unit: "",
        about: "Which CPU takes the NICs’ interrupts.",
        default: Default::Varies,
        applies: Applies::Link,
    },
    Control {
        name: "process_affinity",
        title: "Bound processes",
        unit: "",
        about: "Each task stays on one CPU, in turn.",
        default: Default::Flag(false),
        applies: Applies::Always,
    },
    Control {
        name: "rx_ring",
        title: "Receive ring",
        unit: "descriptors",
        about: "Frames that a NIC’s queue can hold for the driver.",
        default: Default::Varies,
        applies: Applies::Link,
    },
    Control {
        name: "interrupt_delay_us",
        title: "Interrupt delay",
        unit: "µs",
        about: "How long a NIC waits for more frames before it interrupts.",
        default: Default::Varies,
        applies: Applies::Link,
    },
    Control {
        name: "interrupt_frames",
        title: "Interrupt after",
        unit: "frames",
        about: "So many frames end that wait; 0: only time does.",
        default: Default::Varies,
        applies: Applies::Link,
    },
    Control {
        name: "copy",
        title: "Copy routine",
        unit: "",
        about: "How bytes get from packet to process and back.",
        default: Default::Varies,
        applies: Applies::Always,
    },
    Control {
        name: "checksum",
        title: "Checksum",
        unit: "",
        about: "Where it is computed.",
        default: Default::Varies,
        applies: Applies::Link,
    },
    Control {
        name: "gro",
        title: "GRO",
        unit: "",
        about: "Segments of a stream are merged before TCP sees them.",
        default: Default::Varies,
        applies: Applies::TcpLink,
    },
    Control {
        name: "rps",
        title: "RPS",
        unit: "",
        about: "The kernel spreads packets over CPUs by their flow.",
        default: Default::Flag(false),
        applies: Applies::Link,
    },
    Control {
        name: "background_hogs",
        title: "Background hogs",
        unit: "tasks",
        about: "Tasks that only compute, for ever.",
        default: Default::Number(0),
        applies: Applies::Always,
    },
    Control {
        name: "probes",
        title: "Probes",
        unit: "",
        about: "The thirteen of the 2005 toolkit are in place and take their time.",
        default: Default::Flag(false),
        applies: Applies::Always,
    },
    Control {
        name: "probe_cost_ns",
        title: "Cost of a probe",
        unit: "ns",
        about: "Time that each takes.",
        default: Default::Varies,
        applies: Applies::Always,
    },
    Control {
        name: "link_delay_us",
        title: "Delay",
        unit: "µs",
        about: "From one end of the link to the other.",
        default: Default::Number(10),
        applies: Applies::Link,
    },
    Control {
        name: "link_loss_permille",
        title: "Loss",
        unit: "‰",
        about: "Frames that the link loses.",
        default: Default::Number(0),
        applies: Applies::Link,
    },
    Control {
        name: "link_reorder_permille",
        title: "Reordering",
        unit: "‰",
        about: "Frames that the next one overtakes.",
        default: Default::Number(0),
        applies: Applies::Link,
    },
    Control {
        name: "clients",
        title: "Clients",
        unit: "",
        about: "Of a server: its connections, where these are not set.",
        default: Default::Varies,
        applies: Applies::Connections,
    },
    Control {
        name: "threads",
        title: "Threads",
        unit: "",
        about: "Of a process, which share a socket.",
        default: Default::Number(1),
        applies: Applies::Threads,
    },
    Control {
        name: "nics",
        title: "NICs",
        unit: "",
        about: "Network cards in use, the first ones.",
        default: Default::Varies,
        applies: Applies::Link,
    },
    Control {
        name: "peer",
        title: "Other host",
        unit: "",
        about: "The machine at the far end of the link.",
        default: Default::Word("load-generator"),
        applies: Applies::Link,
    },
    Control {
        name: "watch",
        title: "Watch",
        unit: "",
        about: "Whose events the run has.",
        default: Default::Word("receiver"),
        applies: Applies::Link,
    },
    Control {
        name: "xdp",
        title: "XDP program",
        unit: "",
        about: "What the NIC’s XDP program says of a frame, before there is a packet.",
        default: Default::Varies,
        applies: Applies::Link,
    },
    Control {
        name: "xdp_port",
        title: "XDP: only to port",
        unit: "",
        about: "The program passes frames to other ports.",
        default: Default::Varies,
        applies: Applies::Link,
    },
    Control {
        name: "xdp_permille",
        title: "XDP: only so many",
        unit: "‰",
        about: "Of the frames that it is meant for, by chance; it passes the others.",
        default: Default::Number(1000),
        applies: Applies::Link,
    },
];

#[cfg(test)]
mod tests {
    use super::CONTROLS;
    use crate::sim::config::settings::SETTINGS;

    #[test]
    fn every_setting_has_a_control_and_every_control_a_setting() {
        let settings: Vec<&str> = SETTINGS.iter().map(|(name, _)| *name).collect();
        let controls: Vec<&str> = CONTROLS.iter().map(|control| control.name).collect();
        assert_eq!(settings, controls);
    }
}
