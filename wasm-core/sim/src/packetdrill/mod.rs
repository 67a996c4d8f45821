//! Scripts in packetdrill's grammar, run against the TCP of a kernel.
//!
//! A script contains system calls, incoming segments, and the segments that have to be sent, each with its
//! time. Here it runs against [`crate::tcp`] alone, without costs: a small socket layer replaces the rest of a
//! kernel (send and receive calls, listening, blocking, options on the wire), and the script's clock is the
//! only time, so that a segment is sent at the instant at which TCP decides so. The engine's CPUs, queues and
//! locks would only blur the times that a script checks.
//!
//! Source of the grammar: google/packetdrill's documentation. The first difference is reported as packetdrill
//! reports it. A script with anything unknown or not modelled is refused, with the line.

mod calls;
mod compare;
mod connection;
mod host;
mod info;
mod lexer;
mod options;
mod parse;
mod parse_packet;
mod python;
mod recording;
mod run;
mod script;
mod shell;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::config::kernel::Kernel;
use ringside::run::Run;

/// The reason why a script cannot be run: something unknown or not modelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Line number, from 1.
    pub line: u32,
    /// The reason, as text.
    pub why: String,
}

impl Refused {
    fn new(line: u32, why: impl Into<String>) -> Self {
        Self {
            line,
            why: why.into(),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: not run: {}", self.line, self.why)
    }
}

/// A deviation of the kernel from a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Line number, from 1.
    pub line: u32,
    /// The expected and the actual behaviour, as text.
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.what)
    }
}

/// The outcome of a script.
#[derive(Debug)]
pub struct Outcome {
    /// The first difference; `None`: the script passed.
    pub difference: Option<Difference>,
    /// The segments and calls up to the difference, as a run.
    pub run: Run,
}

/// Runs a script. `read_file` returns the text of a set-up file that the script names.
///
/// # Errors
/// Anything in the script that is unknown or not modelled.
pub fn run(
    text: &str,
    kernel: &Kernel,
    read_file: &dyn Fn(&str) -> Option<String>,
) -> Result<Outcome, Refused> {
    let script = parse::parse(text, read_file)?;
    run::Runner::new(&script, kernel).run()
}
