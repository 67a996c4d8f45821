//! The scoreboard as it stands, study by study: what `ringside reproduce` prints, held against
//! `tests/board/`. Who changes the model sees here which published numbers moved.
//!
//! A board takes seconds to an hour, and says nothing new while nothing that it rests on has changed. Each file ends with a
//! digest of what its numbers were made with when all of it was run. While that is so, an entry of the study is run or
//! begun and compared, and the rest stands. Where something has changed, all runs of the study are begun (`tests/beginnings/`):
//! where their first milliseconds are event for event as they were, the rest stands as well; where one is not, the whole
//! board is run. What shows only later in a run than that is found by `npm run board`, which runs all and changes nothing.
//! `npm run board -- begin` pins how runs begin, `npm run board -- pin` boards, digests and beginnings.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use expect_test::expect_file;
use sim::config::catalogue::Catalogue;
use validation::Papers;

use super::rests;

/// What the last line of a board begins with.
const DIGEST: &str = "made with ";

/// The board of a study, by the beginning of its entries' ids; `sample` is an entry of it.
fn study(begin: &str, sample: Sample) {
    let digest = format!("{DIGEST}{:016x}\n", rests::digest(begin));
    let path = format!("{}/tests/board/{begin}.txt", env!("CARGO_MANIFEST_DIR"));
    let pinned = fs::read_to_string(&path).unwrap_or_default();
    let is_asked = |name: &str| env::var_os(name).is_some();
    if is_asked("PIN_BEGINNINGS") {
        expect_file![beginnings_path(begin)].assert_eq(&(beginnings(begin) + &digest));
        return;
    }
    let is_whole = is_asked("UPDATE_EXPECT") || is_asked("WHOLE_BOARD");
    if !is_whole && (pinned.ends_with(&digest) || begins_as_pinned(begin, &digest)) {
        sample.check(begin, &pinned);
        return;
    }
    let board = reproduced(begin);
    // Another digest alone is no mistake: the numbers are what counts.
    let is_same = pinned
        .rsplit_once(DIGEST)
        .is_some_and(|(was, _)| was == board);
    if is_asked("UPDATE_EXPECT") || !is_same {
        expect_file![path].assert_eq(&format!("{board}{digest}"));
    }
    if is_asked("UPDATE_EXPECT") {
        expect_file![beginnings_path(begin)].assert_eq(&(beginnings(begin) + &digest));
    }
    // What was run is kept, though a reason is still to be written.
    let lines: Vec<&str> = board.lines().collect();
    for (line, next) in lines.iter().zip(&lines[1..]) {
        let is_missed = line.starts_with("    missed");
        let has_reason = next.starts_with(&" ".repeat(60));
        assert!(!is_missed || has_reason, "missed without a reason: {line}");
    }
}

/// An entry that is run each time.
#[derive(Clone, Copy)]
enum Sample {
    /// All of it, as it takes a second or two.
    Whole(&'static str),
    /// The beginnings of its runs alone.
    Begun(&'static str),
}

impl Sample {
    fn check(self, begin: &str, board: &str) {
        match self {
            Self::Whole(entry) => {
                let found = reproduced(entry);
                assert_eq!(part(&found, entry), part(board, entry));
            }
            Self::Begun(entry) => {
                let pinned = fs::read_to_string(beginnings_path(begin)).unwrap_or_default();
                let found = beginnings_where(|id| id == entry);
                assert!(!found.is_empty() && pinned.contains(&found), "{found}");
            }
        }
    }
}

fn beginnings_path(begin: &str) -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    format!("{root}/tests/beginnings/{begin}.txt")
}

/// Whether all runs of a study begin as when their beginnings were pinned. They are not run where those were pinned with
/// what they rest on today.
fn begins_as_pinned(begin: &str, digest: &str) -> bool {
    let pinned = fs::read_to_string(beginnings_path(begin)).unwrap_or_default();
    let Some(was) = pinned.rfind(DIGEST).map(|at| &pinned[..at]) else {
        return false;
    };
    pinned.ends_with(digest) || was == beginnings(begin)
}

/// How the runs of each entry of a study begin.
fn beginnings(begin: &str) -> String {
    let is_of_study = |id: &str| id.split('.').next() == Some(begin);
    beginnings_where(is_of_study)
}

/// How the runs of some entries begin: how many there are, and a digest of their events and of what is measured.
fn beginnings_where(is_asked: impl Fn(&str) -> bool) -> String {
    let catalogue = Catalogue::shipped().expect("the shipped data can be read");
    let papers = Papers::shipped().expect("the papers can be read");
    let studies = papers.studies(&catalogue);
    let entries = studies.iter().flat_map(|study| &study.entries);
    let mut text = String::new();
    for entry in entries.filter(|entry| is_asked(&entry.id)) {
        let found = papers.beginning(&entry.id, &catalogue);
        let found = found.unwrap_or_else(|why| panic!("{why}"));
        let runs = found
            .fingerprints
            .iter()
            .map(|run| run.to_le_bytes().to_vec());
        let values = found.values.iter().map(|value| match value {
            Ok(value) => value.to_le_bytes().to_vec(),
            Err(why) => why.clone().into_bytes(),
        });
        let digest = rests::digest_of(runs.chain(values));
        let count = found.fingerprints.len();
        let _ = writeln!(text, "{} {count} runs {digest:016x}", entry.id);
    }
    text
}

/// The boards as they are pinned, by study.
const STUDIES: [&str; 12] = [
    "ba", "ah", "go", "br", "wc", "own", "xeon", "zen3", "milan", "drawn", "redrawn", "packets",
];

/// Those of them whose numbers others published.
const OF_OTHERS: [&str; 5] = ["ba", "ah", "go", "br", "wc"];

/// A board of a study as it is pinned.
fn pinned(study: &str) -> String {
    let path = format!("{}/tests/board/{study}.txt", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(path).expect("a pinned board")
}

/// How many numbers of each kind came out how, over all boards: who changes one sees the whole move. How many of the
/// predicted ones others published; the rest are of our own hosts. And what stands beneath boards: how many of the predicted
/// ones that are met answer something of their own, how many have a baseline, how many of those it meets and how many the
/// model does.
#[test]
fn the_boards_add_up() {
    let mut counts: BTreeMap<(String, String), u32> = BTreeMap::new();
    let mut of_others: BTreeMap<String, u32> = BTreeMap::new();
    let (mut answers, mut baseline) = (0, [0; 3]);
    for study in STUDIES {
        for line in pinned(study).lines() {
            let mut words = line.split_whitespace();
            let (Some(verdict), Some(kind)) = (words.next(), words.next()) else {
                continue;
            };
            let is_number = line.starts_with("    ") && !line.starts_with("     ");
            if is_number && VERDICTS.contains(&verdict) {
                *counts
                    .entry((kind.to_owned(), verdict.to_owned()))
                    .or_default() += 1;
                if kind == "predicted" && OF_OTHERS.contains(&study) {
                    *of_others.entry(verdict.to_owned()).or_default() += 1;
                }
            }
            let numbers = line.split_whitespace().filter_map(|word| word.parse().ok());
            let numbers: Vec<u32> = numbers.collect();
            if let ([one], true) = (&numbers[..], line.ends_with("are answers of their own")) {
                answers += one;
            }
            if line.contains(" have a baseline, ") {
                assert_eq!(numbers.len(), 3, "{line}");
                for (sum, one) in baseline.iter_mut().zip(numbers) {
                    *sum += one;
                }
            }
        }
    }
    let mut text = String::new();
    let of_others = |verdict| of_others.get(verdict).copied().unwrap_or_default();
    let [within, missed, chance] = VERDICTS.map(of_others);
    let _ = writeln!(
        text,
        "predicted of what others published: {within} within, {missed} missed, {chance} by chance"
    );
    for ((kind, verdict), count) in counts {
        let _ = writeln!(text, "{kind:<10} {verdict:<8} {count:>4}");
    }
    let _ = writeln!(text, "answers of their own {answers:>3}");
    let [numbers, by_it, by_model] = baseline;
    let _ = writeln!(
        text,
        "baseline of {numbers}: {by_it} within, {by_model} by the model"
    );
    expect_file!["board-total.txt"].assert_eq(&text);
}

/// How a number may come out, as boards spell it.
const VERDICTS: [&str; 3] = ["within", "missed", "chance"];

/// A sentence can say anything. What the model reaches and does not meet was tried with one thing otherwise.
#[test]
fn beside_each_missed_prediction_stands_an_experiment() {
    let mut alone = Vec::new();
    for study in STUDIES {
        let pinned = pinned(study);
        let mut lines = pinned.lines().peekable();
        while let Some(line) = lines.next() {
            let is_reached = line.split_whitespace().all(|word| word != "-");
            if line.starts_with("    missed predicted") && is_reached {
                let mut is_tried = false;
                // Its note and its experiment are set further in.
                while let Some(more) = lines.next_if(|next| next.starts_with("     ")) {
                    is_tried |= more.trim_start().starts_with("if ");
                }
                if !is_tried {
                    alone.push(line.to_owned());
                }
            }
        }
    }
    assert_eq!(alone, Vec::<String>::new());
}

/// What is printed of a study or an entry.
fn reproduced(begin: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_ringside"))
        .args(["reproduce", begin])
        .output()
        .expect("the binary was built");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).expect("a board is text")
}

/// The lines of an entry on a board.
fn part<'a>(board: &'a str, entry: &str) -> Vec<&'a str> {
    let head = format!("  {entry}  ");
    let from = board.lines().skip_while(|line| !line.starts_with(&head));
    let lines: Vec<&str> = from.take_while(|line| !line.is_empty()).collect();
    assert!(lines.len() > 1, "{entry} is not on the board");
    lines
}

#[test]
fn bhattacharya_apte_2006() {
    study("ba", Sample::Whole("ba.t2"));
}

#[test]
fn anand_hartner_2002() {
    study("ah", Sample::Whole("ah.perirq"));
}

#[test]
fn goettingen_2005() {
    study("go", Sample::Whole("go.trace"));
}

#[test]
fn bryant_2000() {
    study("br", Sample::Whole("br.fscache"));
}

#[test]
fn wu_crawford_2006() {
    study("wc", Sample::Whole("wc.ring"));
}

#[test]
fn our_own_recordings() {
    study("own", Sample::Whole("own.hops"));
}

#[test]
fn a_machine_that_the_model_had_never_seen() {
    study("xeon", Sample::Begun("xeon.first"));
}

#[test]
fn a_machine_whose_cores_others_share() {
    study("zen3", Sample::Whole("zen3.first"));
}

#[test]
fn further_loads_on_such_a_machine() {
    study("milan", Sample::Begun("milan.connections"));
}

#[test]
fn loads_that_nobody_chose() {
    study("drawn", Sample::Begun("drawn.datagrams"));
}

#[test]
fn loads_that_nobody_chose_on_a_machine_that_was_measured_again() {
    study("redrawn", Sample::Begun("redrawn.connections"));
}

#[test]
fn loads_that_nobody_chose_half_of_them_in_small_packets() {
    study("packets", Sample::Begun("packets.connections"));
}
