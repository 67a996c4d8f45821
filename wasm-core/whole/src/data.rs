//! A folder of data files of one's own, as `--data` of a command names it: `machines/`, `kernels/`, `instrumentation/` and
//! `workloads/` with `.json` files like those of `wasm-core/data`.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::read_text;

/// Folders that are read.
const FOLDERS: [&str; 4] = ["machines", "kernels", "instrumentation", "workloads"];

/// The files of a folder, in the order of their names, each with its name below the folder (`machines/own.json`). The
/// error says which folder cannot be read, or that there is none of them.
pub fn paths(folder: &str) -> Result<Vec<(String, PathBuf)>, String> {
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

/// The texts of the files of a folder, each with its name below the folder. The error names the file.
pub fn files(folder: &str) -> Result<Vec<(String, String)>, String> {
    let read = |(name, path): (String, PathBuf)| match regular_text(&path) {
        Ok(text) => Ok((name, text)),
        Err(error) => Err(format!("{}: {error}", path.display())),
    };
    paths(folder)?.into_iter().map(read).collect()
}

fn regular_text(path: &Path) -> io::Result<String> {
    read_text(regular(path)?, "file of --data")
}

/// Opens a file that nobody named as such: a pipe or a device, which may never end, is refused.
pub fn regular(path: &Path) -> io::Result<File> {
    // Before it is opened: a pipe into which nobody writes would hold this up.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    File::open(path)
}

/// What is wrong with a folder's files, under the names by which their owner knows them. `error` is of a catalogue, which
/// calls them as in the repository (`data/machines/own.json: ...`). About another file, which they made wrong, it is told
/// under the name of the folder.
pub fn refused(folder: &str, own: &[(String, String)], error: &str) -> String {
    let mut told = own.iter().filter_map(|(name, _)| {
        let why = error.strip_prefix("data/")?.strip_prefix(name.as_str())?;
        let why = why.strip_prefix(':')?;
        Some(format!("{}:{why}", Path::new(folder).join(name).display()))
    });
    told.next().unwrap_or_else(|| format!("{folder}: {error}"))
}
