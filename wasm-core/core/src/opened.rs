//! Inputs opened together: a run, the journeys in it, the ledger of its lines, and
//! the replay made ready. The command line and the page both begin here.

use std::rc::Rc;

use crate::import::{Format, Import, ImportError, Imported, Input, Ledger, found, says};
use crate::journey::Journeys;
use crate::replay::Replay;
use crate::run::Run;
use crate::saying::Saying;
use crate::wire::{self, Attachment, Capture};

/// Everything that is known of what was opened.
#[derive(Debug)]
pub struct Opened {
    /// Its events.
    pub run: Rc<Run>,
    /// Its packets' ways.
    pub journeys: Rc<Journeys>,
    /// Its state at any time.
    pub replay: Replay,
    /// What became of every line of the trace; empty for a simulation.
    pub ledger: Ledger,
    /// What kind of file the trace was; a simulation was none.
    pub format: Option<Format>,
    /// How a capture of the link was joined, if one was opened with the trace.
    pub wire: Option<Wire>,
}

/// A capture of the link that was opened with a trace.
#[derive(Debug)]
pub struct Wire {
    /// How its frames fit.
    pub attachment: Attachment,
    /// What became of every frame of the file.
    pub ledger: Ledger,
}

/// A file among those that are opened together.
#[derive(Debug)]
pub struct Part {
    /// Its name, for messages.
    pub name: String,
    /// What it turned out to be.
    pub input: Input,
    /// For a capture its clock minus the trace's in nanoseconds, where the recording
    /// says so; else it is estimated.
    pub clock_offset: Option<i64>,
}

/// A file among those that are opened together which cannot be imported.
#[derive(Debug)]
pub struct Refused {
    /// Its name, for messages.
    pub name: String,
    /// Why it cannot be.
    pub why: ImportError,
}

impl Part {
    /// The file whose bytes have all come, or why it cannot be imported.
    pub fn of(name: String, import: Import, clock_offset: Option<i64>) -> Result<Self, Refused> {
        match import.finish_any() {
            Ok(input) => Ok(Self {
                name,
                input,
                clock_offset,
            }),
            Err(why) => Err(Refused { name, why }),
        }
    }
}

/// Why files cannot be opened together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenError {
    /// None of those that could be imported is a trace.
    Refused {
        /// A file that could not be.
        name: String,
        /// Why it could not.
        why: ImportError,
    },
    /// There is no trace among them.
    NoTrace {
        /// A capture that is there.
        name: String,
    },
    /// There is more than one trace.
    TwoTraces {
        /// The first.
        first: String,
        /// Another.
        second: String,
    },
    /// There is more than one capture of the link.
    TwoCaptures {
        /// The first.
        first: String,
        /// Another.
        second: String,
    },
}

impl OpenError {
    /// It as a saying.
    pub fn said(self) -> Saying {
        match self {
            Self::Refused { name, why } => says::named(name, why.said()),
            Self::NoTrace { name } if name.is_empty() => says::no_file(),
            Self::NoTrace { name } => {
                says::named(name, ImportError::from(found::Kind::Capture).said())
            }
            Self::TwoTraces { first, second } => says::two_traces(first, second),
            Self::TwoCaptures { first, second } => says::two_captures(first, second),
        }
    }
}

impl Opened {
    /// Opens what could be imported of several files. Without a trace among them it is an error that one could not; else the
    /// trace's ledger tells of those that are missing.
    pub fn despite(
        files: impl IntoIterator<Item = Result<Part, Refused>>,
    ) -> Result<Self, OpenError> {
        let (mut parts, mut refused) = (Vec::new(), Vec::new());
        for file in files {
            match file {
                Ok(part) => parts.push(part),
                Err(file) => refused.push(file),
            }
        }
        let has_trace = parts
            .iter()
            .any(|part| matches!(part.input, Input::Trace(_)));
        let mut left_out = Vec::new();
        for Refused { name, why } in refused {
            if !has_trace {
                return Err(OpenError::Refused { name, why });
            }
            left_out.push(says::file_left_out(name, why.said()));
        }
        let mut opened = Self::together(parts)?;
        for saying in left_out {
            opened.ledger.warn(saying);
        }
        Ok(opened)
    }

    /// Opens a trace, alone or together with a capture of its link.
    pub fn together(parts: Vec<Part>) -> Result<Self, OpenError> {
        let mut trace: Option<(String, Box<Imported>)> = None;
        let mut capture: Option<(String, Capture, Option<i64>)> = None;
        for part in parts {
            match part.input {
                Input::Trace(imported) => {
                    if let Some((first, _)) = trace {
                        let second = part.name;
                        return Err(OpenError::TwoTraces { first, second });
                    }
                    trace = Some((part.name, imported));
                }
                Input::Capture(frames) => {
                    if let Some((first, ..)) = capture {
                        let second = part.name;
                        return Err(OpenError::TwoCaptures { first, second });
                    }
                    capture = Some((part.name, *frames, part.clock_offset));
                }
            }
        }
        let Some((_, mut imported)) = trace else {
            let name = capture.map(|(name, ..)| name).unwrap_or_default();
            return Err(OpenError::NoTrace { name });
        };
        let mut wire = None;
        if let Some((name, capture, offset)) = capture {
            let (run, attachment) = wire::attach(imported.run, &capture, offset);
            imported.run = run;
            if let Some(damage) = &capture.damage {
                imported.ledger.warn(damage.said(&name));
            }
            let ledger = capture.ledger;
            wire = Some(Wire { attachment, ledger });
        }
        let mut opened = Self::from(*imported);
        opened.wire = wire;
        Ok(opened)
    }
}

impl From<Imported> for Opened {
    fn from(imported: Imported) -> Self {
        let opened = Self::from(imported.run);
        let mut ledger = imported.ledger;
        for warning in &opened.journeys.warnings {
            ledger.warn(warning.clone());
        }
        Self {
            ledger,
            format: Some(imported.format),
            ..opened
        }
    }
}

impl From<Run> for Opened {
    fn from(run: Run) -> Self {
        let journeys = Rc::new(Journeys::of(&run));
        let run = Rc::new(run);
        Self {
            replay: Replay::new(Rc::clone(&run), Rc::clone(&journeys)),
            run,
            journeys,
            ledger: Ledger::default(),
            format: None,
            wire: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::english::say_of_file;

    const TRACE: &str =
        "  <idle>-0  [000] ..s1.  1.000001: netif_receive_skb: dev=eth0 skbaddr=a1 len=92\n";

    fn open(files: &[(&str, &str)]) -> Result<Opened, OpenError> {
        Opened::despite(files.iter().map(|&(name, text)| {
            let mut import = Import::new();
            import.push(text.as_bytes());
            Part::of(name.to_owned(), import, None)
        }))
    }

    #[test]
    fn a_trace_is_opened_though_a_file_beside_it_cannot_be() {
        for files in [
            [("a.txt", TRACE), ("b.pcap.gz", "\u{1f}\u{8b}")],
            [("b.pcap.gz", ""), ("a.txt", TRACE)],
        ] {
            let opened = open(&files).expect("there is a trace");
            assert_eq!(opened.run.len(), 1);
            let said = say_of_file(&opened.ledger.warnings[0]);
            assert!(said.starts_with("b.pcap.gz was left out: "), "{said}");
        }
    }

    #[test]
    fn without_a_trace_the_first_that_cannot_be_opened_is_told() {
        let error = open(&[("a.txt", ""), ("b.txt", "prose\n")]).map(|_| ());
        let said = say_of_file(&error.expect_err("no trace").said());
        assert!(said.starts_with("a.txt: the file is empty"), "{said}");
    }
}
