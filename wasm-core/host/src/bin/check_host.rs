//! `ringside check-host [--machine FILE] [--json] [--predict | --measure] [--all | LOAD...]`: runs loads on this
//! host, predicts each with a measured machine, and prints both.

use std::fs::File;
use std::io;
use std::process::ExitCode;

use ringside_host::arguments::{self, Failure};
use ringside_host::check::options::{Options, USAGE};
use ringside_host::check::place::place;
use ringside_host::check::rows::{Head, Lacks, Rows};
use ringside_host::check::{Means, check};
use ringside_host::cpus::Topology;
use ringside_host::host::Host;
use ringside_host::loads::{self, Load, Place};
use ringside_host::machine::machine_file;
use ringside_host::predict::{KERNEL, predict};
use ringside_host::turns::LONG_PATIENCE;
use ringside_host::windows::CONNECTIONS;
use ringside_host::{lines, quiet};
use serde_json::Value;
use sim::config::catalogue::Catalogue;
use sim::config::machine::Machine;

fn main() -> ExitCode {
    arguments::start("check-host", USAGE, run)
}

fn run(words: &[String]) -> Result<(), Failure> {
    let options = Options::read(words).map_err(Failure::Use)?;
    let (name, text) = match &options.machine {
        Some(path) => {
            let text = text_of(path).map_err(|error| format!("{path}: {error}"))?;
            (name_of(path, &text)?, text)
        }
        None => ("this-host".to_owned(), measured()?),
    };
    let own = (format!("machines/{name}.json"), text);
    let catalogue = Catalogue::with(&[own]).map_err(|error| error.to_string())?;
    let machine = catalogue
        .machine(&name)
        .ok_or("the machine is lost".to_owned())?;
    let kernel = catalogue
        .kernel(KERNEL)
        .ok_or("the kernel is lost".to_owned())?;
    let topology = Topology::read().map_err(cannot_measure)?;
    let line_ns = line_ns(machine);
    // Where no load runs nothing else does.
    let place = options
        .runs
        .then(|| ready(&topology.cpus, line_ns))
        .transpose()?;
    let pair = place.and_then(|place| place.pair());
    let head = Head {
        kernel: topology.kernel,
        pair,
        line_ns,
        line_ns_before: way(pair)?,
    };
    let mtu = loads::loopback_mtu().map_err(cannot_measure)?;
    let runs = place.map(|place| {
        move |load: &Load| {
            if load.cpus > 1 && place.second.is_none() {
                return Err(Lacks::Skipped("there are too few CPUs here".to_owned()));
            }
            if load.mtu.unwrap_or(kernel.loopback_mtu_bytes) != mtu {
                let why = format!("the loopback device takes packets of {mtu} bytes here");
                return Err(Lacks::Skipped(why));
            }
            loads::run(load, &place, CONNECTIONS)
                .map_err(|error| Lacks::Failed(cannot_measure(error)))
        }
    });
    let predicts = |load: &Load| predict(load, &name, &catalogue);
    let means = Means {
        machine: &name,
        run: runs.as_ref().map(|run| run as _),
        predict: options.predicts.then_some(&predicts as _),
    };
    let cannot_write = |error: io::Error| format!("cannot write: {error}");
    let mut rows = Rows::begin(io::stdout(), options.is_json, head).map_err(cannot_write)?;
    let failed = check(&options.loads, &means, &mut rows, complain).map_err(cannot_write)?;
    rows.end(way(pair)?).map_err(cannot_write)?;
    match failed {
        0 => Ok(()),
        1 => Err(Failure::Other("one load failed".to_owned())),
        failed => Err(Failure::Other(format!("{failed} loads failed"))),
    }
}

#[allow(
    clippy::needless_pass_by_value,
    reason = "it is what an error is mapped with"
)]
fn cannot_measure(error: io::Error) -> String {
    format!("cannot measure: {error}")
}

/// The CPUs for the loads, each timed while it has its core for itself.
fn ready(cpus: &[usize], line_ns: f64) -> Result<Place, String> {
    let place = place(cpus, line_ns, lines::way).map_err(cannot_measure)?;
    let mut used = vec![place.first];
    used.extend(place.second);
    quiet::learn(&used).map_err(cannot_measure)?;
    Ok(place)
}

/// The transfer time of a line between two CPUs now, in ns; `None` without two.
fn way(pair: Option<(usize, usize)>) -> Result<Option<f64>, String> {
    let way = pair.map(lines::way).transpose().map_err(cannot_measure)?;
    Ok(way.flatten().map(|way| way.median))
}

/// The same of a machine; 0 if its file has none.
fn line_ns(machine: &Machine) -> f64 {
    let cache = machine.cache.as_ref();
    let cycles = cache.map_or(0, |cache| cache.transfer_read_cycles);
    f64::from(cycles) * 1e6 / machine.processors.clock_khz as f64
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

/// This host as a machine file. What keeps `measure-host` from writing one is said, and the predictions are made
/// all the same.
fn measured() -> Result<String, String> {
    let shipped = Catalogue::shipped().map_err(|error| error.to_string())?;
    let base = shipped.machine("current-server");
    let base = base.ok_or("there is no current-server")?;
    let host = Host::measure(LONG_PATIENCE, |what| complain(&format!("measuring {what}")));
    let host = host.map_err(cannot_measure)?;
    let machine = machine_file(&host, "this-host", base);
    for doubt in &machine.doubts {
        complain(&format!("{doubt}; so are the predictions"));
    }
    Ok(machine.text)
}

fn complain(text: &str) {
    arguments::complain("check-host", text);
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
