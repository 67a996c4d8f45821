//! What a command has read is not written over by what it writes: a scenario, a script, a file of `--data`, standard input.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{TRACE, ringside};

const SCENARIO: &str = r#"
  {"machine": "current-server", "kernel": "6.1", "workload": "iperf-link", "duration_us": 2000,
   "seed": 1}"#;
const SCRIPT: &str = "`../defaults.sh`\n0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3\n";
const MACHINE: &str = r#"{"name": "own", "based_on": "current-server"}"#;
const DEFAULTS: &str = "sysctl -q net.ipv4.tcp_sack=0\n";

/// A folder with one of each; `/link` leads to the machine.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    for below in ["machines", "scripts"] {
        fs::create_dir_all(folder.join(below)).expect("a folder to write into");
    }
    for (name, text) in [
        ("scenario.json", SCENARIO),
        ("machines/own.json", MACHINE),
        ("scripts/script.pkt", SCRIPT),
        ("defaults.sh", DEFAULTS),
        ("trace.txt", TRACE),
    ] {
        fs::write(folder.join(name), text).expect("the folder is ours");
    }
    folder
}

/// The folder's path in each word that begins with a slash.
fn within(folder: &Path, words: &[&str]) -> Vec<String> {
    let word = |word: &&str| match word.strip_prefix('/') {
        Some(name) => folder.join(name).display().to_string(),
        None => (*word).to_owned(),
    };
    words.iter().map(word).collect()
}

#[cfg(unix)]
#[test]
fn a_run_is_not_written_over_what_it_comes_of() {
    let folder = folder("spared");
    for name in ["scenario.json", "machines/own.json"] {
        let link = format!("link-to-{}", name.replace('/', "-"));
        std::os::unix::fs::symlink(folder.join(name), folder.join(link)).expect("it is ours");
    }
    let cases: [(&[&str], &str); 7] = [
        (&["simulate", "/scenario.json"], "scenario.json"),
        (&["simulate", "/scenario.json"], "link-to-scenario.json"),
        (&["simulate", "/link-to-scenario.json"], "scenario.json"),
        (
            &["simulate", "--data", "/", "/scenario.json"],
            "link-to-machines-own.json",
        ),
        (
            &["packetdrill", "/scripts/script.pkt"],
            "scripts/script.pkt",
        ),
        (&["packetdrill", "/scripts/script.pkt"], "defaults.sh"),
        (
            &["packetdrill", "--data", "/", "/scripts/script.pkt"],
            "machines/own.json",
        ),
    ];
    for (words, to) in cases {
        let mut words = within(&folder, words);
        words.extend(["--to".to_owned(), folder.join(to).display().to_string()]);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = ringside(&words, "");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains("itself: choose another name"), "{said}");
    }
    for (name, text) in [
        ("scenario.json", SCENARIO),
        ("machines/own.json", MACHINE),
        ("scripts/script.pkt", SCRIPT),
        ("defaults.sh", DEFAULTS),
    ] {
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), text);
    }
}

/// A shipped scenario is no file, so one that is called like it is written anew.
#[test]
fn a_file_that_is_called_as_a_shipped_scenario_is_not_it() {
    let folder = folder("called-as-shipped");
    for _ in 0..2 {
        let status = Command::new(env!("CARGO_BIN_EXE_ringside"))
            .args(["simulate", "--to", "go-fragments", "go-fragments"])
            .current_dir(&folder)
            .stdout(std::process::Stdio::null())
            .status();
        assert!(status.expect("the binary was built").success());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_came_through_standard_input_is_not_written_over() {
    let folder = folder("spared-input");
    let cases: [(&[&str], &str, &str); 3] = [
        (&["convert", "--to", "kperf2", "-"], "trace.txt", TRACE),
        (&["simulate", "-", "--to"], "scenario.json", SCENARIO),
        (&["packetdrill", "-", "--to"], "scripts/script.pkt", SCRIPT),
    ];
    for (words, name, text) in cases {
        let path = folder.join(name);
        let output = Command::new(env!("CARGO_BIN_EXE_ringside"))
            .args(words)
            .arg(&path)
            .stdin(File::open(&path).expect("it is there"))
            .output()
            .expect("the binary was built");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains("itself: choose another name"), "{said}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}
