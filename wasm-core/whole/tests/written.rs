//! A file that cannot be written to its end leaves what stood at its place, and nothing beside it.

#![allow(
    clippy::unwrap_used,
    reason = "a folder that cannot be made fails the test"
)]

use std::fs;
use std::io;

use whole::{try_file, write_file};

/// As `>(gzip >file)` of a shell and `/dev/stdout` before a `|` name it.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_without_a_name_is_written_to() {
    use std::io::Read as _;
    use std::os::fd::AsRawFd as _;

    let (mut from, to) = io::pipe().unwrap();
    let name = format!("/dev/fd/{}", to.as_raw_fd());
    write_file(&name, |output| output.write_all(b"all of it")).unwrap();
    drop(to);
    let mut read = String::new();
    from.read_to_string(&mut read).unwrap();
    assert_eq!(read, "all of it");
}

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

/// Where files cannot be without a name, a command that is killed leaves one. What another command is writing is locked.
#[test]
fn what_a_killed_command_left_is_removed_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let names = [
        ".ringside-a1B2c3",
        ".ringside-notes",
        ".ringside-Z9y8X7",
        ".ringside-folder",
    ];
    for name in &names[..3] {
        fs::write(at(name), "half of").unwrap();
    }
    fs::create_dir(at(names[3])).unwrap();
    let written_now = fs::File::open(at(names[2])).unwrap();
    written_now.lock().unwrap();
    let path = at("run.txt");
    write_file(path.to_str().unwrap(), |output| {
        output.write_all(b"all of it")
    })
    .unwrap();
    let are_there = names.map(|name| at(name).exists());
    assert_eq!(are_there, [false, true, true, true]);
    assert_eq!(fs::read(&path).unwrap(), b"all of it");
}

#[test]
fn whether_a_file_can_be_written_is_known_before_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    try_file(&at("new.json")).unwrap();
    fs::write(at("old.json"), "old").unwrap();
    try_file(&at("old.json")).unwrap();
    try_file("/dev/null").unwrap();
    assert_eq!(fs::read(at("old.json")).unwrap(), b"old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    // What is said is what writing says.
    for name in [at("none/new.json"), at("old.json/new.json"), at("")] {
        let error = try_file(&name).unwrap_err().to_string();
        let written = write_file(&name, |_| Ok(())).unwrap_err().to_string();
        assert_eq!(error, written);
    }
}
