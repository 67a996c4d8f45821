//! The scoreboard: every number that a study published, and what the model gives in
//! its place.
//!
//! The numbers stand in `data/papers/published.json`, our own recordings' in
//! `own.json`; what is simulated for each, and what of it is compared, in one file a
//! study beside them (`experiments`). Nothing here knows a result: an experiment is a
//! scenario and an expression over what was measured (`expression`, `quantity`).

mod beside;
mod board;
mod cells;
mod experiments;
mod expression;
mod fitted;
mod published;
pub mod quantity;
mod recorded;
mod runs;
mod sensitivity;
#[cfg(test)]
mod tests;

use sim::config::catalogue::Catalogue;

pub use beside::{Beside, beside};
use experiments::EntryPlan;
pub use published::Published;
pub use runs::Runs;
pub use sensitivity::{Sensitivity, Shift};

/// A paper or a set of recordings, with everything in it that the model is held against.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// What its entries call it: `bhattacharya-apte-2006-tcpip-smp`.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Who wrote it.
    pub authors: String,
    /// When it came out.
    pub year: u16,
    /// The machines that it measured, as the catalogue describes them.
    pub machine: String,
    /// Its tables and sentences.
    pub entries: Vec<Entry>,
}

/// A table or a sentence of a study.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// As in `published.json`: `ba.fig5`.
    pub id: String,
    /// `Table II`, `section 4.2`.
    pub place: String,
    /// What was measured.
    pub what: String,
    /// In what.
    pub unit: String,
    /// Under which conditions.
    pub conditions: String,
    /// Its numbers.
    pub items: Vec<Item>,
}

/// A number of an entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Which one: `2.6: SMP, 2 connections`.
    pub item: String,
    /// What the study says.
    pub published: Published,
}

/// What it is worth that a number is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// No parameter was fitted to it.
    Predicted,
    /// A source in the machine, kernel or workload names it.
    Fitted,
    /// Something that is there for its experiment alone has a part in it: no mechanism gives it.
    Fudged,
    /// No number was published but a bound, a range or a direction.
    Bound,
    /// It only says again what was put into the model, and counts for nothing.
    Given,
}

impl Reproduced {
    /// Whether chance alone could put it within its tolerance or out of it: the interval of its
    /// mean is wider than that.
    pub fn is_noisy(&self) -> bool {
        match self.published {
            Published::Number(published) => self.interval > self.tolerance * published.abs(),
            Published::Range(..) | Published::Words(_) => false,
        }
    }
}

impl Kind {
    /// All, in the order in which they are printed.
    pub const ALL: [Self; 5] = [
        Self::Predicted,
        Self::Fitted,
        Self::Fudged,
        Self::Bound,
        Self::Given,
    ];

    /// As printed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Predicted => "predicted",
            Self::Fitted => "fitted",
            Self::Fudged => "fudged",
            Self::Bound => "bound",
            Self::Given => "given",
        }
    }
}

/// A published number and what the model gives in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Reproduced {
    /// The entry that it is part of.
    pub entry: String,
    /// Which number of it.
    pub item: String,
    /// In what.
    pub unit: String,
    /// What the study says.
    pub published: Published,
    /// Nothing where the model cannot reach it; `note` says why.
    pub modelled: Option<f64>,
    /// Half width of the interval in which the mean lies with 95 %.
    pub interval: f64,
    /// Modelled by published; nothing where either is no number.
    pub ratio: Option<f64>,
    /// What it is worth that it is met.
    pub kind: Kind,
    /// It is predicted, and no parameter of its runs was fitted to any number of its study: what
    /// the board would be without that study's fits.
    pub is_held_out: bool,
    /// How far from 1 the ratio may be: 0.1 for 10 %.
    pub tolerance: f64,
    /// Whether it is no further away.
    pub within: bool,
    /// JSON text; empty where no simulation is behind it.
    pub scenario: String,
    /// What must be known to judge it.
    pub note: String,
}

/// The studies in the order of the board.
pub fn studies(catalogue: &Catalogue) -> Result<Vec<Study>, String> {
    let studies = experiments::read()?;
    let title = |name: &String| {
        let machine = catalogue.machine(name);
        machine.map_or_else(|| name.clone(), |machine| machine.title.clone())
    };
    Ok(studies
        .into_iter()
        .map(|study| Study {
            machine: study
                .machines
                .iter()
                .map(title)
                .collect::<Vec<_>>()
                .join("; "),
            entries: study.entries.iter().map(EntryPlan::entry).collect(),
            name: study.name,
            title: study.title,
            authors: study.authors,
            year: study.year,
        })
        .collect())
}

/// Runs the experiments behind an entry: one result for each of its numbers.
pub fn reproduce(entry: &str, catalogue: &Catalogue) -> Result<Vec<Reproduced>, String> {
    reproduce_with(entry, &mut Runs::new(catalogue))
}

/// The same with what was run before: entries of one study share many runs.
pub fn reproduce_with(entry: &str, runs: &mut Runs) -> Result<Vec<Reproduced>, String> {
    let studies = experiments::read()?;
    let found = studies
        .iter()
        .find_map(|study| Some((study, study.entries.iter().find(|one| one.id == entry)?)));
    let (study, plan) = found.ok_or_else(|| format!("entry: nothing is called {entry:?}"))?;
    Ok(board::entry(study, plan, runs))
}

/// Published numbers that no item speaks of: entry and place. There should be none.
pub fn left_out() -> Result<Vec<String>, String> {
    let studies = experiments::read()?;
    let mut left = Vec::new();
    for (id, numbers) in published::entries()? {
        let plans = studies.iter().flat_map(|study| &study.entries);
        let items = plans
            .filter(|plan| plan.id == id)
            .flat_map(|plan| &plan.items);
        let covered: Vec<&String> = items.flat_map(|item| &item.places).collect();
        let is_at = |leaf: &str, place: &str| {
            let below = leaf.strip_prefix(place);
            below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let is_covered = |leaf: &String| covered.iter().any(|place| is_at(leaf, place));
        let leaves = cells::leaves(&numbers.values);
        let open = leaves.iter().filter(|leaf| !is_covered(leaf));
        left.extend(open.map(|leaf| format!("{id} {leaf}")));
    }
    Ok(left)
}
