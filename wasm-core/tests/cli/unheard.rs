//! Standard error that cannot be written: nothing that is said there stops a command.

use std::fs::File;
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
