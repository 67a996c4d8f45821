//! Errors of the system, with what was asked of it: "No such file or directory" alone names no file.

use std::io;

/// Adds to an error what failed.
pub trait Context<T> {
    /// The same, its error preceded by what was done; the error's kind stays.
    fn context(self, what: impl FnOnce() -> String) -> io::Result<T>;
}

impl<T, E: Into<io::Error>> Context<T> for Result<T, E> {
    fn context(self, what: impl FnOnce() -> String) -> io::Result<T> {
        self.map_err(|error| {
            let error = error.into();
            io::Error::new(error.kind(), format!("{}: {error}", what()))
        })
    }
}
