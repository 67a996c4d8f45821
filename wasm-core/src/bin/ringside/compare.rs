//! `ringside compare [--data FOLDER] [--seeds N | --packets] [--json] BEFORE AFTER`: two runs beside each
//! other, of scenarios or of traces: what came out differently, what explains it, and every figure of
//! both; or packet by packet where their ways part.

use std::fmt::Write as _;
use std::io::Write;

use ringside::compare::abreast::{Abreast, Parting, PartingKind, Routes};
use ringside::compare::{Comparison, Difference, Estimate};
use ringside::english::say_of_file;
use ringside::figures::{Figures, Of, Unit};
use ringside::kernel::PacketId;
use ringside::opened::Opened;
use ringside::run::measured::Measured;
use serde::Serialize;

use crate::options::PART;
use crate::{Failure, complain, data, options, output, runs};

/// Runs of a scenario where nobody says how many.
const SEEDS: u64 = 6;

/// A figure of both as `--json` prints it, with 99 % intervals where runs or stretches tell them.
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

/// Two runs packet by packet as `--json` prints them.
#[derive(Serialize)]
struct Packets {
    /// For each packet of the first run its like in the second, if it has one.
    likes: Vec<Option<u32>>,
    /// How many nanoseconds the second run starts after the first.
    shift_ns: i64,
    partings: Vec<Parted>,
}

/// Where they part at a packet.
#[derive(Serialize)]
struct Parted {
    at_ns: i64,
    packets: [Option<u32>; 2],
    kind: &'static str,
    said: String,
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
    let options = options::read(
        arguments,
        &["--data", "--seeds", PART],
        &["--packets", "--json"],
    )?;
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
    if options.has("--seeds") && options.has("--packets") {
        let why = "--packets is of one run each: --seeds does not go with it";
        return Err(Failure::Usage(why.to_owned()));
    }
    let fail = |why: String| {
        complain(&why);
        Failure::Import
    };
    let excerpt = options.excerpt()?;
    let catalogue = data::catalogue(options.data).map_err(fail)?;
    let text = if options.has("--packets") {
        let routes = |name: &str| {
            let mut runs = runs::take(name, &catalogue, (1, excerpt), |run, _| Routes::of(run))
                .map_err(fail)?;
            Ok::<Routes, Failure>(runs.remove(0))
        };
        let both = Abreast::of([routes(before)?, routes(after)?]);
        packets(&both, options.is_json)
    } else {
        // Of several runs each tells by the others how far it wavers.
        let figures = |opened: &Opened, totals: Option<&Measured>| {
            let figures = Figures::of(opened, totals);
            if seeds == 1 || totals.is_none() {
                figures.with_stretches(opened, None)
            } else {
                figures
            }
        };
        let side =
            |name: &str| runs::take(name, &catalogue, (seeds, excerpt), figures).map_err(fail);
        let comparison = Comparison::of(&side(before)?, &side(after)?);
        if options.is_json {
            as_json(&whole(&comparison))
        } else {
            picture(&comparison)
        }
    };
    output::stdout(options.is_json)
        .write_all(text.as_bytes())
        .map_err(Failure::Output)
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
        "\n{:<44} {:>14} {:>14}  {before} and {after} runs",
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
            "{name:<44} {:>14.4} {:>14.4}  {unit}{mark}",
            one.before.mean, one.after.mean
        );
    }
    text
}

/// How many partings are told to people.
const TOLD: usize = 20;

/// Two runs packet by packet: how many have a like, and where their ways part, the first ones of them.
fn packets(both: &Abreast, is_json: bool) -> String {
    let number = |packet: PacketId| packet.is_some().then_some(packet.0);
    let parted = |one: &Parting| Parted {
        at_ns: one.at,
        packets: one.packets.map(|packet| packet.and_then(number)),
        kind: one.kind.name(),
        said: say_of_file(&both.say(one)),
    };
    if is_json {
        return as_json(&Packets {
            likes: both.likes[0].iter().map(|&like| number(like)).collect(),
            shift_ns: both.shift,
            partings: both.partings.iter().map(parted).collect(),
        });
    }
    let [first, second] = &both.likes;
    let alike = first.iter().filter(|like| like.is_some()).count();
    let mut text = format!(
        "{alike} packets are in both, of {} in A and {} in B; {} of all part\n",
        first.len(),
        second.len(),
        both.partings.len()
    );
    let time_first = both
        .first
        .iter()
        .filter(|first| first.kind == PartingKind::Time);
    for one in time_first.chain(both.partings.iter().take(TOLD)) {
        let at = one.at as f64 / 1e6;
        let _ = writeln!(text, "{at:>14.6} ms  {}", say_of_file(&both.say(one)));
    }
    text
}

/// A tree of numbers and texts always has a form in JSON.
fn as_json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
