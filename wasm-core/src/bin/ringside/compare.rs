//! `ringside compare [--data FOLDER] [--seeds N] [--json] BEFORE AFTER`: two runs beside each other, of
//! scenarios or of traces: what came out differently, what explains it, and every figure of both.

use std::fmt::Write as _;
use std::io::{self, Write};

use ringside::compare::{Comparison, Difference, Estimate};
use ringside::english::say_of_file;
use ringside::figures::{Figures, Of, Unit};
use ringside::opened::Opened;
use ringside::sim::config::catalogue::Catalogue;
use ringside::sim::config::scenario::Scenario;
use ringside::sim::engine::simulate;
use serde::Serialize;

use crate::{Failure, complain, data, input, options};

/// Runs of a scenario where nobody says how many.
const SEEDS: u64 = 6;

/// A figure of both as `--json` prints it, with 99 % intervals where there are several runs.
#[derive(Serialize)]
struct Row {
    quantity: &'static str,
    of: String,
    unit: &'static str,
    before: Number,
    after: Number,
    change: Number,
    is_noise: bool,
}

/// A mean with half the width of its interval.
#[derive(Serialize)]
struct Number {
    mean: f64,
    half_width: Option<f64>,
}

/// All of it.
#[derive(Serialize)]
struct Whole {
    runs: [usize; 2],
    outcomes: Vec<String>,
    causes: Vec<String>,
    figures: Vec<Row>,
}

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options::read(arguments, &["--seeds"], &[])?;
    let [before, after] = options.files[..] else {
        return Err(Failure::Usage("compare which two?".to_owned()));
    };
    let seeds = match options.value("--seeds").map(str::parse) {
        None => SEEDS,
        Some(Ok(seeds @ 1..=100)) => seeds,
        Some(_) => {
            return Err(Failure::Usage(
                "--seeds needs a number from 1 to 100".to_owned(),
            ));
        }
    };
    let fail = |why: String| {
        complain(&why);
        Failure::Import
    };
    let catalogue = data::catalogue(options.data).map_err(fail)?;
    let side = |name: &str| side(name, &catalogue, seeds).map_err(fail);
    let comparison = Comparison::of(&side(before)?, &side(after)?);
    let text = if options.is_json {
        let whole = whole(&comparison);
        serde_json::to_string_pretty(&whole).map_err(|error| fail(error.to_string()))? + "\n"
    } else {
        picture(&comparison)
    };
    io::stdout()
        .write_all(text.as_bytes())
        .map_err(Failure::Output)
}

/// The figures of a scenario's runs with seeds one after the other, or of a trace.
fn side(name: &str, catalogue: &Catalogue, seeds: u64) -> Result<Vec<Figures>, String> {
    let is_scenario = catalogue.scenario(name).is_some()
        || std::path::Path::new(name)
            .extension()
            .is_some_and(|it| it == "json");
    if !is_scenario {
        let opened = input::open(name, None, ringside::run::Excerpt::default())?;
        return Ok(vec![Figures::of(&opened, None)]);
    }
    let fail = |why: String| format!("{name}: {why}");
    let scenario = data::scenario(name, catalogue).map_err(fail)?;
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
        Ok(Figures::of(&Opened::from(run), Some(&simulated.measured)))
    };
    (0..seeds).map(run).collect()
}

fn whole(comparison: &Comparison) -> Whole {
    let verdict = comparison.verdict();
    let said =
        |all: &[ringside::compare::Said]| all.iter().map(|one| say_of_file(&one.saying)).collect();
    let number = |one: Estimate| Number {
        mean: one.mean,
        half_width: one.half_width,
    };
    let row = |one: &Difference| Row {
        quantity: one.quantity.name(),
        of: one.of.name(),
        unit: one.quantity.unit().name(),
        before: number(one.before),
        after: number(one.after),
        change: number(one.change),
        is_noise: one.is_noise(),
    };
    Whole {
        runs: comparison.runs,
        outcomes: said(&verdict.outcomes),
        causes: said(&verdict.causes),
        figures: comparison.differences.iter().map(row).collect(),
    }
}

/// For people: the verdict, and the figures that are more than noise.
fn picture(comparison: &Comparison) -> String {
    let verdict = comparison.verdict();
    let mut text = String::new();
    for one in &verdict.outcomes {
        let _ = writeln!(text, "{}", say_of_file(&one.saying));
    }
    for one in &verdict.causes {
        let _ = writeln!(text, "  {}", say_of_file(&one.saying));
    }
    let [before, after] = comparison.runs;
    let _ = writeln!(
        text,
        "\n{:<44}{:>12}{:>12}  {before} and {after} runs",
        "", "before", "after"
    );
    for one in comparison
        .differences
        .iter()
        .filter(|one| one.of == Of::Run || !one.is_noise())
    {
        let name = format!("{} {}", one.quantity, one.of.name());
        let unit = match one.quantity.unit() {
            Unit::Share => "",
            unit => unit.name(),
        };
        let mark = if one.is_noise() { "  noise" } else { "" };
        let _ = writeln!(
            text,
            "{name:<44}{:>12.4}{:>12.4}  {unit}{mark}",
            one.before.mean, one.after.mean
        );
    }
    text
}
