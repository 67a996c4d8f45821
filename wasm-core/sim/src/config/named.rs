//! What a name stands for that a program was given: a scenario that is shipped, or else a file. Opens
//! nothing by itself: who asks says how.

use std::io::{self, Read};

use super::catalogue::Catalogue;
use super::scenario::Scenario;

/// So many bytes are no scenario: what never ends is not read to its end.
const TOO_MANY_BYTES: u64 = 1 << 20;

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
    let file = match find(name, catalogue, open)? {
        Named::Shipped(scenario) => return Ok(*scenario),
        Named::File(file) => file,
    };
    let mut bytes = Vec::new();
    file.take(TOO_MANY_BYTES)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 == TOO_MANY_BYTES {
        return Err(format!("no scenario has {TOO_MANY_BYTES} bytes or more"));
    }
    let text = String::from_utf8(bytes).map_err(|error| error.to_string())?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Scenario::parse(text, catalogue).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(file: impl Read) -> String {
        scenario("file", &Catalogue::shipped().unwrap(), |_| Ok(file)).unwrap_err()
    }

    #[test]
    fn what_never_ends_is_no_scenario() {
        assert_eq!(
            refused(io::repeat(b' ')),
            "no scenario has 1048576 bytes or more"
        );
        assert!(refused(&b"\xff"[..]).starts_with("invalid utf-8"));
    }
}
