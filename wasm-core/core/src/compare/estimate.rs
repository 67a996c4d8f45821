//! What several runs that differ in their seed alone say of a number: its mean, and how far another
//! seed may be from it.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// How sure an interval is: of a hundred such intervals 99 hold what they are of.
const CONFIDENCE: f64 = 0.99;

/// A number as some runs give it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The mean of the runs.
    pub mean: f64,
    /// Half the width of the interval around it; nothing where one run cannot tell.
    pub half_width: Option<f64>,
}

impl Estimate {
    /// Of the values that the runs gave; nothing of none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let mean = mean(values)?;
        let half_width = variance_of_mean(values)
            .map(|variance| quantile(values.len() as f64 - 1.0) * variance.sqrt());
        Some(Self { mean, half_width })
    }

    /// Of the difference of two means, whose runs need not be alike in number nor in spread
    /// (Welch 1947, with Satterthwaite's degrees of freedom).
    pub fn of_difference(before: &[f64], after: &[f64]) -> Option<Self> {
        let mean = mean(after)? - mean(before)?;
        let half_width =
            variance_of_mean(before)
                .zip(variance_of_mean(after))
                .map(|(one, other)| {
                    let sum = one + other;
                    if sum == 0.0 {
                        return 0.0;
                    }
                    let part = |variance: f64, values: &[f64]| {
                        variance * variance / (values.len() as f64 - 1.0)
                    };
                    let freedom = sum * sum / (part(one, before) + part(other, after));
                    quantile(freedom) * sum.sqrt()
                });
        Some(Self { mean, half_width })
    }

    /// Whether nothing may lie behind it: its interval holds zero.
    pub fn is_noise(&self) -> bool {
        self.half_width
            .is_some_and(|half_width| self.mean.abs() <= half_width)
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    (count > 0.0).then(|| values.iter().sum::<f64>() / count)
}

/// The variance of the mean of values, told by their spread; one value has none.
fn variance_of_mean(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (count > 1.0).then(|| squares / (count - 1.0) / count)
}

/// The two-sided quantile of Student's t distribution.
fn quantile(freedom: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(student) => student.inverse_cdf(f64::midpoint(1.0, CONFIDENCE)),
        // No freedom: nothing can be told.
        Err(_) => f64::INFINITY,
    }
}
