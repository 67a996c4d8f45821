//! What is simulated for each published number, as `data/papers/*.json` says it: one
//! file a study, with its scenarios and, for each entry, which of its numbers is
//! compared with which expression over them.
//!
//! `data/papers/README.md` has the schema. An item may stand for many numbers: `*` in
//! its place in the values matches any name there, and `$1`, `$2` in its texts are the
//! names that matched.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

mod reasons;

use self::reasons::{Reason, give_reasons, tried};
use super::cells::{self, Cell};
use super::counterfactual::Otherwise;
use super::expression::Expression;
use super::published::{Published, PublishedEntry};
use super::repeats::{Repeats, RepeatsFile};
use super::{Entry, Item, Sealed};
use sim::config::catalogue::merge;
use sim::config::scenario::Scenario;

/// A study's file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StudyFile {
    name: String,
    title: String,
    authors: String,
    year: u16,
    machines: Vec<String>,
    #[serde(default)]
    processor: Option<String>,
    #[serde(default)]
    sealed: Vec<Sealed>,
    scenarios: BTreeMap<String, Value>,
    /// What several numbers are missed for, by name.
    #[serde(default)]
    reasons: BTreeMap<String, Reason>,
    entries: Vec<EntryFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryFile {
    id: String,
    tolerance: f64,
    #[serde(default)]
    follows_from: Vec<String>,
    /// Entries of the same host that had been measured before this one was.
    #[serde(default)]
    measured_after: Vec<String>,
    #[serde(default)]
    columns: Vec<String>,
    /// Names of reasons whose counterfactuals are tried on all of its numbers.
    #[serde(default)]
    tries: Vec<String>,
    items: Vec<ItemFile>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemFile {
    #[serde(default)]
    at: Option<String>,
    #[serde(default)]
    published: Option<Value>,
    #[serde(default)]
    item: Option<String>,
    #[serde(default)]
    unit: Option<String>,
    #[serde(default)]
    tolerance: Option<f64>,
    #[serde(default)]
    scenario: Option<String>,
    #[serde(default)]
    measure: Option<String>,
    #[serde(default)]
    holds_if: Option<Condition>,
    #[serde(default)]
    is_input: bool,
    #[serde(default)]
    repeats: Option<RepeatsFile>,
    #[serde(default)]
    note: String,
    #[serde(default)]
    counterfactual: Option<Otherwise>,
    /// The name of a reason of the study, in place of a note and a counterfactual.
    #[serde(default)]
    reason: Option<String>,
}

/// When a measured number answers what a study says in words, or as a bound.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Condition {
    /// It is below.
    Below(f64),
    /// It is above.
    Above(f64),
    /// It is so much or less.
    AtMost(f64),
    /// It is so much or more.
    AtLeast(f64),
    /// It is neither below the first nor above the second.
    Between(f64, f64),
}

impl Condition {
    pub(super) fn holds(self, value: f64) -> bool {
        match self {
            Self::Below(limit) => value < limit,
            Self::Above(limit) => value > limit,
            Self::AtMost(limit) => value <= limit,
            Self::AtLeast(limit) => value >= limit,
            Self::Between(low, high) => low <= value && value <= high,
        }
    }
}

/// A study with its experiments, ready to run.
#[derive(Debug, Clone)]
pub(super) struct StudyPlan {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) authors: String,
    pub(super) year: u16,
    pub(super) machines: Vec<String>,
    /// The kind of processor that its hosts have, where there are studies of others of that kind.
    pub(super) processor: Option<String>,
    pub(super) sealed: Vec<Sealed>,
    /// What none can be made of is refused where it is run.
    pub(super) scenarios: BTreeMap<String, Result<Scenario, String>>,
    pub(super) entries: Vec<EntryPlan>,
}

/// An entry's experiments.
#[derive(Debug, Clone)]
pub(super) struct EntryPlan {
    pub(super) id: String,
    /// Entries that this one was computed from: fitted to them is fitted to it.
    pub(super) follows_from: Vec<String>,
    /// Entries of the same study that had been measured before this one was.
    pub(super) measured_after: Vec<String>,
    pub(super) published: PublishedEntry,
    /// What is tried on all of its numbers.
    pub(super) tried: Vec<Otherwise>,
    pub(super) items: Vec<ItemPlan>,
}

/// A number's experiment.
#[derive(Debug, Clone)]
pub(super) struct ItemPlan {
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) published: Published,
    /// The 95 % interval of a number that was measured on a host, where it is known.
    pub(super) measured_between: Option<(f64, f64)>,
    /// The places of the entry's values that it speaks of.
    pub(super) places: Vec<String>,
    pub(super) tolerance: f64,
    /// The scenario to show, and that of quantities which name none.
    pub(super) scenario: Option<String>,
    /// Nothing where the model has no mechanism; the note then says so.
    pub(super) measure: Option<Expression>,
    pub(super) holds_if: Option<Condition>,
    /// Whether the model was told the number.
    pub(super) is_input: bool,
    /// The numbers of the same study that it only says again.
    pub(super) repeats: Option<Repeats>,
    pub(super) note: String,
    /// What shows why it is missed.
    pub(super) counterfactual: Option<Otherwise>,
}

impl StudyPlan {
    /// Whether two studies are of hosts with one kind of processor, as a study is with itself.
    pub(super) fn is_of_processor(&self, other: &Self) -> bool {
        self.name == other.name || self.processor.is_some() && self.processor == other.processor
    }

    pub(super) fn scenario(&self, name: &str) -> Result<&Scenario, String> {
        match self.scenarios.get(name) {
            Some(Ok(scenario)) => Ok(scenario),
            Some(Err(why)) => Err(why.clone()),
            None => Err(format!("there is no scenario {name}")),
        }
    }
}

impl EntryPlan {
    pub(super) fn entry(&self) -> Entry {
        let item = |item: &ItemPlan| Item {
            item: item.name.clone(),
            published: item.published.clone(),
        };
        Entry {
            id: self.id.clone(),
            place: self.published.place.clone(),
            what: self.published.what.clone(),
            unit: self.published.unit.clone(),
            conditions: self.published.conditions.clone(),
            items: self.items.iter().map(item).collect(),
        }
    }
}

/// Reads a study's file.
pub(super) fn study(
    text: &str,
    published: &BTreeMap<String, PublishedEntry>,
) -> Result<StudyPlan, String> {
    let mut file: StudyFile =
        serde_json::from_str(text).map_err(|error| format!("study: {error}"))?;
    give_reasons(&mut file)?;
    let tried = tried(&file)?;
    let within =
        |what: &str, error: &dyn std::fmt::Display| format!("{}: {what}: {error}", file.name);
    let mut scenarios = BTreeMap::new();
    for name in file.scenarios.keys() {
        let whole = complete(name, &file.scenarios).map_err(|error| within(name, &error))?;
        let scenario = serde_json::from_value(whole).map_err(|error| error.to_string());
        scenarios.insert(name.clone(), scenario);
    }
    let entry = |(entry, tried): (&EntryFile, Vec<Otherwise>)| {
        let numbers = published
            .get(&entry.id)
            .filter(|numbers| numbers.paper == file.name)
            .ok_or_else(|| within(&entry.id, &"the study did not publish it"))?;
        let mut plan = plan(entry, numbers).map_err(|error| within(&entry.id, &error))?;
        plan.tried = tried;
        Ok::<_, String>(plan)
    };
    let plan = StudyPlan {
        entries: file
            .entries
            .iter()
            .zip(tried)
            .map(entry)
            .collect::<Result<_, _>>()?,
        scenarios,
        name: file.name.clone(),
        title: file.title.clone(),
        authors: file.authors.clone(),
        year: file.year,
        machines: file.machines.clone(),
        processor: file.processor.clone(),
        sealed: file.sealed.clone(),
    };
    let checked = plan.check_repeats().and_then(|()| plan.check_choices());
    let checked = checked.and_then(|()| plan.check_order());
    checked.map_err(|error| format!("{}: {error}", file.name))?;
    Ok(plan)
}

/// A scenario with what it takes from those that it is based on.
fn complete(name: &str, all: &BTreeMap<String, Value>) -> Result<Value, String> {
    let mut chain = Vec::new();
    let mut next = Some(name.to_owned());
    while let Some(name) = next {
        if chain.len() > all.len() {
            return Err("based on itself".to_owned());
        }
        let Some(Value::Object(fields)) = all.get(&name) else {
            return Err(format!("no scenario {name:?}"));
        };
        let base = fields.get("based_on").and_then(Value::as_str);
        next = base.map(str::to_owned);
        chain.push(fields);
    }
    let mut whole = Value::Object(Map::new());
    for fields in chain.into_iter().rev() {
        merge(&mut whole, &Value::Object(fields.clone()));
    }
    if let Value::Object(fields) = &mut whole {
        fields.remove("based_on");
    }
    Ok(whole)
}

fn plan(entry: &EntryFile, numbers: &PublishedEntry) -> Result<EntryPlan, String> {
    let mut items: Vec<ItemPlan> = Vec::new();
    // An item that names its number comes before one that takes whatever is left.
    let named: Vec<&str> = entry
        .items
        .iter()
        .filter_map(|item| item.at.as_deref())
        .filter(|at| !at.contains('*'))
        .collect();
    for item in &entry.items {
        let found = match &item.at {
            None => vec![Cell::default()],
            Some(at) => cells::matching(at, &numbers.values)
                .into_iter()
                .filter(|cell| !at.contains('*') || !named.contains(&cell.place.as_str()))
                .collect(),
        };
        if found.is_empty() {
            return Err(format!("no number at {:?}", item.at));
        }
        for cell in found {
            items.push(item_plan(item, &cell, entry, numbers)?);
        }
    }
    Ok(EntryPlan {
        id: entry.id.clone(),
        follows_from: entry.follows_from.clone(),
        measured_after: entry.measured_after.clone(),
        published: numbers.clone(),
        tried: Vec::new(),
        items,
    })
}

fn item_plan(
    item: &ItemFile,
    cell: &Cell,
    entry: &EntryFile,
    numbers: &PublishedEntry,
) -> Result<ItemPlan, String> {
    let fill = |text: &str| cells::fill(text, &cell.names);
    let name = item.item.as_ref().map_or_else(
        || cells::name(&cell.place, &entry.columns),
        |text| fill(text),
    );
    let within = |error: String| format!("{name}: {error}");
    let parse = |text: String| Expression::parse(&text).map_err(within);
    let mut places: Vec<String> = item.at.iter().map(|_| cell.place.clone()).collect();
    let published = match &item.published {
        // Computed from numbers of the entry, so that nobody has to trust the sum.
        Some(Value::String(text)) if text.contains("cell(") => {
            let expression = parse(fill(text))?;
            places.extend(expression.cells());
            let value = expression.of_cells(&numbers.values).map_err(within)?;
            Published::Number((value * 1e6).round() / 1e6)
        }
        Some(value) => {
            Published::of(value).ok_or_else(|| within("publishes nothing".to_owned()))?
        }
        None => numbers
            .values
            .pointer(&cell.place)
            .and_then(Published::of)
            .ok_or_else(|| within("no number is there".to_owned()))?,
    };
    let interval = item.published.is_none().then_some(&numbers.intervals);
    let interval = interval.and_then(|all| all.pointer(&cell.place));
    let measured_between = match interval.map(Published::of) {
        None => None,
        Some(Some(Published::Range(low, high))) => Some((low, high)),
        Some(_) => return Err(within("an interval is two numbers".to_owned())),
    };
    let measure = item
        .measure
        .as_ref()
        .map(|text| fill(text))
        .map(parse)
        .transpose()?;
    let repeats = match &item.repeats {
        None => None,
        Some(written) => Some(
            Repeats::of(written, fill)
                .ok_or_else(|| within("repeats is an entry and an item, or two and more".into()))?,
        ),
    };
    Ok(ItemPlan {
        unit: item
            .unit
            .as_ref()
            .map_or_else(|| numbers.unit.clone(), |text| fill(text)),
        published,
        measured_between,
        places,
        tolerance: item.tolerance.unwrap_or(entry.tolerance),
        scenario: item.scenario.as_ref().map(|text| fill(text)),
        measure,
        holds_if: item.holds_if,
        is_input: item.is_input,
        repeats,
        note: fill(&item.note),
        counterfactual: item.counterfactual.clone(),
        name,
    })
}
