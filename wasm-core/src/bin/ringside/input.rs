//! Files to imports: the only place that opens one.

use std::fs::File;
use std::io::{self, Read};

use ringside::import::{Import, Imported};

/// Imports a file, or standard input for `-`. The error says which file and why.
pub fn import(path: &str) -> Result<Imported, String> {
    let file: Box<dyn Read> = if path == "-" {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(|error| format!("{path}: {error}"))?)
    };
    read(file)
        .map_err(|error| format!("{path}: {error}"))?
        .finish()
        .map_err(|error| format!("{path}: {error}"))
}

fn read(mut file: Box<dyn Read>) -> io::Result<Import> {
    let mut import = Import::new();
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
