//! The programs as they are called: wrong use is refused before anything is measured, with status 2.

#![cfg(target_os = "linux")]

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::process::Command;

const MEASURE: &str = env!("CARGO_BIN_EXE_ringside-measure-host");
const CHECK: &str = env!("CARGO_BIN_EXE_ringside-check-host");

/// The status of a program, and what it says on standard error.
fn run(program: &str, words: &[OsString]) -> (Option<i32>, String) {
    let output = Command::new(program).args(words).output();
    let output = output.expect("the program was built");
    let said = String::from_utf8(output.stderr).expect("what is not has been replaced");
    (output.status.code(), said)
}

fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

#[test]
fn who_asks_for_help_gets_the_usage() {
    for program in [MEASURE, CHECK] {
        let output = Command::new(program).args(["--machine", "--help"]).output();
        let output = output.expect("the program was built");
        assert_eq!(output.status.code(), Some(0), "{program}");
        let text = String::from_utf8(output.stdout).expect("the usage is text");
        assert!(text.starts_with("usage: ringside "), "{text}");
    }
}

#[test]
fn a_word_that_is_not_utf_8_is_refused() {
    for program in [MEASURE, CHECK] {
        let (status, said) = run(program, &[OsStr::from_bytes(b"caf\xe9.json").to_owned()]);
        assert_eq!(status, Some(2), "{program}");
        let why = ": \"caf\u{fffd}.json\" is not UTF-8: choose another name\nusage: ";
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn wrong_use_ends_with_2_and_says_what_is_wrong() {
    for (program, line, why) in [
        (CHECK, "--wrong", "what is --wrong?"),
        (CHECK, "no-load", "no load no-load; there are "),
        (CHECK, "--machine", "--machine what?"),
        (
            CHECK,
            "--predict --measure",
            "--predict or --measure is there twice",
        ),
        (MEASURE, "--wrong", "what is --wrong?"),
        (MEASURE, "--base", "--base what?"),
        (
            MEASURE,
            "--base none",
            "--base none: there is no such machine",
        ),
        (MEASURE, "--name a --name b", "--name is there twice"),
        (MEASURE, "--name a/b", "--name a/b: letters, digits"),
        (MEASURE, "a.json b.json", "FILE is there twice"),
    ] {
        let (status, said) = run(program, &words(line));
        assert_eq!(status, Some(2), "{line}: {said}");
        assert!(said.contains(why), "{line}: {said}");
        assert!(said.contains("\nusage: ringside "), "{line}: {said}");
    }
}

#[test]
fn what_is_not_there_ends_with_1_before_anything_is_measured() {
    for (program, line, why) in [
        (CHECK, "--machine none.json", "none.json: No such file"),
        (MEASURE, "none/a.json", "there is no folder none"),
    ] {
        let (status, said) = run(program, &words(line));
        assert_eq!(status, Some(1), "{line}: {said}");
        assert!(said.contains(why), "{line}: {said}");
        assert!(!said.contains("measuring"), "{line}: {said}");
    }
}
