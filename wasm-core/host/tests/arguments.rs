//! The programs as they are called: a word that is no text is refused before anything is measured.

#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::process::Command;

const PROGRAMS: [&str; 2] = [
    env!("CARGO_BIN_EXE_ringside-measure-host"),
    env!("CARGO_BIN_EXE_ringside-check-host"),
];

#[test]
fn who_asks_for_help_gets_the_usage() {
    for program in PROGRAMS {
        let output = Command::new(program).args(["--machine", "--help"]).output();
        let output = output.expect("the program was built");
        assert_eq!(output.status.code(), Some(0), "{program}");
        let text = String::from_utf8(output.stdout).expect("the usage is text");
        assert!(text.starts_with("usage: ringside "), "{text}");
    }
}

#[test]
fn a_word_that_is_not_utf_8_is_refused() {
    for program in PROGRAMS {
        let output = Command::new(program)
            .arg(OsStr::from_bytes(b"caf\xe9.json"))
            .output()
            .expect("the program was built");
        assert_eq!(output.status.code(), Some(1), "{program}");
        let said = String::from_utf8(output.stderr).expect("what is not has been replaced");
        let why = ": \"caf\u{fffd}.json\" is not UTF-8: choose another name\n";
        assert!(said.ends_with(why), "{said}");
    }
}
