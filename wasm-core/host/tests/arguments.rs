//! The programs as they are called: a word that is no text is refused before anything is measured.

#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::process::Command;

#[test]
fn a_word_that_is_not_utf_8_is_refused() {
    let programs = [
        env!("CARGO_BIN_EXE_ringside-measure-host"),
        env!("CARGO_BIN_EXE_ringside-check-host"),
    ];
    for program in programs {
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
