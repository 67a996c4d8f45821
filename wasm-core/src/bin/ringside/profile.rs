//! `ringside profile [--data FOLDER] [--folded [--of WHAT] | --json] RUN [AFTER]`: where the CPUs' time went
//! in a scenario or a trace, as tables of functions and locks, as folded stacks for a flame graph of `time`,
//! `lines`, `spin` or `calls`, or as JSON; or in two of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;

use ringside::profile::{LockRow, Profile, Spent, Weight};
use serde::Serialize;

use crate::options::PART;
use crate::{Failure, complain, data, options, output, runs};

/// A stack as `--json` prints it.
#[derive(Serialize)]
struct Row<'a> {
    cpu: u16,
    context: &'static str,
    within: &'a [String],
    nanos: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    calls: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<u64>,
}

/// A lock as somebody wanted it, as `--json` prints it.
#[derive(Serialize)]
struct Lock<'a> {
    #[serde(rename = "lock")]
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<u16>,
    within: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<u64>,
    spins: u64,
    nanos: f64,
}

/// A profile as `--json` prints it; times are in nanoseconds.
#[derive(Serialize)]
struct Whole<'a> {
    source: &'static str,
    elapsed_ns: f64,
    cpus: usize,
    stacks: Vec<Row<'a>>,
    locks: Vec<Lock<'a>>,
}

/// What ran in a context of any CPU.
type Place = (String, String);

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options::read(
        arguments,
        &["--data", "--of", PART],
        &["--folded", "--json"],
    )?;
    let weight = match options.value("--of").map(Weight::from_name) {
        None => Weight::Time,
        Some(Some(weight)) => weight,
        Some(None) => {
            let why = "--of is one of time, lines, spin and calls";
            return Err(Failure::Usage(why.to_owned()));
        }
    };
    let fail = |why: String| {
        complain(&why);
        Failure::Import
    };
    if options.has("--folded") && options.is_json {
        let why = "--folded and --json are two formats: choose one";
        return Err(Failure::Usage(why.to_owned()));
    }
    if options.has("--of") && !options.has("--folded") {
        let why = "--of is what folded stacks weigh: it goes with --folded";
        return Err(Failure::Usage(why.to_owned()));
    }
    let excerpt = options.excerpt()?;
    let catalogue = data::catalogue(options.data).map_err(fail)?;
    let profile = |name: &str| {
        let mut profiles = runs::take(name, &catalogue, (1, excerpt), |opened, measured| {
            Profile::of(&opened.replay, measured)
        })
        .map_err(fail)?;
        Ok::<Profile, Failure>(profiles.remove(0))
    };
    let text = match options.files[..] {
        [one] if options.has("--folded") => profile(one)?.folded(weight),
        [one] if options.is_json => json(&profile(one)?),
        [one] => picture(&profile(one)?),
        [_, _] if options.has("--folded") || options.is_json => {
            let why = "--folded and --json are of one run";
            return Err(Failure::Usage(why.to_owned()));
        }
        [before, after] => difference(&profile(before)?, &profile(after)?),
        _ => return Err(Failure::Usage("the profile of which run?".to_owned())),
    };
    output::stdout(options.is_json)
        .write_all(text.as_bytes())
        .map_err(Failure::Output)
}

fn json(profile: &Profile) -> String {
    let stacks = profile.stacks.iter().map(|(stack, spent)| Row {
        cpu: stack.cpu.0,
        context: stack.context.name(),
        within: &stack.within,
        nanos: spent.nanos,
        calls: spent.calls,
        lines: spent.lines,
    });
    let locks = profile.locks.iter().map(|row| Lock {
        name: &row.lock,
        cpu: row.cpu.map(|cpu| cpu.0),
        within: &row.within,
        holds: row.holds,
        spins: row.spins,
        nanos: row.nanos,
    });
    let whole = Whole {
        source: profile.source.name(),
        elapsed_ns: profile.elapsed,
        cpus: profile.cpus,
        stacks: stacks.collect(),
        locks: locks.collect(),
    };
    let mut text = serde_json::to_string_pretty(&whole).unwrap_or_default();
    text.push('\n');
    text
}

/// What was spent at each place on all CPUs.
fn places(profile: &Profile) -> BTreeMap<Place, Spent> {
    let mut places: BTreeMap<Place, Spent> = BTreeMap::new();
    for (stack, spent) in &profile.stacks {
        let what = stack.within.last().cloned().unwrap_or_default();
        let place = places
            .entry((stack.context.name().to_owned(), what))
            .or_default();
        place.nanos += spent.nanos;
        if let Some(calls) = spent.calls {
            *place.calls.get_or_insert(0) += calls;
        }
        if let Some(lines) = spent.lines {
            *place.lines.get_or_insert(0) += lines;
        }
    }
    places
}

/// Nanoseconds as a percentage of what all CPUs had.
fn percent(profile: &Profile, nanos: f64) -> f64 {
    nanos * 100.0 / (profile.elapsed * profile.cpus as f64).max(1.0)
}

/// For people: the places at which most time was spent, of all CPU time.
fn picture(profile: &Profile) -> String {
    let mut all: Vec<_> = places(profile).into_iter().collect();
    all.sort_by(|(_, a), (_, b)| b.nanos.total_cmp(&a.nanos));
    let mut text = format!(
        "{:>8} {:>12} {:>10} {:>9} {:>9}\n",
        "%", "us", "calls", "ns each", "lines"
    );
    for ((context, what), spent) in all {
        let calls = spent.calls.filter(|&calls| calls > 0);
        let count = calls.map_or_else(String::new, |calls| calls.to_string());
        let each = calls.map_or_else(String::new, |calls| {
            format!("{:.0}", spent.nanos / calls as f64)
        });
        let lines = spent.lines.filter(|&lines| lines > 0);
        let lines = lines.map_or_else(String::new, |lines| lines.to_string());
        let _ = writeln!(
            text,
            "{:>8.2} {:>12.1} {count:>10} {each:>9} {lines:>9}  {context:<8} {what}",
            percent(profile, spent.nanos),
            spent.nanos / 1e3,
        );
    }
    locks(&mut text, profile);
    text
}

/// For people: each lock by who wanted it on all CPUs, as lockmeter has it: which part of those who wanted it
/// spun, how often it was taken and spun for, for how long in all and on average.
fn locks(text: &mut String, profile: &Profile) {
    let mut by_caller: BTreeMap<(&str, String), LockRow> = BTreeMap::new();
    for row in &profile.locks {
        let key = (row.lock.as_str(), row.within.join(" "));
        let Some(sum) = by_caller.get_mut(&key) else {
            by_caller.insert(key, row.clone());
            continue;
        };
        sum.holds = sum.holds.zip(row.holds).map(|(sum, more)| sum + more);
        sum.spins += row.spins;
        sum.nanos += row.nanos;
    }
    if by_caller.is_empty() {
        return;
    }
    let mut rows: Vec<_> = by_caller.into_iter().collect();
    rows.sort_by(|(_, a), (_, b)| b.nanos.total_cmp(&a.nanos));
    let _ = writeln!(
        text,
        "\n{:>8} {:>10} {:>10} {:>12} {:>9}",
        "spun %", "holds", "spins", "us spun", "ns each"
    );
    for ((lock, caller), row) in rows {
        let spins = row.spins as f64;
        let part = row.holds.map_or_else(String::new, |holds| {
            format!("{:.2}", 100.0 * spins / (holds as f64).max(1.0))
        });
        let holds = row
            .holds
            .map_or_else(String::new, |holds| holds.to_string());
        let _ = writeln!(
            text,
            "{part:>8} {holds:>10} {:>10} {:>12.1} {:>9.0}  {lock:<14} {caller}",
            row.spins,
            row.nanos / 1e3,
            row.nanos / spins.max(1.0),
        );
    }
}

/// For people: the places whose part of all CPU time differs, the greatest difference first.
fn difference(before: &Profile, after: &Profile) -> String {
    let (of_before, of_after) = (places(before), places(after));
    let mut rows: BTreeMap<&Place, [f64; 2]> = BTreeMap::new();
    for (side, (profile, places)) in [(before, &of_before), (after, &of_after)]
        .iter()
        .enumerate()
    {
        for (place, spent) in *places {
            rows.entry(place).or_default()[side] = percent(profile, spent.nanos);
        }
    }
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by(|(_, a), (_, b)| (b[1] - b[0]).abs().total_cmp(&(a[1] - a[0]).abs()));
    let mut text = format!("{:>9} {:>9} {:>9}\n", "before %", "after %", "change");
    for ((context, what), [was, is]) in rows {
        let _ = writeln!(
            text,
            "{was:>9.2} {is:>9.2} {:>+9.2}  {context:<8} {what}",
            is - was
        );
    }
    text
}
