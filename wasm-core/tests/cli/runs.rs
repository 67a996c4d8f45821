//! What `compare`, `profile` and `told` take for a run: a scenario or a trace.

use std::fs;
use std::path::Path;

use super::{FULL, TRACE, ringside};

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

/// Wherever a scenario is asked for, `-` is standard input.
#[test]
fn a_scenario_is_read_from_standard_input() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join("by-name").display().to_string();
    fs::write(&path, SCENARIO).expect("a folder to write into");
    for words in [&["simulate"][..], &["told", "--scenario"]] {
        let named = told(&[words, &[&path]].concat(), "");
        let read = told(&[words, &["-"]].concat(), SCENARIO);
        assert_eq!(read, named, "{words:?}");
    }
    let why = refused(&["simulate", "-"], "{}");
    assert_eq!(why, "ringside: -: machine is missing\n");
}

#[test]
fn a_part_of_a_trace_is_profiled_and_compared() {
    let whole = told(&["profile", "--json", "-"], FULL);
    let part = told(&["profile", "--json", "--from", "1.000010s", "-"], FULL);
    let elapsed = |text: &str| {
        let profile: serde_json::Value = serde_json::from_str(text).expect("one JSON object");
        profile["elapsed_ns"].to_string()
    };
    assert_eq!([elapsed(&whole), elapsed(&part)], ["23000.0", "13000.0"]);

    let trace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/loopback/trace.txt.gz");
    let trace = trace.display().to_string();
    let both = ["compare", "--json", trace.as_str(), trace.as_str()];
    let whole = told(&both, "");
    assert!(whole.contains("\"quantity\""), "{whole}");
    assert_ne!(told(&[&both[..], &["--cpu", "1"]].concat(), ""), whole);

    // A scenario has no part.
    let why = refused(&["profile", "--from", "1s", "-"], SCENARIO);
    assert!(
        why.contains("-: it is a scenario; --cpu, --from and --to"),
        "{why}"
    );
    let why = refused(&["compare", "--cpu", "1", &trace, "-"], SCENARIO);
    assert!(why.contains("-: it is a scenario;"), "{why}");
}

/// An option that another command has is not silently left out of account.
#[test]
fn a_command_takes_its_own_options_alone() {
    for words in [
        &["simulate", "--cpu", "1", "wc-ring"][..],
        &["simulate", "--json", "wc-ring"],
        &["compare", "--wire", "a.pcap", "a", "b"],
        &["told", "--scenario", "wc-ring", "--from", "1s"],
        &["told", "--scenario", "wc-ring", "--wire", "a.pcap"],
        &["summarize", "--data", "x", "-"],
        &["profile", "--folded", "--json", "wc-ring"],
        &["journeys", "--packet", "+0", "-"],
        &["told", "--scenario", "wc-ring", "--packet", "+0"],
    ] {
        let output = ringside(words, "");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
}

#[test]
fn a_file_s_name_stays_in_its_line() {
    for words in [
        &["summarize", "no\nringside: such"][..],
        &[
            "convert",
            "--to",
            "kperf2",
            "-",
            "no/such\nringside: folder",
        ],
    ] {
        let output = ringside(words, super::TRACE);
        let said = String::from_utf8(output.stderr).expect("it is text");
        assert!(!said.contains("\nringside: such"), "{said}");
        assert!(!said.contains("\nringside: folder"), "{said}");
        assert!(said.contains("_ringside: "), "{said}");
    }
}

#[test]
fn a_script_without_a_statement_does_not_pass() {
    let why = ringside(&["packetdrill", "-"], "// to be written\n");
    assert_eq!(why.status.code(), Some(1));
    let text = String::from_utf8(why.stdout).expect("output is text");
    assert_eq!(
        text,
        "-:1: not run: nothing in it can pass or fail: it has no packet, no call and no code\n"
    );
}

#[test]
fn a_setting_that_is_null_is_named() {
    let text = SCENARIO.replace("\"seed\"", r#""settings": {"peer": null}, "seed""#);
    let why = refused(&["simulate", "-"], &text);
    assert!(
        why.starts_with("ringside: -: settings.peer is null, must be one of "),
        "{why}"
    );
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

/// They have a title and what they show beside their scenario.
#[test]
fn a_scenarios_file_of_the_shelf_is_the_scenario_in_it() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/scenarios/wc-ring.json");
    let file = file.display().to_string();
    let by_name = told(&["simulate", "wc-ring"], "");
    assert_eq!(told(&["simulate", &file], ""), by_name);
    let text = fs::read_to_string(&file).expect("it is shipped");
    assert_eq!(
        told(&["profile", "-"], &text),
        told(&["profile", "wc-ring"], "")
    );
    let wrong = text.replace("\"machine\"", "\"engine\"");
    let why = refused(&["simulate", "-"], &wrong);
    assert!(
        why.starts_with("ringside: -: unknown field engine"),
        "{why}"
    );
}
