//! Scenarios: their text, and worlds of short life made of them.

use std::sync::LazyLock;

use ringside::journey::{Journeys, invariants};
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::engine::Simulation;

use crate::import;

pub static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::shipped().unwrap());

/// Steps of a simulation, and how many between two looks at the world.
const STEPS: u64 = 4000;
const STRIDE: u64 = 1000;

/// A scenario's text is refused with words or means the same when it is written again.
pub fn text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    match Scenario::parse(text, &CATALOGUE) {
        Err(why) => assert!(!why.to_string().is_empty()),
        Ok(scenario) => {
            let written = scenario.to_json();
            let again = Scenario::parse(&written, &CATALOGUE).expect("it was written by us");
            assert_eq!(again.to_json(), written);
        }
    }
}

/// Any scenario that is accepted runs, and what must hold of its world and its run does.
pub fn simulated(data: &[u8]) {
    let Some(scenario) = std::str::from_utf8(data)
        .ok()
        .and_then(|text| Scenario::parse(text, &CATALOGUE).ok())
    else {
        return;
    };
    // What it refuses late, it refuses with words.
    let mut simulation = match Simulation::new(&scenario, &CATALOGUE, true) {
        Ok(simulation) => simulation,
        Err(why) => return assert!(!why.to_string().is_empty()),
    };
    for _ in 0..STEPS / STRIDE {
        let is_over = simulation.advance(STRIDE);
        assert_eq!(simulation.audit(), [""; 0]);
        if is_over {
            let run = simulation.finish().run.expect("it was recorded");
            assert_eq!(invariants::broken(&run, &Journeys::of(&run)), []);
            return import::read_back(&run);
        }
    }
}
