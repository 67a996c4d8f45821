//! `ringside packetdrill [--kernel NAME] [--to OUT] FILE...`: runs scripts in packetdrill's grammar
//! against the TCP of a kernel, and prints the first difference of each.

use std::fs;
use std::io::{self, Read as _, Write};
use std::path::Path;

use ringside::export::kperf2;
use sim::packetdrill;

use crate::{Failure, complain, data, input, options};

/// The kernel where none is named.
const KERNEL: &str = "6.1";

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options::read(arguments, &["--data", "--kernel", "--to"], &[])?;
    if options.files.is_empty() {
        return Err(Failure::Usage("packetdrill which scripts?".to_owned()));
    }
    if options.has("--to") && options.files.len() > 1 {
        return Err(Failure::Usage(
            "--to takes the run of one script".to_owned(),
        ));
    }
    let catalogue = data::catalogue(options.data).map_err(|why| {
        complain(&why);
        Failure::Import
    })?;
    let name = options.value("--kernel").unwrap_or(KERNEL);
    let kernel = catalogue
        .kernel(name)
        .ok_or_else(|| Failure::Usage(format!("no kernel is called \"{name}\"")))?;
    let mut failed = 0;
    for file in &options.files {
        let text = match read(file) {
            Ok(text) => text,
            Err(error) => {
                complain(&format!("{file}: {error}"));
                failed += 1;
                continue;
            }
        };
        let folder = Path::new(file).parent().unwrap_or(Path::new("."));
        let read_file = |name: &str| fs::read_to_string(folder.join(name)).ok();
        let line = match packetdrill::run(&text, kernel, &read_file) {
            Err(refused) => {
                failed += 1;
                format!("{file}:{refused}")
            }
            Ok(outcome) => {
                if let Some(path) = options.value("--to") {
                    whole::write_file(path, |output| kperf2(&outcome.run, output))
                        .map_err(Failure::Output)?;
                }
                failed += u32::from(outcome.difference.is_some());
                match outcome.difference {
                    None => format!("{file}: passed"),
                    Some(difference) => format!("{file}:{difference}"),
                }
            }
        };
        writeln!(io::stdout(), "{line}").map_err(Failure::Output)?;
    }
    if failed == 0 {
        Ok(())
    } else {
        Err(Failure::Import)
    }
}

fn read(file: &str) -> io::Result<String> {
    let mut text = String::new();
    input::file(file)?.read_to_string(&mut text)?;
    Ok(text)
}
