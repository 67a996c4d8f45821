//! What no command can hear or be heard by: a name that is not UTF-8, and standard error that cannot be
//! written, where nothing that is said stops a command.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt as _;
use std::process::Command;

/// The exit status of a command whose standard error is on a full disk.
fn status(arguments: &[&str]) -> Option<i32> {
    let full = File::options().write(true).open("/dev/full");
    let output = Command::new(env!("CARGO_BIN_EXE_ringside"))
        .args(arguments)
        .stderr(full.expect("Linux has it"))
        .output();
    output.expect("the binary was built").status.code()
}

#[test]
fn the_exit_status_is_what_it_is_when_nobody_can_be_told() {
    assert_eq!(status(&["summarize", "/nowhere/at/all"]), Some(1));
    assert_eq!(status(&["dance"]), Some(2));
}

#[test]
fn a_name_that_is_not_utf_8_is_refused_with_what_to_do_instead() {
    let output = Command::new(env!("CARGO_BIN_EXE_ringside"))
        .arg("summarize")
        .arg(OsStr::from_bytes(b"caf\xe9.txt"))
        .output()
        .expect("the binary was built");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).expect("what is not has been replaced");
    assert!(
        said.starts_with("ringside: \"caf\u{fffd}.txt\" is not UTF-8"),
        "{said}"
    );
}
