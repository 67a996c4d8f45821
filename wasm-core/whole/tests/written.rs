//! A file that cannot be written to its end leaves what stood at its place, and nothing beside it.

#![allow(
    clippy::unwrap_used,
    reason = "a folder that cannot be made fails the test"
)]

use std::fs;
use std::io;

use whole::write_file;

#[test]
fn what_stood_there_stays_until_all_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("machine.json");
    let name = path.to_str().unwrap();
    write_file(name, |output| output.write_all(b"first")).unwrap();
    let failed = write_file(name, |output| {
        output.write_all(b"sec")?;
        Err(io::Error::other("the disk is gone"))
    });
    let why = failed.unwrap_err().to_string();
    assert_eq!(why, format!("{name}: the disk is gone"));
    assert_eq!(fs::read(&path).unwrap(), b"first");
    write_file(name, |output| output.write_all(b"second")).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"second");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
