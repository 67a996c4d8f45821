//! The scoreboard: every number that a study published, and what the model gives in
//! its place.
//!
//! The numbers stand in `data/papers/published.json`, our own recordings' in
//! `own.json`; what is simulated for each, and what of it is compared, in one file a
//! study beside them (`experiments`). Nothing here knows a result: an experiment is a
//! scenario and an expression over what was measured (`expression`, `quantity`).

mod baseline;
mod beginning;
mod beside;
mod board;
mod cells;
mod counterfactual;
mod experiments;
mod expression;
mod fitted;
mod heads;
mod papers;
mod published;
pub mod quantity;
mod recorded;
mod repeats;
mod runs;
mod sensitivity;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use serde::Deserialize;

pub use beginning::Beginning;
pub use beside::Beside;
pub use counterfactual::{Counterfactual, Throughout, Tried};
pub use heads::{Baseline, Heads};
pub use papers::Papers;
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
    /// What the model had said of numbers before anybody looked at them.
    pub sealed: Vec<Sealed>,
    /// Its tables and sentences.
    pub entries: Vec<Entry>,
}

/// Predictions as they stood before anybody looked at what was measured. Whatever was changed or relabelled since is not in it:
/// what a board says today has had the chance to be learnt from, this has not.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed {
    /// The day, `2026-11-28`.
    pub on: String,
    /// Which numbers.
    pub what: String,
    /// How many they are.
    pub numbers: usize,
    /// How many of them were within their tolerance.
    pub within: usize,
    /// How many of them repeat another number, where those were counted.
    #[serde(default)]
    pub repeats: usize,
    /// How many of these were within.
    #[serde(default)]
    pub repeats_within: usize,
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
    /// No number was published but a bound, a range or a direction, and nothing was put in for it.
    Bound,
    /// It only says again what was put into the model, or another number of the board, and counts for nothing.
    Given,
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

/// How a number came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is what was published, as far as its tolerance goes.
    Within,
    /// It is not, or the model cannot reach it.
    Missed,
    /// Chance decides: the interval of its mean, or that of what its host measured, crosses the limit of its tolerance, so it
    /// is told to be neither.
    Chance,
}

impl Verdict {
    /// All, in the order in which they are printed.
    pub const ALL: [Self; 3] = [Self::Within, Self::Missed, Self::Chance];

    /// As printed.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Within => "within",
            Self::Missed => "missed",
            Self::Chance => "chance",
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
    /// The 95 % interval of what was measured, where its host told one.
    pub measured_between: Option<(f64, f64)>,
    /// Nothing where the model cannot reach it; `note` says why.
    pub modelled: Option<f64>,
    /// Half width of the nominal 95 % interval of the mean: seeds are run until it is narrow, so it covers the mean less often
    /// than that (ARCHITECTURE.md has how often).
    pub interval: f64,
    /// Modelled by published; nothing where either is no number.
    pub ratio: Option<f64>,
    /// What it is worth that it is met.
    pub kind: Kind,
    /// It is predicted by a run, and no parameter of its runs was fitted to any number of its study, or of one of hosts
    /// with the same kind of processor: what the board would be without the fits of these.
    pub is_held_out: bool,
    /// What would be said of it without a model, from a host that was measured before; of predicted numbers alone.
    pub baseline: Option<f64>,
    /// How far from 1 the ratio may be: 0.1 for 10 %.
    pub tolerance: f64,
    /// Whether it is no further away.
    pub verdict: Verdict,
    /// JSON text; empty where no simulation is behind it.
    pub scenario: String,
    /// What must be known to judge it.
    pub note: String,
}
