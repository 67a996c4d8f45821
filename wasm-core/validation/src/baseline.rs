//! What somebody without a model would say of a load: what the host measured before that is most like this one did with
//! the load that is most like it, faster or slower by the time that an instruction takes here and there. A prediction
//! that is no better than this is worth little, so the board says how many numbers have a baseline, and how many of
//! them it meets.

use super::beside::conditions;
use super::experiments::{EntryPlan, ItemPlan, StudyPlan};
use super::expression::Expression;
use super::published::Published;
use super::quantity::Quantity;
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;

/// The baseline of a number, in its unit. `earlier` are the studies before its own, in the order in which their hosts were
/// measured. Nothing where none of them measured such a load in that unit.
pub(super) fn baseline(
    earlier: &[StudyPlan],
    study: &StudyPlan,
    item: &ItemPlan,
    catalogue: &Catalogue,
) -> Option<f64> {
    let scenario = scenario(study, item)?;
    let own_ns = instruction_ns(scenario, catalogue)?;
    let mut nearest: Option<((f64, f64), f64)> = None;
    for (of, other) in earlier.iter().flat_map(numbers) {
        let Published::Number(published) = other.published else {
            continue;
        };
        if other.unit != item.unit || quantities(other) != quantities(item) {
            continue;
        }
        let Some(host) = self::scenario(of, other) else {
            continue;
        };
        let (Some(distance), Some(ns)) =
            (distance(host, scenario), instruction_ns(host, catalogue))
        else {
            continue;
        };
        // Of hosts that ran loads as near, the one that is most like this one; of those, the one that was measured last.
        let rank = (distance, (ns / own_ns).ln().abs());
        if nearest.is_none_or(|(least, _)| rank <= least) {
            let factor = if is_rate(item) { ns / own_ns } else { 1.0 };
            nearest = Some((rank, published * factor));
        }
    }
    nearest.map(|(_, value)| value)
}

fn numbers(study: &StudyPlan) -> impl Iterator<Item = (&StudyPlan, &ItemPlan)> {
    let items = study
        .entries
        .iter()
        .flat_map(|entry: &EntryPlan| &entry.items);
    items.map(move |item| (study, item))
}

/// The one run that a number is measured in.
fn scenario<'a>(study: &'a StudyPlan, item: &ItemPlan) -> Option<&'a Scenario> {
    let measured = item.measure.as_ref()?.measured();
    let is_of_one_run = measured.iter().all(|(_, run)| run.is_none());
    let name = item.scenario.as_deref().filter(|_| is_of_one_run)?;
    study.scenario(name).ok()
}

fn quantities(item: &ItemPlan) -> Vec<Quantity> {
    let measured = item.measure.iter().flat_map(Expression::measured);
    measured.map(|(quantity, _)| quantity).collect()
}

/// A faster host does more of it in a second; what is counted for each unit of work does not depend on how fast it is.
fn is_rate(item: &ItemPlan) -> bool {
    item.unit.ends_with("/s")
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

/// Nanoseconds that an instruction of the kernel takes on a scenario's machine.
fn instruction_ns(scenario: &Scenario, catalogue: &Catalogue) -> Option<f64> {
    let processors = &catalogue.machine(&scenario.machine)?.processors;
    let cycles = f64::from(processors.core_permille) / 1000.0;
    Some(cycles * 1e6 / processors.clock_khz as f64)
}

#[cfg(test)]
mod tests;
