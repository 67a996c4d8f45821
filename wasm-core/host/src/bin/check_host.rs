//! `ringside check-host [--machine FILE] [--json] [--predict | --measure] [LOAD...]`: runs loads on this host, predicts each
//! with a measured machine, and prints both.

use std::fs::File;
use std::io::{self, Write as _};
use std::process::ExitCode;

use ringside_host::arguments;
use ringside_host::counts::Count;
use ringside_host::cpus::Topology;
use ringside_host::host::Host;
use ringside_host::loads::{self, LOADS, Load, Place};
use ringside_host::machine::machine_file;
use ringside_host::predict::{KERNEL, Prediction, predict, scenario};
use ringside_host::statistics::Estimate;
use ringside_host::turns::LONG_PATIENCE;
use ringside_host::windows::{CONNECTIONS, Done, WINDOWS};
use ringside_host::{counts, lines, quiet};
use serde_json::{Value, json};
use sim::config::catalogue::Catalogue;

const USAGE: &str = "usage: ringside check-host [--machine FILE] [--json] [--predict | --measure] [--all] [LOAD...]

Runs loads over the loopback device of this host, predicts each with the machine of FILE, which
measure-host wrote, or with one that is measured now, and prints both. Nothing is fitted.
--predict runs nothing and prints what is predicted, so that it can be kept before anything is measured;
--measure predicts nothing.
--all runs other sizes and numbers of connections too. Loads in small packets run where the loopback
device takes no others, for instance as root in a network namespace of their own:
unshare -nm sh -c 'mount -t sysfs sys /sys && ip link set lo mtu 1500 up && ringside check-host --all'.";

/// The result of a load, measured and predicted.
struct Row {
    load: Load,
    /// `None` if it is only predicted.
    done: Option<Done>,
    /// `None` if it is only measured.
    predicted: Option<Prediction>,
    /// The simulated scenario, as its file.
    scenario: Value,
}

impl Row {
    /// The measured rate, in the load's unit.
    fn rate(&self) -> Option<Estimate> {
        let rate = self.done.as_ref()?.rate?;
        Some(rate.times(self.load.unit().1))
    }

    /// The predicted rate, in the load's unit.
    fn predicted(&self) -> Option<f64> {
        Some(self.predicted.as_ref()?.rate * self.load.unit().1)
    }

    /// Predicted by measured.
    fn ratio(&self) -> Option<f64> {
        Some(self.predicted()? / self.rate()?.median)
    }
}

fn main() -> ExitCode {
    match arguments::read(std::env::args_os()).and_then(|words| run(&words)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            complain(&why);
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    if arguments::ask_for_help(arguments) {
        return writeln!(io::stdout(), "{USAGE}").map_err(|error| format!("cannot write: {error}"));
    }
    let (mut file, mut is_json, mut wanted) = (None, false, Vec::new());
    let (mut runs, mut predicts) = (true, true);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--machine" => file = Some(arguments.next().ok_or("--machine what?")?),
            "--json" => is_json = true,
            "--predict" => (runs, predicts) = (false, true),
            "--measure" => (runs, predicts) = (true, false),
            "--all" => wanted.extend(loads::all()),
            option if option.starts_with('-') => {
                return Err(format!("what is {option}?\n{USAGE}\n{}", known()));
            }
            name => {
                let load = loads::all().find(|load| load.name == name);
                wanted.push(*load.ok_or_else(|| format!("no load {name}\n{}", known()))?);
            }
        }
    }
    if wanted.is_empty() {
        wanted = LOADS.to_vec();
    }
    let cannot = |error: io::Error| format!("cannot measure: {error}");
    let (name, text) = match file {
        Some(path) => {
            let text = text_of(path).map_err(|error| format!("{path}: {error}"))?;
            (name_of(path, &text)?, text)
        }
        None => ("this-host".to_owned(), measured()?),
    };
    let own = (format!("machines/{name}.json"), text);
    let catalogue = Catalogue::with(&[own]).map_err(|error| error.to_string())?;
    let machine = catalogue.machine(&name).ok_or("the machine is lost")?;
    let kernel = catalogue.kernel(KERNEL).ok_or("the kernel is lost")?;
    let topology = Topology::read().map_err(cannot)?;
    let transfer = machine
        .cache
        .as_ref()
        .map_or(0, |cache| cache.transfer_read_cycles);
    let ns = f64::from(transfer) * 1e6 / machine.processors.clock_khz as f64;
    let place = place(&topology.cpus, ns).map_err(cannot)?;
    let pair = place.pair;
    let mtu = loads::loopback_mtu().map_err(cannot)?;
    quiet::learn(&[pair.0, pair.1]).map_err(cannot)?;
    let before = lines::way(pair).map_err(cannot)?;
    let mut rows = Vec::new();
    for load in wanted {
        complain(&format!("{}: {}", load.name, load.title));
        if usize::from(load.cpus) > topology.cpus.len() {
            complain("there are too few CPUs here");
            continue;
        }
        if load.mtu.unwrap_or(kernel.loopback_mtu_bytes) != mtu {
            complain(&format!(
                "the loopback device takes packets of {mtu} bytes here"
            ));
            continue;
        }
        let done = runs.then(|| loads::run(&load, &place, CONNECTIONS).map_err(cannot));
        let done = done.transpose()?;
        let predicted = predicts.then(|| predict(&load, &name, &catalogue));
        let predicted = predicted.transpose()?;
        let scenario = scenario(&load, &name);
        let scenario = serde_json::from_str(&scenario).map_err(|error| error.to_string())?;
        rows.push(Row {
            load,
            done,
            predicted,
            scenario,
        });
    }
    let after = lines::way(pair).map_err(cannot)?;
    let ways = [before, after].map(|way| way.map(|way| way.median));
    let text = if is_json {
        let rows: Vec<Value> = rows.iter().map(json_of).collect();
        format!(
            "{:#}\n",
            json!({
                "kernel": topology.kernel,
                "line_ns": ns,
                "line_ns_before": ways[0],
                "line_ns_after": ways[1],
                "loads": rows,
            })
        )
    } else {
        format!(
            "Linux {}, predicted as {}, CPUs {pair:?}\n{}\n{}\n{}",
            topology.kernel,
            KERNEL,
            table(&rows),
            table_of_counts(&rows),
            told(ways, ns)
        )
    };
    let written = io::stdout().write_all(text.as_bytes());
    written.map_err(|error| format!("cannot write: {error}"))
}

/// The transfer time of a line between the CPUs before and after the loads, in ns, beside the machine's. A
/// hypervisor may have moved the CPUs.
fn told(ways: [Option<f64>; 2], ns: f64) -> String {
    let [Some(before), Some(after)] = ways else {
        return String::new();
    };
    format!(
        "a line between the CPUs: {before:.1} ns before, {after:.1} ns after, {ns:.1} ns on the machine; \
         where it was far from that, what ran on two CPUs was not counted\n"
    )
}

/// The text of a machine's file, which may be a pipe: reading stops at a limit.
fn text_of(path: &str) -> io::Result<String> {
    whole::read_text(File::open(path)?, "machine")
}

/// The machine's name, which its file must contain.
fn name_of(path: &str, text: &str) -> Result<String, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("{path}: {error}"))?;
    let name = value["name"].as_str();
    let name = name.ok_or_else(|| format!("{path}: it has no name"))?;
    Ok(name.to_owned())
}

fn measured() -> Result<String, String> {
    let shipped = Catalogue::shipped().map_err(|error| error.to_string())?;
    let base = shipped.machine("current-server");
    let base = base.ok_or("there is no current-server")?;
    let host = Host::measure(LONG_PATIENCE, |what| complain(&format!("measuring {what}")));
    let host = host.map_err(|error| format!("cannot measure: {error}"))?;
    let machine = machine_file(&host, "this-host", base);
    for doubt in &machine.doubts {
        complain(&doubt.to_string());
    }
    Ok(machine.text)
}

/// The CPUs on which loads run: the pair whose line transfer time is closest to `ns`.
fn place(cpus: &[usize], ns: f64) -> io::Result<Place> {
    let pair = closest_pair(cpus, ns)?;
    let mut others = cpus.iter().copied();
    Ok(Place {
        pair,
        onlooker: others.find(|cpu| ![pair.0, pair.1].contains(cpu)),
        line_ns: (ns > 0.0).then_some(ns),
        windows: WINDOWS,
    })
}

/// The two CPUs whose line transfer time is closest to `ns`.
fn closest_pair(cpus: &[usize], ns: f64) -> io::Result<(usize, usize)> {
    let mut best = (cpus[0], cpus[0]);
    let mut least = f64::INFINITY;
    for (index, &one) in cpus.iter().enumerate() {
        for &other in &cpus[index + 1..] {
            let way = lines::way((one, other))?;
            let off = way.map_or(f64::MAX, |way| (way.median / ns).ln().abs());
            if off < least {
                (least, best) = (off, (one, other));
            }
        }
    }
    Ok(best)
}

fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "{:<46} {:>10} {:>20} {:>10} {:>6} {:>9}  {}\n",
        "", "measured", "95 %", "predicted", "ratio", "disturbed", "unit"
    );
    for row in rows {
        let (unit, _) = row.load.unit();
        let disturbed = row.done.as_ref().map_or(0, |done| done.disturbed);
        let line = format!(
            "{:<46} {} {:>10} {:>6} {disturbed:>9}  {unit}\n",
            row.load.title,
            measured_cells(row.rate()),
            cell(row.predicted()),
            cell(row.ratio()),
        );
        text.push_str(&line);
    }
    text
}

fn json_of(row: &Row) -> Value {
    let (unit, _) = row.load.unit();
    let rate = row.rate();
    json!({
        "load": row.load.name,
        "title": row.load.title,
        "unit": unit,
        "measured": rate.map(|rate| rate.median),
        "low": rate.map(|rate| rate.low),
        "high": rate.map(|rate| rate.high),
        "disturbed": row.done.as_ref().map(|done| done.disturbed),
        "predicted": row.predicted(),
        "ratio": row.ratio(),
        "scenario": row.scenario,
        "counts": counted(row)
            .map(|(title, unit, counted, predicted)| json!({
                "count": title,
                "for_each": unit,
                "measured": counted.map(|counted| counted.median),
                "low": counted.map(|counted| counted.low),
                "high": counted.map(|counted| counted.high),
                "predicted": predicted,
            }))
            .collect::<Vec<Value>>(),
    })
}

/// What is counted of a load, the unit of work it is counted for, and the measured and the predicted count.
fn counted(
    row: &Row,
) -> impl Iterator<Item = (&'static str, &'static str, Option<Estimate>, Option<f64>)> {
    let (unit, factor) = counts::unit(&row.load);
    Count::of(row.load.does).iter().map(move |count| {
        let counted = row.done.as_ref().and_then(|done| done.counts.get(count));
        let predicted = row.predicted.as_ref().and_then(|it| it.counts.get(count));
        (
            count.title(),
            unit,
            counted.map(|counted| counted.times(factor)),
            predicted.map(|predicted| predicted * factor),
        )
    })
}

fn table_of_counts(rows: &[Row]) -> String {
    let mut text = format!(
        "{:<46} {:<22} {:>10} {:>20} {:>10}  {}\n",
        "what the kernel counted", "", "measured", "95 %", "predicted", "for each"
    );
    for row in rows {
        for (title, unit, counted, predicted) in counted(row) {
            let line = format!(
                "{:<46} {title:<22} {} {:>10}  {unit}\n",
                row.load.title,
                measured_cells(counted),
                cell(predicted),
            );
            text.push_str(&line);
        }
    }
    text
}

/// A number of a table, or nothing.
fn cell(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| format!("{number:.2}"))
}

/// The cells of what was measured: the median and its 95 % interval.
fn measured_cells(measured: Option<Estimate>) -> String {
    match measured {
        Some(it) => format!("{:>10.2} {:>8.2} to {:>8.2}", it.median, it.low, it.high),
        None => format!("{:>10} {:>20}", "not told", ""),
    }
}

fn known() -> String {
    let names: Vec<&str> = loads::all().map(|load| load.name).collect();
    format!("loads: {}", names.join(", "))
}

/// Prints a message on standard error. If that fails there is no one to notify, and the program continues.
fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "ringside check-host: {text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_is_no_machine() {
        let error = text_of("/dev/zero").unwrap_err();
        assert_eq!(error.to_string(), "no machine has 1048576 bytes or more");
    }
}
