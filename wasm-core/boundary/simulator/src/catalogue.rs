//! What a scenario can be made of, as the page's form reads it, and what the model leaves
//! out.

use serde::Serialize;
use tsify::Tsify;

use sim::config::catalogue::Catalogue;
use sim::config::controls::{self, Allowed, Setting};
use sim::config::faults::{Argument, FAULTS, FaultControl, MOST_FAULTS};
use sim::config::parameters::Parameter;
use sim::config::range::Range;
use sim::config::scenario::{LONGEST_US, SHORTEST_US};
use sim::config::settings::SETTINGS;
use sim::config::workload::Route;
use sim::simplified::{self, Mechanism};

/// All of it.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct CatalogueView {
    machines: Vec<MachineView>,
    kernels: Vec<ChoiceView>,
    instrumentation: Vec<InstrumentationView>,
    workloads: Vec<ChoiceView>,
    settings: Vec<SettingView>,
    faults: Vec<FaultView>,
    most_faults: usize,
    duration: DurationView,
    scenarios: Vec<ScenarioView>,
    not_modelled: Vec<MechanismView>,
}

/// The limits of a run's length in microseconds.
#[derive(Debug, Serialize, Tsify)]
pub struct DurationView {
    min: f64,
    max: f64,
}

/// A machine, a kernel or a workload.
#[derive(Debug, Serialize, Tsify)]
pub struct ChoiceView {
    name: String,
    title: String,
    about: String,
    sources: Vec<ParameterView>,
}

/// A machine: what it can have at most, by the names of settings.
#[derive(Debug, Serialize, Tsify)]
pub struct MachineView {
    name: String,
    title: String,
    about: String,
    sources: Vec<ParameterView>,
    limits: LimitsView,
}

/// What can be put into some kernels.
#[derive(Debug, Serialize, Tsify)]
pub struct InstrumentationView {
    name: String,
    title: String,
    about: String,
    sources: Vec<ParameterView>,
    kernels: Vec<String>,
}

/// Largest values of settings on a machine.
#[derive(Debug, Serialize, Tsify)]
pub struct LimitsView {
    cpus: u16,
    nics: u16,
}

/// A kind of fault.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct FaultView {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    arguments: Vec<ArgumentView>,
    is_of_frame: bool,
    applies_to: Vec<String>,
}

/// A number that a fault needs.
#[derive(Debug, Serialize, Tsify)]
pub struct ArgumentView {
    name: &'static str,
    title: &'static str,
    unit: &'static str,
    min: f64,
    max: f64,
    usual: f64,
}

/// A parameter and where it comes from.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ParameterView {
    parameter: String,
    value: String,
    source: String,
    standing: &'static str,
    fitted_to: Vec<String>,
    rests_on: Vec<String>,
    is_same: bool,
    range: Vec<String>,
    #[tsify(type = "'numbers' | 'percent' | 'choice'")]
    range_kind: &'static str,
}

/// A setting, whose words are the page's.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SettingView {
    name: &'static str,
    unit: &'static str,
    #[tsify(type = "'number' | 'choice' | 'switch'")]
    kind: &'static str,
    #[tsify(type = "number | undefined")]
    min: Option<f64>,
    #[tsify(type = "number | undefined")]
    max: Option<f64>,
    choices: Vec<WordView>,
    #[tsify(type = "number | string | boolean | undefined")]
    default: Option<ValueView>,
    applies_to: Vec<String>,
    place: &'static str,
}

/// A word that can be chosen. It has a title here if that is a name of the data files, and else one of the page's words.
#[derive(Debug, Serialize, Tsify)]
pub struct WordView {
    name: String,
    #[tsify(type = "string | undefined")]
    title: Option<String>,
}

/// The value of a setting.
#[derive(Debug, Serialize, Tsify)]
#[serde(untagged)]
pub enum ValueView {
    /// A number.
    Number(u32),
    /// On or off.
    Flag(bool),
    /// A word.
    Word(&'static str),
}

/// A scenario of the shelf.
#[derive(Debug, Serialize, Tsify)]
pub struct ScenarioView {
    slug: String,
    title: String,
    about: String,
    scenario: String,
}

/// A mechanism and where the model of it is simpler.
#[derive(Debug, Serialize, Tsify)]
pub struct MechanismView {
    title: &'static str,
    simplifications: Vec<SimplificationView>,
}

/// A difference between Linux and the model.
#[derive(Debug, Serialize, Tsify)]
pub struct SimplificationView {
    title: &'static str,
    linux: &'static str,
    we: &'static str,
    seen: &'static str,
}

impl CatalogueView {
    /// What scenarios can name.
    pub(super) fn of(catalogue: &Catalogue) -> Self {
        let parameters = |folder: &str, name: &str| -> Vec<ParameterView> {
            let file = format!("{folder}/{name}");
            catalogue
                .parameters(&file)
                .iter()
                .map(ParameterView::from)
                .collect()
        };
        let choice = |folder: &str, name: &str, title: &str, about: &str| ChoiceView {
            name: name.to_owned(),
            title: title.to_owned(),
            about: about.to_owned(),
            sources: parameters(folder, name),
        };
        let machine = catalogue.machines();
        let kernel = catalogue.kernels();
        let workload = catalogue.workloads();
        Self {
            machines: machine
                .map(|one| MachineView {
                    name: one.name.clone(),
                    title: one.title.clone(),
                    about: one.about.clone(),
                    sources: parameters("machines", &one.name),
                    limits: LimitsView {
                        cpus: one.processors.cores,
                        nics: one.nics.iter().map(|nic| nic.count).sum(),
                    },
                })
                .collect(),
            kernels: kernel
                .map(|one| choice("kernels", &one.name, &one.title, &one.about))
                .collect(),
            instrumentation: catalogue
                .instrumentation()
                .map(|one| InstrumentationView {
                    name: one.name.clone(),
                    title: one.title.clone(),
                    about: one.about.clone(),
                    sources: parameters("instrumentation", &one.name),
                    kernels: one.kernels.clone(),
                })
                .collect(),
            workloads: workload
                .map(|one| choice("workloads", &one.name, &one.title, &one.about))
                .collect(),
            settings: SETTINGS
                .iter()
                .map(|setting| SettingView::of(setting, catalogue))
                .collect(),
            faults: FAULTS
                .iter()
                .map(|fault| FaultView::of(fault, catalogue))
                .collect(),
            most_faults: MOST_FAULTS,
            duration: DurationView {
                min: SHORTEST_US as f64,
                max: LONGEST_US as f64,
            },
            scenarios: catalogue
                .scenarios()
                .map(|shipped| ScenarioView {
                    slug: shipped.name.clone(),
                    title: shipped.title.clone(),
                    about: shipped.about.clone(),
                    scenario: shipped.scenario.to_json(),
                })
                .collect(),
            not_modelled: simplified::ALL.iter().map(MechanismView::from).collect(),
        }
    }
}

impl From<&Parameter> for ParameterView {
    fn from(parameter: &Parameter) -> Self {
        let fits = parameter.worth.fits.iter();
        let range = parameter.source.range.as_ref();
        let (words, is_percent) = range.map(Range::words).unwrap_or_default();
        Self {
            parameter: parameter.path.clone(),
            value: parameter.value.clone(),
            source: parameter.source.text.clone(),
            standing: parameter.worth.standing.name(),
            fitted_to: fits.map(|fit| fit.0.clone()).collect(),
            rests_on: parameter
                .source
                .references()
                .map(ToString::to_string)
                .collect(),
            is_same: parameter.source.same_as.is_some(),
            range: words,
            range_kind: match range {
                Some(range) if range.is_choice() => "choice",
                _ if is_percent => "percent",
                _ => "numbers",
            },
        }
    }
}

impl SettingView {
    fn of(setting: &Setting, catalogue: &Catalogue) -> Self {
        let word = |name: &&str| WordView {
            name: (*name).to_owned(),
            title: None,
        };
        let (kind, range, choices) = match setting.allowed {
            Allowed::Range(least, most) => ("number", Some((least, most)), Vec::new()),
            Allowed::Flag => ("switch", None, Vec::new()),
            Allowed::Words(words) => ("choice", None, words.iter().map(word).collect()),
            // What is usual; a link may name any CPU.
            Allowed::Cpus(words) => {
                let cpus = (0..4).map(|cpu| WordView {
                    name: format!("cpu{cpu}"),
                    title: Some(format!("CPU {cpu}")),
                });
                let words = words.iter().map(word);
                ("choice", None, words.chain(cpus).collect())
            }
            Allowed::Machine => {
                let machines = catalogue.machines().map(|machine| WordView {
                    name: machine.name.clone(),
                    title: Some(machine.title.clone()),
                });
                ("choice", None, machines.collect())
            }
        };
        let workloads = catalogue.workloads();
        Self {
            name: setting.name,
            unit: setting.unit,
            kind,
            min: range.map(|(least, _)| least as f64),
            max: range.map(|(_, most)| most as f64),
            choices,
            default: match setting.default {
                controls::Default::Varies => None,
                controls::Default::Number(number) => Some(ValueView::Number(number)),
                controls::Default::Flag(flag) => Some(ValueView::Flag(flag)),
                controls::Default::Word(word) => Some(ValueView::Word(word)),
            },
            applies_to: workloads
                .filter(|workload| setting.applies.to(workload))
                .map(|workload| workload.name.clone())
                .collect(),
            place: setting.place.name(),
        }
    }
}

impl FaultView {
    fn of(fault: &FaultControl, catalogue: &Catalogue) -> Self {
        let argument = |one: &Argument| ArgumentView {
            name: one.name,
            title: one.title,
            unit: one.unit,
            min: one.range.0 as f64,
            max: one.range.1 as f64,
            usual: one.usual as f64,
        };
        let workloads = catalogue.workloads();
        Self {
            name: fault.name,
            title: fault.title,
            about: fault.about,
            arguments: fault.arguments.iter().map(argument).collect(),
            is_of_frame: fault.is_of_frame,
            applies_to: workloads
                .filter(|workload| !fault.needs_link || workload.route == Route::Link)
                .map(|workload| workload.name.clone())
                .collect(),
        }
    }
}

impl From<&Mechanism> for MechanismView {
    fn from(mechanism: &Mechanism) -> Self {
        let simplification = |one: &simplified::Simplification| SimplificationView {
            title: one.about,
            linux: one.linux,
            we: one.here,
            seen: one.seen,
        };
        Self {
            title: mechanism.title,
            simplifications: mechanism
                .simplifications
                .iter()
                .map(simplification)
                .collect(),
        }
    }
}
