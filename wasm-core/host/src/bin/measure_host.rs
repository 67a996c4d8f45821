//! `ringside measure-host [--base MACHINE] [--name NAME] [--anyway] [FILE]`: measures this host, prints a
//! report and writes a machine file that the simulator takes.

use std::io::{self, Write};
use std::process::ExitCode;

use ringside_host::arguments;
use ringside_host::host::Host;
use ringside_host::machine::machine_file;
use ringside_host::report::report;
use ringside_host::turns::LONG_PATIENCE;
use sim::config::catalogue::Catalogue;

const USAGE: &str = "usage: ringside measure-host [--base MACHINE] [--name NAME] [--anyway] [FILE]

Measures the CPUs, caches, copies and calls of this host, in under a minute (two where other guests
keep its cores busy) and without root, and writes FILE (NAME.json), a machine that scenarios can name. What user space cannot measure, such
as NICs and their drivers, is taken over from MACHINE (current-server). A number that is too
uncertain keeps the file from being written, and so does a price of an instruction that could only
be taken while another guest was busy on the same core; --anyway writes it, with its interval.";

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
    let (mut base, mut name, mut file, mut anyway) = (
        "current-server".to_owned(),
        "my-host".to_owned(),
        None,
        false,
    );
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut value = || {
            let value = arguments.next().cloned();
            value.ok_or_else(|| format!("{argument} what?\n{USAGE}"))
        };
        match argument.as_str() {
            "--base" => base = value()?,
            "--name" => name = value()?,
            "--anyway" => anyway = true,
            option if option.starts_with('-') || file.is_some() => {
                return Err(format!("what is {option}?\n{USAGE}"));
            }
            path => file = Some(path.to_owned()),
        }
    }
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err(format!("--name {name}: letters, digits, - . and _ only"));
    }
    let shipped = Catalogue::shipped().map_err(|error| error.to_string())?;
    let base = shipped.machine(&base).ok_or_else(|| {
        let known = shipped.machine_names().join(", ");
        format!("--base {base}: there is no such machine, but {known}")
    })?;
    let file = file.unwrap_or_else(|| format!("{name}.json"));
    let host = Host::measure(LONG_PATIENCE, |what| complain(&format!("measuring {what}")));
    let host = host.map_err(|error| format!("cannot measure: {error}"))?;
    let machine = machine_file(&host, &name, base);
    let text = report(&host);
    io::stdout()
        .write_all(text.as_bytes())
        .map_err(|error| format!("cannot write: {error}"))?;
    for doubt in &machine.doubts {
        complain(&doubt.to_string());
    }
    if !machine.doubts.is_empty() && !anyway {
        return Err(format!(
            "{file} is not written; try again when the host is idle, or with --anyway"
        ));
    }
    let own = (format!("machines/{name}.json"), machine.text.clone());
    Catalogue::with(&[own]).map_err(|error| format!("the machine is not sound: {error}"))?;
    let written = whole::write_file(&file, |output| output.write_all(machine.text.as_bytes()));
    written.map_err(|error| error.to_string())?;
    complain(&format!("{file} is written"));
    Ok(())
}

/// Prints a message on standard error. If that fails there is no one to notify, and the program continues.
fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "ringside measure-host: {text}");
}
