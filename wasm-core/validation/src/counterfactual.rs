//! Counterfactuals: what a number would be if one thing were otherwise. A missed number shows with one what it
//! was missed for. It counts for nothing.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::board::{is_within, ratio, settle};
use super::experiments::{EntryPlan, ItemPlan, StudyPlan};
use super::fitted::names_item;
use super::runs::Runs;
use sim::config::catalogue::{Catalogue, merge};
use sim::config::machine::Machine;
use sim::config::source::Fit;
use sim::config::workload::Workload;

/// One thing that is otherwise, as a study's file says it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Otherwise {
    /// What it is.
    pub(super) what: String,
    /// What is merged into each scenario of the number (RFC 7396).
    #[serde(default)]
    scenario: Map<String, Value>,
    /// What is merged into shipped data files (`kernels/2.4.17`) with what they are based on.
    #[serde(default)]
    data: BTreeMap<String, Value>,
    /// The numbers that were in view when its amount was chosen: that it meets them shows nothing.
    #[serde(default)]
    chosen_for: Vec<Fit>,
}

impl Otherwise {
    /// Whether its amount was chosen with a number in view.
    fn is_chosen_for(&self, item: &ItemPlan, entry: &EntryPlan) -> bool {
        self.chosen_for
            .iter()
            .any(|fit| names_item(fit, item, entry))
    }
}

/// A number under a counterfactual.
#[derive(Debug, Clone, PartialEq)]
pub struct Counterfactual {
    /// Which number of the entry, from 0.
    pub item: usize,
    /// What is otherwise.
    pub what: String,
    /// What the model gives then.
    pub modelled: f64,
    /// Half width of the interval in which the mean lies with 95 %.
    pub interval: f64,
    /// Modelled by published; nothing where what was published is no number.
    pub ratio: Option<f64>,
    /// Whether it would be within its tolerance.
    pub within: bool,
    /// Whether its amount was chosen with this number in view, so that it shows nothing of it to meet it.
    pub is_chosen: bool,
}

/// Those of an entry. The error says which cannot be run.
pub(super) fn of_entry(
    study: &StudyPlan,
    entry: &EntryPlan,
    runs: &mut Runs,
) -> Result<Vec<Counterfactual>, String> {
    let mut found = Vec::new();
    let mut left: Vec<(usize, &ItemPlan, &Otherwise)> = Vec::new();
    for (index, item) in entry.items.iter().enumerate() {
        left.extend(item.counterfactual.as_ref().map(|it| (index, item, it)));
    }
    // Those with the same data share a catalogue, and what was run with it.
    while let Some(&(_, _, first)) = left.first() {
        let (same, others): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|(.., it)| it.data == first.data);
        left = others;
        if first.data.is_empty() {
            found.extend(of_items(study, entry, &same, runs)?);
        } else {
            let catalogue = with(runs.catalogue(), &first.data)
                .map_err(|why| format!("{}: {why}", entry.id))?;
            found.extend(of_items(study, entry, &same, &mut Runs::new(&catalogue))?);
        }
    }
    found.sort_by_key(|one| one.item);
    Ok(found)
}

/// A catalogue with files that say something else. What is the same in other files stays as it is there.
fn with(catalogue: &Catalogue, data: &BTreeMap<String, Value>) -> Result<Catalogue, String> {
    let mut catalogue = catalogue.clone();
    for (file, patch) in data {
        let wrong = |why: String| format!("{file}: {why}");
        let fields =
            Catalogue::fields(file).ok_or_else(|| wrong("there is no such file".into()))?;
        let mut fields = Value::Object(fields);
        merge(&mut fields, patch);
        let put = |catalogue: &mut Catalogue| -> Result<(), String> {
            match file.split_once('/') {
                Some(("machines", _)) => {
                    let machine: Machine = read(fields)?;
                    machine.check()?;
                    catalogue.put_machine(machine);
                }
                Some(("kernels", _)) => catalogue.put_kernel(read(fields)?)?,
                Some(("workloads", _)) => {
                    let workload: Workload = read(fields)?;
                    workload.check()?;
                    catalogue.add_workload(workload);
                }
                _ => return Err("is neither a machine, a kernel nor a workload".into()),
            }
            Ok(())
        };
        put(&mut catalogue).map_err(wrong)?;
    }
    Ok(catalogue)
}

fn read<T: DeserializeOwned>(fields: Value) -> Result<T, String> {
    serde_json::from_value(fields).map_err(|error| error.to_string())
}

fn of_items(
    study: &StudyPlan,
    entry: &EntryPlan,
    items: &[(usize, &ItemPlan, &Otherwise)],
    runs: &mut Runs,
) -> Result<Vec<Counterfactual>, String> {
    let one = |&(index, item, otherwise): &(usize, &ItemPlan, &Otherwise)| {
        let named = |why: String| format!("{}, {}, counterfactual: {why}", entry.id, item.name);
        let study = study.otherwise(&otherwise.scenario);
        let (modelled, interval) = settle(&study, entry, item, runs).map_err(named)?;
        Ok(Counterfactual {
            item: index,
            what: otherwise.what.clone(),
            modelled,
            interval,
            ratio: ratio(modelled, &item.published),
            within: is_within(item, modelled),
            is_chosen: otherwise.is_chosen_for(item, entry),
        })
    };
    items.iter().map(one).collect()
}

impl StudyPlan {
    /// A counterfactual whose amount was chosen for numbers stands beside one of them.
    pub(super) fn check_choices(&self) -> Result<(), String> {
        let mut beside = Vec::new();
        for entry in &self.entries {
            for item in &entry.items {
                beside.extend(item.counterfactual.as_ref().map(|it| (entry, item, it)));
            }
        }
        for (_, item, otherwise) in &beside {
            for fit in &otherwise.chosen_for {
                let same = beside.iter().filter(|(.., it)| it == otherwise);
                if !same
                    .clone()
                    .any(|(entry, item, _)| names_item(fit, item, entry))
                {
                    let (name, Fit(numbers)) = (&item.name, fit);
                    return Err(format!(
                        "{name}: chosen for {numbers:?}, which it does not stand beside"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Its scenarios with a patch.
    fn otherwise(&self, patch: &Map<String, Value>) -> Self {
        let patch = Value::Object(patch.clone());
        let mut scenarios = BTreeMap::new();
        for (name, scenario) in &self.scenarios {
            let patched = scenario.clone().and_then(|scenario| {
                let mut fields: Value =
                    serde_json::from_str(&scenario.to_json()).map_err(|error| error.to_string())?;
                merge(&mut fields, &patch);
                serde_json::from_value(fields).map_err(|error| error.to_string())
            });
            scenarios.insert(name.clone(), patched);
        }
        Self {
            scenarios,
            ..self.clone()
        }
    }
}
