//! Parameters of data files with where each comes from and what that is worth: one for each entry of
//! a file's `sources`. What points to another parameter is looked up there: a value that is said to
//! be the same must be, and a fit goes on to all that rests on it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::field_path::{at, is_below, spelled};
use super::source::{Fit, Reference, Source, Standing, Worth};

/// A parameter, or a group of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its path in the file ("cache.memory_read_cycles").
    pub path: String,
    /// Its value as text; empty: a group.
    pub value: String,
    /// Where it comes from.
    pub source: Source,
    /// What that is worth, with all that it points to.
    pub worth: Worth,
}

/// What a file says, by its name without ending (`kernels/6.1`).
pub type Fields<'a> = BTreeMap<String, &'a Map<String, Value>>;

/// The parameters of all files, by the files' names; or the file and what is wrong with it.
pub fn parameters(files: &Fields) -> Result<BTreeMap<String, Vec<Parameter>>, (String, String)> {
    let mut read = BTreeMap::new();
    for (file, fields) in files {
        let sources = sources(fields).map_err(|why| (file.clone(), why))?;
        read.insert(file.as_str(), sources);
    }
    let all = All {
        files,
        sources: &read,
    };
    let of = |(&file, sources): (&&str, &BTreeMap<String, Source>)| {
        let parameter = |(path, source): (&String, &Source)| {
            all.check(file, path, source)?;
            let fields = files[file];
            Ok(Parameter {
                path: path.clone(),
                value: text(at(fields, path)),
                source: source.clone(),
                worth: all.worth(file, path, &mut BTreeSet::new()),
            })
        };
        let parameters: Result<_, String> = sources.iter().map(parameter).collect();
        let parameters = parameters.map_err(|why| (file.to_owned(), why))?;
        Ok((file.to_owned(), parameters))
    };
    read.iter().map(of).collect()
}

/// All files at once, since sources point from one to another.
struct All<'a> {
    files: &'a Fields<'a>,
    sources: &'a BTreeMap<&'a str, BTreeMap<String, Source>>,
}

impl<'a> All<'a> {
    fn value(&self, (file, path): (&str, &str)) -> Option<&'a Value> {
        at(self.files.get(file)?, path)
    }

    /// That everything it points to is there, and equal where it says so; that a guess has a range, and
    /// lies in it.
    fn check(&self, file: &str, path: &str, source: &Source) -> Result<(), String> {
        for to in source.references() {
            let target = target(file, path, to);
            if target == (file, path) {
                return Err(format!("sources.{path}: points to itself"));
            }
            let there = self
                .files
                .get(target.0)
                .and_then(|it| spelled(it, target.1));
            match there {
                None => return Err(format!("sources.{path}: there is no {to}")),
                Some(there) if there != target.1 => {
                    return Err(format!("sources.{path}: {to} is called {there}"));
                }
                Some(_) => {}
            }
        }
        let value = self.value((file, path));
        if let (Some(range), Some(value)) = (&source.range, value) {
            let checked = range.check(value);
            checked.map_err(|why| format!("sources.{path}: {why}"))?;
        }
        let is_own_guess = source.standing == Standing::Guessed && source.same_as.is_none();
        if is_own_guess && source.range.is_none() {
            return Err(format!(
                "sources.{path}: guessed, and no range says within what"
            ));
        }
        if let Some(to) = &source.same_as
            && self.value((file, path)) != self.value(target(file, path, to))
        {
            return Err(format!("sources.{path}: not the same as {to}"));
        }
        Ok(())
    }

    /// What the source at a path is worth.
    fn worth(
        &self,
        file: &'a str,
        path: &'a str,
        seen: &mut BTreeSet<(&'a str, &'a str)>,
    ) -> Worth {
        let Some(source) = self.sources.get(file).and_then(|own| own.get(path)) else {
            return Worth::default();
        };
        let mut worth = Worth {
            standing: source.standing,
            fits: source.fitted_to.iter().cloned().collect(),
        };
        if !seen.insert((file, path)) {
            return worth;
        }
        for to in source.references() {
            let (other, below) = target(file, path, to);
            for known in self.behind(other, below, other != file) {
                let behind = self.worth(known.0, known.1, seen);
                worth.standing = worth.standing.max(behind.standing);
                worth.fits.extend(behind.fits);
            }
        }
        if !worth.fits.is_empty() {
            worth.standing = Standing::Fitted;
        }
        worth
    }

    /// The sources that speak of a path: that of the path itself or of the nearest group around it,
    /// and in another file those of its parts.
    fn behind(&self, file: &str, path: &str, has_parts: bool) -> Vec<(&'a str, &'a str)> {
        let Some((&file, sources)) = self.sources.get_key_value(file) else {
            return Vec::new();
        };
        let paths = || sources.keys().map(String::as_str);
        let around = paths()
            .filter(|of| is_below(path, of))
            .max_by_key(|of| of.len());
        let parts = paths().filter(|of| has_parts && is_below(of, path) && *of != path);
        around
            .into_iter()
            .chain(parts)
            .map(|of| (file, of))
            .collect()
    }
}

/// Where a reference leads: a file and a path.
fn target<'b>(file: &'b str, path: &'b str, to: &'b Reference) -> (&'b str, &'b str) {
    let (other, own) = to.parts();
    (other.unwrap_or(file), own.unwrap_or(path))
}

/// The published numbers that any of these parameters was fitted to.
pub fn fits(parameters: &[Parameter]) -> impl Iterator<Item = &Fit> {
    parameters.iter().flat_map(|one| &one.worth.fits)
}

/// A file's sources by the paths that they speak of.
fn sources(fields: &Map<String, Value>) -> Result<BTreeMap<String, Source>, String> {
    let written = fields.get("sources").and_then(Value::as_object);
    let mut sources = BTreeMap::new();
    for (path, source) in written.into_iter().flatten() {
        match spelled(fields, path) {
            None => {
                return Err(format!(
                    "sources: there is no {path} that it could be the source of"
                ));
            }
            Some(there) if there != *path => {
                return Err(format!("sources.{path}: its step is called {there}"));
            }
            Some(_) => {}
        }
        let read = Source::deserialize(source);
        let read = read.map_err(|error| format!("sources.{path}: {error}"))?;
        sources.insert(path.clone(), read);
    }
    Ok(sources)
}

fn text(value: Option<&Value>) -> String {
    match value {
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Bool(true)) => "yes".to_owned(),
        Some(Value::Bool(false)) => "no".to_owned(),
        Some(Value::Null | Value::Array(_) | Value::Object(_)) | None => String::new(),
    }
}

#[cfg(test)]
mod tests;
