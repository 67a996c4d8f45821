//! A simulation on its way: the page lets it go on for a while, asks how far it is, and
//! takes the run at its end, as bytes that the reader's module opens.

use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use boundary_saying::Thrown;
use sim::config::refusal::says;
use sim::engine::Simulation;
use sim::time::SimTime;

/// Events that a browser's memory holds with all that is made of them, well below the 4 GiB
/// that a wasm module can have.
const MOST_EVENTS: u64 = 12_000_000;

/// A scenario that is being run.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Simulator {
    pub(super) simulation: Simulation,
    pub(super) is_recording: bool,
}

/// A simulation that has ended.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Simulated {
    run: Vec<u8>,
    measured: Vec<u8>,
}

#[wasm_bindgen]
impl Simulator {
    /// Goes on for so many steps of the engine. True at the end.
    pub fn advance(&mut self, steps: u32) -> Result<bool, Thrown> {
        let is_over = self.simulation.advance(u64::from(steps));
        if !self.is_recording || self.simulation.events() <= MOST_EVENTS {
            return Ok(is_over);
        }
        let field = "duration_us".to_owned();
        let after = self.simulation.now().nanos().0;
        Err(Thrown::Refusal(says::too_long(field, after, MOST_EVENTS)))
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

    /// What has come out so far; the run goes on.
    pub fn so_far(&mut self) -> Result<Simulated, JsError> {
        as_bytes(self.simulation.so_far())
    }

    /// The end: the run and what was measured.
    pub fn finish(self) -> Result<Simulated, JsError> {
        as_bytes(self.simulation.finish())
    }
}

#[wasm_bindgen]
impl Simulated {
    /// The run's bytes; once, as this module keeps none of them.
    pub fn run(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.run)
    }

    /// What was measured, as bytes.
    pub fn measured(&self) -> Vec<u8> {
        self.measured.clone()
    }
}

fn as_bytes(simulated: sim::engine::Simulated) -> Result<Simulated, JsError> {
    let run = simulated
        .run
        .ok_or_else(|| JsError::new("nothing was recorded"))?;
    Ok(Simulated {
        measured: postcard::to_allocvec(&simulated.measured)?,
        run: run.into_bytes(),
    })
}

fn nanos(time: SimTime) -> f64 {
    time.nanos().0 as f64
}
