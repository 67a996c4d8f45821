//! Findings: what happened in a run, found in its events, journeys and measures.
//!
//! It knows no run by name: a shipped recording, a simulation and a stranger's trace are read
//! alike, and nothing is said that the events do not bear out. What is only inferred says so.
//! Each file has the findings of one subject; [`thresholds`] says from when on something is
//! worth a sentence, [`words`] what can be said.

mod caches;
mod cpus;
mod cutting;
mod drops;
mod facts;
mod finding;
mod interventions;
mod locks;
mod merging;
mod polls;
mod queues;
mod scheduling;
mod sequence;
mod stillness;
#[cfg(test)]
mod tests;
pub mod thresholds;
mod unseen;
mod way;
pub mod words;

use crate::opened::Opened;
use crate::order;

use facts::Facts;
pub use finding::{Finding, Kind, Severity, View};

/// A list that is longer than this is no summary.
pub const MOST: usize = 12;

/// What happened in a run: the most telling first, [`MOST`] at most.
///
/// A problem comes before what is worth a look, that before what one would want to know; of
/// equals the order of [`Kind`] decides. What must not be overlooked is never cut off.
pub fn findings(opened: &Opened) -> Vec<Finding> {
    let facts = Facts::of(opened);
    let mut found: Vec<Finding> = [
        way::find,
        interventions::find,
        drops::find,
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
        (one.kind != Kind::TypicalJourney, one.severity, one.kind)
    });
    found.truncate(MOST);
    found
}
