//! The catalogue of a command: what comes with the program, and a folder of one's own.

use std::fs;
use std::path::{Path, PathBuf};

use sim::config::catalogue::{Catalogue, OwnFile};
use sim::config::named;
use sim::config::scenario::Scenario;

use crate::{Failure, input, output};

/// Folders that are read, as in `wasm-core/data`.
const FOLDERS: [&str; 4] = ["machines", "kernels", "instrumentation", "workloads"];

/// The shipped catalogue; with a folder, its machines, kernels, instrumentation and workloads take the
/// place of those of their names, or stand beside them. The error names the file.
pub fn catalogue(folder: Option<&str>) -> Result<Catalogue, String> {
    let own = folder.map_or(Ok(Vec::new()), files)?;
    Catalogue::with(&own).map_err(|error| match folder {
        Some(folder) => in_folder(folder, &own, &error.to_string()),
        None => error.to_string(),
    })
}

/// An error about a file of the folder, under the name by which its owner knows it; about another, which it made wrong, under
/// that of the folder as well.
fn in_folder(folder: &str, own: &[OwnFile], error: &str) -> String {
    let mut told = own.iter().filter_map(|(name, _)| {
        let why = error.strip_prefix("data/")?.strip_prefix(name.as_str())?;
        let why = why.strip_prefix(':')?;
        Some(format!("{}:{why}", Path::new(folder).join(name).display()))
    });
    told.next().unwrap_or_else(|| format!("{folder}: {error}"))
}

/// The scenario of a name: one that is shipped, or a file. The error does not repeat the name.
pub fn scenario(name: &str, catalogue: &Catalogue) -> Result<Scenario, String> {
    named::scenario(name, catalogue, input::file)
}

/// Refuses to write over a file of the folder.
pub fn spare(to: &str, folder: Option<&str>) -> Result<(), Failure> {
    // Where it cannot be read there is no catalogue either, and nothing is written.
    let own = folder.and_then(|folder| paths(folder).ok());
    let own = own.iter().flatten();
    output::spare(to, own.map(|(_, path)| (path.as_path(), "file of --data")))
}

/// The files of a folder of which a catalogue is made, each with its name below the folder.
fn paths(folder: &str) -> Result<Vec<(String, PathBuf)>, String> {
    let mut found = Vec::new();
    for kind in FOLDERS {
        let below = Path::new(folder).join(kind);
        if !below.is_dir() {
            continue;
        }
        let wrong = |error| format!("{}: {error}", below.display());
        for entry in fs::read_dir(&below).map_err(wrong)? {
            let path = entry.map_err(wrong)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.ends_with(".json") {
                found.push((format!("{kind}/{name}"), path));
            }
        }
    }
    if found.is_empty() {
        let wanted = FOLDERS.join(", ");
        return Err(format!("{folder}: no .json files in folders {wanted}"));
    }
    found.sort();
    Ok(found)
}

fn files(folder: &str) -> Result<Vec<OwnFile>, String> {
    let read = |(name, path): (String, PathBuf)| match input::regular(&path, "file of --data") {
        Ok(text) => Ok((name, text)),
        Err(error) => Err(format!("{}: {error}", path.display())),
    };
    paths(folder)?.into_iter().map(read).collect()
}
