//! Counterfactuals: what a number would be if one thing were otherwise. A missed number shows with one what it
//! was missed for. It counts for nothing.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::board::{ratio, settle, verdict};
use super::experiments::{EntryPlan, ItemPlan, StudyPlan};
use super::fitted::names_item;
use super::runs::Runs;
use super::{Kind, Reproduced, Verdict};
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
    pub(super) scenario: Map<String, Value>,
    /// What is merged into shipped data files (`kernels/2.4.17`) with what they are based on.
    #[serde(default)]
    pub(super) data: BTreeMap<String, Value>,
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
    /// Half width of the nominal 95 % interval of the mean, as [`Reproduced::interval`] is.
    pub interval: f64,
    /// Modelled by published; nothing where what was published is no number.
    pub ratio: Option<f64>,
    /// How it would come out.
    pub verdict: Verdict,
    /// Whether its amount was chosen with this number in view, so that it shows nothing of it to meet it.
    pub is_chosen: bool,
}

/// All predicted numbers of an entry under one counterfactual. What meets one number may lose others, and only what it
/// does to all of them says whether it is the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Throughout {
    /// What is otherwise.
    pub what: String,
    /// Predicted numbers that are missed or told by chance, but for those that were in view when its amount was chosen:
    /// how many of them would be within.
    pub gained: (usize, usize),
    /// Predicted numbers that are within: how many of them would be missed or told by chance.
    pub lost: (usize, usize),
}

/// What a counterfactual does to all predicted numbers of an entry that the model reaches.
fn throughout(
    study: &StudyPlan,
    entry: &EntryPlan,
    board: &[Reproduced],
    otherwise: &Otherwise,
    runs: &mut Runs,
) -> Result<Throughout, String> {
    let study = study.otherwise(&otherwise.scenario);
    let mut found = Throughout {
        what: otherwise.what.clone(),
        gained: (0, 0),
        lost: (0, 0),
    };
    for (item, number) in entry.items.iter().zip(board) {
        if number.kind != Kind::Predicted || number.modelled.is_none() {
            continue;
        }
        let (mean, half) = settle(&study, entry, item, runs)
            .map_err(|why| format!("{}, {}, counterfactual: {why}", entry.id, item.name))?;
        let is_met = verdict(item, mean, half) == Verdict::Within;
        if number.verdict == Verdict::Within {
            found.lost.0 += usize::from(!is_met);
            found.lost.1 += 1;
        } else if !otherwise.is_chosen_for(item, entry) {
            found.gained.0 += usize::from(is_met);
            found.gained.1 += 1;
        }
    }
    Ok(found)
}

/// What was tried on an entry's numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tried {
    /// Beside single numbers, in their order.
    pub numbers: Vec<Counterfactual>,
    /// Those of them that meet a predicted number, and what the entry tries, on all predicted numbers.
    pub throughout: Vec<Throughout>,
}

/// What is tried on an entry: the counterfactual of each of its numbers, and on all of its predicted numbers the entry's own and
/// what meets one of them. `board` says how they came out. The error says which cannot be run.
pub(super) fn of_entry(
    study: &StudyPlan,
    entry: &EntryPlan,
    board: &[Reproduced],
    runs: &mut Runs,
) -> Result<Tried, String> {
    let mut tried = Tried::default();
    let mut left = Vec::new();
    for (index, item) in entry.items.iter().enumerate() {
        left.extend(item.counterfactual.as_ref().map(|it| (Some(index), it)));
    }
    left.extend(entry.tried.iter().map(|it| (None, it)));
    // Those with the same data share a catalogue, and what was run with it.
    while let Some(&(_, first)) = left.first() {
        let (same, others): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|(_, it)| it.data == first.data);
        left = others;
        if first.data.is_empty() {
            try_on(study, entry, board, &same, runs, &mut tried)?;
        } else {
            let catalogue = with(runs.catalogue(), &first.data)
                .map_err(|why| format!("{}: {why}", entry.id))?;
            let runs = &mut Runs::new(&catalogue);
            try_on(study, entry, board, &same, runs, &mut tried)?;
        }
    }
    tried.numbers.sort_by_key(|one| one.item);
    Ok(tried)
}

/// Tries some with the same data, each on its number and, once, on all.
fn try_on(
    study: &StudyPlan,
    entry: &EntryPlan,
    board: &[Reproduced],
    same: &[(Option<usize>, &Otherwise)],
    runs: &mut Runs,
    tried: &mut Tried,
) -> Result<(), String> {
    let mut all: Vec<&Otherwise> = Vec::new();
    for &(index, otherwise) in same {
        let is_asked = match index {
            None => true,
            Some(index) => {
                let item = of_item(study, entry, index, otherwise, runs)?;
                let is_met =
                    item.verdict == Verdict::Within && board[index].kind == Kind::Predicted;
                tried.numbers.push(item);
                is_met
            }
        };
        if is_asked && !all.contains(&otherwise) {
            all.push(otherwise);
        }
    }
    for otherwise in all {
        let found = throughout(study, entry, board, otherwise, runs)?;
        if found.gained.1 + found.lost.1 > 0 {
            tried.throughout.push(found);
        }
    }
    Ok(())
}

/// A catalogue with files that say something else. What is the same in other files stays as it is there.
pub(super) fn with(
    catalogue: &Catalogue,
    data: &BTreeMap<String, Value>,
) -> Result<Catalogue, String> {
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

/// A number under its counterfactual.
fn of_item(
    study: &StudyPlan,
    entry: &EntryPlan,
    index: usize,
    otherwise: &Otherwise,
    runs: &mut Runs,
) -> Result<Counterfactual, String> {
    let item = &entry.items[index];
    let study = study.otherwise(&otherwise.scenario);
    let (modelled, interval) = settle(&study, entry, item, runs)
        .map_err(|why| format!("{}, {}, counterfactual: {why}", entry.id, item.name))?;
    Ok(Counterfactual {
        item: index,
        what: otherwise.what.clone(),
        modelled,
        interval,
        ratio: ratio(modelled, &item.published),
        verdict: verdict(item, modelled, interval),
        is_chosen: otherwise.is_chosen_for(item, entry),
    })
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
    pub(super) fn otherwise(&self, patch: &Map<String, Value>) -> Self {
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

#[cfg(test)]
mod tests;
