//! What a name stands for that a program was given: a scenario that is shipped, or else a file. Opens
//! nothing by itself: who asks says how.

use std::io::{self, Read};

use super::catalogue::Catalogue;
use super::scenario::Scenario;

/// What a name stands for.
#[derive(Debug)]
pub enum Named<F> {
    /// A scenario that is shipped.
    Shipped(Box<Scenario>),
    /// A file, opened.
    File(F),
}

/// A shipped scenario of this name, or else what `open` opens by it. The error does not repeat the name.
pub fn find<F>(
    name: &str,
    catalogue: &Catalogue,
    open: impl FnOnce(&str) -> io::Result<F>,
) -> Result<Named<F>, String> {
    if let Some(shipped) = catalogue.scenario(name) {
        return Ok(Named::Shipped(Box::new(shipped.scenario.clone())));
    }
    open(name)
        .map(Named::File)
        .map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => catalogue.nameless(),
            _ => error.to_string(),
        })
}

/// The scenario that a name stands for, in a file if it is not shipped. The error does not repeat the name.
pub fn scenario<F: Read>(
    name: &str,
    catalogue: &Catalogue,
    open: impl FnOnce(&str) -> io::Result<F>,
) -> Result<Scenario, String> {
    let mut file = match find(name, catalogue, open)? {
        Named::Shipped(scenario) => return Ok(*scenario),
        Named::File(file) => file,
    };
    let mut text = String::new();
    file.read_to_string(&mut text)
        .map_err(|error| error.to_string())?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Scenario::parse(text, catalogue).map_err(|error| error.to_string())
}
