//! What the runs of a side say of a number: its mean, and how sure that is. Runs that differ in their
//! seed alone tell how far another seed may be from it; one run, how far it wavers in itself.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// How sure an interval is: of a hundred such intervals 99 hold what they are of.
const CONFIDENCE: f64 = 0.99;

/// A number with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Its mean.
    pub mean: f64,
    /// Half the width of the interval around it; nothing where a run cannot tell.
    pub half_width: Option<f64>,
}

impl Estimate {
    /// Of the values that runs gave; nothing of none.
    pub fn of(values: &[f64]) -> Option<Self> {
        Some(Sample::of_runs(values)?.estimate())
    }

    /// Whether nothing may lie behind it: its interval holds zero.
    pub fn is_noise(&self) -> bool {
        self.half_width
            .is_some_and(|half_width| self.mean.abs() <= half_width)
    }
}

/// A mean as one side's runs give it, and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    mean: f64,
    spread: Option<Spread>,
}

/// How sure a mean is.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Spread {
    /// The variance of the mean.
    variance: f64,
    /// The degrees of freedom with which it is known.
    freedom: f64,
}

impl Sample {
    /// Of the values that runs gave; nothing of none. One value tells no spread.
    pub fn of_runs(values: &[f64]) -> Option<Self> {
        Some(Self {
            mean: mean(values)?,
            spread: Spread::of(values),
        })
    }

    /// Of what one run gave, whose stretches tell how far it wavers; each with its value and with what
    /// that counts for in the whole.
    pub fn of_stretches(whole: f64, stretches: &[(f64, f64)]) -> Self {
        Self {
            mean: whole,
            spread: Spread::of_parts(stretches),
        }
    }

    /// The mean with its interval.
    pub fn estimate(&self) -> Estimate {
        let half_width = self
            .spread
            .map(|spread| quantile(spread.freedom) * spread.variance.sqrt());
        Estimate {
            mean: self.mean,
            half_width,
        }
    }

    /// How much the other side's mean is above this one's. Their spreads need not be alike nor told
    /// by as many values (Welch 1947, with Satterthwaite's degrees of freedom).
    pub fn change_to(&self, after: &Self) -> Estimate {
        let half_width = self.spread.zip(after.spread).map(|(one, other)| {
            let sum = one.variance + other.variance;
            if sum == 0.0 {
                return 0.0;
            }
            let part = |spread: Spread| spread.variance * spread.variance / spread.freedom;
            quantile(sum * sum / (part(one) + part(other))) * sum.sqrt()
        });
        Estimate {
            mean: after.mean - self.mean,
            half_width,
        }
    }
}

impl Spread {
    /// Told by how far values lie from each other; one value tells nothing.
    fn of(values: &[f64]) -> Option<Self> {
        let (count, mean) = (values.len() as f64, mean(values)?);
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        (count > 1.0).then(|| Self {
            variance: squares / (count - 1.0) / count,
            freedom: count - 1.0,
        })
    }

    /// Of a ratio of sums, told by its parts: values with their weights (Cochran, Sampling Techniques,
    /// 3rd edition, section 6.4). Equal weights give what [`Self::of`] gives.
    fn of_parts(parts: &[(f64, f64)]) -> Option<Self> {
        let count = parts.len() as f64;
        let all: f64 = parts.iter().map(|&(_, weight)| weight).sum();
        // From the first one, so that the mean of equal values is exact.
        let first = parts.first()?.0;
        let above: f64 = parts
            .iter()
            .map(|&(value, weight)| weight / all * (value - first))
            .sum();
        let mean = first + above;
        let squares: f64 = parts
            .iter()
            .map(|&(value, weight)| (weight / all * (value - mean)).powi(2))
            .sum();
        (count > 1.0).then(|| Self {
            variance: squares * count / (count - 1.0),
            freedom: count - 1.0,
        })
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    (count > 0.0).then(|| values.iter().sum::<f64>() / count)
}

/// The two-sided quantile of Student's t distribution.
fn quantile(freedom: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(student) => student.inverse_cdf(f64::midpoint(1.0, CONFIDENCE)),
        // No freedom: nothing can be told.
        Err(_) => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_that_count_alike_tell_what_as_many_runs_would() {
        let values = [3.0, 5.0, 4.0, 9.0];
        let runs = Sample::of_runs(&values).unwrap();
        let stretches = values.map(|value| (value, 2.5));
        let within = Sample::of_stretches(5.25, &stretches);
        let [one, other] = [runs, within].map(|sample| sample.estimate().half_width.unwrap());
        assert!((one - other).abs() < 1e-9, "{one} {other}");
    }

    /// Nine packets in a burst and one a second later: each stretch of a packet alone has a rate that is
    /// a thousand times the whole's, and counts for a thousandth of it.
    #[test]
    fn a_burst_counts_for_as_much_as_it_is_long() {
        let whole = 10.0 / 1.009;
        let mut stretches = [(1000.0, 0.001); 10];
        stretches[9] = (1.0, 1.0);
        let half_width = Sample::of_stretches(whole, &stretches)
            .estimate()
            .half_width;
        let by_count = Sample::of_stretches(whole, &stretches.map(|(value, _)| (value, 1.0)));
        assert!(half_width.unwrap() < 4.0 * whole, "{half_width:?}");
        assert!(by_count.estimate().half_width.unwrap() > 30.0 * whole);
    }

    #[test]
    fn one_run_tells_no_spread() {
        assert_eq!(Estimate::of(&[]), None);
        assert_eq!(Estimate::of(&[1.0]).unwrap().half_width, None);
        assert_eq!(Sample::of_stretches(1.0, &[]).estimate().half_width, None);
    }
}
