//! The words of a command line, which the programs here read as text.

use std::ffi::OsString;

/// The words behind the program's name. Fails at the first that is not UTF-8, with a sentence that shows it.
pub fn read(words: impl Iterator<Item = OsString>) -> Result<Vec<String>, String> {
    words
        .skip(1)
        .map(|word| {
            let text = word.into_string();
            text.map_err(|word| format!("\"{}\" is not UTF-8: choose another name", word.display()))
        })
        .collect()
}

/// Whether the usage is asked for.
pub fn ask_for_help(words: &[String]) -> bool {
    words
        .iter()
        .any(|word| matches!(word.as_str(), "-h" | "--help"))
}
