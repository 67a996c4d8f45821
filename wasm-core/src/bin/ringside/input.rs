//! Files to what they hold: the only place that opens one.

use std::fs::File;
use std::io::{self, Read};

use ringside::import::{Import, ImportError, Imported};
use ringside::opened::{Opened, Part};
use ringside::run::Excerpt;

/// Imports a file, or standard input for `-`. The error says which file and why.
pub fn import(path: &str, excerpt: Excerpt) -> Result<Imported, String> {
    read(path, excerpt)?
        .finish()
        .map_err(|error| refusal(path, &error))
}

/// Opens a trace or a part of it, with a capture of its link if one is named.
pub fn open(path: &str, wire: Option<&str>, excerpt: Excerpt) -> Result<Opened, String> {
    let mut parts = Vec::new();
    for name in [Some(path), wire].into_iter().flatten() {
        parts.push(Part {
            name: name.to_owned(),
            input: read(name, excerpt)?
                .finish_any()
                .map_err(|error| refusal(name, &error))?,
            clock_offset: None,
        });
    }
    Opened::together(parts).map_err(|error| error.to_string())
}

fn refusal(path: &str, error: &ImportError) -> String {
    format!("{path}: {error}")
}

fn read(path: &str, excerpt: Excerpt) -> Result<Import, String> {
    let file: io::Result<Box<dyn Read>> = if path == "-" {
        Ok(Box::new(io::stdin()))
    } else {
        File::open(path).map(|file| Box::new(file) as Box<dyn Read>)
    };
    file.and_then(|file| take(file, excerpt))
        .map_err(|error| format!("{path}: {error}"))
}

fn take(mut file: Box<dyn Read>, excerpt: Excerpt) -> io::Result<Import> {
    let mut import = Import::of(excerpt);
    let mut chunk = vec![0; 1 << 20];
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Ok(import),
            Ok(length) => import.push(&chunk[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if import.error().is_some() {
            return Ok(import);
        }
    }
}
