//! Why a text is no scenario: the field that is wrong, and what it may be.

use std::fmt;

use ringside::kernel::CpuId;
use ringside::saying::{Saying, Value};

/// What can be said of a scenario that is refused, and of what a field may be.
pub mod says {
    ringside::sayings! {
        json = "scenario.json"(why: Name);
        unknown_field = "scenario.unknown_field"(field: Name, known: Name);
        missing = "scenario.missing"(field: Name);
        /// `value` is JSON.
        not_permitted = "scenario.not_permitted"(field: Name, value: Name, permitted: Said);
        /// After so long a run has so many events.
        too_long = "scenario.too_long"(field: Name, after: Nanos, events: Count);
        whole = "permitted.whole"(from: Count, to: Count);
        one_of = "permitted.one_of"(list: Name);
        flag = "permitted.flag"();
        affinity = "permitted.affinity"();
        up_to_cpu = "permitted.up_to_cpu"(last: Cpu);
        no_nic = "permitted.no_nic"(machine: Name);
        no_instrumentation = "permitted.no_instrumentation"(kernel: Name);
        some_of = "permitted.some_of"(list: Name);
        /// As the setting `probes` is on.
        some_of_points = "permitted.some_of_points"(list: Name);
        recorded = "permitted.recorded"(list: Name);
        settings = "permitted.settings"();
        object = "permitted.object"();
        faults = "permitted.faults"(most: Count);
        others = "permitted.others"(why: Name);
        /// What is wrong with a data file, of the program or of one's own.
        of_file = "data.of_file"(file: Name, why: Said);
        too_large = "data.too_large"(bytes: Count, most: Count);
        /// Where it ceases to be one.
        no_json = "data.no_json"(line: Count, column: Count);
        no_name = "data.no_name"();
        odd_name = "data.odd_name"(name: Name);
        name_taken = "data.name_taken"(name: Name);
        between = "data.between"(field: Name, value: Name, least: Name, most: Name);
        at_most = "data.at_most"(field: Name, value: Name, most: Name);
        /// In English: what only who writes such a file meets.
        other = "data.other"(why: Name);
    }
}

/// Why a text is no scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScenarioError {
    /// No JSON object, and where it ceases to be one.
    Json(String),
    /// A field that does not exist.
    UnknownField {
        /// Its path.
        field: String,
        /// Those that do.
        known: Vec<&'static str>,
    },
    /// A field that must be there.
    Missing {
        /// Its path.
        field: String,
    },
    /// A value that the field cannot have.
    NotPermitted {
        /// The field's path.
        field: String,
        /// The value as JSON.
        value: String,
        /// What it can have.
        permitted: Permitted,
    },
}

/// What a field of a scenario can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Permitted {
    /// A whole number between these, both included.
    Whole(u64, u64),
    /// One of these words.
    OneOf(Vec<String>),
    /// True or false.
    Flag,
    /// Where interrupts go.
    Affinity,
    /// A CPU up to this one, as the machine has no more.
    UpToCpu(u16),
    /// Nothing, as this machine has no NIC.
    NoNic(String),
    /// Nothing, as there is no instrumentation for this kernel.
    NoInstrumentation(String),
    /// Some of these, each once.
    SomeOf(Vec<String>),
    /// The same, as the kernel's points are to be on.
    SomeOfPoints(Vec<String>),
    /// One of these sizes in bytes, of which there are recordings.
    Recorded(Vec<u32>),
    /// An object of settings.
    Settings,
    /// An object.
    Object,
    /// A list of so many faults at most.
    Faults(usize),
    /// Other instrumentation, for this reason.
    Others(String),
}

impl ScenarioError {
    /// It as a saying.
    pub fn said(&self) -> Saying {
        match self {
            Self::Json(why) => says::json(why.clone()),
            Self::UnknownField { field, known } => {
                says::unknown_field(field.clone(), known.join(", "))
            }
            Self::Missing { field } => says::missing(field.clone()),
            Self::NotPermitted {
                field,
                value,
                permitted,
            } => says::not_permitted(field.clone(), value.clone(), permitted.said()),
        }
    }
}

impl Permitted {
    fn said(&self) -> Saying {
        match self {
            &Self::Whole(least, most) => says::whole(least, most),
            Self::OneOf(words) => says::one_of(words.join(", ")),
            Self::Flag => says::flag(),
            Self::Affinity => says::affinity(),
            &Self::UpToCpu(last) => says::up_to_cpu(CpuId(last)),
            Self::NoNic(machine) => says::no_nic(machine.clone()),
            Self::NoInstrumentation(kernel) => says::no_instrumentation(kernel.clone()),
            Self::SomeOf(names) => says::some_of(names.join(", ")),
            Self::SomeOfPoints(names) => says::some_of_points(names.join(", ")),
            Self::Recorded(sizes) => {
                let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
                says::recorded(sizes.join(", "))
            }
            Self::Settings => says::settings(),
            Self::Object => says::object(),
            &Self::Faults(most) => says::faults(most as u64),
            Self::Others(why) => says::others(why.clone()),
        }
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&words(&self.said()))
    }
}

impl std::error::Error for ScenarioError {}

/// Why what is asked for cannot be: a scenario that is none for this machine or kernel, a data file that is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Unfit(pub Saying);

impl fmt::Display for Unfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.values.as_slice() {
            // What has English words has them in the page, too.
            [("why", Value::Name(why))] => formatter.write_str(why),
            _ => formatter.write_str(&words(&self.0)),
        }
    }
}

impl std::error::Error for Unfit {}

impl From<String> for Unfit {
    fn from(why: String) -> Self {
        Self(says::other(why))
    }
}

impl From<Unfit> for String {
    fn from(unfit: Unfit) -> Self {
        unfit.to_string()
    }
}

/// English, for the command line.
#[cfg(not(target_family = "wasm"))]
fn words(said: &Saying) -> String {
    ringside::english::say_of_file(said)
}

/// The page says it in its own words and has no English here; only a mistake in a shipped scenario is shown so.
#[cfg(target_family = "wasm")]
fn words(said: &Saying) -> String {
    said.code.to_owned()
}
