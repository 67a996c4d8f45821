//! Findings: what happened in a run, derived from its events, journeys and measurements.
//!
//! They know no run by name: a shipped recording, a simulation and an unknown trace are treated alike, and nothing is
//! reported without evidence in the events. Inferred statements are marked as such. Each file holds the findings of
//! one subject; [`thresholds`] defines when something is reported, [`words`] the messages.

mod caches;
mod cpus;
mod cutting;
mod drops;
mod facts;
mod finding;
mod interventions;
mod locks;
mod marks;
mod merging;
mod polls;
mod queues;
mod responses;
mod scheduling;
mod sequence;
mod stillness;
#[cfg(test)]
mod tests;
pub mod thresholds;
mod unseen;
mod version;
mod way;
pub mod words;

use crate::opened::Opened;
use crate::order;

use facts::Facts;
pub use finding::{Finding, Kind, Severity, View};

/// The limit of findings in a summary.
pub const MOST: usize = 12;

/// The findings of a run, the most important first, at most [`MOST`].
///
/// Problems come first, then the typical journey, which the others are compared with, then these by severity, and within
/// one severity in the order of [`Kind`]; what is cut off is the least severe.
pub fn findings(opened: &Opened) -> Vec<Finding> {
    let facts = Facts::of(opened);
    let mut found: Vec<Finding> = [
        way::find,
        interventions::find,
        responses::find,
        drops::find,
        marks::find,
        merging::find,
        cutting::find,
        sequence::find,
        cpus::find,
        scheduling::find,
        polls::find,
        queues::find,
        caches::find,
        locks::find,
        stillness::find,
        unseen::find,
    ]
    .into_iter()
    .flat_map(|find| find(&facts))
    .collect();
    order::sort_by_key(&mut found, |one| {
        let is_problem = one.severity == Severity::Problem;
        let is_typical = one.kind == Kind::TypicalJourney;
        (!is_problem, !is_typical, one.severity, one.kind)
    });
    found.truncate(MOST);
    found
}
