//! What a sweep runs: every combination of its settings' values, with each seed, in one order.

use serde_json::{Map, Value, json};
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;

/// More runs than a sweep may have.
const MOST_RUNS: usize = 1_000_000;

/// A setting that is varied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Varied {
    /// Its name in a scenario's `settings`, or a field of the scenario itself, such as `kernel`.
    pub setting: String,
    /// What it is set to, in order.
    pub values: Vec<Value>,
}

/// A whole sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What all runs have in common.
    pub base: Scenario,
    /// One or two settings.
    pub varied: Vec<Varied>,
    /// The seeds of each point.
    pub seeds: Vec<u64>,
    /// A digest of the data files of one's own that the catalogue has.
    pub data: Option<u64>,
}

/// One run of a plan.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunId {
    /// The place of the point: the last setting varies fastest.
    pub point: usize,
    /// Its seed.
    pub seed: u64,
}

impl Plan {
    /// Puts a plan together and checks each of its scenarios, so that a sweep does not fail at its end.
    /// The error names the setting and the value.
    pub fn new(
        base: Scenario,
        varied: Vec<Varied>,
        seeds: Vec<u64>,
        catalogue: &Catalogue,
    ) -> Result<Self, String> {
        if varied.is_empty() || varied.len() > 2 {
            let count = varied.len();
            return Err(format!("a sweep varies one setting or two, not {count}"));
        }
        if let [one, other] = &varied[..]
            && one.setting == other.setting
        {
            return Err(format!("{} is varied twice", one.setting));
        }
        if varied.iter().any(|varied| varied.setting == "seed") {
            return Err("seeds are given by --seeds".to_owned());
        }
        let plan = Self {
            base,
            varied,
            seeds,
            data: None,
        };
        let runs = plan.points().saturating_mul(plan.seeds.len());
        if runs > MOST_RUNS {
            return Err(format!("these are {runs} runs, more than {MOST_RUNS}"));
        }
        for point in 0..plan.points() {
            plan.scenario(&RunId { point, seed: 1 }, catalogue)?;
        }
        for &seed in &plan.seeds {
            plan.scenario(&RunId { point: 0, seed }, catalogue)?;
        }
        Ok(plan)
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.varied.iter().fold(1, |points, varied| {
            points.saturating_mul(varied.values.len())
        })
    }

    /// All runs, point by point.
    pub fn runs(&self) -> impl Iterator<Item = RunId> + '_ {
        (0..self.points())
            .flat_map(|point| self.seeds.iter().map(move |&seed| RunId { point, seed }))
    }

    /// The values of the varied settings at a point.
    pub fn values(&self, point: usize) -> Vec<&Value> {
        let mut rest = point;
        let mut values: Vec<&Value> = self
            .varied
            .iter()
            .rev()
            .map(|varied| {
                let value = &varied.values[rest % varied.values.len()];
                rest /= varied.values.len();
                value
            })
            .collect();
        values.reverse();
        values
    }

    /// The scenario of a run.
    pub fn scenario(&self, run: &RunId, catalogue: &Catalogue) -> Result<Scenario, String> {
        let text = self.base.to_json();
        let mut fields: Map<String, Value> =
            serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let values = self.values(run.point);
        for (Varied { setting, .. }, value) in self.varied.iter().zip(&values) {
            let own = ["machine", "kernel", "workload", "duration_us", "warmup_us"];
            let place = if own.contains(&setting.as_str()) {
                &mut fields
            } else {
                let settings = fields.entry("settings").or_insert_with(|| json!({}));
                settings.as_object_mut().ok_or("settings is no object")?
            };
            place.insert(setting.clone(), (*value).clone());
        }
        fields.insert("seed".to_owned(), run.seed.into());
        let text = Value::Object(fields).to_string();
        Scenario::parse(&text, catalogue).map_err(|error| format!("{}: {error}", self.at(run)))
    }

    /// A run in words, for errors: `rx_ring=64, seed 1`.
    pub fn at(&self, run: &RunId) -> String {
        let values = self.values(run.point);
        let pairs = self.varied.iter().zip(values);
        let pairs =
            pairs.map(|(Varied { setting, .. }, value)| format!("{setting}={}", word(value)));
        format!(
            "{}, seed {}",
            pairs.collect::<Vec<_>>().join(", "),
            run.seed
        )
    }

    /// What has to be the same for runs to be of one table: the common scenario, without its seed,
    /// and which settings are varied; with the model that ran and the data of one's own.
    pub fn identity(&self) -> Value {
        let base = Scenario {
            seed: 1,
            ..self.base.clone()
        };
        let names: Vec<&str> = self.varied.iter().map(|varied| &*varied.setting).collect();
        json!({
            "scenario": serde_json::from_str::<Value>(&base.to_json()).unwrap_or_default(),
            "varied": names,
            "model": env!("RINGSIDE_MODEL"),
            "data": self.data.map(|digest| format!("{digest:016x}")),
        })
    }
}

/// A value as it stands in a table: a text without quotes.
pub fn word(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
