//! Files that never end, that nobody writes, or that cannot be read: none of them holds up a command, or is passed over.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::ringside;

fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("machines")).expect("a folder to write into");
    folder
}

/// Why a command fails; one that would go on for ever is ended after 20 seconds, with another status.
fn refused(words: &[&str], stdin: Stdio) -> String {
    let output: Output = Command::new("timeout")
        .args(["20", env!("CARGO_BIN_EXE_ringside")])
        .args(words)
        .stdin(stdin)
        .output()
        .expect("coreutils are there");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{words:?}: {said}");
    said
}

#[test]
fn a_script_that_never_ends_is_none() {
    let why = "no script has 1048576 bytes or more\n";
    let said = refused(&["packetdrill", "/dev/zero"], Stdio::null());
    assert_eq!(said, format!("ringside: /dev/zero: {why}"));
    let mut yes = Command::new("yes")
        .stdout(Stdio::piped())
        .spawn()
        .expect("coreutils are there");
    let endless = yes.stdout.take().expect("it is a pipe");
    let said = refused(&["packetdrill", "-"], endless.into());
    assert_eq!(said, format!("ringside: -: {why}"));
    yes.wait().expect("its pipe is closed");
}

#[test]
fn a_machine_of_ones_own_is_a_regular_file() {
    let folder = folder("endless-data");
    let machine = folder.join("machines/z.json");
    let data = folder.display().to_string();
    let words = ["simulate", "--data", &data, "wc-ring"];
    let irregular = format!(
        "ringside: wc-ring: {}: it is no regular file\n",
        machine.display()
    );
    symlink("/dev/zero", &machine).expect("the folder is ours");
    assert_eq!(refused(&words, Stdio::null()), irregular);
    fs::remove_file(&machine).expect("the folder is ours");
    let made = Command::new("mkfifo").arg(&machine).status();
    assert!(made.expect("coreutils are there").success());
    assert_eq!(refused(&words, Stdio::null()), irregular);
    fs::remove_file(&machine).expect("the folder is ours");
    fs::write(&machine, vec![b' '; 1 << 20]).expect("the folder is ours");
    let said = refused(&words, Stdio::null());
    assert!(said.contains("1048576 bytes or more"), "{said}");
}

/// Where there is none its settings are packetdrill's own; one that is there is meant.
#[test]
fn a_set_up_file_that_cannot_be_read_is_not_passed_over() {
    let folder = folder("unreadable-set-up");
    let script = folder.join("script.pkt");
    let text = "`./defaults.sh`\n0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3\n";
    fs::write(&script, text).expect("the folder is ours");
    let script = script.display().to_string();
    let words = ["packetdrill", script.as_str()];
    assert_eq!(ringside(&words, "").status.code(), Some(0));

    let defaults = folder.join("defaults.sh");
    symlink("/dev/zero", &defaults).expect("the folder is ours");
    let said = refused(&words, Stdio::null());
    assert!(
        said.ends_with("defaults.sh: it is no regular file\n"),
        "{said}"
    );
    fs::remove_file(&defaults).expect("the folder is ours");
    fs::write(&defaults, b"sysctl -q caf\xe9=1\n").expect("the folder is ours");
    let said = refused(&words, Stdio::null());
    assert!(said.contains("defaults.sh: invalid utf-8"), "{said}");
}

/// A script comes from anywhere, and a terminal obeys control characters.
#[test]
fn what_is_said_of_a_script_is_fit_for_a_terminal() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ringside"))
        .args(["packetdrill", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary was built");
    let mut stdin = child.stdin.take().expect("it is a pipe");
    let command = format!("`\u{1b}[31m\u{7}{}`\n", "x".repeat(100_000));
    stdin.write_all(command.as_bytes()).expect("it is read");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends by itself");
    let said = String::from_utf8(output.stdout).expect("output is text");
    assert!(
        said.starts_with("-:1: not run: command not known: _[31m_xx"),
        "{said}"
    );
    assert!(said.ends_with("xx…\n"), "{said}");
    assert_eq!(
        said.chars().count(),
        "-:".len() + 240 + "…\n".chars().count()
    );
}
