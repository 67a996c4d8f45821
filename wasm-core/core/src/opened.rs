//! Inputs opened together: a run, the journeys in it, the ledger of its lines, and
//! the replay made ready. The command line and the page both begin here.

use std::fmt;
use std::rc::Rc;

use crate::import::{Format, ImportError, Imported, Input, LONE_CAPTURE, Ledger};
use crate::journey::Journeys;
use crate::replay::Replay;
use crate::run::Run;
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

/// Why files cannot be opened together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpenError {
    /// There is no trace among them.
    NoTrace {
        /// A capture that is there.
        name: String,
    },
    /// There is more than one of a kind.
    TwoOfAKind {
        /// The first.
        first: String,
        /// Another.
        second: String,
        /// `traces` or `captures of the link`.
        kind: &'static str,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTrace { name } if name.is_empty() => formatter.write_str("there is no file"),
            Self::NoTrace { name } => {
                let found = LONE_CAPTURE.to_owned();
                write!(formatter, "{name}: {}", ImportError::NotATrace { found })
            }
            Self::TwoOfAKind {
                first,
                second,
                kind,
            } => write!(
                formatter,
                "{first} and {second} are both {kind}; open one trace, alone or with one capture \
                 of its link"
            ),
        }
    }
}

impl Opened {
    /// Opens a trace, alone or together with a capture of its link.
    pub fn together(parts: Vec<Part>) -> Result<Self, OpenError> {
        let mut trace: Option<(String, Box<Imported>)> = None;
        let mut capture: Option<(String, Capture, Option<i64>)> = None;
        for part in parts {
            match part.input {
                Input::Trace(imported) => {
                    if let Some((first, _)) = trace {
                        return Err(two(first, part.name, "traces"));
                    }
                    trace = Some((part.name, imported));
                }
                Input::Capture(frames) => {
                    if let Some((first, ..)) = capture {
                        return Err(two(first, part.name, "captures of the link"));
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

const fn two(first: String, second: String, kind: &'static str) -> OpenError {
    OpenError::TwoOfAKind {
        first,
        second,
        kind,
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
