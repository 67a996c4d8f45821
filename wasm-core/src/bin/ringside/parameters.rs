//! `ringside parameters [--data FOLDER] [--json] [--moved PERCENT | --ends] [FILE...]`: where the parameters of
//! machines, kernels, instrumentation and workloads come from: how many were read off a source, derived, guessed, fitted; of
//! the files that are named each with its source, and of a guess its range. With `--moved`, what becomes of the
//! board when each of the guessed and fitted ones is so much larger; with `--ends`, when each guess is at either end
//! of its range.

use std::fmt::Write as _;
use std::io::Write;

use serde::Serialize;
use sim::config::catalogue::Catalogue;
use sim::config::field_path::at;
use sim::config::parameters::Parameter;
use sim::config::range::End;
use sim::config::source::Standing;
use validation::{Papers, Sensitivity};

use crate::{Failure, complain, data, options, output};

/// A parameter as `--json` prints it.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    parameter: &'a str,
    value: &'a str,
    standing: Standing,
    fitted_to: Vec<&'a str>,
    serves_only: Vec<&'a str>,
    rests_on: Vec<&'a str>,
    #[serde(skip_serializing_if = "String::is_empty")]
    range: String,
    source: &'a str,
}

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options::read(arguments, &["--data", "--moved"], &["--ends", "--json"])?;
    let percent = options.value("--moved").map(|text| {
        let percent = text.parse().ok().filter(|it| (-90..=900).contains(it));
        let why = "--moved needs a whole number of percent, -90 to 900".to_owned();
        percent.ok_or(Failure::Usage(why))
    });
    let percent: Option<i64> = percent.transpose()?;
    let how = match (percent, options.has("--ends")) {
        (None, false) => None,
        (Some(percent), false) => Some(How::By(percent)),
        (None, true) => Some(How::ToEnds),
        (Some(_), true) => {
            let why = "--moved and --ends are two things".to_owned();
            return Err(Failure::Usage(why));
        }
    };
    if how.is_some() && options.data.is_some() {
        let why = "--moved and --ends are about the shipped files: they do not go with --data";
        return Err(Failure::Usage(why.to_owned()));
    }
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
    if let Some(how) = how {
        return shifts(&files, &catalogue, how, options.is_json);
    }
    let text = if options.is_json {
        json(&files, &catalogue)
    } else if options.files.is_empty() {
        sums(&files, &catalogue)
    } else {
        lists(&files, &catalogue) + &sums(&files, &catalogue)
    };
    output::stdout(options.is_json)
        .write_all(text.as_bytes())
        .map_err(Failure::Output)
}

/// A moved parameter as `--json` prints it.
#[derive(Serialize)]
struct ShiftRow<'a> {
    file: &'a str,
    parameter: &'a str,
    standing: Standing,
    /// What it was made, where that is an end of its range.
    #[serde(skip_serializing_if = "str::is_empty")]
    to: &'a str,
    /// Why it could not be moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moved: Option<usize>,
    /// Numbers that no longer come out, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<usize>,
    /// In percent of what was published.
    #[serde(skip_serializing_if = "Option::is_none")]
    median: Option<f64>,
    /// In percent of what was published.
    #[serde(skip_serializing_if = "Option::is_none")]
    largest: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gained: Option<usize>,
}

/// How parameters are moved.
#[derive(Debug, Clone, Copy)]
enum How {
    /// By so many percent.
    By(i64),
    /// Guesses alone, to the ends of their ranges.
    ToEnds,
}

impl How {
    /// What is made of a parameter, each with a word for it.
    fn of(self, file: &str, one: &Parameter) -> Vec<(String, End)> {
        match (self, &one.source.range) {
            (Self::By(percent), _) => {
                let permille = u64::try_from(1000 + 10 * percent).unwrap_or(0);
                vec![(String::new(), End::Permille(permille))]
            }
            (Self::ToEnds, None) => Vec::new(),
            (Self::ToEnds, Some(range)) => {
                let fields = Catalogue::fields(file).unwrap_or_default();
                let value = at(&fields, &one.path);
                value.map_or_else(Vec::new, |value| range.ends(value))
            }
        }
    }
}

/// Moves each guessed or fitted parameter that stands in these files, and prints a line for each as soon
/// as it is known.
fn shifts(files: &[&str], catalogue: &Catalogue, how: How, is_json: bool) -> Result<(), Failure> {
    let fail = |why: String| {
        complain(&why);
        Failure::Import
    };
    let mut sensitivity = Sensitivity::new(Papers::shipped().map_err(fail)?, catalogue);
    for file in files {
        let own = Catalogue::own_paths(file).map_err(|error| fail(error.to_string()))?;
        let is_doubtful = |one: &&Parameter| {
            own.contains(&one.path)
                // What is the same as another moves with that one.
                && one.source.same_as.is_none()
                && matches!(one.worth.standing, Standing::Guessed | Standing::Fitted)
        };
        let doubtful = catalogue.parameters(file).iter().filter(is_doubtful);
        let ends = doubtful.flat_map(|one| how.of(file, one).into_iter().map(move |it| (one, it)));
        for (one, (to, end)) in ends {
            let moved = Catalogue::moved(file, &one.path, &end);
            let shift = moved.map(|moved| sensitivity.of(&moved));
            let row = ShiftRow {
                file,
                parameter: &one.path,
                standing: one.worth.standing,
                to: &to,
                fixed: shift.as_ref().err().map(|error| error.why.to_string()),
                numbers: shift.as_ref().ok().map(|it| it.numbers),
                moved: shift.as_ref().ok().map(|it| it.moved),
                failed: shift.as_ref().ok().map(|it| it.failed).filter(|&it| it > 0),
                median: shift.as_ref().ok().map(|it| rounded(it.median * 100.0)),
                largest: shift.as_ref().ok().map(|it| rounded(it.largest * 100.0)),
                of: shift.as_ref().ok().map(|it| it.largest_of.clone()),
                lost: shift.as_ref().ok().map(|it| it.lost),
                gained: shift.as_ref().ok().map(|it| it.gained),
            };
            let line = if is_json {
                serde_json::to_string(&row).unwrap_or_default()
            } else {
                shift_line(&row)
            };
            writeln!(output::stdout(is_json), "{line}").map_err(Failure::Output)?;
        }
    }
    Ok(())
}

fn rounded(percent: f64) -> f64 {
    (percent * 10.0).round() / 10.0
}

fn shift_line(row: &ShiftRow) -> String {
    let mut head = format!("{} {} ({})", row.file, row.parameter, row.standing.name());
    if !row.to.is_empty() {
        let _ = write!(head, " at {}", row.to);
    }
    if let Some(why) = &row.fixed {
        return format!("{head}: {why}");
    }
    let count = |count: Option<usize>| count.unwrap_or(0);
    let mut line = format!(
        "{head}: {} of {} numbers",
        count(row.moved),
        count(row.numbers)
    );
    if count(row.moved) > 0 {
        let largest = row.largest.unwrap_or(0.0);
        let median = row.median.unwrap_or(0.0);
        let _ = write!(
            line,
            ", half by {median} % or more, at most {largest} % ({})",
            row.of.as_deref().unwrap_or("")
        );
    }
    if let Some(failed) = row.failed {
        let _ = write!(line, "; {failed} no longer come out");
    }
    if count(row.lost) + count(row.gained) > 0 {
        let _ = write!(
            line,
            "; {} lost, {} gained",
            count(row.lost),
            count(row.gained)
        );
    }
    line
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
            let range = range(one);
            if !range.is_empty() {
                let _ = write!(text, ", {range}");
            }
            let serves = serves(one);
            if !serves.is_empty() {
                let _ = write!(text, "; there for {} alone", serves.join(", "));
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

/// `50 to 200 %`, `100 to 300`, `fixed or dynamic`; of what has none nothing.
fn range(parameter: &Parameter) -> String {
    let Some(range) = &parameter.source.range else {
        return String::new();
    };
    let (words, is_percent) = range.words();
    let between = if range.is_choice() { " or " } else { " to " };
    words.join(between) + if is_percent { " %" } else { "" }
}

fn fits(parameter: &Parameter) -> Vec<&str> {
    let fits = parameter.worth.fits.iter();
    fits.map(|fit| fit.0.as_str()).collect()
}

fn serves(parameter: &Parameter) -> Vec<&str> {
    let serves = parameter.source.serves_only.iter();
    serves.map(|fit| fit.0.as_str()).collect()
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
            serves_only: serves(one),
            rests_on: references(one),
            range: range(one),
            source: &one.source.text,
        })
    });
    let rows: Vec<Row> = rows.collect();
    serde_json::to_string_pretty(&rows).unwrap_or_default() + "\n"
}
