//! What `compare`, `profile` and `told` take for a run: a scenario or a trace.

use std::fs;
use std::path::Path;

use crate::{TRACE, ringside};

const SCENARIO: &str = r#"
  {"machine": "current-server", "kernel": "6.1", "workload": "iperf-link", "duration_us": 2000,
   "seed": 1}"#;

/// What a command says, where it succeeds.
fn told(words: &[&str], input: &str) -> String {
    let output = ringside(words, input);
    let why = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {why}");
    String::from_utf8(output.stdout).expect("output is text")
}

/// Why a command fails with a file or a scenario.
fn refused(words: &[&str], input: &str) -> String {
    let output = ringside(words, input);
    assert_eq!(output.status.code(), Some(1), "{words:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_scenario_is_known_by_what_is_in_its_file() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).expect("a folder to write into");
        path.display().to_string()
    };
    let named = write("a-scenario.json", SCENARIO);
    let nameless = write("a-scenario", SCENARIO);
    let profile = told(&["profile", &named], "");
    assert_eq!(told(&["profile", &nameless], ""), profile);
    assert_eq!(told(&["profile", "-"], SCENARIO), profile);
    told(&["compare", "--seeds", "1", &nameless, "-"], SCENARIO);
    // A trace is one under any name.
    let trace = write("a-trace.json", &format!("\n\n{TRACE}"));
    told(&["profile", &trace], "");
    let chrome = r#"{"traceEvents": []}"#;
    let why = refused(&["profile", "-"], chrome);
    assert!(why.contains("-: ") && why.contains("JSON"), "{why}");
}

#[test]
fn a_scenario_that_there_is_not_is_answered_with_those_that_there_are() {
    let told = ["told", "--scenario", "no-such"];
    let others = [
        &["simulate", "no-such"][..],
        &["compare", "no-such", "no-such"],
    ];
    for words in [&told[..]].iter().chain(&others) {
        let why = refused(words, "");
        let names = "no-such: there is no such file, and no such scenario; shipped are ";
        assert!(why.contains(names), "{why}");
        assert!(why.contains(" go-fragments,"), "{why}");
    }
    // A file that cannot be read is another matter.
    let why = refused(&["told", "--scenario", env!("CARGO_TARGET_TMPDIR")], "");
    assert!(!why.contains("shipped"), "{why}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_scenario_may_come_through_a_pipe() {
    let profile = told(&["profile", "-"], SCENARIO);
    assert_eq!(told(&["profile", "/dev/stdin"], SCENARIO), profile);
}
