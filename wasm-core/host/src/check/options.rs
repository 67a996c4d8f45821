//! The command line of `ringside check-host`.

use crate::arguments::{Once, Words};
use crate::loads::{self, LOADS, Load};

/// The usage text.
pub const USAGE: &str = "usage: ringside check-host [--machine FILE] [--json] [--predict | --measure] [--all | LOAD...]

Runs loads over the loopback device of this host, predicts each with the machine of FILE, which
measure-host wrote, or with one that is measured now, and prints both. Nothing is fitted to this host.
--predict runs no load and prints what is predicted, so that it can be kept before anything is measured;
--measure predicts nothing.
--all runs other sizes and numbers of connections too. Loads in small packets run where the loopback
device takes no others, for instance as root in a network namespace of their own:
unshare -nm sh -c 'mount -t sysfs sys /sys && ip link set lo mtu 1500 up && ringside check-host --all'.";

/// What is to be done.
#[derive(Debug)]
pub struct Options {
    /// The file of the machine; `None`: it is measured.
    pub machine: Option<String>,
    /// Whether the result is written as JSON.
    pub is_json: bool,
    /// Whether loads are run.
    pub runs: bool,
    /// Whether they are predicted.
    pub predicts: bool,
    /// The loads, in the order in which they are run.
    pub loads: Vec<Load>,
}

impl Options {
    /// Reads the words after the program's name. Fails with what is wrong with them.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let mut words = Words::of(words);
        let mut machine = Once::new("--machine");
        let mut mode = Once::new("--predict or --measure");
        let (mut json, mut all) = (Once::new("--json"), Once::new("--all"));
        let mut loads: Vec<Load> = Vec::new();
        while let Some(word) = words.next() {
            match word {
                "--machine" => machine.set(words.value(word)?.to_owned())?,
                "--json" => json.set(())?,
                "--predict" => mode.set((false, true))?,
                "--measure" => mode.set((true, false))?,
                "--all" => all.set(())?,
                option if option.starts_with('-') => return Err(format!("what is {option}?")),
                name => {
                    let load = loads::all().find(|load| load.name == name);
                    let load = load.ok_or_else(|| format!("no load {name}; {}", known()))?;
                    if loads.contains(load) {
                        return Err(format!("{name} is there twice"));
                    }
                    loads.push(*load);
                }
            }
        }
        if all.is_set() {
            if let Some(load) = loads.first() {
                return Err(format!("--all runs {} already", load.name));
            }
            loads = loads::all().copied().collect();
        } else if loads.is_empty() {
            loads = LOADS.to_vec();
        }
        let (runs, predicts) = mode.value().unwrap_or((true, true));
        Ok(Self {
            machine: machine.value(),
            is_json: json.is_set(),
            runs,
            predicts,
            loads,
        })
    }
}

fn known() -> String {
    let names: Vec<&str> = loads::all().map(|load| load.name).collect();
    format!("there are {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Options, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Options::read(&words)
    }

    #[test]
    fn without_words_the_usual_loads_are_run_and_predicted() {
        let options = read("").unwrap();
        assert_eq!(options.loads, LOADS);
        assert!(options.runs && options.predicts && !options.is_json);
        assert!(options.machine.is_none());
    }

    #[test]
    fn options_and_loads_are_read_in_any_order() {
        let options = read("two-streams --predict udp-one-cpu --json --machine a.json").unwrap();
        let names = options.loads.iter().map(|load| load.name);
        assert_eq!(names.collect::<Vec<_>>(), ["two-streams", "udp-one-cpu"]);
        assert!(!options.runs && options.predicts && options.is_json);
        assert_eq!(options.machine.as_deref(), Some("a.json"));
        assert_eq!(read("--all").unwrap().loads.len(), loads::all().count());
    }

    #[test]
    fn what_would_be_ignored_is_refused() {
        for (line, why) in [
            (
                "--predict --measure",
                "--predict or --measure is there twice",
            ),
            ("--machine a --machine b", "--machine is there twice"),
            ("--json --json", "--json is there twice"),
            ("--all two-streams", "--all runs two-streams already"),
            ("two-streams two-streams", "two-streams is there twice"),
            ("--machine", "--machine what?"),
            ("--wrong", "what is --wrong?"),
        ] {
            assert_eq!(read(line).unwrap_err(), why);
        }
        assert!(
            read("wrong")
                .unwrap_err()
                .starts_with("no load wrong; there are stream-one-cpu, ")
        );
    }
}
