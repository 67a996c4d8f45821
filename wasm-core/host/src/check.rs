//! Runs loads on this host, predicts each, and writes both.
//!
//! A load that fails takes nothing of the others with it: its row says why, and all of them together take an hour.

pub mod options;
pub mod place;
pub mod rows;

use std::io;

use serde_json::Value;

use self::rows::{Lacks, Row, Rows};
use crate::loads::Load;
use crate::predict::{Prediction, scenario};
use crate::windows::Done;

/// Runs a load on this host, or says why it did not.
pub type Run<'host> = &'host dyn Fn(&Load) -> Result<Done, Lacks>;
/// Predicts a load, or says why it cannot.
pub type Predict<'host> = &'host dyn Fn(&Load) -> Result<Prediction, String>;

/// How loads are run and predicted.
pub struct Means<'host> {
    /// The name of the machine of which the simulator makes predictions.
    pub machine: &'host str,
    /// `None`: nothing is run.
    pub run: Option<Run<'host>>,
    /// `None`: nothing is predicted.
    pub predict: Option<Predict<'host>>,
}

/// Runs and predicts loads and writes the row of each as soon as it is there; `tell` reports progress. Fails only
/// if a row cannot be written; returns the number of loads that failed.
pub fn check(
    loads: &[Load],
    means: &Means,
    rows: &mut Rows<impl io::Write>,
    mut tell: impl FnMut(&str),
) -> io::Result<usize> {
    let mut failed = 0;
    for load in loads {
        tell(&format!("{}: {}", load.name, load.title()));
        let row = row(load, means);
        if let Some(lacks) = &row.lacks {
            tell(&format!("{}: {lacks}", load.name));
            failed += usize::from(matches!(lacks, Lacks::Failed(_)));
        }
        rows.add(row)?;
    }
    Ok(failed)
}

fn row(load: &Load, means: &Means) -> Row {
    let mut row = Row {
        load: *load,
        done: None,
        predicted: None,
        scenario: serde_json::from_str(&scenario(load, means.machine)).unwrap_or(Value::Null),
        lacks: None,
    };
    if let Some(run) = means.run {
        match run(load) {
            Ok(done) => row.done = Some(done),
            Err(lacks) => row.lacks = Some(lacks),
        }
        // What cannot run here is of no interest.
        if matches!(row.lacks, Some(Lacks::Skipped(_))) {
            return row;
        }
    }
    if let Some(predict) = means.predict {
        match predict(load) {
            Ok(predicted) => row.predicted = Some(predicted),
            Err(why) => {
                let why = format!("cannot predict: {why}");
                let both = match &row.lacks {
                    Some(Lacks::Failed(first)) => format!("{first}; {why}"),
                    _ => why,
                };
                row.lacks = Some(Lacks::Failed(both));
            }
        }
    }
    row
}

#[cfg(test)]
mod tests;
