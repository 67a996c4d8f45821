//! What can go wrong by hand in a scenario, once and at a given time; with a title, a
//! purpose and bounds for each, for the page's form and for the check of a text.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::scenario::{ScenarioError, check_range, check_word, not_allowed};

/// Something that goes wrong once: `{"at_us": 1500, "do": "drop_frame"}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fault {
    /// When, in microseconds from the start.
    pub at_us: u64,
    /// What.
    #[serde(flatten)]
    pub kind: FaultKind,
}

/// What a [`Fault`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum FaultKind {
    /// The next frame to the watched host is lost.
    DropFrame {},
    /// It arrives twice.
    DuplicateFrame {},
    /// It arrives later.
    DelayFrame {
        /// By so many microseconds.
        us: u32,
    },
    /// A CPU of the watched host does nothing else.
    StealCpu {
        /// Which.
        cpu: u16,
        /// For so many microseconds.
        us: u32,
    },
    /// The receive rings of the watched host have at most so many descriptors from now on.
    ShrinkRing {
        /// How many.
        descriptors: u32,
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

const LENGTH: Argument = Argument {
    name: "us",
    title: "For",
    unit: "µs",
    range: (1, 1_000_000),
    usual: 500,
};

/// Every kind of fault.
pub const FAULTS: &[FaultControl] = &[
    FaultControl {
        name: "drop_frame",
        title: "Lose a frame",
        about: "The next frame to this host is lost on the wire.",
        arguments: &[],
        needs_link: true,
    },
    FaultControl {
        name: "duplicate_frame",
        title: "Double a frame",
        about: "The next frame to this host arrives twice.",
        arguments: &[],
        needs_link: true,
    },
    FaultControl {
        name: "delay_frame",
        title: "Delay a frame",
        about: "The next frame to this host arrives later; others overtake it.",
        arguments: &[LENGTH],
        needs_link: true,
    },
    FaultControl {
        name: "steal_cpu",
        title: "Take a CPU away",
        about: "A hard interrupt keeps one CPU of this host busy, as firmware or a bad driver does.",
        arguments: &[
            Argument {
                name: "cpu",
                title: "CPU",
                unit: "",
                range: (0, 127),
                usual: 0,
            },
            LENGTH,
        ],
        needs_link: false,
    },
    FaultControl {
        name: "shrink_ring",
        title: "Shrink the receive ring",
        about: "From now on each receive ring of this host has no more descriptors than this.",
        arguments: &[Argument {
            name: "descriptors",
            title: "To",
            unit: "descriptors",
            range: (1, 8192),
            usual: 4,
        }],
        needs_link: true,
    },
];

impl FaultKind {
    /// Its word in a scenario.
    pub fn name(self) -> &'static str {
        match self {
            Self::DropFrame {} => "drop_frame",
            Self::DuplicateFrame {} => "duplicate_frame",
            Self::DelayFrame { .. } => "delay_frame",
            Self::StealCpu { .. } => "steal_cpu",
            Self::ShrinkRing { .. } => "shrink_ring",
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
        let allowed = format!("a list of at most {MOST_FAULTS} faults");
        return Err(not_allowed("faults", faults, allowed));
    };
    list.iter().enumerate().try_for_each(|(index, fault)| {
        let field = format!("faults.{index}");
        match fault.as_object() {
            Some(fields) => check_fault(&field, fields, duration_us),
            None => Err(not_allowed(&field, fault, "an object".to_owned())),
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
    check_word(&below("do"), kind, &names)?;
    check_range(&below("at_us"), required("at_us")?, 0, duration_us)?;
    let control = FAULTS.iter().find(|control| kind == control.name);
    let arguments = control.map_or(&[][..], |control| control.arguments);
    for argument in arguments {
        let (least, most) = argument.range;
        check_range(&below(argument.name), required(argument.name)?, least, most)?;
    }
    let known = || {
        ["at_us", "do"]
            .into_iter()
            .chain(arguments.iter().map(|one| one.name))
    };
    match fields
        .keys()
        .find(|name| !known().any(|other| other == *name))
    {
        None => Ok(()),
        Some(name) => Err(ScenarioError::UnknownField {
            field: below(name),
            known: known().map(str::to_owned).collect(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_of_the_list_can_be_written_with_what_is_usual() {
        for control in FAULTS {
            let mut fields = Map::new();
            fields.insert("at_us".to_owned(), 1.into());
            fields.insert("do".to_owned(), control.name.into());
            for argument in control.arguments {
                fields.insert(argument.name.to_owned(), argument.usual.into());
            }
            let written = Value::Object(fields);
            assert_eq!(check(&Value::Array(vec![written.clone()]), 1), Ok(()));
            let fault: Fault = serde_json::from_value(written).unwrap();
            assert_eq!(fault.kind.name(), control.name);
            assert_eq!(fault.kind.needs_link(), control.needs_link);
        }
    }
}
