//! The scoreboard as the page reads it: what was published, and what the model gives in
//! its place.

use serde::Serialize;
use tsify::Tsify;

use validation::{Entry, Item, Published, Reproduced, Study};

/// A paper or a set of recordings.
#[derive(Debug, Serialize, Tsify)]
pub struct StudyView {
    name: String,
    title: String,
    authors: String,
    year: u16,
    machine: String,
    entries: Vec<EntryView>,
}

/// A table or a sentence of a study.
#[derive(Debug, Serialize, Tsify)]
pub struct EntryView {
    id: String,
    #[serde(rename = "where")]
    place: String,
    what: String,
    unit: String,
    conditions: String,
    items: Vec<ItemView>,
}

/// A number of an entry.
#[derive(Debug, Serialize, Tsify)]
pub struct ItemView {
    item: String,
    #[tsify(type = "number | readonly [low: number, high: number] | string")]
    published: PublishedView,
}

/// What a study says.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum PublishedView {
    /// A number.
    Number(f64),
    /// From, to.
    Range(f64, f64),
    /// In words.
    Words(String),
}

/// A number as the model gives it.
#[derive(Debug, Serialize, Tsify)]
pub struct ReproducedView {
    entry: String,
    item: String,
    unit: String,
    #[tsify(type = "number | readonly [low: number, high: number] | string")]
    published: PublishedView,
    #[tsify(type = "number | undefined")]
    modelled: Option<f64>,
    interval: f64,
    #[tsify(type = "number | undefined")]
    ratio: Option<f64>,
    #[tsify(type = "'predicted' | 'fitted' | 'fudged' | 'bound' | 'given'")]
    kind: &'static str,
    tolerance: f64,
    #[tsify(type = "'within' | 'missed' | 'chance'")]
    verdict: &'static str,
    scenario: String,
    note: String,
}

impl From<Study> for StudyView {
    fn from(study: Study) -> Self {
        Self {
            name: study.name,
            title: study.title,
            authors: study.authors,
            year: study.year,
            machine: study.machine,
            entries: study.entries.into_iter().map(EntryView::from).collect(),
        }
    }
}

impl From<Entry> for EntryView {
    fn from(entry: Entry) -> Self {
        Self {
            id: entry.id,
            place: entry.place,
            what: entry.what,
            unit: entry.unit,
            conditions: entry.conditions,
            items: entry.items.into_iter().map(ItemView::from).collect(),
        }
    }
}

impl From<Item> for ItemView {
    fn from(item: Item) -> Self {
        Self {
            item: item.item,
            published: item.published.into(),
        }
    }
}

impl From<Published> for PublishedView {
    fn from(published: Published) -> Self {
        match published {
            Published::Number(number) => Self::Number(number),
            Published::Range(low, high) => Self::Range(low, high),
            Published::Words(words) => Self::Words(words),
        }
    }
}

impl From<Reproduced> for ReproducedView {
    fn from(reproduced: Reproduced) -> Self {
        Self {
            entry: reproduced.entry,
            item: reproduced.item,
            unit: reproduced.unit,
            published: reproduced.published.into(),
            modelled: reproduced.modelled,
            interval: reproduced.interval,
            ratio: reproduced.ratio,
            kind: reproduced.kind.name(),
            tolerance: reproduced.tolerance,
            verdict: reproduced.verdict.name(),
            scenario: reproduced.scenario,
            note: reproduced.note,
        }
    }
}
