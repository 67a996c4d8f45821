//! The parameters of the data files are felt, but for those that are told of: another value of each changes some run, and
//! every step of a path is run. `tests/parameters.json` has the runs, those parameters that something else reads, and those
//! that none of the runs feels, with why and how many; `tests/parameters/` in which run, with which value, each is felt, or
//! that its only other value is refused. With `UPDATE_EXPECT=1` that is searched anew, but why none is felt is not.
//!
//! A step's time, locks and lines are not moved one by one: a step that runs takes its time, and names that
//! nobody reads are refused by the catalogue.

#![allow(clippy::unwrap_used, reason = "tests")]

mod trial;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ringside::run::measured::Measured;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use sim::config::catalogue::Catalogue;
use sim::config::field_path::{at, at_mut, is_below, leaves};
use sim::config::machine::Machine;
use sim::config::workload::Workload;

use trial::{Trial, trials};

/// A step that ran: the path's name and the function.
type Ran = BTreeSet<(String, String)>;

/// Most other values of a parameter.
const OTHERS: usize = 3;

/// Other values of a parameter: nothing becomes 0, as a loop that takes no time never ends.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Bool(is) => vec![json!(!is)],
        Value::Number(number) => {
            let Some(is) = number.as_i64() else {
                return Vec::new();
            };
            let others = [is * 3 + 7, 1, is / 5];
            let others = others
                .into_iter()
                .filter(|&other| other != 0 && other != is);
            others.map(|other| json!(other)).collect()
        }
        _ => Vec::new(),
    }
}

/// What a file itself says.
fn own(file: &str) -> Map<String, Value> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let text = fs::read_to_string(data.join(format!("{file}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Makes a file say something else; false if that cannot be.
fn change(catalogue: &mut Catalogue, file: &str, fields: &Map<String, Value>) -> bool {
    let (kind, _) = file.split_once('/').unwrap();
    let fields = Value::Object(fields.clone());
    let changed: Result<(), String> = match kind {
        "kernels" => from(fields).and_then(|fields| catalogue.put_kernel(fields)),
        "machines" => from(fields).and_then(|machine: Machine| {
            machine.check()?;
            catalogue.put_machine(machine);
            Ok(())
        }),
        "workloads" => from(fields).and_then(|workload: Workload| {
            workload.check()?;
            catalogue.add_workload(workload);
            Ok(())
        }),
        _ => Catalogue::with(&[(format!("{file}.json"), fields.to_string())])
            .map(|with| *catalogue = with)
            .map_err(|error| error.to_string()),
    };
    changed.is_ok()
}

fn from<T: DeserializeOwned>(fields: Value) -> Result<T, String> {
    serde_json::from_value(fields).map_err(|error| error.to_string())
}

/// Where a file has steps: the place of each path with the path's name.
fn paths_of(kind: &str, own: &Map<String, Value>) -> Vec<(String, String)> {
    if kind == "machines" {
        let nics = own.get("nics").and_then(Value::as_array);
        let nics = nics.into_iter().flatten().enumerate();
        let drivers = nics.flat_map(|(index, nic)| {
            let driver = nic["driver"].as_object().unwrap().iter();
            let paths = driver.filter(|(_, steps)| steps.is_array());
            paths.map(move |(name, _)| {
                (
                    format!("nics.{index}.driver.{name}"),
                    format!("driver_{name}"),
                )
            })
        });
        return drivers.collect();
    }
    let paths = own.get("paths").and_then(Value::as_object);
    let paths = paths.into_iter().flatten();
    let paths = paths.filter(|(_, steps)| !steps.is_null());
    paths
        .map(|(name, _)| (format!("paths.{name}"), name.clone()))
        .collect()
}

/// What has to be felt of a file.
struct Asked {
    /// What is changed: the file itself of instrumentation, else what it comes to with its base.
    fields: Map<String, Value>,
    /// Its parameters that are numbers or choices, but for those of steps.
    parameters: Vec<String>,
    /// The steps of its paths: where each stands, with the path and the function.
    steps: Vec<(String, String, String)>,
}

impl Asked {
    fn of(file: &str) -> Self {
        let (kind, _) = file.split_once('/').unwrap();
        let own = own(file);
        let whole = Catalogue::fields(file).unwrap();
        let paths = paths_of(kind, &own);
        let mut steps = Vec::new();
        for (place, path) in &paths {
            for step in at(&whole, place).and_then(Value::as_array).unwrap() {
                let function = step["function"].as_str().unwrap().to_owned();
                steps.push((format!("{place}.{function}"), path.clone(), function));
            }
        }
        let fields = if kind == "instrumentation" {
            own.clone()
        } else {
            whole
        };
        let mut said = own;
        for word in [
            "name", "title", "about", "based_on", "kernels", "paths", "sources",
        ] {
            said.remove(word);
        }
        let mut parameters = Vec::new();
        leaves(&Value::Object(said), "", &mut parameters);
        let is_of_step = |path: &String| paths.iter().any(|(place, _)| is_below(path, place));
        // A recording's arrivals are read as one list: the first time of each size stands for all.
        let is_one_of_many =
            |path: &String| path.contains(".frames_us.") && !path.ends_with(".0.0.0");
        parameters.retain(|path| {
            let value = at(&fields, path).unwrap_or(&Value::Null);
            !is_of_step(path) && !is_one_of_many(path) && !others(value).is_empty()
        });
        Self {
            fields,
            parameters,
            steps,
        }
    }

    /// The file with one parameter made another.
    fn with(&self, path: &str, value: &Value) -> Map<String, Value> {
        self.with_all(&[(path, value.clone())])
    }

    /// The file with several made others.
    fn with_all(&self, changes: &[(&str, Value)]) -> Map<String, Value> {
        let mut fields = self.fields.clone();
        for (path, value) in changes {
            at_mut(&mut fields, path).unwrap().clone_from(value);
        }
        fields
    }
}

/// In which run each is felt, and with which value: where it was, or the first that is found. What none
/// feels is a list of its own.
fn search(file: &str, felt: &Value, shipped: &Catalogue, runs: &Value) -> Value {
    let (kind, name) = file.split_once('/').unwrap();
    let lost = unfelt(file, felt, shipped, runs);
    let is_lost = |path: &str| felt[path].is_null() || lost.iter().any(|it| it == path);
    let trials = trials(runs, kind, name, shipped);
    let asked = Asked::of(file);
    let mut found = felt.as_object().cloned().unwrap_or_default();
    // What the file does not say any more is not asked.
    let is_asked = |path: &String| {
        let mut all = asked
            .parameters
            .iter()
            .chain(asked.steps.iter().map(|(place, ..)| place));
        all.any(|one| one == path)
    };
    found.retain(|path, _| is_asked(path));
    let mut left: Vec<&str> = asked.parameters.iter().map(String::as_str).collect();
    left.retain(|path| is_lost(path));
    for path in &left {
        found.remove(*path);
    }
    for nth in 0..OTHERS {
        for trial in &trials {
            let values = left.iter().filter_map(|path| {
                let mut others = others(at(&asked.fields, path)?).into_iter();
                Some((*path, others.nth(nth)?))
            });
            let values: Vec<(&str, Value)> = values.collect();
            for (path, value) in felt_of(file, &asked, &values, trial, shipped) {
                found.insert(
                    path.to_owned(),
                    json!({ "run": trial.name, "value": value }),
                );
            }
            left.retain(|path| !found.contains_key(*path));
        }
    }
    // Where the catalogue refuses the only other value, that is what it does.
    let mut scratch = shipped.clone();
    for path in left {
        if let [other] = &others(at(&asked.fields, path).unwrap())[..]
            && !change(&mut scratch, file, &asked.with(path, other))
        {
            found.insert(path.to_owned(), json!({ "refused": other }));
        }
    }
    for (place, path, function) in asked.steps.iter().filter(|(place, ..)| is_lost(place)) {
        let step = (path.clone(), function.clone());
        let mut trials = trials.iter();
        let felt = trials.find(|trial| ran(trial.plain(shipped)).contains(&step));
        found.remove(place);
        found.extend(felt.map(|trial| (place.clone(), json!({ "run": trial.name }))));
    }
    let mut found = Value::Object(found);
    found["unfelt"] = json!([]);
    found["unfelt"] = json!(unfelt(file, &found, shipped, runs));
    found
}

/// Which of some changes a run feels, by halves: a run that all of them together leave as it was is taken
/// to feel none of them.
fn felt_of<'a>(
    file: &str,
    asked: &Asked,
    changes: &[(&'a str, Value)],
    trial: &Trial,
    shipped: &Catalogue,
) -> Vec<(&'a str, Value)> {
    let mut scratch = shipped.clone();
    let is_possible = !changes.is_empty() && change(&mut scratch, file, &asked.with_all(changes));
    if is_possible && trial.measured(&scratch).as_ref() == trial.plain(shipped) {
        return Vec::new();
    }
    if let [one] = changes {
        return if is_possible {
            vec![one.clone()]
        } else {
            Vec::new()
        };
    }
    let (some, rest) = changes.split_at(changes.len() / 2);
    let halves = [some, rest].map(|half| match half {
        [] => Vec::new(),
        half => felt_of(file, asked, half, trial, shipped),
    });
    halves.concat()
}

/// The steps that ran.
fn ran(measured: Option<&Measured>) -> Ran {
    let stacks = measured.into_iter().flat_map(|it| it.stacks.keys());
    let named = stacks.filter_map(|it| Some((it.path.clone()?, it.function.clone())));
    named.collect()
}

/// Whether something else is known to read a parameter.
fn elsewhere(runs: &Value, file: &str, path: &str) -> bool {
    let (kind, _) = file.split_once('/').unwrap();
    let all = runs["elsewhere"].as_object().unwrap();
    all.contains_key(&format!("{kind} {path}")) || all.contains_key(&format!("{file} {path}"))
}

/// The key under which it is told why no run feels a parameter: a name or place in it may be `*`.
fn reason<'a>(runs: &'a Value, file: &str, path: &str) -> Option<&'a str> {
    let (kind, _) = file.split_once('/').unwrap();
    let is_like = |one: &str| {
        let (mut names, mut others) = (one.split('.'), path.split('.'));
        one.split('.').count() == path.split('.').count()
            && names.all(|name| {
                others
                    .next()
                    .is_some_and(|other| name == "*" || name == other)
            })
    };
    let mut keys = runs["unfelt"]["why"].as_object().unwrap().keys();
    let found = keys.find(|key| {
        let (of, path) = key.split_once(' ').unwrap();
        (of == kind || of == file) && is_like(path)
    });
    found.map(String::as_str)
}

/// What of a file is not felt where it was, and not by anything else.
fn unfelt(file: &str, felt: &Value, shipped: &Catalogue, runs: &Value) -> Vec<String> {
    let (kind, name) = file.split_once('/').unwrap();
    let trials = trials(runs, kind, name, shipped);
    let asked = Asked::of(file);
    let mut scratch = shipped.clone();
    let trial = |path: &str| trials.iter().find(|trial| felt[path]["run"] == trial.name);
    let mut unfelt = Vec::new();
    for path in &asked.parameters {
        let is_refused = felt[path]
            .get("refused")
            .is_some_and(|value| !change(&mut scratch, file, &asked.with(path, value)));
        let has_moved = trial(path).is_some_and(|trial| {
            change(&mut scratch, file, &asked.with(path, &felt[path]["value"]))
                && trial.measured(&scratch).as_ref() != trial.plain(shipped)
        });
        let is_felt = is_refused || has_moved;
        if !is_felt {
            unfelt.push(path.clone());
        }
    }
    for (place, path, function) in &asked.steps {
        let step = (path.clone(), function.clone());
        let has_run = trial(place).is_some_and(|trial| ran(trial.plain(shipped)).contains(&step));
        if !has_run {
            unfelt.push(place.clone());
        }
    }
    unfelt.retain(|path| !elsewhere(runs, file, path));
    unfelt
}

/// All files of a kind. What no run feels is pinned, with how many there are and why, which no search tells.
fn check(kind: &str) {
    let shipped = Catalogue::shipped().unwrap();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let read = |path: &Path| -> Value {
        let text = fs::read_to_string(path).unwrap_or("{}".to_owned());
        serde_json::from_str(&text).unwrap()
    };
    let runs = read(&tests.join("parameters.json"));
    let place = tests.join(format!("parameters/{kind}.json"));
    let mut felt = read(&place);
    let is_asked = |file: &&str| file.split_once('/').unwrap().0 == kind;
    let mut reasons = BTreeSet::new();
    let mut count = 0;
    for file in shipped.files().filter(is_asked) {
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            felt[file] = search(file, &felt[file], &shipped, &runs);
            fs::write(&place, serde_json::to_string_pretty(&felt).unwrap() + "\n").unwrap();
        }
        let unfelt = unfelt(file, &felt[file], &shipped, &runs);
        assert_eq!(
            json!(unfelt),
            felt[file]["unfelt"],
            "changes no run of {file}"
        );
        count += unfelt.len();
        for path in &unfelt {
            let reason = reason(&runs, file, path);
            reasons.insert(reason.unwrap_or_else(|| panic!("why is {file} {path} not felt?")));
        }
    }
    assert_eq!(json!(count), runs["unfelt"]["count"][kind], "of {kind}");
    let told = runs["unfelt"]["why"].as_object().unwrap().keys();
    let told = told.filter(|key| key.starts_with(kind));
    assert_eq!(
        told.filter(|key| !reasons.contains(key.as_str()))
            .collect::<Vec<_>>(),
        Vec::<&String>::new(),
        "reasons of nothing"
    );
}

#[test]
fn another_value_of_a_kernels_parameter_changes_some_run() {
    check("kernels");
}

#[test]
fn another_value_of_a_machines_parameter_changes_some_run() {
    check("machines");
}

#[test]
fn another_value_of_a_workloads_parameter_changes_some_run() {
    check("workloads");
}

#[test]
fn another_value_of_a_parameter_of_instrumentation_changes_some_run() {
    check("instrumentation");
}
