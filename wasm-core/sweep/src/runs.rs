//! The runs that are there, and the file that grows by one line with each: `runs.csv`.
//!
//! While a sweep runs its lines stand in the order in which runs ended; at its end the file is
//! written anew in the plan's order. A line that was cut off when a sweep was interrupted is
//! measured again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::columns::{COLUMNS, Values};
use crate::plan::{Plan, RunId, word};

/// What was measured, run by run.
pub type Runs = BTreeMap<RunId, Values>;

/// The head of the file: settings, seed, columns.
pub fn head(plan: &Plan) -> Vec<String> {
    let settings = plan.varied.iter().map(|varied| varied.setting.clone());
    let columns = COLUMNS.iter().map(|&column| column.to_owned());
    settings.chain(["seed".to_owned()]).chain(columns).collect()
}

/// A run as a line's fields. Numbers are written so that they read back exactly.
fn fields(plan: &Plan, run: &RunId, values: &Values) -> Vec<String> {
    let settings = plan.values(run.point).into_iter().map(word);
    let columns = values
        .iter()
        .map(|value| value.map_or_else(String::new, |value| value.to_string()));
    settings
        .chain([run.seed.to_string()])
        .chain(columns)
        .collect()
}

/// Reads the runs of a file that belong to a plan, and how many it has that do not. The error names
/// the file and the line.
pub fn read(path: &Path, plan: &Plan) -> Result<(Runs, usize), String> {
    let wrong = |why: String| format!("{}: {why}", path.display());
    // A sweep of many runs has a long file; a regular one ends.
    let text = text(path, u64::MAX).map_err(|error| wrong(error.to_string()))?;
    // What stands behind the last line feed was cut off.
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(whole.as_bytes());
    let found: Vec<String> = reader
        .headers()
        .map_err(|error| wrong(error.to_string()))?
        .iter()
        .map(str::to_owned)
        .collect();
    let expected = head(plan);
    if whole.is_empty() {
        return Ok((Runs::new(), 0));
    }
    if found != expected {
        return Err(wrong(format!(
            "it has the columns {}, this sweep has {}",
            found.join(","),
            expected.join(",")
        )));
    }
    let known: BTreeMap<Vec<String>, RunId> = plan
        .runs()
        .map(|run| {
            let key = fields(plan, &run, &[None; COLUMNS.len()]);
            (key[..=plan.varied.len()].to_vec(), run)
        })
        .collect();
    let (mut runs, mut others) = (Runs::new(), 0);
    for (number, record) in (2..).zip(reader.records()) {
        let record = record.map_err(|error| wrong(error.to_string()))?;
        if record.len() != expected.len() {
            let fields = record.len();
            return Err(wrong(format!("line {number} has {fields} fields")));
        }
        let key: Vec<String> = record
            .iter()
            .take(plan.varied.len() + 1)
            .map(str::to_owned)
            .collect();
        let mut values: Values = [None; COLUMNS.len()];
        for (value, text) in values.iter_mut().zip(record.iter().skip(key.len())) {
            if !text.is_empty() {
                let number = text
                    .parse()
                    .map_err(|_| wrong(format!("line {number}: \"{text}\" is no number")))?;
                *value = Some(number);
            }
        }
        match known.get(&key) {
            Some(run) => {
                runs.insert(run.clone(), values);
            }
            None => others += 1,
        }
    }
    Ok((runs, others))
}

/// The text of a file that has fewer bytes than these. A pipe or a device, which may never end, is refused.
pub fn text(path: &Path, limit: u64) -> io::Result<String> {
    whole::read_below(limit, whole::data::regular(path)?, "such file")
}

/// A file that grows.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Begins the file anew with what is known, so that a line that was cut off is gone.
    pub fn begin(path: &Path, plan: &Plan, known: &Runs) -> Result<Self, String> {
        write(path, plan, known)?;
        let file = OpenOptions::new().append(true).open(path);
        let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self {
            path: path.to_owned(),
            file,
        })
    }

    /// Adds a run; it is in the file when this returns.
    pub fn add(&mut self, plan: &Plan, run: &RunId, values: &Values) -> Result<(), String> {
        let line = line(&fields(plan, run, values))?;
        self.file
            .write_all(&line)
            .map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

/// Writes the runs in the plan's order, whole or not at all.
pub fn write(path: &Path, plan: &Plan, runs: &Runs) -> Result<(), String> {
    let mut text = line(&head(plan))?;
    for run in plan.runs() {
        if let Some(values) = runs.get(&run) {
            text.extend(line(&fields(plan, &run, values))?);
        }
    }
    replace(path, &text)
}

/// Writes a file, whole or not at all. The error names it.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let name = path
        .to_str()
        .ok_or_else(|| format!("{}: its name is not UTF-8", path.display()))?;
    whole::write_file(name, |file| file.write_all(bytes)).map_err(|error| error.to_string())
}

fn line(fields: &[String]) -> Result<Vec<u8>, String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer
        .write_record(fields)
        .map_err(|error| error.to_string())?;
    writer.into_inner().map_err(|error| error.to_string())
}
