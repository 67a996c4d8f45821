//! Runs by name: of a scenario, shipped or in a file, or of a trace.

use std::path::Path;

use ringside::opened::Opened;
use ringside::run::measured::Measured;
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::engine::simulate;

use crate::input::{self, Source};

/// What is taken of a scenario's runs with seeds one after the other, or of a trace.
pub fn take<T>(
    name: &str,
    catalogue: &Catalogue,
    seeds: u64,
    take: impl Fn(&Opened, Option<&Measured>) -> T,
) -> Result<Vec<T>, String> {
    let fail = |why: String| format!("{name}: {why}");
    let scenario = match catalogue.scenario(name) {
        Some(shipped) => shipped.scenario.clone(),
        None if name != "-" && !Path::new(name).exists() => return Err(fail(catalogue.nameless())),
        None => match input::source(name)? {
            Source::Trace(opened) => return Ok(vec![take(&opened, None)]),
            Source::Scenario(text) => {
                Scenario::parse(&text, catalogue).map_err(|error| fail(error.to_string()))?
            }
        },
    };
    let run = |seed: u64| {
        let seed = scenario.seed + seed;
        let scenario = Scenario {
            seed,
            ..scenario.clone()
        };
        let simulated = simulate(&scenario, catalogue, true).map_err(fail)?;
        let run = simulated
            .run
            .ok_or_else(|| fail("nothing was recorded".to_owned()))?;
        Ok(take(&Opened::from(run), Some(&simulated.measured)))
    };
    (0..seeds).map(run).collect()
}
