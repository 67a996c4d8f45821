//! A small sweep from the command line: what it writes, that it goes on where it was interrupted,
//! that its parts come to the whole, and what it says to a wrong question.

#![allow(clippy::unwrap_used, reason = "tests")]

#[cfg(target_os = "linux")]
#[path = "folders/refused.rs"]
mod refused;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use expect_test::{expect, expect_file};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

/// A transfer over a link that loses frames, so that seeds differ.
const SCENARIO: &str = r#"{"machine": "current-server", "kernel": "6.1", "workload": "iperf-link",
 "settings": {"cpus": 2, "connections": 1, "message_bytes": 16384, "peer": "current-server",
  "link_loss_permille": 20}, "duration_us": 3000, "warmup_us": 500, "seed": 1}"#;

/// A folder of this test alone, empty.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("scenario.json"), SCENARIO).unwrap();
    folder
}

fn ringside_sweep(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ringside-sweep"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap()
}

/// The sweep of these tests with more words.
fn sweep(folder: &Path, more: &[&str]) -> Output {
    let words = [
        "--vary",
        "rx_ring=4..32:*2",
        "--seeds",
        "1..3",
        "scenario.json",
    ];
    let output = ringside_sweep(folder, &[&words, more].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    output
}

#[cfg(target_os = "linux")]
#[test]
fn a_word_that_is_not_utf_8_is_refused_with_what_to_do_instead() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let output = Command::new(env!("CARGO_BIN_EXE_ringside-sweep"))
        .arg(OsStr::from_bytes(b"caf\xe9.json"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    let begin = "ringside sweep: \"caf\u{fffd}.json\" is not UTF-8: choose another name, or ";
    assert!(said.starts_with(begin), "{said}");
}

/// Its first act would be to write the files anew, without what the other has run since it began.
#[cfg(unix)]
#[test]
fn a_folder_into_which_another_sweep_writes_is_refused_and_left_alone() {
    let folder = folder("held");
    sweep(&folder, &["--out", "out"]);
    let runs = || fs::read_to_string(folder.join("out/runs.csv")).unwrap();
    let before = runs();
    let held = fs::File::open(folder.join("out")).unwrap();
    held.try_lock().unwrap();
    let words = [
        "--vary",
        "rx_ring=4..32:*2",
        "--seeds",
        "1..4",
        "--out",
        "out",
        "scenario.json",
    ];
    let output = ringside_sweep(&folder, &words);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("out: another sweep is writing there"),
        "{said}"
    );
    assert_eq!(runs(), before);
    drop(held);
    assert!(ringside_sweep(&folder, &words).status.success());
}

#[cfg(target_os = "linux")]
#[test]
fn progress_that_cannot_be_written_stops_no_sweep() {
    let folder = folder("unheard");
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_ringside-sweep"))
        .current_dir(&folder)
        .args(["--vary", "rx_ring=4,8", "--seeds", "1", "scenario.json"])
        .args(["--out", "out"])
        .stderr(full)
        .status();
    assert_eq!(status.unwrap().code(), Some(0));
    assert!(folder.join("out/points.csv").exists());
}

/// A limit of the process stands for a full disk: writing fails in the middle of a file.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_does_not_fit_leaves_nothing_behind() {
    let folder = folder("full");
    sweep(&folder, &["--out", "out"]);
    let whole = fs::read_to_string(folder.join("out/runs.csv")).unwrap();
    let limited = r#"trap "" XFSZ; ulimit -f 1; exec "$0" "$@""#;
    let output = Command::new("sh")
        .current_dir(&folder)
        .args(["-c", limited, env!("CARGO_BIN_EXE_ringside-sweep")])
        .args([
            "--vary",
            "rx_ring=4..32:*2",
            "--seeds",
            "1..4",
            "scenario.json",
            "--out",
            "out",
        ])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("ringside sweep: out/"), "{said}");
    assert!(said.contains("File too large"), "{said}");
    assert_eq!(
        fs::read_dir(folder.join("out")).unwrap().count(),
        FILES.len()
    );
    assert_eq!(
        fs::read_to_string(folder.join("out/runs.csv")).unwrap(),
        whole
    );
}

#[test]
fn a_scenario_is_read_from_standard_input() {
    let folder = folder("stdin");
    let output = Command::new(env!("CARGO_BIN_EXE_ringside-sweep"))
        .current_dir(&folder)
        .args(["--vary", "rx_ring=4", "--seeds", "1", "--out", "out", "-"])
        .stdin(fs::File::open(folder.join("scenario.json")).unwrap())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("1 of 1: rx_ring=4"), "{said}");
}

fn lines(output: &Output) -> usize {
    String::from_utf8_lossy(&output.stderr).lines().count()
}

const FILES: [&str; 6] = [
    "sweep.json",
    "runs.csv",
    "runs.parquet",
    "points.csv",
    "points.parquet",
    "knees.csv",
];

fn assert_same(one: &Path, other: &Path) {
    for name in FILES {
        let (one, other) = (one.join(name), other.join(name));
        assert!(
            fs::read(&one).unwrap() == fs::read(&other).unwrap(),
            "{name} differs"
        );
    }
}

#[test]
fn a_small_sweep_gives_the_tables_that_are_pinned() {
    let folder = folder("pinned");
    assert_eq!(
        lines(&sweep(&folder, &["--out", "a", "--threads", "2"])),
        12
    );
    let pinned = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pinned");
    for name in ["runs.csv", "points.csv"] {
        let text = fs::read_to_string(folder.join("a").join(name)).unwrap();
        expect_file![pinned.join(name)].assert_eq(&text);
    }
}

#[test]
fn an_interrupted_sweep_goes_on_and_ends_as_in_one_go() {
    let folder = folder("interrupted");
    sweep(&folder, &["--out", "whole"]);
    let text = fs::read_to_string(folder.join("whole/runs.csv")).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    // Three runs in the order in which they ended, and one of which half was written.
    let half = &rows[7][..rows[7].len() / 2];
    let cut = [rows[0], rows[9], rows[2], rows[4], half].join("\n");
    fs::create_dir(folder.join("cut")).unwrap();
    fs::write(folder.join("cut/runs.csv"), cut).unwrap();
    fs::copy(
        folder.join("whole/sweep.json"),
        folder.join("cut/sweep.json"),
    )
    .unwrap();
    assert_eq!(lines(&sweep(&folder, &["--out", "cut"])), 12 - 3);
    assert_same(&folder.join("whole"), &folder.join("cut"));
    // Nothing is left to do.
    assert_eq!(lines(&sweep(&folder, &["--out", "cut"])), 0);
    assert_same(&folder.join("whole"), &folder.join("cut"));
}

#[test]
fn parts_taken_together_are_the_whole() {
    let folder = folder("parts");
    sweep(&folder, &["--out", "whole"]);
    let counts = ["1/2", "2/2"].map(|part| {
        let out = part.replace('/', "-of-");
        lines(&sweep(&folder, &["--part", part, "--out", &out]))
    });
    assert_eq!(counts, [6, 6]);
    let together = ["--take", "1-of-2", "--take", "2-of-2", "--out", "together"];
    assert_eq!(lines(&sweep(&folder, &together)), 0);
    assert_same(&folder.join("whole"), &folder.join("together"));
}

#[test]
fn parquet_has_what_the_csv_has() {
    let folder = folder("parquet");
    sweep(&folder, &["--out", "a"]);
    let file = fs::File::open(folder.join("a/points.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let metadata = reader.metadata().file_metadata().key_value_metadata();
    let said = metadata
        .unwrap()
        .iter()
        .find(|pair| pair.key == "ringside.sweep");
    assert!(
        said.unwrap()
            .value
            .as_ref()
            .unwrap()
            .contains("current-server")
    );
    let mut text = String::new();
    for (number, row) in (0..).zip(reader.get_row_iter(None).unwrap()) {
        let row = row.unwrap();
        let columns = || row.get_column_iter();
        if number == 0 {
            let names: Vec<_> = columns().map(|(name, _)| name.clone()).collect();
            text += &(names.join(",") + "\n");
        }
        let cells: Vec<_> = columns()
            .map(|(_, field)| match field {
                Field::Null => String::new(),
                Field::Double(number) => number.to_string(),
                Field::Long(number) => number.to_string(),
                other => panic!("no {other:?} was written"),
            })
            .collect();
        text += &(cells.join(",") + "\n");
    }
    assert_eq!(
        text,
        fs::read_to_string(folder.join("a/points.csv")).unwrap()
    );
}

#[test]
fn a_wrong_question_is_answered_with_what_is_wrong_and_where() {
    let folder = folder("wrong");
    sweep(&folder, &["--out", "there"]);
    let mut said = String::new();
    let mut ask = |arguments: &[&str]| {
        let output = ringside_sweep(&folder, arguments);
        assert_eq!(output.stdout, b"");
        let text = String::from_utf8(output.stderr).unwrap();
        let first = text.lines().next().unwrap();
        // What there is, the data files say: a new one is nobody's mistake here.
        let lists = ["; known are", "; shipped are", ", must be one of"];
        let cut = lists.iter().filter_map(|list| first.find(list)).min();
        let first = &first[..cut.unwrap_or(first.len())];
        writeln!(said, "{} {first}", output.status.code().unwrap()).unwrap();
    };
    ask(&["--vary", "rx_ring", "--out", "a", "scenario.json"]);
    ask(&["--vary", "rx_ring=9..2", "--out", "a", "scenario.json"]);
    ask(&[
        "--vary",
        "rx_ring=4",
        "--seeds",
        "a",
        "--out",
        "a",
        "scenario.json",
    ]);
    ask(&[
        "--vary",
        "rx_ring=4",
        "--part",
        "3/2",
        "--out",
        "a",
        "scenario.json",
    ]);
    ask(&[
        "--vary",
        "rx_ring=4",
        "--fast",
        "--out",
        "a",
        "scenario.json",
    ]);
    ask(&[
        "--vary",
        "rx_ring=4",
        "--out",
        "a",
        "--out",
        "b",
        "scenario.json",
    ]);
    ask(&["--vary", "rx_rings=4", "--out", "a", "scenario.json"]);
    ask(&["--vary", "rx_ring=4,0", "--out", "a", "scenario.json"]);
    ask(&["--vary", "kernel=6.1,7.9", "--out", "a", "scenario.json"]);
    ask(&["--vary", "seed=1", "--out", "a", "scenario.json"]);
    ask(&["--out", "a", "scenario.json"]);
    ask(&["--vary", "rx_ring=4", "scenario.json"]);
    ask(&["--vary", "rx_ring=4", "--out", "", "scenario.json"]);
    ask(&["--vary", "rx_ring=4", "--out", "a", "nowhere.json"]);
    ask(&[
        "--vary",
        "connections=1,2",
        "--out",
        "there",
        "scenario.json",
    ]);
    ask(&["--vary", "rx_ring=4", "--out", "there", "scenario.json"]);
    let runs = folder.join("there/runs.csv");
    let text = fs::read_to_string(&runs).unwrap();
    fs::write(&runs, text.replacen("\n4,1,", "\n4,1,x", 1)).unwrap();
    ask(&["--vary", "rx_ring=4", "--out", "there", "scenario.json"]);
    expect![[r#"
        2 ringside sweep: --vary rx_ring: it has no =
        2 ringside sweep: --vary rx_ring=9..2: the end 2 is below the start 9
        2 ringside sweep: --seeds a: "a" is no whole number
        2 ringside sweep: --part 3/2: it is not K/N with K from 1 to N
        2 ringside sweep: no option "--fast"
        2 ringside sweep: --out is given twice
        1 ringside sweep: rx_rings=4, seed 1: unknown field settings.rx_rings
        1 ringside sweep: rx_ring=0, seed 1: settings.rx_ring is 0, must be a whole number from 1 to 8,192
        1 ringside sweep: kernel=7.9, seed 1: kernel is "7.9"
        1 ringside sweep: seeds are given by --seeds
        1 ringside sweep: a sweep varies one setting or two, not 0
        1 ringside sweep: --out is missing: into which folder?
        2 ringside sweep: --out "": which folder?
        1 ringside sweep: nowhere.json: there is no such file, and no such scenario
        1 ringside sweep: there/sweep.json: it is of another sweep: its varied is ["rx_ring"], this one's ["connections"]
        1 ringside sweep: there/runs.csv: it has 9 runs that are not of this sweep; give this one another folder
        1 ringside sweep: there/runs.csv: line 2: "x259.481" is no number
    "#]].assert_eq(&said);
    assert!(!folder.join("a").exists());
}
