//! What can be done to a run by hand, once and at a given time: faults and changes of the machine; with a
//! title, a purpose and bounds for each, for the page's form and for the check of a text.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::refusal::{Permitted, ScenarioError};
use super::scenario::{check_range, check_word, not_permitted};

/// Something that is done to a run once: `{"at_us": 1500, "do": "drop_frame"}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fault {
    /// When, in microseconds from the start.
    pub at_us: u64,
    /// So many nanoseconds later: which one of several frames in a microsecond is meant.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub at_ns: u16,
    /// What.
    #[serde(flatten)]
    pub kind: FaultKind,
    /// Of frames: the next one that the watched host sends, not the next one that it receives.
    #[serde(default, skip_serializing_if = "is_false")]
    pub sent: bool,
}

/// What a [`Fault`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum FaultKind {
    /// The next frame of the watched host is lost on the link.
    DropFrame {},
    /// It arrives twice.
    DuplicateFrame {},
    /// It arrives later.
    DelayFrame {
        /// By so many microseconds.
        us: u32,
    },
    /// It arrives behind others that follow it.
    ReorderFrame {
        /// Behind so many.
        behind: u32,
    },
    /// Its payload is not what was sent, as a router's bad memory makes it: its checksum is wrong.
    DamageFrame {},
    /// A CPU of the watched host does nothing else.
    StealCpu {
        /// Which.
        cpu: u16,
        /// For so many microseconds.
        us: u32,
    },
    /// The receive rings of the watched host have so many descriptors from now on.
    #[serde(alias = "shrink_ring")]
    SetRing {
        /// How many.
        descriptors: u32,
    },
    /// The interrupts of the watched host's NICs go to one CPU from now on.
    PinInterrupts {
        /// Which.
        cpu: u16,
    },
    /// The interrupt of one receive queue of the watched host goes to one CPU from now on.
    PinQueue {
        /// Which, counted over all NICs.
        queue: u16,
        /// The CPU that takes it, counted within the host.
        cpu: u16,
    },
    /// A process of the watched host is stopped (`SIGSTOP`) and goes on later (`SIGCONT`).
    StopTask {
        /// Which.
        pid: u32,
        /// For so many microseconds.
        us: u32,
    },
}

/// A kind of fault as a learner meets it.
#[derive(Debug, Clone, Copy)]
pub struct FaultControl {
    /// Its word in a scenario.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// What else it needs to be told.
    pub arguments: &'static [Argument],
    /// Whether it is about frames and NICs, which only a link has.
    pub needs_link: bool,
    /// Whether it is about a frame, received or `sent`.
    pub is_of_frame: bool,
}

/// A number that a fault needs.
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    /// Its field in a scenario.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Its unit; empty: none.
    pub unit: &'static str,
    /// Bounds, both included.
    pub range: (u64, u64),
    /// What a form begins with.
    pub usual: u64,
}

/// Faults of a scenario at most.
pub const MOST_FAULTS: usize = 32;

/// What a kind was called once: links still say so.
const FORMER: &[(&str, &str)] = &[("shrink_ring", "set_ring")];

const LENGTH: Argument = Argument {
    name: "us",
    title: "For",
    unit: "µs",
    range: (1, 1_000_000),
    usual: 500,
};

const CPU: Argument = Argument {
    name: "cpu",
    title: "CPU",
    unit: "",
    range: (0, 127),
    usual: 0,
};

/// Every kind of fault.
pub const FAULTS: &[FaultControl] = &[
    FaultControl {
        name: "drop_frame",
        title: "Lose a frame",
        about: "The next frame is lost on the link.",
        arguments: &[],
        needs_link: true,
        is_of_frame: true,
    },
    FaultControl {
        name: "duplicate_frame",
        title: "Double a frame",
        about: "The next frame arrives twice.",
        arguments: &[],
        needs_link: true,
        is_of_frame: true,
    },
    FaultControl {
        name: "delay_frame",
        title: "Delay a frame",
        about: "The next frame arrives later; others overtake it.",
        arguments: &[LENGTH],
        needs_link: true,
        is_of_frame: true,
    },
    FaultControl {
        name: "reorder_frame",
        title: "Reorder a frame",
        about: "The next frame arrives behind others that follow it, after a millisecond at the latest.",
        arguments: &[Argument {
            name: "behind",
            title: "Behind",
            unit: "frames",
            range: (1, 1000),
            usual: 3,
        }],
        needs_link: true,
        is_of_frame: true,
    },
    FaultControl {
        name: "damage_frame",
        title: "Damage a frame",
        about: "The next frame arrives with a payload that was not sent, and its checksum is wrong.",
        arguments: &[],
        needs_link: true,
        is_of_frame: true,
    },
    FaultControl {
        name: "steal_cpu",
        title: "Take a CPU away",
        about: "A hard interrupt keeps one CPU of this host busy, as firmware or a bad driver does.",
        arguments: &[CPU, LENGTH],
        needs_link: false,
        is_of_frame: false,
    },
    FaultControl {
        name: "set_ring",
        title: "Change the receive ring",
        about: "From now on each receive ring of this host has so many descriptors; frames that are in stay.",
        arguments: &[Argument {
            name: "descriptors",
            title: "To",
            unit: "descriptors",
            range: (1, 8192),
            usual: 4,
        }],
        needs_link: true,
        is_of_frame: false,
    },
    FaultControl {
        name: "pin_interrupts",
        title: "Pin the interrupts",
        about: "From now on one CPU takes the interrupts of all NICs of this host (smp_affinity).",
        arguments: &[CPU],
        needs_link: true,
        is_of_frame: false,
    },
    FaultControl {
        name: "pin_queue",
        title: "Pin one queue’s interrupt",
        about: "From now on one CPU takes the interrupt of one receive queue of this host (smp_affinity); the others stay.",
        arguments: &[
            Argument {
                name: "queue",
                title: "Queue",
                unit: "",
                range: (0, 255),
                usual: 0,
            },
            CPU,
        ],
        needs_link: true,
        is_of_frame: false,
    },
    FaultControl {
        name: "stop_task",
        title: "Stop a process",
        about: "A process of this host is stopped when it next returns to user space, and goes on later.",
        arguments: &[
            Argument {
                name: "pid",
                title: "PID",
                unit: "",
                range: (FIRST_PID as u64, 99_999),
                usual: FIRST_PID as u64,
            },
            LENGTH,
        ],
        needs_link: false,
        is_of_frame: false,
    },
];

/// The PID of a world's first process; the others count on from it.
pub const FIRST_PID: u32 = 1000;

impl Fault {
    /// When, in nanoseconds from the start.
    pub fn at_ns(&self) -> u64 {
        self.at_us * 1000 + u64::from(self.at_ns)
    }
}

impl FaultKind {
    /// Its word in a scenario.
    pub fn name(self) -> &'static str {
        match self {
            Self::DropFrame {} => "drop_frame",
            Self::DuplicateFrame {} => "duplicate_frame",
            Self::DelayFrame { .. } => "delay_frame",
            Self::ReorderFrame { .. } => "reorder_frame",
            Self::DamageFrame {} => "damage_frame",
            Self::StealCpu { .. } => "steal_cpu",
            Self::SetRing { .. } => "set_ring",
            Self::PinInterrupts { .. } => "pin_interrupts",
            Self::PinQueue { .. } => "pin_queue",
            Self::StopTask { .. } => "stop_task",
        }
    }

    /// The CPU that it names.
    pub fn cpu(self) -> Option<u16> {
        match self {
            Self::StealCpu { cpu, .. }
            | Self::PinInterrupts { cpu }
            | Self::PinQueue { cpu, .. } => Some(cpu),
            _ => None,
        }
    }

    /// Whether only a link has what it is about.
    pub fn needs_link(self) -> bool {
        let is_this = |control: &&FaultControl| control.name == self.name();
        FAULTS
            .iter()
            .find(is_this)
            .is_some_and(|found| found.needs_link)
    }
}

/// Checks the `faults` of a scenario that lasts so long.
pub(super) fn check(faults: &Value, duration_us: u64) -> Result<(), ScenarioError> {
    let Some(list) = faults.as_array().filter(|list| list.len() <= MOST_FAULTS) else {
        let list = Permitted::Faults(MOST_FAULTS);
        return Err(not_permitted("faults", faults, list));
    };
    list.iter().enumerate().try_for_each(|(index, fault)| {
        let field = format!("faults.{index}");
        match fault.as_object() {
            Some(fields) => check_fault(&field, fields, duration_us),
            None => Err(not_permitted(&field, fault, Permitted::Object)),
        }
    })
}

fn check_fault(
    field: &str,
    fields: &Map<String, Value>,
    duration_us: u64,
) -> Result<(), ScenarioError> {
    let below = |name: &str| format!("{field}.{name}");
    let required = |name: &str| {
        fields
            .get(name)
            .ok_or_else(|| ScenarioError::Missing { field: below(name) })
    };
    let names: Vec<&str> = FAULTS.iter().map(|control| control.name).collect();
    let kind = required("do")?;
    let former = FORMER.iter().find(|(former, _)| kind == former);
    let name = former.map_or_else(|| kind.clone(), |&(_, name)| name.into());
    check_word(&below("do"), &name, &names)?;
    check_range(&below("at_us"), required("at_us")?, 0, duration_us)?;
    if let Some(ns) = fields.get("at_ns") {
        check_range(&below("at_ns"), ns, 0, 999)?;
    }
    let control = FAULTS.iter().find(|control| name == control.name);
    let arguments = control.map_or(&[][..], |control| control.arguments);
    let is_of_frame = control.is_some_and(|control| control.is_of_frame);
    if let Some(sent) = fields
        .get("sent")
        .filter(|sent| is_of_frame && !sent.is_boolean())
    {
        return Err(not_permitted(&below("sent"), sent, Permitted::Flag));
    }
    for argument in arguments {
        let (least, most) = argument.range;
        check_range(&below(argument.name), required(argument.name)?, least, most)?;
    }
    let known = || {
        ["at_us", "at_ns", "do"]
            .into_iter()
            .chain(arguments.iter().map(|one| one.name))
            .chain(is_of_frame.then_some("sent"))
    };
    match fields
        .keys()
        .find(|name| !known().any(|other| other == *name))
    {
        None => Ok(()),
        Some(name) => Err(ScenarioError::UnknownField {
            field: below(name),
            known: known().collect(),
        }),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it")]
fn is_zero(number: &u16) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it")]
fn is_false(flag: &bool) -> bool {
    !flag
}

#[cfg(test)]
mod tests;
