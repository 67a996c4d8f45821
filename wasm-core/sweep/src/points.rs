//! Points: what the runs of one combination of settings come to over their seeds.

use crate::columns::COLUMNS;
use crate::plan::Plan;
use crate::runs::Runs;

/// A mean over seeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half the width of its 95 % interval; absent with one seed, which tells nothing of it.
    pub half: Option<f64>,
}

/// One combination of settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Its place in the plan.
    pub point: usize,
    /// Seeds that were measured.
    pub seeds: usize,
    /// A mean for each column; absent unless each seed has the value.
    pub means: [Option<Mean>; COLUMNS.len()],
}

/// The points of which each seed was measured, in order.
pub fn of(plan: &Plan, runs: &Runs) -> Vec<Point> {
    let rows: Vec<_> = runs.iter().collect();
    rows.chunk_by(|one, other| one.0.point == other.0.point)
        .filter(|rows| rows.len() == plan.seeds.len())
        .map(|rows| {
            let column = |at: usize| -> Option<Vec<f64>> {
                rows.iter().map(|(_, values)| values[at]).collect()
            };
            Point {
                point: rows[0].0.point,
                seeds: rows.len(),
                means: std::array::from_fn(|at| column(at).map(|values| mean(&values))),
            }
        })
        .collect()
}

/// The two-sided 95 % quantile of Student's distribution by degrees of freedom, from 1 on
/// (Abramowitz and Stegun 1964, table 26.10).
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];

/// The mean of some values and half of its 95 % interval by Student's distribution; beyond 31
/// values with that of 31, which is a little too wide.
pub fn mean(values: &[f64]) -> Mean {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let half = values.len().checked_sub(2).map(|at| {
        let student = STUDENT[at.min(STUDENT.len() - 1)];
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        student * (squares / (count - 1.0) / count).sqrt()
    });
    Mean { mean, half }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_that_of_students_distribution() {
        // 9, 10, 11: standard error 1 / sqrt 3, times 4.303.
        let Mean { mean: middle, half } = mean(&[9.0, 10.0, 11.0]);
        assert!((middle - 10.0).abs() < 1e-12);
        assert!((half.unwrap() - 4.303 / 3.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(mean(&[3.0]).half, None);
        assert_eq!(mean(&[3.0, 3.0]).half, Some(0.0));
    }
}
