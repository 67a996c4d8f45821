//! The shipped scenarios, each simulated once for all tests that look at its run.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::{LazyLock, OnceLock};

use ringside::opened::Opened;
use ringside::run::Run;
use sim::config::catalogue::{Catalogue, Shipped};
use sim::engine::simulate;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::shipped().unwrap());

/// A place for the run of each, in their order, filled by whoever asks first.
static RUNS: LazyLock<Vec<OnceLock<Run>>> =
    LazyLock::new(|| CATALOGUE.scenarios().map(|_| OnceLock::new()).collect());

/// A shipped scenario and its run.
pub struct Simulated {
    pub shipped: &'static Shipped,
    place: &'static OnceLock<Run>,
}

impl Simulated {
    pub fn run(&self) -> &'static Run {
        self.place.get_or_init(|| {
            let simulated = simulate(&self.shipped.scenario, &CATALOGUE, true);
            let simulated = simulated.map_err(|error| format!("{}: {error}", self.shipped.name));
            simulated.unwrap().run.unwrap()
        })
    }

    /// The run with its packets' ways, for one test alone.
    pub fn opened(&self) -> Opened {
        Opened::from(self.run().clone())
    }
}

/// All of them, in the order of the shelf.
pub fn all() -> impl Iterator<Item = Simulated> {
    let places = CATALOGUE.scenarios().zip(RUNS.iter());
    places.map(|(shipped, place)| Simulated { shipped, place })
}
