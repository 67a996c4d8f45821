//! `ringside profile [--data FOLDER] [--folded | --json] RUN [AFTER]`: where the CPUs' time went in a
//! scenario or a trace, as a table, as folded stacks for a flame graph, or as JSON; or in two of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use ringside::profile::{Profile, Spent, Stack};
use serde::Serialize;

use crate::{Failure, complain, data, options, runs};

/// A stack as `--json` prints it.
#[derive(Serialize)]
struct Row<'a> {
    cpu: u16,
    context: &'static str,
    within: &'a [String],
    nanos: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    calls: Option<u64>,
}

/// A profile as `--json` prints it; times are in nanoseconds.
#[derive(Serialize)]
struct Whole<'a> {
    source: &'static str,
    elapsed_ns: f64,
    cpus: usize,
    stacks: Vec<Row<'a>>,
}

/// What ran in a context of any CPU.
type Place = (String, String);

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options::read(arguments, &[], &["--folded"])?;
    let fail = |why: String| {
        complain(&why);
        Failure::Import
    };
    let catalogue = data::catalogue(options.data).map_err(fail)?;
    let profile = |name: &str| {
        let mut profiles = runs::take(name, &catalogue, 1, |opened, measured| {
            Profile::of(&opened.replay, measured)
        })
        .map_err(fail)?;
        Ok::<Profile, Failure>(profiles.remove(0))
    };
    let text = match options.files[..] {
        [one] if options.has("--folded") => profile(one)?.folded(),
        [one] if options.is_json => json(&profile(one)?),
        [one] => picture(&profile(one)?),
        [_, _] if options.has("--folded") || options.is_json => {
            let why = "--folded and --json are of one run";
            return Err(Failure::Usage(why.to_owned()));
        }
        [before, after] => difference(&profile(before)?, &profile(after)?),
        _ => return Err(Failure::Usage("the profile of which run?".to_owned())),
    };
    io::stdout()
        .write_all(text.as_bytes())
        .map_err(Failure::Output)
}

fn json(profile: &Profile) -> String {
    let row = |(stack, spent): (&'_ Stack, &Spent)| {
        let (cpu, context) = (stack.cpu.0, stack.context.name());
        (cpu, context, spent.nanos, spent.calls)
    };
    let stacks = profile.stacks.iter().map(|(stack, spent)| {
        let (cpu, context, nanos, calls) = row((stack, spent));
        Row {
            cpu,
            context,
            within: &stack.within,
            nanos,
            calls,
        }
    });
    let whole = Whole {
        source: profile.source.name(),
        elapsed_ns: profile.elapsed,
        cpus: profile.cpus,
        stacks: stacks.collect(),
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
    let mut text = format!("{:>8} {:>12} {:>10} {:>9}\n", "%", "us", "calls", "ns each");
    for ((context, what), spent) in all {
        let calls = spent.calls.filter(|&calls| calls > 0);
        let count = calls.map_or_else(String::new, |calls| calls.to_string());
        let each = calls.map_or_else(String::new, |calls| {
            format!("{:.0}", spent.nanos / calls as f64)
        });
        let _ = writeln!(
            text,
            "{:>8.2} {:>12.1} {count:>10} {each:>9}  {context:<8} {what}",
            percent(profile, spent.nanos),
            spent.nanos / 1e3,
        );
    }
    text
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
