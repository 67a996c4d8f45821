//! How a command is called: the usage of all, of one, and of a program beside this one.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::ringside;

#[test]
fn a_command_that_is_a_program_beside_this_one_says_how_to_build_it() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("alone");
    fs::create_dir_all(&folder).expect("there is room");
    let alone = folder.join("ringside");
    // A link and no copy: a file that another test's child still holds open for writing does not run.
    let _ = fs::remove_file(&alone);
    fs::hard_link(env!("CARGO_BIN_EXE_ringside"), &alone).expect("it is on the same file system");
    let output = Command::new(&alone).arg("measure-host").output();
    let output = output.expect("the copy runs");
    assert_eq!(output.status.code(), Some(1));
    let why = String::from_utf8_lossy(&output.stderr);
    assert!(why.contains("ringside-measure-host does not run"), "{why}");
    assert!(
        why.contains("cargo build --release -p ringside-host"),
        "{why}"
    );
}

/// What its options mean, only the program beside this one says.
#[cfg(unix)]
#[test]
fn a_program_beside_this_one_is_asked_for_its_own_help() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("help-beside");
    fs::create_dir_all(&folder).expect("there is room");
    let own = folder.join("ringside");
    let _ = fs::remove_file(&own);
    fs::hard_link(env!("CARGO_BIN_EXE_ringside"), &own).expect("it is on the same file system");
    for command in ["measure-host", "check-host", "sweep"] {
        let beside = folder.join(format!("ringside-{command}"));
        let _ = fs::remove_file(&beside);
        // A link to a program that prints what it is given.
        std::os::unix::fs::symlink("/bin/echo", &beside).expect("a link");
        assert!(beside.metadata().expect("echo").permissions().mode() & 0o111 != 0);
        let output = Command::new(&own).args([command, "-x", "-h"]).output();
        let said = String::from_utf8(output.expect("it runs").stdout).expect("UTF-8");
        assert_eq!(said, "-x -h\n");
    }
}

#[test]
fn who_asks_for_help_gets_the_usage() {
    for words in [
        &["--help"][..],
        &["-h"],
        &["help"],
        &["summarize", "--help"],
        &[],
    ] {
        let output = ringside(words, "");
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.starts_with("usage: ringside summarize"), "{words:?}");
    }
}

/// As most command lines do: what was wrong, how that command is called, and where the rest is told.
#[test]
fn wrong_use_is_told_with_the_usage_of_that_command_alone() {
    let told = |words: &[&str]| {
        let output = ringside(words, "");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let help = "try: ringside help\n";
    let frame = "usage: ringside frame --at TIME [--json] [--wire PCAP] FILE\n";
    let why = told(&["frame"]);
    assert!(why.ends_with(&format!("\n{frame}{help}")), "{why}");
    assert_eq!(why.lines().count(), 3, "{why}");
    assert_eq!(
        told(&["fram"]),
        format!("ringside: no command \"fram\"\n{help}")
    );
    assert_eq!(
        told(&["told", "--what"])
            .matches("usage: ringside told ")
            .count(),
        2
    );
}
