//! A simulation on its way: the page lets it go on for a while, asks how far it is, and
//! takes the run at its end.

use tsify::{Ts, Tsify};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use std::cell::RefCell;

use super::compare::FiguresView;
use super::session::Session;
use ringside::figures::Figures;
use ringside::opened::Opened;
use sim::config::own::Kept;
use sim::config::scenario::Scenario;
use sim::engine::{Simulated, Simulation};
use sim::time::SimTime;

/// Events that a browser's memory holds with all that is made of them, well below the 4 GiB
/// that a wasm module can have.
const MOST_EVENTS: u64 = 12_000_000;

thread_local! {
    /// A worker is asked for run after run of the same catalogue.
    static CATALOGUE: RefCell<Kept> = const { RefCell::new(Kept::new()) };
}

/// A scenario that is being run.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Simulator {
    simulation: Simulation,
    is_recording: bool,
}

#[wasm_bindgen]
impl Simulator {
    /// Makes everything ready. Throws where the text is no scenario, or one that cannot be
    /// simulated; the reason begins with the field. Without a recording, which is for measuring
    /// how fast it goes, there is nothing to finish. `machines` are texts of machine files of one's own.
    #[wasm_bindgen(constructor)]
    pub fn new(
        scenario: &str,
        is_recording: Option<bool>,
        machines: Option<Vec<String>>,
    ) -> Result<Self, JsError> {
        let machines = machines.unwrap_or_default();
        let catalogue = CATALOGUE.with_borrow_mut(|kept| kept.with_machines(machines))?;
        let scenario = Scenario::parse(scenario, &catalogue)?;
        let is_recording = is_recording.unwrap_or(true);
        let simulation = Simulation::new(&scenario, &catalogue, is_recording)
            .map_err(|why| JsError::new(&why))?;
        Ok(Self {
            simulation,
            is_recording,
        })
    }

    /// Goes on for so many steps of the engine. True at the end.
    pub fn advance(&mut self, steps: u32) -> Result<bool, JsError> {
        let is_over = self.simulation.advance(u64::from(steps));
        if !self.is_recording || self.simulation.events() <= MOST_EVENTS {
            return Ok(is_over);
        }
        Err(JsError::new(&format!(
            "duration_us is too long: after {} ms the run has {} million events, which is all that \
             a browser can keep",
            self.simulation.now().0 / SimTime::from_ms(1).0,
            MOST_EVENTS / 1_000_000
        )))
    }

    /// Simulated nanoseconds so far.
    pub fn simulated_ns(&self) -> f64 {
        nanos(self.simulation.now())
    }

    /// How many there will be.
    pub fn duration_ns(&self) -> f64 {
        nanos(self.simulation.duration())
    }

    /// Events of the run so far.
    pub fn events(&self) -> f64 {
        self.simulation.events() as f64
    }

    /// Steps of the engine so far, and other things that it did.
    pub fn steps(&self) -> f64 {
        self.simulation.steps() as f64
    }

    /// What has come out so far, in figures; the run goes on.
    pub fn figures_so_far(&mut self) -> Result<Ts<FiguresView>, JsError> {
        figures(self.simulation.so_far())
    }

    /// The end, where nothing but figures is wanted.
    pub fn figures(self) -> Result<Ts<FiguresView>, JsError> {
        figures(self.simulation.finish())
    }

    /// The end: everything is put together and made ready.
    pub fn finish(self) -> Result<Session, JsError> {
        let simulated = self.simulation.finish();
        match simulated.run {
            Some(run) => Ok(Session::new(Opened::from(run), Some(simulated.measured))),
            None => Err(JsError::new("nothing was recorded")),
        }
    }
}

fn figures(simulated: Simulated) -> Result<Ts<FiguresView>, JsError> {
    let run = simulated
        .run
        .ok_or_else(|| JsError::new("nothing was recorded"))?;
    let start = run.start();
    let figures = Figures::alone(run, &simulated.measured);
    Ok(FiguresView::of(&figures, start).into_ts()?)
}

fn nanos(time: SimTime) -> f64 {
    time.nanos().0 as f64
}
