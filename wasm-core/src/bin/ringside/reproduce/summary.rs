//! What stands under a board: how much of it holds, and what that is worth.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use sim::config::scenario::Scenario;
use validation::{Baseline, Heads, Kind, Reproduced, Verdict};

use super::Line;

/// What chance has to do with a verdict; the crate `validation` has how often an interval covers (ARCHITECTURE.md).
const CHANCE: &str = "\
by chance: the interval of the mean crosses the limit of the tolerance, or that of what was measured does
the interval of a mean is nominal: seeds are run until it is narrow, so it covers the mean in some nine cases of ten, not in 95 %
";

/// The sums over a board's numbers, and the sentences beneath them.
pub(super) fn summary(lines: &[Line]) -> String {
    let board: Vec<&Reproduced> = lines.iter().map(|line| &line.number).collect();
    let board = board.as_slice();
    let count = |is_counted: &dyn Fn(&Reproduced) -> bool| {
        board.iter().filter(|&&one| is_counted(one)).count()
    };
    let mut text = String::new();
    let _ = writeln!(text, "             within  missed  chance");
    for kind in Kind::ALL {
        let [within, missed, chance] =
            Verdict::ALL.map(|verdict| count(&|one| one.kind == kind && one.verdict == verdict));
        let remark = match kind {
            Kind::Given => "  counts for nothing",
            Kind::Fudged => "  by what is there for them alone",
            _ => "",
        };
        let name = kind.name();
        let _ = writeln!(
            text,
            "  {name:<10} {within:>6}  {missed:>6}  {chance:>6}{remark}"
        );
    }
    text += CHANCE;
    text += &worth(&Heads::of(board));
    text += &shown(lines);
    for (name, numbers) in instrumented(board) {
        let _ = writeln!(
            text,
            "{numbers} are of runs with {name} put into the kernel"
        );
    }
    let entries: BTreeSet<&str> = board.iter().map(|one| one.entry.as_str()).collect();
    let fitted: BTreeSet<&str> = board
        .iter()
        .filter(|one| one.kind == Kind::Fitted)
        .map(|one| one.entry.as_str())
        .collect();
    let _ = writeln!(
        text,
        "\n{} entries, something was fitted to {} of them; {} of {} numbers are out of reach",
        entries.len(),
        fitted.len(),
        count(&|one| one.modelled.is_none()),
        board.len()
    );
    text
}

/// Of how many misses an experiment shows the reason: a sentence would show none.
fn shown(lines: &[Line]) -> String {
    let predicted = || {
        let lines = lines.iter();
        lines.filter(|line| line.number.kind == Kind::Predicted)
    };
    if predicted().next().is_none() {
        return "\nnone of these is predicted\n".to_owned();
    }
    let missed = || predicted().filter(|line| line.number.verdict == Verdict::Missed);
    let tried = || missed().filter_map(|line| line.counterfactual.as_ref());
    let come_out = |verdict: Verdict| tried().filter(move |one| one.verdict == verdict);
    let met = |is_chosen: bool| {
        let met = come_out(Verdict::Within);
        met.filter(|one| one.is_chosen == is_chosen).count()
    };
    format!(
        "of the {} predicted that are missed a counterfactual meets {} and so may show why, {} more by an amount that was chosen \
         for them, {} it does not meet, {} it leaves to chance, and {} have none\n",
        missed().count(),
        met(false),
        met(true),
        come_out(Verdict::Missed).count(),
        come_out(Verdict::Chance).count(),
        missed().count() - tried().count()
    )
}

/// How many numbers are of runs with each instrumentation.
fn instrumented(board: &[&Reproduced]) -> BTreeMap<String, usize> {
    let mut numbers = BTreeMap::new();
    for one in board {
        let scenario = serde_json::from_str::<Scenario>(&one.scenario);
        for name in scenario.into_iter().flat_map(|it| it.instrumentation) {
            *numbers.entry(name).or_default() += 1;
        }
    }
    numbers
}

/// What the predicted numbers are worth.
fn worth(heads: &Heads) -> String {
    let mut text = String::new();
    let Some((half, most)) = heads.factors else {
        return text;
    };
    let _ = writeln!(
        text,
        "\nof the predicted numbers half are within a factor of {half:.2} of what was published, nine in ten within {most:.2}"
    );
    if heads.unreachable > 0 {
        let _ = writeln!(
            text,
            "{} that the model cannot reach are among those missed, and not in these factors",
            heads.unreachable
        );
    }
    let (within, all) = heads.held_out;
    let _ = writeln!(
        text,
        "{all} of the predicted numbers are of runs in which nothing was fitted to their study or to another of hosts with the \
         same kind of processor, {within} of them within"
    );
    let _ = writeln!(
        text,
        "{} of the predicted numbers that are within are answers of their own",
        heads.answers
    );
    let Baseline {
        numbers,
        within,
        modelled_within,
    } = heads.baseline;
    if numbers > 0 {
        let _ = writeln!(
            text,
            "{numbers} of the predicted numbers have a baseline, what lies between a smaller and a larger message that the host had \
             carried before, or else the nearest load that was measured before, on a host with a processor of the same kind \
             where there is one: {within} are within by that, {modelled_within} by the model, leaving intervals aside"
        );
    }
    text
}
