//! What stands under a board: how much of it holds, and what that is worth.

use super::{Kind, Published, Reproduced, Verdict};

/// Sums over numbers of a board.
#[derive(Debug, Clone, PartialEq)]
pub struct Heads {
    /// Within which factor of what was published half of the predicted numbers lie, and nine in ten or
    /// more. Nothing where none has a ratio. What the model cannot reach has none.
    pub factors: Option<(f64, f64)>,
    /// Predicted numbers that the model cannot reach: they are missed.
    pub unreachable: usize,
    /// Predicted numbers of runs in which nothing was fitted to their study, or to one of hosts with the same kind of
    /// processor: those within, and all.
    pub held_out: (usize, usize),
    /// How many of the predicted numbers that are within are answers of their own: of numbers of an entry that lie within
    /// 10 % of each other, as published and as modelled, one counts.
    pub answers: usize,
    /// What the baseline makes of the predicted numbers that have one.
    pub baseline: Baseline,
}

/// Of the predicted numbers of which a host that was measured before tells something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Baseline {
    /// How many they are.
    pub numbers: usize,
    /// Those that the other host's number meets.
    pub within: usize,
    /// Those that the model meets, be it by chance: a guess has no interval that could leave it open.
    pub modelled_within: usize,
}

/// Numbers that are no further apart are one answer: as far apart as loads may be that say the same
/// (`data/papers/README.md`).
pub(super) const APART: f64 = 1.1;

impl Heads {
    /// Those of some numbers.
    pub fn of(board: &[&Reproduced]) -> Self {
        let predicted = || board.iter().filter(|one| one.kind == Kind::Predicted);
        let held_out = || predicted().filter(|one| one.is_held_out);
        let is_within = |one: &&&Reproduced| one.verdict == Verdict::Within;
        Self {
            factors: factors(predicted().filter_map(|one| one.ratio)),
            unreachable: predicted().filter(|one| one.modelled.is_none()).count(),
            held_out: (held_out().filter(is_within).count(), held_out().count()),
            answers: answers(predicted().filter(is_within).copied()),
            baseline: baseline(predicted().copied()),
        }
    }
}

fn baseline<'a>(predicted: impl Iterator<Item = &'a Reproduced>) -> Baseline {
    let mut found = Baseline::default();
    for one in predicted {
        let (Some(baseline), Published::Number(published)) = (one.baseline, &one.published) else {
            continue;
        };
        let is_met = |ratio: f64| (ratio - 1.0).abs() <= one.tolerance;
        found.numbers += 1;
        found.within += usize::from(is_met(baseline / published));
        found.modelled_within += usize::from(one.ratio.is_some_and(is_met));
    }
    found
}

/// Numbers in the order in which they are modelled; one is an answer of its own unless one before it that is says the same.
fn answers<'a>(met: impl Iterator<Item = &'a Reproduced>) -> usize {
    let mut met: Vec<(&str, f64, f64)> = met
        .filter_map(|one| match (one.modelled, &one.published) {
            (Some(modelled), Published::Number(published)) => {
                Some((one.entry.as_str(), modelled, *published))
            }
            _ => None,
        })
        .collect();
    met.sort_by(|one, other| one.0.cmp(other.0).then(one.1.total_cmp(&other.1)));
    let is_near = |one: f64, other: f64| one.max(other) <= one.min(other) * APART;
    let mut own: Vec<(&str, f64, f64)> = Vec::new();
    for one in met {
        let says_the_same = |other: &(&str, f64, f64)| {
            one.0 == other.0 && is_near(one.1, other.1) && is_near(one.2, other.2)
        };
        if !own.iter().any(says_the_same) {
            own.push(one);
        }
    }
    own.len()
}

/// The factors that half of the ratios are within, and nine in ten: whichever of modelled and published is
/// larger by the other.
fn factors(ratios: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let factor = |ratio: f64| {
        if ratio > 0.0 {
            ratio.max(1.0 / ratio)
        } else {
            f64::INFINITY
        }
    };
    let mut factors: Vec<f64> = ratios.map(factor).collect();
    factors.sort_by(f64::total_cmp);
    let least = |tenths: usize| factors.get((factors.len() * tenths).div_ceil(10).checked_sub(1)?);
    Some((*least(5)?, *least(9)?))
}

#[cfg(test)]
mod tests;
