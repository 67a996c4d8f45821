//! The folder that a sweep writes, and goes on from where it was interrupted:
//!
//! - `sweep.json`: what it is a sweep of; a folder of another sweep is refused, and one without it that has a file of
//!   one of the other names.
//! - `runs.csv`: a line for each run, as they end; `runs.parquet` at the end.
//! - `points.csv`, `points.parquet`: means and intervals over seeds.
//! - `knees.csv`: where the curves of numbers bend.

use std::fs::{self, File, TryLockError};
use std::path::Path;

use ringside::compare::Estimate;
use ringside::compare::knee::{self, Axis, Knee};
use serde_json::Value;
use sim::config::catalogue::Catalogue;

use crate::columns::COLUMNS;

use crate::plan::{Plan, RunId, word};
use crate::points::{self, Mean, Point};
use crate::runs::{self, Journal, Runs};
use crate::table::Table;
use crate::work;

/// What it writes beside `sweep.json`.
const FILES: [&str; 5] = [
    "runs.csv",
    "runs.parquet",
    "points.csv",
    "points.parquet",
    "knees.csv",
];

/// More bytes than `sweep.json` has: a scenario has less than 1 MiB, and stands there on more lines.
const LARGER_THAN_IDENTITIES: u64 = 1 << 24;

/// What is said of each run that ended: how many of how many, and which.
pub type Said<'a> = &'a mut dyn FnMut(usize, usize, &RunId);

/// A knee of one column; with two settings, of one value of the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Which column.
    pub column: &'static str,
    /// The first setting's value, where two are varied.
    pub beside: Option<String>,
    /// The point in the plan.
    pub point: usize,
    /// The column's mean there.
    pub mean: f64,
    /// The knee.
    pub knee: Knee,
}

/// Runs what is missing of these runs and writes the folder. `taken` are folders whose runs are
/// taken over. Gives the points.
pub fn sweep(
    folder: &Path,
    plan: &Plan,
    (part, taken): (&[RunId], &[&Path]),
    catalogue: &Catalogue,
    threads: usize,
    said: Said<'_>,
) -> Result<Vec<Point>, String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let _claim = claim(folder)?;
    if is_there(&folder.join("sweep.json")) {
        check(folder, plan)?;
    } else {
        without_results(folder)?;
    }
    let mut known = Runs::new();
    for folder in taken {
        check(folder, plan)?;
        known.extend(runs::read(&folder.join("runs.csv"), plan)?.0);
    }
    let path = folder.join("runs.csv");
    if path.exists() {
        let (own, others) = runs::read(&path, plan)?;
        if others > 0 {
            // The file is written anew, and these would be lost.
            return Err(format!(
                "{}: it has {others} runs that are not of this sweep; give this one another folder",
                path.display()
            ));
        }
        known.extend(own);
    }
    let identity = plan.identity();
    runs::replace(
        &folder.join("sweep.json"),
        format!("{identity:#}\n").as_bytes(),
    )?;
    let missing: Vec<RunId> = part
        .iter()
        .filter(|run| !known.contains_key(run))
        .cloned()
        .collect();
    let mut journal = Journal::begin(&path, plan, &known)?;
    let all = part.len();
    let mut done = all - missing.len();
    work::measure(plan, &missing, catalogue, threads, |run, values| {
        journal.add(plan, run, values)?;
        known.insert(run.clone(), *values);
        done += 1;
        said(done, all, run);
        Ok(())
    })?;
    runs::write(&path, plan, &known)?;
    let points = points::of(plan, &known);
    let write = |name: &str, bytes: Vec<u8>| runs::replace(&folder.join(name), &bytes);
    let (of_runs, of_points) = (
        Table::of_runs(plan, &known),
        Table::of_points(plan, &points),
    );
    write("runs.parquet", of_runs.to_parquet(&identity)?)?;
    write("points.csv", of_points.to_csv()?)?;
    write("points.parquet", of_points.to_parquet(&identity)?)?;
    write("knees.csv", knees_csv(plan, &knees(plan, &points))?)?;
    Ok(points)
}

/// Keeps other sweeps out of the folder while it is held: each would write the files anew with its own runs alone. The system
/// lets go of it however this one ends. Where a folder cannot be locked (Windows, some network file systems) nothing keeps them out.
fn claim(folder: &Path) -> Result<Option<File>, String> {
    let Ok(open) = File::open(folder) else {
        return Ok(None);
    };
    match open.try_lock() {
        Ok(()) => Ok(Some(open)),
        Err(TryLockError::WouldBlock) => Err(format!(
            "{}: another sweep is writing there; give this one a folder of its own, and --take it afterwards",
            folder.display()
        )),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Whether something has this name, be it a link that leads nowhere.
fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Refuses a folder of no sweep if it has a file that would be written over.
fn without_results(folder: &Path) -> Result<(), String> {
    for name in FILES {
        let path = folder.join(name);
        if is_there(&path) {
            return Err(format!(
                "{}: it is there already, and no sweep.json beside it says that it is of a sweep; give this one another folder",
                path.display()
            ));
        }
    }
    Ok(())
}

/// Refuses a folder that is of another sweep.
fn check(folder: &Path, plan: &Plan) -> Result<(), String> {
    let path = folder.join("sweep.json");
    let wrong = |why: String| format!("{}: {why}", path.display());
    let text =
        runs::text(&path, LARGER_THAN_IDENTITIES).map_err(|error| wrong(error.to_string()))?;
    let found: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let expected = plan.identity();
    for name in ["scenario", "varied", "data"] {
        if found[name] != expected[name] {
            return Err(wrong(format!(
                "it is of another sweep: its {name} is {}, this one's {}",
                found[name], expected[name]
            )));
        }
    }
    if found["model"] != expected["model"] {
        return Err(wrong(
            "it is of a sweep with another version of the model, and one table would mix the two; give this one another folder"
                .to_owned(),
        ));
    }
    Ok(())
}

/// The knees of all columns along the last setting, where that is numbers.
pub fn knees(plan: &Plan, points: &[Point]) -> Vec<Found> {
    let Some(last) = plan.varied.last() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (at, column) in COLUMNS.iter().enumerate() {
        for curve in points
            .chunk_by(|one, other| one.point / last.values.len() == other.point / last.values.len())
        {
            let settings: Option<Vec<f64>> = curve
                .iter()
                .map(|point| plan.values(point.point).last()?.as_f64())
                .collect();
            let estimate = |mean: Mean| Estimate {
                mean: mean.mean,
                half_width: mean.half,
            };
            let means: Option<Vec<Estimate>> = curve
                .iter()
                .map(|point| point.means[at].map(estimate))
                .collect();
            let Some((settings, means)) = settings.zip(means) else {
                continue;
            };
            let Some(knee) = knee::of(&settings, &means, Axis::of(&settings)) else {
                continue;
            };
            let point = curve[knee.at].point;
            let beside = (plan.varied.len() > 1).then(|| word(plan.values(point)[0]));
            found.push(Found {
                column,
                beside,
                point,
                mean: means[knee.at].mean,
                knee,
            });
        }
    }
    found
}

fn knees_csv(plan: &Plan, knees: &[Found]) -> Result<Vec<u8>, String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let wrong = |error: csv::Error| error.to_string();
    let settings = plan.varied.iter().map(|varied| varied.setting.as_str());
    let head = ["column", "mean", "bend", "off_chord"];
    writer.write_record(settings.chain(head)).map_err(wrong)?;
    for found in knees {
        let settings = plan.values(found.point).into_iter().map(word);
        let rest = [
            found.column.to_owned(),
            found.mean.to_string(),
            found.knee.bend.to_string(),
            format!("{:.3}", found.knee.off),
        ];
        writer.write_record(settings.chain(rest)).map_err(wrong)?;
    }
    writer.into_inner().map_err(|error| error.to_string())
}
