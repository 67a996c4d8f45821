//! Reads the command line of the programs here as text.

use std::ffi::OsString;

/// The arguments after the program's name. Fails at the first that is not UTF-8, with a message that shows it.
pub fn read(words: impl Iterator<Item = OsString>) -> Result<Vec<String>, String> {
    words
        .skip(1)
        .map(|word| {
            let text = word.into_string();
            text.map_err(|word| format!("\"{}\" is not UTF-8: choose another name", word.display()))
        })
        .collect()
}

/// Whether the arguments ask for the usage text.
pub fn ask_for_help(words: &[String]) -> bool {
    words
        .iter()
        .any(|word| matches!(word.as_str(), "-h" | "--help"))
}
