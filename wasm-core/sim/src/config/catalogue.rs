//! The machines, kernels, instrumentation, workloads and scenarios that come with the program: embedded at
//! build time, but for a browser, whose page fetches them when a place asks and gives them here. A machine or
//! kernel may say that it is `based_on` another: it then has only what differs, merged as RFC 7396 says (an
//! object field by field, a list as a whole, null takes a field away).

mod based_on;
mod instrumented;
mod list;
pub mod moved;
mod steps;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use ringside::saying::Saying;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub use based_on::merge;
use based_on::merged;
use instrumented::{of_drivers, on_a_kernel};
use list::{Files, INSTRUMENTATION, KERNELS, MACHINES, SCENARIOS, WORKLOADS};

use super::field_path::typed;
use super::instrumentation::Instrumentation;
use super::kernel::Kernel;
use super::limits;
use super::machine::Machine;
use super::parameters::{Fields, Parameter, parameters};
use super::refusal::{Unfit, says};
use super::scenario::Scenario;
use super::strict;
use super::workload::Workload;

/// A data file of one's own: its path as below `data` of the crate (`machines/eden.json`)
/// and its text.
pub type OwnFile = (String, String);

/// All that a scenario can name.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    machines: BTreeMap<String, Machine>,
    kernels: BTreeMap<String, Kernel>,
    /// What the kernels' files say, made complete.
    kernel_fields: BTreeMap<String, Map<String, Value>>,
    instrumentation: BTreeMap<String, Instrumentation>,
    workloads: BTreeMap<String, Workload>,
    /// In the order of their list.
    scenarios: Vec<Shipped>,
    /// By file: `kernels/6.1`.
    parameters: BTreeMap<String, Vec<Parameter>>,
}

/// A scenario that comes with the program.
#[derive(Debug, Clone)]
pub struct Shipped {
    /// What links and commands call it.
    pub name: String,
    /// One line.
    pub title: String,
    /// What it shows.
    pub about: String,
    /// Kinds of findings that its run has (`findings::Kind`), the chapters of its film.
    pub promises: Vec<String>,
    /// The scenario.
    pub scenario: Scenario,
}

/// A file that is not what its folder says.
#[derive(Debug, Clone, PartialEq)]
pub struct CatalogueError {
    /// Its path below the crate.
    pub file: String,
    /// What is wrong with it.
    pub why: Unfit,
}

impl CatalogueError {
    /// It as a saying.
    pub fn said(&self) -> Saying {
        says::of_file(self.file.clone(), self.why.0.clone())
    }
}

impl fmt::Display for CatalogueError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.file, self.why)
    }
}

impl std::error::Error for CatalogueError {}

impl Catalogue {
    /// Reads the embedded files; call it once and keep it.
    #[cfg(not(target_family = "wasm"))]
    pub fn shipped() -> Result<Self, CatalogueError> {
        Self::with(&[])
    }

    /// Reads the machines, kernels, workloads and scenarios that come with the program, with files that
    /// are given: one takes the place of the embedded one of its path, or stands beside them. What comes
    /// with the program and is neither embedded nor given is an error.
    pub fn with(own: &[OwnFile]) -> Result<Self, CatalogueError> {
        let machines = merged(&values(MACHINES, "machines", own)?)?;
        let kernels = merged(&values(KERNELS, "kernels", own)?)?;
        let workloads = values(WORKLOADS, "workloads", own)?;
        let instrumentation = values(INSTRUMENTATION, "instrumentation", own)?;
        let on_a_kernel = instrumentation.iter().map(|it| on_a_kernel(it, &kernels));
        let on_a_kernel: Vec<Named> = on_a_kernel.collect::<Result<_, _>>()?;
        let all = machines.iter().chain(&kernels).chain(&workloads);
        let all = all.chain(&on_a_kernel);
        let fields: Fields = all.map(|named| (named.stem(), &named.fields)).collect();
        let parameters = parameters(&fields);
        let parameters =
            parameters.map_err(|(file, why)| wrong(&format!("data/{file}.json"), &why))?;
        let mut catalogue = Self {
            machines: read(&machines)?,
            kernels: read(&kernels)?,
            instrumentation: read(&instrumentation)?,
            workloads: read(&workloads)?,
            kernel_fields: kernels
                .into_iter()
                .map(|named| (named.name, named.fields))
                .collect(),
            scenarios: Vec::new(),
            parameters,
        };
        for (name, machine) in &catalogue.machines {
            let file = format!("data/machines/{name}.json");
            machine.check().map_err(|why| unfit(&file, why))?;
        }
        let of_drivers = of_drivers(&catalogue.machines);
        for (name, kernel) in &catalogue.kernels {
            let file = format!("data/kernels/{name}.json");
            let checked = kernel.check(&of_drivers);
            checked.map_err(|error| wrong(&file, &error))?;
        }
        catalogue.check_instrumentation()?;
        for (name, workload) in &catalogue.workloads {
            let file = format!("data/workloads/{name}.json");
            workload.check().map_err(|error| wrong(&file, &error))?;
        }
        for named in values(SCENARIOS, "scenarios", own)? {
            let name = named.name.clone();
            let file: ScenarioFile = one(&named)?;
            let scenario = Scenario::parse(&file.scenario.to_string(), &catalogue)
                .map_err(|error| wrong(&format!("data/scenarios/{name}.json"), &error))?;
            let ScenarioFile {
                title,
                about,
                promises,
                ..
            } = file;
            catalogue.scenarios.push(Shipped {
                name,
                title,
                about,
                promises,
                scenario,
            });
        }
        Ok(catalogue)
    }

    /// The machine of this name.
    pub fn machine(&self, name: &str) -> Option<&Machine> {
        self.machines.get(name)
    }

    /// Puts a machine in the place of the one of its name, or beside the others: to ask
    /// what another one would do.
    pub fn put_machine(&mut self, machine: Machine) {
        self.machines.insert(machine.name.clone(), machine);
    }

    /// The kernel of this name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.get(name)
    }

    /// The workload of this name.
    pub fn workload(&self, name: &str) -> Option<&Workload> {
        self.workloads.get(name)
    }

    /// A workload of one's own, in place of one of the same name.
    pub fn add_workload(&mut self, workload: Workload) {
        self.workloads.insert(workload.name.clone(), workload);
    }

    /// The parameters of a file with where each comes from: `kernels/6.1`. None of a file that is
    /// not there.
    pub fn parameters(&self, file: &str) -> &[Parameter] {
        self.parameters.get(file).map_or(&[], Vec::as_slice)
    }

    /// Names of the files that have parameters, in order.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.parameters.keys().map(String::as_str)
    }

    /// The scenario of this name.
    pub fn scenario(&self, name: &str) -> Option<&Shipped> {
        self.scenarios.iter().find(|shipped| shipped.name == name)
    }

    /// What is said of a name that is neither a file nor a scenario: which scenarios there are.
    pub fn nameless(&self) -> String {
        let names: Vec<&str> = self.scenarios().map(|one| one.name.as_str()).collect();
        let names = names.join(", ");
        format!("there is no such file, and no such scenario; shipped are {names}")
    }

    /// Scenarios in the order of the shelf.
    pub fn scenarios(&self) -> impl Iterator<Item = &Shipped> {
        self.scenarios.iter()
    }

    /// Machines in the order of their names.
    pub fn machines(&self) -> impl Iterator<Item = &Machine> {
        self.machines.values()
    }

    /// Kernels in the order of their names.
    pub fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.kernels.values()
    }

    /// Workloads in the order of their names.
    pub fn workloads(&self) -> impl Iterator<Item = &Workload> {
        self.workloads.values()
    }

    /// Names of machines in order.
    pub fn machine_names(&self) -> Vec<&str> {
        self.machines.keys().map(String::as_str).collect()
    }

    /// Names of kernels in order.
    pub fn kernel_names(&self) -> Vec<&str> {
        self.kernels.keys().map(String::as_str).collect()
    }

    /// Names of workloads in order.
    pub fn workload_names(&self) -> Vec<&str> {
        self.workloads.keys().map(String::as_str).collect()
    }
}

/// A scenario's file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioFile {
    #[serde(rename = "name")]
    _name: String,
    title: String,
    about: String,
    #[serde(default)]
    promises: Vec<String>,
    scenario: Value,
}

/// A file's path, its name and what it says.
struct Named {
    file: String,
    name: String,
    fields: Map<String, Value>,
}

impl Named {
    /// Its path below `data`, without ending.
    fn stem(&self) -> String {
        let path = self.file.strip_prefix("data/").unwrap_or(&self.file);
        path.strip_suffix(".json").unwrap_or(path).to_owned()
    }
}

fn wrong(file: &str, message: &impl fmt::Display) -> CatalogueError {
    unfit(file, Unfit::from(message.to_string()))
}

fn unfit(file: &str, why: Unfit) -> CatalogueError {
    let file = file.to_owned();
    CatalogueError { file, why }
}

/// The embedded files of a folder and one's own of the same folder, each with its fields.
fn values(embedded: Files, folder: &str, own: &[OwnFile]) -> Result<Vec<Named>, CatalogueError> {
    let own = own.iter().filter_map(|(path, text)| {
        let is_here = path.split_once('/').is_some_and(|(of, _)| of == folder);
        is_here.then(|| (format!("data/{path}"), text.as_str()))
    });
    let embedded = embedded.iter().map(|&(file, text)| (file.to_owned(), text));
    let mut files: Vec<(String, Option<&str>)> = embedded.collect();
    for (file, text) in own {
        match files.iter_mut().find(|(known, _)| *known == file) {
            Some(known) => known.1 = Some(text),
            None => files.push((file, Some(text))),
        }
    }
    let read = |(file, text): (String, Option<&str>)| {
        let text = text.ok_or_else(|| wrong(&file, &"it was not loaded"))?;
        let named = named(file, text)?;
        // A scenario's numbers have ranges of their own.
        if folder != "scenarios" {
            limits::check(&named.fields).map_err(|why| unfit(&named.file, why))?;
        }
        Ok(named)
    };
    files.into_iter().map(read).collect()
}

fn named(file: String, text: &str) -> Result<Named, CatalogueError> {
    let fields = strict::fields(text).map_err(|error| wrong(&file, &error))?;
    let name = fields
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    if !file.ends_with(&format!("/{name}.json")) {
        return Err(wrong(
            &file,
            &format!("its name is {name:?}, not that of the file"),
        ));
    }
    Ok(Named { file, name, fields })
}

fn read<T: DeserializeOwned>(files: &[Named]) -> Result<BTreeMap<String, T>, CatalogueError> {
    let pair = |named: &Named| Ok((named.name.clone(), one(named)?));
    files.iter().map(pair).collect()
}

fn one<T: DeserializeOwned>(named: &Named) -> Result<T, CatalogueError> {
    typed(named.fields.clone()).map_err(|error| wrong(&named.file, &error))
}
