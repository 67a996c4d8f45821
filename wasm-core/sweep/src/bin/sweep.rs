//! `ringside sweep`: a scenario over ranges of settings and seeds, on all cores, as tables.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

use ringside_sweep::folder::{knees, sweep};
use ringside_sweep::model;
use ringside_sweep::plan::{Plan, RunId, Varied, word};
use ringside_sweep::range;
use sim::config::catalogue::Catalogue;
use sim::config::named;

const USAGE: &str = "usage: ringside sweep --vary SETTING=RANGE [--vary SETTING=RANGE] [--seeds RANGE] --out FOLDER
                      [--data FOLDER] [--threads N] [--part K/N] [--take FOLDER]... SCENARIO

Runs SCENARIO, a shipped one or a file (- is standard input), with every value of one setting or two and with each seed
(1..5), on all cores. FOLDER gets runs.csv, points.csv with means and 95 % intervals over seeds,
both as .parquet too, and knees.csv. Called again with the same FOLDER it goes on where it was.

SETTING is a name of a scenario's settings (rx_ring), or machine, kernel, workload, duration_us, warmup_us.
RANGE is a list (64,256,1024), steps (100..1500:200) or factors (64..4096:*2).
--data FOLDER has machines/, kernels/ or workloads/ with .json files like those of wasm-core/data: they
take the place of those of their names, or stand beside them.
--part K/N runs the K-th of N parts; --take FOLDER takes over the runs of such a part.";

/// What was asked.
#[derive(Default)]
struct Asked {
    vary: Vec<Varied>,
    seeds: Option<Vec<u64>>,
    out: Option<PathBuf>,
    data: Option<String>,
    threads: Option<usize>,
    part: Option<(usize, usize)>,
    take: Vec<PathBuf>,
    scenario: Option<String>,
}

fn main() -> ExitCode {
    let words = std::env::args_os().skip(1).map(OsString::into_string);
    let arguments: Vec<String> = match words.collect() {
        Ok(arguments) => arguments,
        Err(word) => {
            let word = word.display();
            complain(&format!(
                "ringside sweep: \"{word}\" is not UTF-8: choose another name, or give a scenario to standard input, and - as its name"
            ));
            return ExitCode::from(2);
        }
    };
    if arguments
        .iter()
        .any(|word| word == "--help" || word == "-h")
    {
        return ended(written(&format!("{USAGE}\n")));
    }
    let asked = match read(&arguments) {
        Ok(asked) => asked,
        Err(why) => {
            complain(&format!("ringside sweep: {why}\n{USAGE}"));
            return ExitCode::from(2);
        }
    };
    ended(run(asked))
}

fn ended(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            complain(&format!("ringside sweep: {why}"));
            ExitCode::FAILURE
        }
    }
}

/// Writes to standard output. Who has closed the pipe has read enough.
fn written(text: &str) -> Result<(), String> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write: {error}"))
        }
        _ => Ok(()),
    }
}

/// A folder's name. None has an empty one, which comes of a variable that is not set and would be the folder we are in.
fn folder<'a>(option: &str, name: &'a str) -> Result<&'a str, String> {
    if name.is_empty() {
        return Err(format!("{option} \"\": which folder?"));
    }
    Ok(name)
}

fn read(arguments: &[String]) -> Result<Asked, String> {
    let mut asked = Asked::default();
    let mut rest = arguments.iter();
    let mut given: Vec<&str> = Vec::new();
    while let Some(argument) = rest.next() {
        let is_once =
            ["--seeds", "--out", "--data", "--threads", "--part"].contains(&argument.as_str());
        if is_once && given.contains(&argument.as_str()) {
            return Err(format!("{argument} is given twice"));
        }
        given.push(argument);
        let mut value = || {
            rest.next()
                .ok_or_else(|| format!("{argument} needs a value"))
        };
        match argument.as_str() {
            "--vary" => {
                let text = value()?;
                let (setting, values) = text
                    .split_once('=')
                    .ok_or_else(|| format!("--vary {text}: it has no ="))?;
                let values = range::parse(values).map_err(|why| format!("--vary {text}: {why}"))?;
                let setting = setting
                    .strip_prefix("settings.")
                    .unwrap_or(setting)
                    .to_owned();
                asked.vary.push(Varied { setting, values });
            }
            "--seeds" => {
                let text = value()?;
                let seeds = range::whole(text).map_err(|why| format!("--seeds {text}: {why}"))?;
                asked.seeds = Some(seeds);
            }
            "--data" => asked.data = Some(folder(argument, value()?)?.to_owned()),
            "--out" => asked.out = Some(folder(argument, value()?)?.into()),
            "--take" => asked.take.push(folder(argument, value()?)?.into()),
            "--threads" => {
                let text = value()?;
                let threads = text.parse().ok().filter(|&threads| threads > 0);
                asked.threads =
                    Some(threads.ok_or_else(|| format!("--threads {text}: how many?"))?);
            }
            "--part" => {
                let text = value()?;
                let wrong = || format!("--part {text}: it is not K/N with K from 1 to N");
                let (part, of) = text.split_once('/').ok_or_else(wrong)?;
                let part = part.parse().ok().zip(of.parse().ok());
                let part = part.filter(|&(part, of)| 1 <= part && part <= of);
                asked.part = Some(part.ok_or_else(wrong)?);
            }
            option if option.starts_with('-') && option != "-" => {
                return Err(format!("no option \"{option}\""));
            }
            name if asked.scenario.is_none() => asked.scenario = Some(name.to_owned()),
            name => return Err(format!("{name}: one scenario, please")),
        }
    }
    Ok(asked)
}

fn run(asked: Asked) -> Result<(), String> {
    let name = asked.scenario.ok_or("which scenario?")?;
    let out = asked.out.ok_or("--out is missing: into which folder?")?;
    let folder = asked.data.as_deref();
    let own = folder.map_or(Ok(Vec::new()), whole::data::files)?;
    let catalogue = Catalogue::with(&own).map_err(|error| match folder {
        Some(folder) => whole::data::refused(folder, &own, &error.to_string()),
        None => error.to_string(),
    })?;
    let base = named::scenario(&name, &catalogue, open).map_err(|why| format!("{name}: {why}"))?;
    let seeds = asked.seeds.unwrap_or_else(|| (1..=5).collect());
    let mut plan = Plan::new(base, asked.vary, seeds, &catalogue)?;
    let files = own.iter().map(|(name, text)| (name, text.as_bytes()));
    plan.data = folder.map(|_| model::digest(files));
    let (part, of) = asked.part.unwrap_or((1, 1));
    let wanted: Vec<RunId> = plan.runs().skip(part - 1).step_by(of).collect();
    let threads = asked
        .threads
        .or_else(|| thread::available_parallelism().ok().map(usize::from));
    let taken: Vec<&Path> = asked.take.iter().map(PathBuf::as_path).collect();
    let points = sweep(
        &out,
        &plan,
        (&wanted, &taken),
        &catalogue,
        threads.unwrap_or(1),
        &mut |done, all, run| complain(&format!("{done} of {all}: {}", plan.at(run))),
    )?;
    let mut text = format!(
        "{}: {} of {} points\n",
        out.display(),
        points.len(),
        plan.points()
    );
    for found in knees(&plan, &points) {
        let settings = plan.varied.iter().zip(plan.values(found.point));
        let place: Vec<String> = settings
            .map(|(varied, value)| format!("{}={}", varied.setting, word(value)))
            .collect();
        let (column, bend) = (found.column, found.knee.bend);
        let _ = writeln!(
            text,
            "{column} {bend} at {} ({:.4})",
            place.join(", "),
            found.mean
        );
    }
    written(&text)
}

/// Opens a file, or standard input for `-`.
fn open(path: &str) -> io::Result<Box<dyn Read>> {
    if path == "-" {
        return Ok(Box::new(io::stdin()));
    }
    File::open(path).map(|file| Box::new(file) as Box<dyn Read>)
}

/// Says something to the person at the terminal. Where that cannot be written there is nobody to tell
/// so, and a sweep of hours goes on.
fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
