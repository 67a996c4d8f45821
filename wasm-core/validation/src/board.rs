//! Experiments run: a number is measured with one seed after the other until its mean
//! has settled, and held against what was published.

use std::collections::BTreeSet;

use super::baseline::baseline;
use super::experiments::{Condition, EntryPlan, ItemPlan, StudyPlan};
use super::expression::Expression;
use super::fitted::{is_fitted, is_fudged, rests_on_studies};
use super::published::Published;
use super::quantity::Needs;
use super::repeats::Repeats;
use super::runs::Runs;
use super::{Kind, Reproduced, Verdict};
use sim::config::scenario::Scenario;

/// Runs with different seeds at most.
const MOST_RUNS: u64 = 5;
/// A mean has settled when the half width of its interval is below this part of it.
const SETTLED: f64 = 0.01;
/// 97.5 % quantiles of Student's t distribution for 1 degree of freedom and more, as many as that takes.
const STUDENT: [f64; MOST_RUNS as usize - 1] = [12.706, 4.303, 3.182, 2.776];

/// The results of an entry of the study at a place among all.
pub(super) fn entry(
    studies: &[StudyPlan],
    at: usize,
    entry: &EntryPlan,
    runs: &mut Runs,
) -> Vec<Reproduced> {
    let study = &studies[at];
    let one = |plan| {
        let mut result = item(study, entry, plan, runs);
        if result.kind == Kind::Predicted {
            result.baseline = baseline(&studies[..at], study, entry, plan);
            let alike = studies.iter().filter(|one| one.is_of_processor(study));
            let used = used(study, plan);
            result.is_held_out =
                result.modelled.is_some() && !rests_on_studies(alike, &used, runs.catalogue());
        }
        result
    };
    entry.items.iter().map(one).collect()
}

fn item(study: &StudyPlan, entry: &EntryPlan, item: &ItemPlan, runs: &mut Runs) -> Reproduced {
    let mut note = item.note.clone();
    let settled = match &item.measure {
        None => Err("the model has no mechanism for it".to_owned()),
        Some(_) => settle(study, entry, item, runs),
    };
    let (modelled, interval) = match settled {
        Ok((mean, interval)) => (Some(mean), interval),
        Err(why) => {
            // A note that explains the lack says more than the refusal.
            if item.measure.is_some() {
                note = if note.is_empty() {
                    why
                } else {
                    format!("{why}; {note}")
                };
            }
            (None, 0.0)
        }
    };
    let used: Vec<&Scenario> = used(study, item);
    let is_bound = item.holds_if.is_some() || !matches!(item.published, Published::Number(_));
    let restates = item.measure.as_ref().is_some_and(Expression::restates);
    let within = modelled.is_some_and(|modelled| is_within(item, modelled));
    let repeated = repeated(study, item, within, runs);
    if let Some(by) = repeated {
        note = [format!("It is {by}."), note].join(" ");
        note.truncate(note.trim_end().len());
    }
    let kind = if item.is_input || restates || repeated.is_some() {
        Kind::Given
    } else if is_fudged(item, entry, &used, runs.catalogue()) {
        Kind::Fudged
    } else if is_fitted(item, entry, &used, runs.catalogue()) {
        Kind::Fitted
    } else if is_bound {
        Kind::Bound
    } else {
        Kind::Predicted
    };
    let ratio = modelled.and_then(|modelled| ratio(modelled, &item.published));
    Reproduced {
        entry: entry.id.clone(),
        item: item.name.clone(),
        unit: item.unit.clone(),
        published: item.published.clone(),
        measured_between: item.measured_between,
        verdict: modelled.map_or(Verdict::Missed, |mean| verdict(item, mean, interval)),
        is_held_out: false,
        modelled,
        interval,
        ratio,
        kind,
        baseline: None,
        tolerance: item.tolerance,
        scenario: shown(study, item),
        note,
    }
}

/// The numbers that an item repeats. A miss is hidden by none: where the item is missed and none of them is,
/// it counts by itself.
fn repeated<'a>(
    study: &StudyPlan,
    item: &'a ItemPlan,
    within: bool,
    runs: &mut Runs,
) -> Option<&'a Repeats> {
    let by = item.repeats.as_ref()?;
    let mut repeated = study.repeated(by).flatten();
    let hides = !within
        && repeated.all(|(entry, other)| {
            settle(study, entry, other, runs)
                .is_ok_and(|(mean, half)| is_within(other, mean) || is_unsettled(other, mean, half))
        });
    Some(by).filter(|_| !hides)
}

/// How a mean with half the width of its interval comes out.
pub(super) fn verdict(item: &ItemPlan, mean: f64, half: f64) -> Verdict {
    if is_unsettled(item, mean, half) {
        Verdict::Chance
    } else if is_within(item, mean) {
        Verdict::Within
    } else {
        Verdict::Missed
    }
}

/// Whether chance decides if a number is within its tolerance: the interval of its mean crosses the limit, or that of what
/// was measured does.
pub(super) fn is_unsettled(item: &ItemPlan, mean: f64, interval: f64) -> bool {
    let is_met = is_within(item, mean);
    let Some((from, to)) = item.measured_between else {
        return crosses(item, mean, interval, is_met);
    };
    // Of what was measured, either end or what comes nearest to the mean decides.
    let ends = [from, to, mean.clamp(from, to)].map(Published::Number);
    ends.into_iter().any(|published| {
        let item = ItemPlan {
            published,
            ..item.clone()
        };
        crosses(&item, mean, interval, is_met)
    })
}

/// Whether any value of the interval of a mean is met where the mean is not, or the other way round.
fn crosses(item: &ItemPlan, mean: f64, interval: f64, is_met: bool) -> bool {
    let (low, high) = (mean - interval, mean + interval);
    let nearest = match (&item.published, item.holds_if) {
        (Published::Number(published), None) => vec![*published],
        (Published::Range(from, to), None) => vec![*from, *to],
        (_, Some(Condition::Between(from, to))) => vec![from, to],
        _ => Vec::new(),
    };
    // Both ends may lie beyond a tolerance that lies between them.
    let nearest = nearest.into_iter().map(|number| number.clamp(low, high));
    let mut values = [low, high].into_iter().chain(nearest);
    values.any(|value| is_within(item, value) != is_met)
}

/// Modelled by published; nothing where what was published is no number.
pub(super) fn ratio(modelled: f64, published: &Published) -> Option<f64> {
    match published {
        Published::Number(published) if *published != 0.0 => Some(modelled / published),
        _ => None,
    }
}

/// Whether a number is what was published, as far as its tolerance goes.
pub(super) fn is_within(item: &ItemPlan, modelled: f64) -> bool {
    if let Some(condition) = item.holds_if {
        return condition.holds(modelled);
    }
    // Rounding must not put the edge outside.
    let near =
        |published: f64| (modelled - published).abs() <= item.tolerance * published.abs() + 1e-9;
    match item.published {
        Published::Number(published) => near(published),
        Published::Range(low, high) => {
            (low <= modelled && modelled <= high) || near(low) || near(high)
        }
        Published::Words(_) => false,
    }
}

/// The mean over seeds and the half width of its nominal 95 % interval.
pub(super) fn settle(
    study: &StudyPlan,
    entry: &EntryPlan,
    item: &ItemPlan,
    runs: &mut Runs,
) -> Result<(f64, f64), String> {
    let needed = if needs_run(item) { MOST_RUNS } else { 1 };
    until_settled(needed, |seed| with_seed(study, entry, item, runs, seed))
}

/// The mean and the half width of its nominal 95 % interval of one value after the other, until that is narrow or there are
/// enough. To stop where it is narrow makes it cover the mean less often than in 95 % of all cases (`board/tests.rs`).
fn until_settled(
    most: u64,
    mut value: impl FnMut(u64) -> Result<f64, String>,
) -> Result<(f64, f64), String> {
    let mut values = Vec::new();
    for seed in 1..=most {
        values.push(value(seed)?);
        let (mean, half) = interval(&values);
        if seed >= 2 && half <= SETTLED * mean.abs() {
            break;
        }
    }
    Ok(interval(&values))
}

/// Whether any of it has to be simulated.
fn needs_run(item: &ItemPlan) -> bool {
    let measured = item.measure.iter().flat_map(Expression::measured);
    measured
        .map(|(quantity, _)| quantity.needs())
        .any(|needs| needs > Needs::Description)
}

pub(super) fn with_seed(
    study: &StudyPlan,
    entry: &EntryPlan,
    item: &ItemPlan,
    runs: &mut Runs,
    seed: u64,
) -> Result<f64, String> {
    let measure = item.measure.as_ref().ok_or("nothing to measure")?;
    let own = item.scenario.as_deref();
    measure.value(&entry.published.values, &mut |quantity, words, run| {
        let name = run.or(own).ok_or("no scenario")?;
        runs.value(study.scenario(name)?, seed, quantity, words)
    })
}

/// The mean of values and the half width of its 95 % interval.
pub(super) fn interval(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let Some(student) = values.len().checked_sub(2).and_then(|at| STUDENT.get(at)) else {
        return (mean, 0.0);
    };
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, student * (squares / (count - 1.0) / count).sqrt())
}

/// The names of the scenarios that an item is measured in.
fn scenario_names(item: &ItemPlan) -> BTreeSet<&str> {
    let mut names: BTreeSet<&str> = item.scenario.as_deref().into_iter().collect();
    let measured = item.measure.iter().flat_map(Expression::measured);
    names.extend(measured.filter_map(|(_, run)| run));
    names
}

/// The scenarios that an item is measured in.
pub(super) fn used<'a>(study: &'a StudyPlan, item: &ItemPlan) -> Vec<&'a Scenario> {
    let names = scenario_names(item).into_iter();
    names.filter_map(|name| study.scenario(name).ok()).collect()
}

/// The scenario to look at: the item's own, where anything is run.
fn shown(study: &StudyPlan, item: &ItemPlan) -> String {
    let names = scenario_names(item);
    let name = item.scenario.as_deref().or(names.first().copied());
    let scenario = name.and_then(|name| study.scenario(name).ok());
    scenario
        .filter(|_| item.measure.is_none() || needs_run(item))
        .map(Scenario::to_json)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
