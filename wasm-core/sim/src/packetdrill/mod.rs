//! Scripts in packetdrill's grammar, run against the TCP of a kernel.
//!
//! A script says what programs call, which segments come in, and which segments have to come out
//! and when. Here they meet [`crate::tcp`] alone, without costs: a small socket layer has what
//! stands around it in a kernel (send and receive calls, listening, blocking, options on the wire), and
//! time is the script's, so that a segment comes out in the very moment in which TCP sends it. What
//! the engine adds (CPUs, queues, locks) would only blur the times that a script asks for.
//!
//! Source of the grammar: google/packetdrill's documentation. The first difference is told as
//! packetdrill tells it. What is not understood, and what is not modelled, is refused with its line.

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

/// Why a script cannot be run: what is not understood or not modelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The line, from 1.
    pub line: u32,
    /// What it is.
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

/// Where a kernel did something else than a script says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The line, from 1.
    pub line: u32,
    /// What was expected, and what was found.
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.what)
    }
}

/// What came of a script.
#[derive(Debug)]
pub struct Outcome {
    /// The first difference; none: it passed.
    pub difference: Option<Difference>,
    /// The segments and calls as a run, up to the difference.
    pub run: Run,
}

/// Runs a script. `read_file` gives the text of a set-up file that the script names.
///
/// # Errors
/// What is not understood or not modelled.
pub fn run(
    text: &str,
    kernel: &Kernel,
    read_file: &dyn Fn(&str) -> Option<String>,
) -> Result<Outcome, Refused> {
    let script = parse::parse(text, read_file)?;
    run::Runner::new(&script, kernel).run()
}
