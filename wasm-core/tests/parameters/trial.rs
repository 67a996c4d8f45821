//! The runs in which a parameter may be felt, as `tests/parameters.json` lists them.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use ringside::run::measured::Measured;
use serde_json::{Value, json};
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::config::workload::Route;
use sim::engine::simulate;

/// A run that may show a change.
pub struct Trial {
    /// What the lists in `tests/parameters/` call it.
    pub name: String,
    scenario: Value,
    plain: OnceCell<Option<Measured>>,
}

impl Trial {
    fn new(base: &Value, field: &str, name: &Value) -> Self {
        let mut scenario = base.as_object().unwrap().clone();
        let Some(Value::String(own)) = scenario.remove("name") else {
            panic!("a run has no name: {base}");
        };
        scenario.insert(field.to_owned(), name.clone());
        scenario.insert("seed".to_owned(), json!(3));
        Self {
            name: own,
            scenario: Value::Object(scenario),
            plain: OnceCell::new(),
        }
    }

    /// What it comes to; none where the parts do not go together.
    pub fn measured(&self, catalogue: &Catalogue) -> Option<Measured> {
        let scenario = Scenario::parse(&self.scenario.to_string(), catalogue).ok()?;
        Some(simulate(&scenario, catalogue, false).ok()?.measured)
    }

    /// What it comes to with the files as they are.
    pub fn plain(&self, shipped: &Catalogue) -> Option<&Measured> {
        let plain = self.plain.get_or_init(|| self.measured(shipped));
        plain.as_ref()
    }
}

/// The runs for a file of a kind.
pub fn trials(runs: &Value, kind: &str, name: &str, shipped: &Catalogue) -> Vec<Trial> {
    let (list, field) = match kind {
        "kernels" => (&runs["kernels"], "kernel"),
        "machines" => (&runs["machines"], "machine"),
        "instrumentation" => (&runs["instrumentation"][name], "instrumentation"),
        _ => match shipped.workload(name).unwrap().route {
            Route::Loopback => (&runs["loopback"], "workload"),
            Route::Link => (&runs["link"], "workload"),
        },
    };
    let name = match kind {
        "instrumentation" => json!([name]),
        _ => json!(name),
    };
    let bases = list.as_array().unwrap().iter();
    let trials: Vec<Trial> = bases.map(|base| Trial::new(base, field, &name)).collect();
    let names: BTreeSet<&str> = trials.iter().map(|trial| trial.name.as_str()).collect();
    assert_eq!(names.len(), trials.len(), "two runs of one name: {names:?}");
    trials
}
