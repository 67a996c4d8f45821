//! Runs by name: of a scenario, shipped or in a file, or of a trace.

use ringside::opened::Opened;
use ringside::run::Excerpt;
use ringside::run::measured::Measured;
use sim::config::catalogue::Catalogue;
use sim::config::named::{self, Named};
use sim::config::scenario::Scenario;
use sim::engine::simulate;

use crate::input::{self, Source};

/// Why a scenario is not opened in part.
pub const NO_PART: &str = "it is a scenario; --cpu, --from and --to open a part of a trace";

/// What is taken of a scenario's runs with seeds one after the other, or of a trace or an excerpt of it.
pub fn take<T>(
    name: &str,
    catalogue: &Catalogue,
    (seeds, excerpt): (u64, Excerpt),
    take: impl Fn(&Opened, Option<&Measured>) -> T,
) -> Result<Vec<T>, String> {
    let fail = |why: String| format!("{name}: {why}");
    let scenario = match named::find(name, catalogue, input::file).map_err(fail)? {
        Named::Shipped(scenario) => *scenario,
        Named::File(file) => match input::source(name, file, excerpt)? {
            Source::Trace(opened) => return Ok(vec![take(&opened, None)]),
            Source::Scenario(text) => {
                Scenario::parse(&text, catalogue).map_err(|error| fail(error.to_string()))?
            }
        },
    };
    if excerpt != Excerpt::default() {
        return Err(fail(NO_PART.to_owned()));
    }
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
