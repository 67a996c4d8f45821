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
        for name in [(*name).to_owned(), format!("{name}.new")] {
            fs::create_dir_all(&own).unwrap();
            fs::write(own.join(&name), "mine").unwrap();
            let why = "it is there already, and no sweep.json beside it";
            let said = refused(&folder, "own");
            let begin = format!("ringside sweep: own/{name}: {why}");
            assert!(said.starts_with(&begin), "{said}");
            assert_eq!(fs::read_to_string(own.join(&name)).unwrap(), "mine");
            assert_eq!(fs::read_dir(&own).unwrap().count(), 1);
            fs::remove_dir_all(&own).unwrap();
        }
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
