//! An input opened: its run, the journeys in it, the ledger of its lines, and the
//! replay made ready. The command line and the page both begin here.

use std::rc::Rc;

use crate::import::{Format, Imported, Ledger};
use crate::journey::Journeys;
use crate::replay::Replay;
use crate::run::Run;

/// Everything that is known of an input.
#[derive(Debug)]
pub struct Opened {
    /// Its events.
    pub run: Rc<Run>,
    /// Its packets' ways.
    pub journeys: Rc<Journeys>,
    /// Its state at any time.
    pub replay: Replay,
    /// What became of every line.
    pub ledger: Ledger,
    /// What kind of file it was.
    pub format: Format,
}

impl From<Imported> for Opened {
    fn from(imported: Imported) -> Self {
        let journeys = Rc::new(Journeys::of(&imported.run));
        let run = Rc::new(imported.run);
        Self {
            replay: Replay::new(Rc::clone(&run), Rc::clone(&journeys)),
            run,
            journeys,
            ledger: imported.ledger,
            format: imported.format,
        }
    }
}
