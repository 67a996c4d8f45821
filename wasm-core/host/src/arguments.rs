//! What both programs here do with their command line: wrong use ends with status 2, as with `ringside`, and
//! any other failure with 1.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::slice;

/// Why a program has not done what it was asked for.
#[derive(Debug)]
pub enum Failure {
    /// Its words make no sense.
    Use(String),
    /// Anything else.
    Other(String),
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Self::Other(why)
    }
}

/// Runs a command with the words of this process; `--help` prints the usage.
pub fn start(
    command: &str,
    usage: &str,
    run: impl FnOnce(&[String]) -> Result<(), Failure>,
) -> ExitCode {
    let words = read(std::env::args_os()).map_err(Failure::Use);
    let done = words.and_then(|words| {
        if ask_for_help(&words) {
            let printed = writeln!(io::stdout(), "{usage}");
            return printed.map_err(|error| Failure::Other(format!("cannot write: {error}")));
        }
        run(&words)
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Other(why)) => {
            complain(command, &why);
            ExitCode::FAILURE
        }
        Err(Failure::Use(why)) => {
            complain(command, &format!("{why}\n{usage}"));
            ExitCode::from(2)
        }
    }
}

/// Prints a message on standard error. If that fails there is no one to notify, and the program continues.
pub fn complain(command: &str, text: &str) {
    let _ = writeln!(io::stderr(), "ringside {command}: {text}");
}

/// The arguments after the program's name. Fails at the first that is not UTF-8, with a message that shows it.
fn read(words: impl Iterator<Item = OsString>) -> Result<Vec<String>, String> {
    words
        .skip(1)
        .map(|word| {
            let text = word.into_string();
            text.map_err(|word| format!("\"{}\" is not UTF-8: choose another name", word.display()))
        })
        .collect()
}

/// Whether the arguments ask for the usage text.
fn ask_for_help(words: &[String]) -> bool {
    words
        .iter()
        .any(|word| matches!(word.as_str(), "-h" | "--help"))
}

/// The words of a command line, one after the other.
pub struct Words<'line>(slice::Iter<'line, String>);

impl<'line> Words<'line> {
    /// All words.
    pub fn of(words: &'line [String]) -> Self {
        Self(words.iter())
    }

    /// The next word, as the value of an option. Fails if there is none.
    pub fn value(&mut self, option: &str) -> Result<&'line str, String> {
        self.next().ok_or_else(|| format!("{option} what?"))
    }
}

impl<'line> Iterator for Words<'line> {
    type Item = &'line str;

    fn next(&mut self) -> Option<&'line str> {
        self.0.next().map(String::as_str)
    }
}

/// A value that may be given once: the second would be ignored, or the first.
pub struct Once<T> {
    name: &'static str,
    value: Option<T>,
}

impl<T> Once<T> {
    /// One that has not been given yet; its name is for the error.
    pub const fn new(name: &'static str) -> Self {
        Self { name, value: None }
    }

    /// Takes the value. Fails if there is one.
    pub fn set(&mut self, value: T) -> Result<(), String> {
        match self.value.replace(value) {
            None => Ok(()),
            Some(_) => Err(format!("{} is there twice", self.name)),
        }
    }

    /// Whether it has been given.
    pub const fn is_set(&self) -> bool {
        self.value.is_some()
    }

    /// The value, if it has been given.
    pub fn value(self) -> Option<T> {
        self.value
    }
}
