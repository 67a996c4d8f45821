//! Folders into which a sweep does not write: with files of somebody's own, or with what never ends in the place of its files.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use super::{FILES, folder, sweep};

/// What a sweep says that is refused.
fn refused(folder: &Path, out: &str) -> String {
    let output = Command::new("timeout")
        .current_dir(folder)
        .args(["20", env!("CARGO_BIN_EXE_ringside-sweep"), "--vary"])
        .args(["rx_ring=4", "--seeds", "1", "scenario.json", "--out", out])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    said
}

/// Tables of somebody's own may be called as ours are.
#[test]
fn a_folder_of_no_sweep_keeps_its_files() {
    let folder = folder("of-no-sweep");
    let own = folder.join("own");
    for name in FILES.iter().filter(|&&name| name != "sweep.json") {
        fs::create_dir_all(&own).unwrap();
        fs::write(own.join(name), "mine").unwrap();
        let why = "it is there already, and no sweep.json beside it";
        let said = refused(&folder, "own");
        let begin = format!("ringside sweep: own/{name}: {why}");
        assert!(said.starts_with(&begin), "{said}");
        assert_eq!(fs::read_to_string(own.join(name)).unwrap(), "mine");
        assert_eq!(fs::read_dir(&own).unwrap().count(), 1);
        fs::remove_dir_all(&own).unwrap();
    }
    fs::create_dir_all(&own).unwrap();
    symlink("nowhere", own.join("knees.csv")).unwrap();
    assert!(refused(&folder, "own").starts_with("ringside sweep: own/knees.csv: "));
    // Nor is it one because of a file that is called as a sweep's.
    fs::write(own.join("sweep.json"), "{}").unwrap();
    let said = refused(&folder, "own");
    let begin = "ringside sweep: own/sweep.json: it is of another sweep: ";
    assert!(said.starts_with(begin), "{said}");
    assert_eq!(fs::read_to_string(own.join("sweep.json")).unwrap(), "{}");
    // What is called otherwise stays beside it.
    fs::remove_dir_all(&own).unwrap();
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("notes.csv"), "mine").unwrap();
    sweep(&folder, &["--out", "own"]);
    assert_eq!(fs::read_to_string(own.join("notes.csv")).unwrap(), "mine");
}

#[test]
fn a_file_of_the_folder_that_never_ends_is_refused() {
    let folder = folder("endless");
    sweep(&folder, &["--out", "out"]);
    for name in ["runs.csv", "sweep.json"] {
        let path = folder.join("out").join(name);
        fs::remove_file(&path).unwrap();
        symlink("/dev/zero", &path).unwrap();
        let expected = format!("ringside sweep: out/{name}: it is no regular file\n");
        assert_eq!(refused(&folder, "out"), expected);
        fs::remove_file(&path).unwrap();
        assert!(
            Command::new("mkfifo")
                .arg(&path)
                .status()
                .unwrap()
                .success()
        );
        assert_eq!(refused(&folder, "out"), expected);
    }
    let path = folder.join("out/sweep.json");
    fs::remove_file(&path).unwrap();
    fs::write(&path, vec![b' '; 1 << 24]).unwrap();
    let said = refused(&folder, "out");
    assert!(
        said.contains("sweep.json: no such file has 16777216 bytes or more"),
        "{said}"
    );
}

/// Files are written beside their place first, under names of which nobody has another.
#[test]
fn a_file_that_is_called_like_a_table_and_more_stays() {
    let folder = folder("beside");
    sweep(&folder, &["--out", "out"]);
    fs::write(folder.join("mine"), "mine").unwrap();
    for name in FILES {
        symlink("../mine", folder.join("out").join(format!("{name}.new"))).unwrap();
    }
    sweep(&folder, &["--out", "out"]);
    assert_eq!(fs::read_to_string(folder.join("mine")).unwrap(), "mine");
    let count = fs::read_dir(folder.join("out")).unwrap().count();
    assert_eq!(count, 2 * FILES.len());
}

/// The version of the program stays while the model changes, and one table would mix what both gave.
#[test]
fn a_sweep_with_another_version_of_the_model_is_neither_continued_nor_taken_over() {
    let folder = folder("models");
    sweep(&folder, &["--out", "old"]);
    let path = folder.join("old/sweep.json");
    let text = fs::read_to_string(&path).unwrap();
    let mut identity: serde_json::Value = serde_json::from_str(&text).unwrap();
    identity["model"] = "0123456789abcdef".into();
    fs::write(&path, identity.to_string()).unwrap();
    let begin =
        "ringside sweep: old/sweep.json: it is of a sweep with another version of the model";
    let said = refused(&folder, "old");
    assert!(said.starts_with(begin), "{said}");
    let words = ["--vary", "rx_ring=4..32:*2", "--seeds", "1..3", "--take"];
    let words = [&words[..], &["old", "--out", "new", "scenario.json"]].concat();
    let output = super::ringside_sweep(&folder, &words);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with(begin), "{said}");
    assert!(!folder.join("new/runs.csv").exists());
}

/// With another machine of that name the runs would be others.
#[test]
fn a_sweep_of_a_machine_of_ones_own_goes_on_with_that_machine_alone() {
    let folder = folder("own-data");
    let data = |name: &str, clock: u32| {
        let machines = folder.join(name).join("machines");
        fs::create_dir_all(&machines).unwrap();
        let machine = format!(
            r#"{{"name":"half","based_on":"p4-1.6","processors":{{"clock_khz":{clock}}}}}"#
        );
        fs::write(machines.join("half.json"), machine).unwrap();
    };
    data("one", 800_000);
    data("other", 900_000);
    let scenario =
        r#"{"machine":"half","kernel":"2.6.3","workload":"iperf","duration_us":3000,"seed":1}"#;
    fs::write(folder.join("half.json"), scenario).unwrap();
    let sweep = |data: &[&str]| {
        let words = ["--vary", "connections=1,2", "--seeds", "1", "--out", "out"];
        let output = super::ringside_sweep(&folder, &[&words, data, &["half.json"]].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), said)
    };
    let (status, said) = sweep(&["--data", "one"]);
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(sweep(&["--data", "one"]), (Some(0), String::new()));
    let (status, said) = sweep(&["--data", "other"]);
    assert_eq!(status, Some(1));
    let begin = "ringside sweep: out/sweep.json: it is of another sweep: its data is ";
    assert!(said.starts_with(begin), "{said}");
    let (status, said) = sweep(&["--data", "nowhere"]);
    assert_eq!(status, Some(1));
    assert!(
        said.contains("nowhere: no .json files in folders"),
        "{said}"
    );
}
