//! A scenario: one machine, one kernel with what is put into it, one workload and settings, small enough for
//! the fragment of a link. A wrong one says which field is wrong and what it may be,
//! since people write scenarios by hand.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::catalogue::Catalogue;
use super::controls::Allowed;
use super::faults::{self, Fault};
use super::machine::Machine;
use super::refusal::{Permitted, ScenarioError};
use super::settings::{IrqAffinity, SETTINGS, Settings, USUAL_MESSAGE_BYTES, setting};
use super::strict;

/// What to simulate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// A machine of the catalogue.
    pub machine: String,
    /// A kernel of the catalogue.
    pub kernel: String,
    /// What is put into the kernel to watch it, in this order, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instrumentation: Vec<String>,
    /// A workload of the catalogue.
    pub workload: String,
    /// What differs from the files.
    #[serde(default)]
    pub settings: Settings,
    /// Length of the run in microseconds, with the warm-up.
    pub duration_us: u64,
    /// Microseconds at the start that are not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warmup_us: Option<u64>,
    /// Where chance starts.
    pub seed: u64,
    /// What goes wrong by hand, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
}

/// The fields of a scenario.
const FIELDS: &[&str] = &[
    "machine",
    "kernel",
    "instrumentation",
    "workload",
    "settings",
    "duration_us",
    "warmup_us",
    "seed",
    "faults",
];

/// The fields of an entry of the shelf, of which one is a scenario.
const ENTRY: &[&str] = &["name", "title", "about", "promises", "scenario"];

/// The shortest run in microseconds.
pub const SHORTEST_US: u64 = 1;
/// The longest, a minute: beyond, a run no longer fits into memory.
pub const LONGEST_US: u64 = 60_000_000;

/// The largest whole number that JavaScript keeps.
const LARGEST_SEED: u64 = (1 << 53) - 1;

impl Scenario {
    /// Reads a scenario and checks it against what the catalogue has. A file of the shelf (`data/scenarios/`), which
    /// has its scenario in a field, is read as that scenario.
    pub fn parse(text: &str, catalogue: &Catalogue) -> Result<Self, ScenarioError> {
        let json = |error: serde_json::Error| ScenarioError::Json(error.to_string());
        let mut fields = without_entry(strict::fields(text).map_err(json)?);
        check_fields(&fields, catalogue)?;
        put_in_points(&mut fields, catalogue)?;
        let scenario: Self = serde_json::from_value(Value::Object(fields)).map_err(json)?;
        scenario.check_limits(catalogue)?;
        Ok(scenario)
    }

    /// As compact JSON with the fields in their order: equal scenarios give equal texts.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a scenario has only strings, numbers and flags")
    }

    /// The limits that depend on the machine or on another field.
    fn check_limits(&self, catalogue: &Catalogue) -> Result<(), ScenarioError> {
        if let Some(machine) = catalogue.machine(&self.machine) {
            if let Some(cpus) = self.settings.cpus {
                let most = u64::from(machine.processors.cores);
                check_range("settings.cpus", &cpus.into(), 1, most)?;
            }
            if let Some(cpus) = self.settings.process_cpus {
                let most = u64::from(self.logical_cpus(machine));
                check_range("settings.process_cpus", &cpus.into(), 1, most)?;
            }
            if let Some(nics) = self.settings.nics {
                let most: u64 = machine.nics.iter().map(|nic| u64::from(nic.count)).sum();
                if most == 0 {
                    let none = Permitted::NoNic(self.machine.clone());
                    return Err(not_permitted("settings.nics", &nics.into(), none));
                }
                check_range("settings.nics", &nics.into(), 1, most)?;
            }
            if let Some(IrqAffinity::Cpu(cpu)) = self.settings.irq_affinity {
                let cpus = self.logical_cpus(machine);
                if cpu >= cpus {
                    return Err(not_permitted(
                        "settings.irq_affinity",
                        &format!("cpu{cpu}").into(),
                        Permitted::UpToCpu(cpus - 1),
                    ));
                }
            }
            for (index, fault) in self.faults.iter().enumerate() {
                if let Some(cpu) = fault.kind.cpu() {
                    let field = format!("faults.{index}.cpu");
                    let last = u64::from(self.logical_cpus(machine)) - 1;
                    check_range(&field, &cpu.into(), 0, last)?;
                }
            }
        }
        if let Some(workload) = catalogue.workload(&self.workload) {
            let recorded = workload.recorded_bytes();
            let asked = self.settings.message_bytes.unwrap_or(USUAL_MESSAGE_BYTES);
            if !recorded.is_empty() && !recorded.contains(&asked) {
                return Err(not_permitted(
                    "settings.message_bytes",
                    &asked.into(),
                    Permitted::Recorded(recorded),
                ));
            }
        }
        if let Some(warmup) = self.warmup_us {
            check_range("warmup_us", &warmup.into(), 0, self.duration_us - 1)?;
        }
        Ok(())
    }

    /// CPUs of the machine as the settings leave them.
    fn logical_cpus(&self, machine: &Machine) -> u16 {
        let cores = self.settings.cpus.unwrap_or(machine.processors.cores);
        match self.settings.hyper_threading {
            Some(true) => cores * machine.processors.threads_per_core,
            _ => cores,
        }
    }
}

/// The fields of the scenario, where these are those of an entry of the shelf.
fn without_entry(mut fields: Map<String, Value>) -> Map<String, Value> {
    let is_entry = |field: &String| ENTRY.contains(&field.as_str());
    if fields.keys().all(is_entry)
        && let Some(Value::Object(scenario)) = fields.get_mut("scenario")
    {
        return std::mem::take(scenario);
    }
    fields
}

fn check_fields(fields: &Map<String, Value>, catalogue: &Catalogue) -> Result<(), ScenarioError> {
    if let Some(field) = fields
        .keys()
        .find(|field| !FIELDS.contains(&field.as_str()))
    {
        return Err(ScenarioError::UnknownField {
            field: field.clone(),
            known: FIELDS.to_vec(),
        });
    }
    let required = |field: &str| {
        fields.get(field).ok_or_else(|| ScenarioError::Missing {
            field: field.to_owned(),
        })
    };
    check_word("machine", required("machine")?, &catalogue.machine_names())?;
    check_word("kernel", required("kernel")?, &catalogue.kernel_names())?;
    if let (Some(all), Some(kernel)) = (
        fields.get("instrumentation"),
        fields.get("kernel").and_then(Value::as_str),
    ) {
        check_instrumentation(all, kernel, catalogue)?;
    }
    check_word(
        "workload",
        required("workload")?,
        &catalogue.workload_names(),
    )?;
    check_range(
        "duration_us",
        required("duration_us")?,
        SHORTEST_US,
        LONGEST_US,
    )?;
    check_range("seed", required("seed")?, 0, LARGEST_SEED)?;
    if let Some(warmup) = fields.get("warmup_us") {
        check_range("warmup_us", warmup, 0, LONGEST_US)?;
    }
    if let Some(all) = fields.get("faults") {
        let duration = fields.get("duration_us").and_then(Value::as_u64);
        faults::check(all, duration.unwrap_or(LONGEST_US))?;
    }
    match fields.get("settings") {
        None => Ok(()),
        Some(Value::Object(settings)) => settings
            .iter()
            .try_for_each(|(name, value)| check_setting(name, value, catalogue)),
        Some(other) => Err(not_permitted("settings", other, Permitted::Settings)),
    }
}

/// That each is one that fits the kernel, and that they go together.
fn check_instrumentation(
    all: &Value,
    kernel: &str,
    catalogue: &Catalogue,
) -> Result<(), ScenarioError> {
    let names: Vec<&str> = catalogue
        .instrumentation_of(kernel)
        .map(|one| one.name.as_str())
        .collect();
    let refused = |field: &str, value: &Value| {
        let permitted = match names[..] {
            [] => Permitted::NoInstrumentation(kernel.to_owned()),
            _ => Permitted::SomeOf(owned(&names)),
        };
        Err(not_permitted(field, value, permitted))
    };
    let Value::Array(items) = all else {
        return refused("instrumentation", all);
    };
    let mut chosen: Vec<String> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        match item.as_str() {
            Some(name) if names.contains(&name) && !chosen.iter().any(|it| it == name) => {
                chosen.push(name.to_owned());
            }
            _ => return refused(&format!("instrumentation.{index}"), item),
        }
    }
    match catalogue.instrumented(kernel, &chosen) {
        Ok(_) => Ok(()),
        Err(why) => Err(not_permitted(
            "instrumentation",
            all,
            Permitted::Others(why),
        )),
    }
}

/// A scenario from before it could choose instrumentation has `probes` alone, and means by it the points that
/// stood in the kernel's own file. So `probes` without any is refused where there are some: the text without the
/// empty list would mean another run.
fn put_in_points(
    fields: &mut Map<String, Value>,
    catalogue: &Catalogue,
) -> Result<(), ScenarioError> {
    let probes = fields.get("settings").and_then(|it| it.get("probes"));
    let Some(kernel) = fields.get("kernel").and_then(Value::as_str) else {
        return Ok(());
    };
    let fitting = catalogue.instrumentation_of(kernel);
    let points = fitting.filter(|one| one.has_points());
    let names: Vec<&str> = points.map(|one| one.name.as_str()).collect();
    if probes != Some(&Value::Bool(true)) || names.is_empty() {
        return Ok(());
    }
    match fields.get("instrumentation") {
        None => {
            let names: Vec<Value> = names.into_iter().map(Value::from).collect();
            fields.insert("instrumentation".to_owned(), names.into());
            Ok(())
        }
        Some(Value::Array(chosen)) if chosen.is_empty() => {
            let points = Permitted::SomeOfPoints(owned(&names));
            Err(not_permitted("instrumentation", &json!([]), points))
        }
        Some(_) => Ok(()),
    }
}

fn check_setting(name: &str, value: &Value, catalogue: &Catalogue) -> Result<(), ScenarioError> {
    let field = format!("settings.{name}");
    let Some(setting) = setting(name) else {
        let known = SETTINGS.iter().map(|known| known.name).collect();
        return Err(ScenarioError::UnknownField { field, known });
    };
    match setting.allowed {
        Allowed::Range(least, most) => check_range(&field, value, least, most),
        Allowed::Words(words) => check_word(&field, value, words),
        Allowed::Machine => check_word(&field, value, &catalogue.machine_names()),
        Allowed::Flag if value.is_boolean() => Ok(()),
        Allowed::Flag => Err(not_permitted(&field, value, Permitted::Flag)),
        Allowed::Cpus(_) => match value.as_str().map(|text| text.to_owned().try_into()) {
            Some(Ok::<IrqAffinity, _>(_)) => Ok(()),
            _ => Err(not_permitted(&field, value, Permitted::Affinity)),
        },
    }
}

pub(super) fn check_range(
    field: &str,
    value: &Value,
    least: u64,
    most: u64,
) -> Result<(), ScenarioError> {
    match value.as_u64() {
        Some(number) if least <= number && number <= most => Ok(()),
        _ => Err(not_permitted(field, value, Permitted::Whole(least, most))),
    }
}

pub(super) fn check_word(field: &str, value: &Value, words: &[&str]) -> Result<(), ScenarioError> {
    match value.as_str() {
        Some(word) if words.contains(&word) => Ok(()),
        _ => Err(not_permitted(field, value, Permitted::OneOf(owned(words)))),
    }
}

pub(super) fn not_permitted(field: &str, value: &Value, permitted: Permitted) -> ScenarioError {
    ScenarioError::NotPermitted {
        field: field.to_owned(),
        value: value.to_string(),
        permitted,
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}
