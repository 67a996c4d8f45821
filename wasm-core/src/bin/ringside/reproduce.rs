//! `ringside reproduce [--data FOLDER] [--json] [ID...]`: runs the experiments behind published numbers
//! and prints what the model gives in their place.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;

use serde::Serialize;
use validation::{
    Counterfactual, Papers, Published, Reproduced, Runs, Sealed, Study, Throughout, Verdict,
};

mod summary;

use self::summary::summary;
use crate::{Failure, complain, data, options, output};

/// A number as `--json` prints it.
#[derive(Serialize)]
struct Row<'a> {
    entry: &'a str,
    item: &'a str,
    unit: &'a str,
    published: &'a Published,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured_between: Option<(f64, f64)>,
    modelled: Option<f64>,
    interval: f64,
    ratio: Option<f64>,
    kind: &'static str,
    held_out: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<f64>,
    tolerance: f64,
    verdict: &'static str,
    scenario: &'a str,
    note: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterfactual: Option<Otherwise<'a>>,
}

/// The same number with one thing otherwise.
#[derive(Serialize)]
struct Otherwise<'a> {
    what: &'a str,
    modelled: f64,
    interval: f64,
    ratio: Option<f64>,
    verdict: &'static str,
    chosen: bool,
}

/// A number of the board, with what shows why it is missed.
struct Line {
    number: Reproduced,
    counterfactual: Option<Counterfactual>,
}

/// What came out.
#[derive(Default)]
struct Board {
    lines: Vec<Line>,
    /// What was tried on all predicted numbers of an entry, by its id.
    throughout: BTreeMap<String, Vec<Throughout>>,
}

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options::read(arguments, &["--data"], &["--json"])?;
    let fail = |why: String| {
        complain(&why);
        Failure::Import
    };
    let catalogue = data::catalogue(options.data).map_err(fail)?;
    let papers = Papers::shipped().map_err(fail)?;
    let studies = papers.studies(&catalogue);
    let is_wanted = |id: &str| {
        let is_begun = |begin: &&str| id == *begin || id.starts_with(&format!("{begin}."));
        options.files.is_empty() || options.files.iter().any(is_begun)
    };
    let ids = || studies.iter().flat_map(|study| &study.entries);
    for wanted in &options.files {
        let begin = format!("{wanted}.");
        if !ids().any(|entry| entry.id == *wanted || entry.id.starts_with(&begin)) {
            return Err(Failure::Usage(format!("no entry \"{wanted}\"")));
        }
    }
    let mut runs = Runs::new(&catalogue);
    let mut board = Board::default();
    for entry in ids().filter(|entry| is_wanted(&entry.id)) {
        let numbers = papers.reproduce_with(&entry.id, &mut runs).map_err(fail)?;
        let tried = papers.tried(&entry.id, &numbers, &mut runs).map_err(fail)?;
        board
            .lines
            .extend(numbers.into_iter().enumerate().map(|(at, number)| Line {
                number,
                counterfactual: tried.numbers.iter().find(|one| one.item == at).cloned(),
            }));
        board.throughout.insert(entry.id.clone(), tried.throughout);
    }
    let text = if options.is_json {
        json(&board.lines)
    } else {
        picture(&studies, &board)
    };
    output::stdout(options.is_json)
        .write_all(text.as_bytes())
        .map_err(Failure::Output)
}

fn json(board: &[Line]) -> String {
    let row = |line: &Line| {
        let one = &line.number;
        serde_json::to_string(&Row {
            entry: &one.entry,
            item: &one.item,
            unit: &one.unit,
            published: &one.published,
            measured_between: one.measured_between,
            modelled: one.modelled,
            interval: one.interval,
            ratio: one.ratio,
            kind: one.kind.name(),
            held_out: one.is_held_out,
            baseline: one.baseline,
            tolerance: one.tolerance,
            verdict: one.verdict.name(),
            scenario: &one.scenario,
            note: &one.note,
            counterfactual: line.counterfactual.as_ref().map(|one| Otherwise {
                what: &one.what,
                modelled: one.modelled,
                interval: one.interval,
                ratio: one.ratio,
                verdict: one.verdict.name(),
                chosen: one.is_chosen,
            }),
        })
        .unwrap_or_default()
    };
    let rows: Vec<String> = board.iter().map(row).collect();
    format!("[\n{}\n]\n", rows.join(",\n"))
}

/// The board for people: a table for each study, then how much of it holds.
fn picture(studies: &[Study], board: &Board) -> String {
    let mut text = String::new();
    for study in studies {
        let mut is_named = false;
        for entry in &study.entries {
            let rows: Vec<_> = board
                .lines
                .iter()
                .filter(|one| one.number.entry == entry.id)
                .collect();
            if rows.is_empty() {
                continue;
            }
            if !is_named {
                let _ = writeln!(text, "{} ({}): {}", study.authors, study.year, study.title);
                let _ = writeln!(text, "{}", study.machine);
                for one in &study.sealed {
                    text += &sealed(one);
                }
                text.push('\n');
                is_named = true;
            }
            let _ = writeln!(text, "  {}  {}: {}", entry.id, entry.place, entry.what);
            for one in rows {
                text.push_str(&line(one));
            }
            for one in board.throughout.get(&entry.id).into_iter().flatten() {
                text += &throughout(one);
            }
            text.push('\n');
        }
    }
    text.push_str(&summary(&board.lines));
    text
}

/// What the model had said before anybody looked.
fn sealed(one: &Sealed) -> String {
    let Sealed {
        on,
        what,
        numbers,
        within,
        repeats,
        repeats_within,
    } = one;
    let repeated = match repeats {
        0 => String::new(),
        _ => format!("; {repeats_within} of {repeats} that repeat another number among them"),
    };
    format!("before anybody looked ({on}): {within} of {numbers} within ({what}{repeated})\n")
}

/// What a counterfactual does to all predicted numbers of an entry.
fn throughout(one: &Throughout) -> String {
    let (gained, missed) = one.gained;
    let (lost, within) = one.lost;
    format!(
        "    tried on all predicted: {gained} of {missed} not within are, {lost} of {within} within are not, if {}\n",
        one.what
    )
}

fn line(line: &Line) -> String {
    let one = &line.number;
    let modelled = one
        .modelled
        .map_or_else(|| "-".to_owned(), |it| mean(it, one.interval));
    let mut text = row(
        [
            one.verdict.name(),
            one.kind.name(),
            &published(&one.published),
            &modelled,
        ],
        one.ratio,
        &one.item,
    );
    if one.verdict == Verdict::Missed {
        for line in wrapped(&one.note, NOTE_WIDTH) {
            let _ = writeln!(text, "{:60}{line}", "");
        }
    }
    if let (Verdict::Chance, Some((from, to))) = (one.verdict, one.measured_between) {
        let (from, to) = (number(from), number(to));
        let _ = writeln!(text, "{:60}The host measured {from} to {to} with 95 %.", "");
    }
    if let Some(otherwise) = &line.counterfactual {
        let met = match (otherwise.verdict, otherwise.is_chosen) {
            (Verdict::Within, true) => "chosen",
            (Verdict::Within, false) => "met",
            (Verdict::Missed, _) => "not met",
            (Verdict::Chance, _) => "chance",
        };
        let mut lines = wrapped(&otherwise.what, NOTE_WIDTH).into_iter();
        text += &row(
            ["", "if", met, &mean(otherwise.modelled, otherwise.interval)],
            otherwise.ratio,
            &lines.next().unwrap_or_default(),
        );
        for line in lines {
            let _ = writeln!(text, "{:60}{line}", "");
        }
    }
    text
}

/// A line of a board: verdict, kind, published and modelled, their ratio, and what it is.
fn row([verdict, kind, published, modelled]: [&str; 4], ratio: Option<f64>, what: &str) -> String {
    let ratio = ratio.map(|ratio| format!("{ratio:.2}")).unwrap_or_default();
    format!("    {verdict:<6} {kind:<9} {published:>12} {modelled:>16} {ratio:>5}  {what}\n")
}

/// A mean with half the width of its interval.
fn mean(value: f64, half: f64) -> String {
    if half > 0.0 {
        format!("{} ±{}", number(value), number(half))
    } else {
        number(value)
    }
}

/// Letters in a line of a note.
const NOTE_WIDTH: usize = 80;

/// A text in lines that break between words.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn published(published: &Published) -> String {
    match published {
        Published::Number(value) => number(*value),
        Published::Range(low, high) => format!("{}-{}", number(*low), number(*high)),
        Published::Words(words) => words.clone(),
    }
}

/// Four figures are enough to compare.
fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        large if large >= 1000.0 => format!("{value:.0}"),
        middle if middle >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}
