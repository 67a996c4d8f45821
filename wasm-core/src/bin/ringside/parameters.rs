//! `ringside parameters [--data FOLDER] [--json] [FILE...]`: where the parameters of machines, kernels and
//! workloads come from: how many were read off a source, derived, guessed, fitted; of the files that are
//! named each with its source.

use std::fmt::Write as _;
use std::io::{self, Write};

use ringside::sim::config::catalogue::Catalogue;
use ringside::sim::config::parameters::Parameter;
use ringside::sim::config::source::Standing;
use serde::Serialize;

use crate::{Failure, complain, data, options};

/// A parameter as `--json` prints it.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    parameter: &'a str,
    value: &'a str,
    standing: Standing,
    fitted_to: Vec<&'a str>,
    rests_on: Vec<&'a str>,
    source: &'a str,
}

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options::read(arguments, &[], &[])?;
    let catalogue = data::catalogue(options.data).map_err(|why| {
        complain(&why);
        Failure::Import
    })?;
    let is_of = |file: &str, wanted: &str| {
        let rest = file.strip_prefix(wanted);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    for wanted in &options.files {
        if !catalogue.files().any(|file| is_of(file, wanted)) {
            let why = format!("no file \"{wanted}\"; there are kernels/6.1 and the like");
            return Err(Failure::Usage(why));
        }
    }
    let is_wanted = |file: &&str| {
        let mut wanted = options.files.iter();
        options.files.is_empty() || wanted.any(|wanted| is_of(file, wanted))
    };
    let files: Vec<&str> = catalogue.files().filter(is_wanted).collect();
    let text = if options.is_json {
        json(&files, &catalogue)
    } else if options.files.is_empty() {
        sums(&files, &catalogue)
    } else {
        lists(&files, &catalogue) + &sums(&files, &catalogue)
    };
    io::stdout()
        .write_all(text.as_bytes())
        .map_err(Failure::Output)
}

/// How many parameters of each file have which standing.
fn sums(files: &[&str], catalogue: &Catalogue) -> String {
    let widest = files.iter().map(|file| file.len()).max().unwrap_or(0);
    let mut text = " ".repeat(widest);
    for standing in Standing::ALL {
        let _ = write!(text, " {:>8}", standing.name());
    }
    text.push('\n');
    let mut total = [0; Standing::ALL.len()];
    for file in files {
        let counts = counts(catalogue.parameters(file));
        for (sum, count) in total.iter_mut().zip(counts) {
            *sum += count;
        }
        line(&mut text, file, widest, counts);
    }
    line(&mut text, "all", widest, total);
    text
}

fn counts(parameters: &[Parameter]) -> [usize; Standing::ALL.len()] {
    Standing::ALL.map(|standing| {
        let own = parameters
            .iter()
            .filter(|one| one.worth.standing == standing);
        own.count()
    })
}

fn line(text: &mut String, name: &str, widest: usize, counts: [usize; Standing::ALL.len()]) {
    let _ = write!(text, "{name:<widest$}");
    for count in counts {
        let _ = write!(text, " {count:>8}");
    }
    text.push('\n');
}

/// Each parameter with its source.
fn lists(files: &[&str], catalogue: &Catalogue) -> String {
    let mut text = String::new();
    for file in files {
        let _ = writeln!(text, "{file}");
        for one in catalogue.parameters(file) {
            let Parameter { path, value, .. } = one;
            let _ = write!(text, "  {path}");
            if !value.is_empty() {
                let _ = write!(text, " = {value}");
            }
            let _ = write!(text, "\n      {}", one.worth.standing.name());
            if !one.worth.fits.is_empty() {
                let _ = write!(text, " to {}", fits(one).join(", "));
            }
            let references = references(one);
            if !references.is_empty() {
                let how = if one.source.same_as.is_some() {
                    "same as"
                } else {
                    "from"
                };
                let _ = write!(text, "; {how} {}", references.join(", "));
            }
            if !one.source.text.is_empty() {
                let _ = write!(text, "; {}", one.source.text);
            }
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

fn fits(parameter: &Parameter) -> Vec<&str> {
    let fits = parameter.worth.fits.iter();
    fits.map(|fit| fit.0.as_str()).collect()
}

fn references(parameter: &Parameter) -> Vec<&str> {
    let references = parameter.source.references();
    references.map(|to| to.0.as_str()).collect()
}

fn json(files: &[&str], catalogue: &Catalogue) -> String {
    let rows = files.iter().flat_map(|file| {
        catalogue.parameters(file).iter().map(|one| Row {
            file,
            parameter: &one.path,
            value: &one.value,
            standing: one.worth.standing,
            fitted_to: fits(one),
            rests_on: references(one),
            source: &one.source.text,
        })
    });
    let rows: Vec<Row> = rows.collect();
    serde_json::to_string_pretty(&rows).unwrap_or_default() + "\n"
}
