//! Published numbers beside a sweep: those of runs that differ from a scenario in the swept settings alone.
//!
//! Nothing is drawn that does not fit: the experiment behind a number has to be one figure of one run, and its
//! machine, kernel, workload and settings those of the sweep. How long a run of ours is, and where chance starts,
//! is no condition of a study.

use serde_json::{Map, Value};
use sim::config::controls::Default;
use sim::config::scenario::Scenario;
use sim::config::settings::SETTINGS;

use super::experiments::{ItemPlan, StudyPlan};
use super::expression::Expression;
use super::published::Published;
use super::quantity::Quantity;

/// A published number at a point of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Beside {
    /// What the swept settings are there, in the order in which they were asked for.
    pub at: Vec<Value>,
    /// The figure that it is of, by its name: `throughput`.
    pub figure: &'static str,
    /// From here to there, in the figure's unit; the same where one number was published.
    pub value: (f64, f64),
    /// Who published it: authors and year.
    pub by: String,
    /// The table or sentence in `published.json`: `wc.share`.
    pub entry: String,
    /// Where that stands: `Table 2`.
    pub place: String,
    /// Under which conditions.
    pub conditions: String,
    /// Which number of it: `slow sender, BL2`.
    pub item: String,
}

/// The published numbers that a sweep of a scenario over these settings can be held against. A setting is
/// a name of the scenario's settings, or `machine`, `kernel` or `workload`.
pub(super) fn beside(studies: &[StudyPlan], scenario: &Scenario, swept: &[&str]) -> Vec<Beside> {
    let (base, _) = conditions(scenario, swept);
    let mut found = Vec::new();
    for study in studies {
        for entry in &study.entries {
            for item in &entry.items {
                let Some((figure, factor, run)) = figure(study, item) else {
                    continue;
                };
                let value = match item.published {
                    Published::Number(number) => (number, number),
                    Published::Range(low, high) => (low, high),
                    Published::Words(_) => continue,
                };
                let (others, at) = conditions(run, swept);
                if let Some(at) = at.filter(|_| others == base) {
                    found.push(Beside {
                        at,
                        figure,
                        value: (value.0 * factor, value.1 * factor),
                        by: format!("{} {}", study.authors, study.year),
                        entry: entry.id.clone(),
                        place: entry.published.place.clone(),
                        conditions: entry.published.conditions.clone(),
                        item: item.name.clone(),
                    });
                }
            }
        }
    }
    found
}

/// The figure that a number is of, by what it is to be multiplied, and of which run; nothing where it is put
/// together of several, or none of ours.
fn figure<'a>(
    study: &'a StudyPlan,
    item: &'a ItemPlan,
) -> Option<(&'static str, f64, &'a Scenario)> {
    if item.holds_if.is_some() || item.is_input {
        return None;
    }
    let Some(Expression::Measured {
        quantity,
        words,
        run,
    }) = &item.measure
    else {
        return None;
    };
    let (figure, factor) = match quantity {
        Quantity::ThroughputMbit if words.is_empty() => ("throughput", 1e6),
        Quantity::Utilisation if words.is_empty() => ("busy", 0.01),
        _ => return None,
    };
    let run = run.as_ref().or(item.scenario.as_ref())?;
    Some((figure, factor, study.scenario(run).ok()?))
}

/// What a scenario has beside the swept settings, those left out that say what holds anyway; and the values
/// of the swept ones, if it tells all of them.
pub(super) fn conditions(
    scenario: &Scenario,
    swept: &[&str],
) -> (Map<String, Value>, Option<Vec<Value>>) {
    let own = Scenario {
        duration_us: 0,
        warmup_us: None,
        seed: 0,
        ..scenario.clone()
    };
    let mut fields: Map<String, Value> = serde_json::from_str(&own.to_json()).unwrap_or_default();
    let settings = match fields.remove("settings") {
        Some(Value::Object(settings)) => settings,
        _ => Map::new(),
    };
    fields.extend(settings);
    for setting in SETTINGS {
        let usual = match setting.default {
            Default::Varies => continue,
            Default::Number(number) => Value::from(number),
            Default::Flag(flag) => Value::from(flag),
            Default::Word(word) => Value::from(word),
        };
        fields.entry(setting.name).or_insert(usual);
    }
    let at = swept.iter().map(|&name| fields.remove(name)).collect();
    (fields, at)
}
