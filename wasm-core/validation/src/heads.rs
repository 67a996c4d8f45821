//! What stands under a board: how much of it holds, and what that is worth.

use super::{Kind, Reproduced, Verdict};

/// Sums over numbers of a board.
#[derive(Debug, Clone, PartialEq)]
pub struct Heads {
    /// Within which factor of what was published half of the predicted numbers lie, and nine in ten or
    /// more. Nothing where none has a ratio. What the model cannot reach has none.
    pub factors: Option<(f64, f64)>,
    /// Predicted numbers that the model cannot reach: they are missed.
    pub unreachable: usize,
    /// Predicted numbers of runs in which nothing was fitted to their study: those within, and all.
    pub held_out: (usize, usize),
}

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
        }
    }
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
