//! What somebody without a model would say of a load: where its host had run such loads before, with a smaller message and
//! with a larger, what lies between the two, and else what the load that is most like it did on a host with a processor of
//! the same kind, or on any host where none of that kind ran such a load. A prediction that is no better than this
//! is worth little, so the board says how many numbers have a baseline, and how many of them it meets. Nothing of the model's
//! is in it: what a machine file says of how fast a host is, is as much a guess as all else that the model rests on.

use super::beside::conditions;
use super::experiments::{EntryPlan, ItemPlan, StudyPlan};
use super::expression::Expression;
use super::published::Published;
use super::quantity::Quantity;
use sim::config::scenario::Scenario;

/// The baseline of a number, in its unit. `earlier` are the studies before its own, in the order in which their hosts were
/// measured; of its own count the entries that had been measured before its entry was. Nothing where none of them measured
/// such a load in that unit.
pub(super) fn baseline(
    earlier: &[StudyPlan],
    study: &StudyPlan,
    entry: &EntryPlan,
    item: &ItemPlan,
) -> Option<f64> {
    let scenario = scenario(study, item)?;
    let here = numbers(study).filter(|(_, of, _)| entry.measured_after.contains(&of.id));
    let here: Vec<Measured> = here.filter_map(|it| like(it, scenario, item)).collect();
    if let Some(between) = between(&here, scenario) {
        return Some(between);
    }
    let there = earlier.iter().flat_map(numbers);
    let there = there.filter_map(|it| like(it, scenario, item));
    // Of those as near, the one that was measured last.
    let mut nearest: Option<((bool, f64), f64)> = None;
    for one in there.chain(here) {
        let Some(distance) = distance(one.scenario, scenario) else {
            continue;
        };
        let rank = (!one.study.is_of_processor(study), distance);
        if nearest.is_none_or(|(least, _)| rank <= least) {
            nearest = Some((rank, one.published));
        }
    }
    nearest.map(|(_, value)| value)
}

/// A number that was measured of a load of some kind.
struct Measured<'a> {
    study: &'a StudyPlan,
    scenario: &'a Scenario,
    published: f64,
}

/// A number of another load as one to hold a number against: if it is of the same kind, unit and quantities.
fn like<'a>(
    (study, _, other): (&'a StudyPlan, &EntryPlan, &ItemPlan),
    own: &Scenario,
    item: &ItemPlan,
) -> Option<Measured<'a>> {
    let Published::Number(published) = other.published else {
        return None;
    };
    let is_same = other.unit == item.unit && quantities(other) == quantities(item);
    let scenario = scenario(study, other).filter(|_| is_same)?;
    distance(scenario, own)?;
    Some(Measured {
        study,
        scenario,
        published,
    })
}

/// What lies between the next smaller and the next larger message of as many connections, both scales logarithmic.
fn between(here: &[Measured], own: &Scenario) -> Option<f64> {
    let bytes = |it: &Scenario| f64::from(it.settings.message_bytes.unwrap_or(1));
    let beside = || {
        let same = here.iter();
        same.filter(|one| one.scenario.settings.connections == own.settings.connections)
            .map(|one| (bytes(one.scenario), one.published))
    };
    let by_bytes = |one: &(f64, f64), other: &(f64, f64)| one.0.total_cmp(&other.0);
    let below = beside().filter(|one| one.0 < bytes(own)).max_by(by_bytes)?;
    let above = beside().filter(|one| one.0 > bytes(own)).min_by(by_bytes)?;
    let part = (bytes(own) / below.0).ln() / (above.0 / below.0).ln();
    Some(below.1 * (above.1 / below.1).powf(part))
}

fn numbers(study: &StudyPlan) -> impl Iterator<Item = (&StudyPlan, &EntryPlan, &ItemPlan)> {
    let entries = study.entries.iter();
    entries.flat_map(move |entry| entry.items.iter().map(move |item| (study, entry, item)))
}

impl StudyPlan {
    /// What an entry was measured after stands before it.
    pub(super) fn check_order(&self) -> Result<(), String> {
        for (at, entry) in self.entries.iter().enumerate() {
            let is_before = |id: &&String| self.entries[..at].iter().any(|one| one.id == **id);
            if let Some(id) = entry.measured_after.iter().find(|id| !is_before(id)) {
                return Err(format!(
                    "{}: {id}, which it was measured after, is not before it",
                    entry.id
                ));
            }
        }
        Ok(())
    }
}

/// The one run that a number is measured in.
fn scenario<'a>(study: &'a StudyPlan, item: &ItemPlan) -> Option<&'a Scenario> {
    let measured = item.measure.as_ref()?.measured();
    let is_of_one_run = measured.iter().all(|(_, run)| run.is_none());
    let name = item.scenario.as_deref().filter(|_| is_of_one_run)?;
    study.scenario(name).ok()
}

/// What is read of the run.
pub(super) fn quantities(item: &ItemPlan) -> Vec<Quantity> {
    let measured = item.measure.iter().flat_map(Expression::measured);
    measured.map(|(quantity, _)| quantity).collect()
}

/// How far apart two loads of one kind are: by which factors the bytes of a message and the numbers of connections
/// differ, as a sum of logarithms. Nothing where anything else differs but the machine.
fn distance(one: &Scenario, other: &Scenario) -> Option<f64> {
    const MAY_DIFFER: [&str; 3] = ["machine", "message_bytes", "connections"];
    if conditions(one, &MAY_DIFFER).0 != conditions(other, &MAY_DIFFER).0 {
        return None;
    }
    let apart = |read: fn(&Scenario) -> Option<u32>| {
        let [one, other] = [one, other].map(|it| f64::from(read(it).unwrap_or(1)));
        (one / other).ln().abs()
    };
    Some(apart(|it| it.settings.message_bytes) + apart(|it| it.settings.connections))
}

#[cfg(test)]
mod tests;
