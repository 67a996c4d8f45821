//! `ringside measure-host [--base MACHINE] [--name NAME] [--anyway] [FILE]`: measures this host, prints a
//! report and writes a machine file that the simulator takes.

use std::io::{self, Write};
use std::process::ExitCode;

use ringside_host::arguments::{self, Failure, Once, Words};
use ringside_host::host::Host;
use ringside_host::machine::{MachineFile, machine_file};
use ringside_host::report::report;
use ringside_host::turns::LONG_PATIENCE;
use sim::config::catalogue::Catalogue;

const USAGE: &str = "usage: ringside measure-host [--base MACHINE] [--name NAME] [--anyway] [FILE]

Measures the CPUs, caches, copies and calls of this host, in a minute or two (longer where other guests
keep its cores busy) and without root, and writes FILE (NAME.json), a machine that scenarios can name.
What user space cannot measure, such as NICs and their drivers, is taken over from MACHINE
(current-server). A number that is too uncertain keeps the file from being written, and so does a price
of an instruction that could only be taken while another guest was busy on the same core; --anyway
writes it, with its interval.";

/// What the words ask for.
struct Options {
    base: String,
    name: String,
    file: String,
    is_anyway: bool,
}

fn main() -> ExitCode {
    arguments::start("measure-host", USAGE, run)
}

fn read(words: &[String]) -> Result<Options, String> {
    let mut words = Words::of(words);
    let (mut base, mut name) = (Once::new("--base"), Once::new("--name"));
    let (mut file, mut anyway) = (Once::new("FILE"), Once::new("--anyway"));
    while let Some(word) = words.next() {
        match word {
            "--base" => base.set(words.value(word)?.to_owned())?,
            "--name" => name.set(words.value(word)?.to_owned())?,
            "--anyway" => anyway.set(())?,
            option if option.starts_with('-') => return Err(format!("what is {option}?")),
            path => file.set(path.to_owned())?,
        }
    }
    let name = name.value().unwrap_or_else(|| "my-host".to_owned());
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err(format!("--name {name}: letters, digits, - . and _ only"));
    }
    Ok(Options {
        base: base.value().unwrap_or_else(|| "current-server".to_owned()),
        file: file.value().unwrap_or_else(|| format!("{name}.json")),
        name,
        is_anyway: anyway.is_set(),
    })
}

fn run(words: &[String]) -> Result<(), Failure> {
    let Options {
        base,
        name,
        file,
        is_anyway,
    } = read(words).map_err(Failure::Use)?;
    let shipped = Catalogue::shipped().map_err(|error| error.to_string())?;
    let base = shipped.machine(&base).ok_or_else(|| {
        let known = shipped.machine_names().join(", ");
        Failure::Use(format!(
            "--base {base}: there is no such machine, but {known}"
        ))
    })?;
    // Measuring takes minutes.
    whole::try_file(&file).map_err(|error| error.to_string())?;
    let host = Host::measure(LONG_PATIENCE, |what| complain(&format!("measuring {what}")));
    let host = host.map_err(|error| format!("cannot measure: {error}"))?;
    let machine = machine_file(&host, &name, base);
    print(&report(&host))?;
    for doubt in &machine.doubts {
        complain(&doubt.to_string());
    }
    if !machine.doubts.is_empty() && !is_anyway {
        let why = "is not written; try again when the host is idle, or with --anyway";
        return Err(Failure::Other(format!("{file} {why}")));
    }
    let own = (format!("machines/{name}.json"), machine.text.clone());
    Catalogue::with(&[own]).map_err(|error| format!("the machine is not sound: {error}"))?;
    write(&file, &machine)?;
    complain(&format!("{file} is written"));
    Ok(())
}

/// Writes the machine file; where that fails, it is printed, so that what was measured is not lost.
fn write(file: &str, machine: &MachineFile) -> Result<(), String> {
    let written = whole::write_file(file, |output| output.write_all(machine.text.as_bytes()));
    written.or_else(|error| {
        print(&machine.text)?;
        Err(format!("{error}; it was printed instead"))
    })
}

fn print(text: &str) -> Result<(), String> {
    let printed = io::stdout().write_all(text.as_bytes());
    printed.map_err(|error| format!("cannot write: {error}"))
}

fn complain(text: &str) {
    arguments::complain("measure-host", text);
}
