//! `ringside convert`: what it writes, and what it leaves as it was.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{TRACE, ringside};

#[test]
fn convert_writes_what_summarize_reads() {
    let converted = ringside(&["convert", "--to", "kperf2", "-", "-"], TRACE);
    assert_eq!(converted.status.code(), Some(0));
    let text = String::from_utf8(converted.stdout).expect("kperf 2 is text");
    assert!(text.starts_with("# kperf 2\n"));
    let said = String::from_utf8_lossy(&converted.stderr);
    assert!(
        said.contains("1 lines with unknown events and 1 damaged"),
        "{said}"
    );

    let output = ringside(&["summarize", "--json", "-"], &text);
    let summary: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(summary["format"], "kperf2");
    assert_eq!(summary["events"], 3);
    assert_eq!(summary["last_ns"], 1_000_004_000);

    let converted = ringside(&["convert", "-", "-", "--to", "ftrace"], &text);
    let again = String::from_utf8(converted.stdout).expect("ftrace is text");
    assert!(again.starts_with("# tracer: nop\n"));
    assert!(again.contains("\n# ringside: recorded\n"), "{again}");
    assert!(again.contains("CPU:2 [LOST 7 EVENTS]\n"), "{again}");
    let output = ringside(&["summarize", "--json", "-"], &again);
    let summary: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(summary["format"], "ftrace");
    assert_eq!(summary["events"], 3);
    assert_eq!(summary["lost_events"], 7);

    let wrong = ringside(&["convert", "--to", "pcap", "-", "-"], TRACE);
    assert_eq!(wrong.status.code(), Some(2));
}

/// A name that promises a packed file, which is told before the trace is opened, and an option of which one would be passed
/// over.
#[test]
fn what_convert_would_do_otherwise_than_asked_is_refused() {
    let to = format!("{}/packed.gz", env!("CARGO_TARGET_TMPDIR"));
    let kperf = ["convert", "--to", "kperf2"];
    let cases: [(&[&str], &str); 2] = [
        (&["no-such-trace", &to], "name it without .gz"),
        (
            &["--wire", "a", "--wire", "b", "-", "-"],
            "--wire is given twice",
        ),
    ];
    for (more, why) in cases {
        let refused = ringside(&[&kperf, more].concat(), TRACE);
        let said = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2));
        assert!(said.contains(why), "{said}");
        assert!(!Path::new(&to).exists());
    }
}

#[test]
fn convert_that_is_stopped_leaves_what_was_there() {
    let folder = format!("{}/stopped", env!("CARGO_TARGET_TMPDIR"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let name = |name: &str| format!("{folder}/{name}");
    let files = || {
        let files = fs::read_dir(&folder).expect("it is there");
        let mut files: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
        files.sort();
        files
    };
    let long = TRACE.replace("damaged\n", "").repeat(200);
    fs::write(name("trace"), long).expect("the folder is ours");
    fs::write(name("out"), "here before").expect("the folder is ours");
    // A process that writes more than it may is ended by a signal, in the middle of its file.
    let script = "ulimit -f 1; exec \"$0\" convert --to kperf2 \"$1\" \"$2\"";
    let stopped = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_ringside")])
        .args([name("trace"), name("out")])
        .output()
        .expect("there is a shell");
    assert!(!stopped.status.success());
    assert_eq!(fs::read_to_string(name("out")).unwrap(), "here before");
    // What was written until then had no name, where there are files without one.
    #[cfg(target_os = "linux")]
    assert_eq!(files(), ["out", "trace"]);
    let whole = ringside(
        &["convert", "--to", "kperf2", &name("trace"), &name("out")],
        "",
    );
    assert_eq!(whole.status.code(), Some(0));
    assert!(
        fs::read_to_string(name("out"))
            .unwrap()
            .starts_with("# kperf 2")
    );
    let whole = ringside(
        &["convert", "--to", "kperf2", &name("trace"), &name("new")],
        "",
    );
    assert_eq!(whole.status.code(), Some(0));
    assert_eq!(
        fs::read(name("new")).unwrap(),
        fs::read(name("out")).unwrap()
    );
    assert_eq!(files(), ["new", "out", "trace"]);
    // A device stays a device.
    let given = ringside(
        &["convert", "--to", "kperf2", &name("trace"), "/dev/null"],
        "",
    );
    assert_eq!(given.status.code(), Some(0));
}

#[test]
fn convert_does_not_write_over_what_it_reads() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("over");
    fs::create_dir_all(&folder).expect("a folder");
    let trace = folder.join("trace.txt");
    fs::write(&trace, TRACE).expect("a file");
    let name = trace.to_str().expect("UTF-8");
    let output = ringside(&["convert", "--to", "ftrace", name, name], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the trace itself"));
    assert_eq!(fs::read_to_string(&trace).expect("still there"), TRACE);
    let nowhere = "no/such/folder.txt";
    let output = ringside(&["convert", "--to", "ftrace", name, nowhere], "");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains(nowhere), "{said}");
}

#[test]
fn convert_names_the_file_that_it_cannot_write_and_no_other() {
    let folder = format!("{}/no-folder", env!("CARGO_TARGET_TMPDIR"));
    let out = format!("{folder}/out");
    let output = ringside(&["convert", "--to", "kperf2", "-", &out], TRACE);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    let why = format!("cannot write: {out}: there is no folder {folder}\n");
    assert!(said.ends_with(&why), "{said}");

    // A folder in which the kernel alone makes files.
    #[cfg(target_os = "linux")]
    {
        let output = ringside(&["convert", "--to", "kperf2", "-", "/proc/o"], TRACE);
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stderr);
        let why = "cannot write: /proc/o: no file can be made in the folder /proc\n";
        assert!(said.ends_with(why), "{said}");
    }

    // Larger than a file may be, where that is no signal.
    let out = format!("{}/too-large", env!("CARGO_TARGET_TMPDIR"));
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" convert --to kperf2 - \"$1\"";
    let mut child = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_ringside"), &out])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let long = TRACE.replace("damaged\n", "").repeat(200);
    stdin.write_all(long.as_bytes()).expect("it is all read");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends by itself");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(&format!("cannot write: {out}: ")), "{said}");
    assert!(!said.contains(".ringside-"), "{said}");
}

#[test]
fn convert_writes_the_frames_of_a_recording_that_has_its_link() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/udp-fragments");
    let path = |name: &str| folder.join(name).display().to_string();
    let (trace, wire) = (path("trace.txt.gz"), path("wire.pcap.gz"));
    let alone = ringside(&["convert", "--to", "pcapng", &trace, "-"], "");
    assert_eq!(alone.status.code(), Some(1));
    let said = String::from_utf8_lossy(&alone.stderr).into_owned();
    let why = "no frame of the link is known of this recording: name a capture of its link with --wire PCAP\n";
    assert!(said.ends_with(why), "{said}");
    let frames = ringside(
        &["convert", "--wire", &wire, "--to", "pcapng", &trace, "-"],
        "",
    );
    assert_eq!(frames.status.code(), Some(0));
    assert_eq!(frames.stdout[..4], [0x0a, 0x0d, 0x0d, 0x0a]);
    // The other formats have them as well.
    let output = ringside(
        &["convert", "--to", "kperf2", "--wire", &wire, &trace, "-"],
        "",
    );
    let text = String::from_utf8(output.stdout).expect("kperf 2 is text");
    assert!(text.contains(" ev wire_rx "));
    let over = ringside(
        &["convert", "--wire", &wire, "--to", "kperf2", &trace, &wire],
        "",
    );
    assert_eq!(over.status.code(), Some(2));
    let said = String::from_utf8_lossy(&over.stderr).into_owned();
    assert!(said.contains("is the capture itself"), "{said}");
}

/// A capture that was named is not asked for.
#[test]
fn convert_says_of_a_capture_without_frames_that_none_was_found() {
    let capture = format!("{}/no-frames.pcap", env!("CARGO_TARGET_TMPDIR"));
    // The head of a pcap file: microseconds, version 2.4, Ethernet.
    let head = [0xa1b2_c3d4, 0x0004_0002, 0, 0, 65535, 1u32];
    let bytes: Vec<u8> = head.iter().flat_map(|word| word.to_le_bytes()).collect();
    fs::write(&capture, bytes).expect("the folder is ours");
    let words = ["convert", "--to", "pcapng", "--wire", &capture, "-", "-"];
    let output = ringside(&words, TRACE);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    let why =
        "no frame of the link is known of this recording: none of the capture's is found in it\n";
    assert!(said.ends_with(why), "{said}");
}

#[cfg(unix)]
#[test]
fn convert_writes_where_a_link_leads_and_leaves_the_link() {
    use std::os::unix::fs::symlink;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("links");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("behind")).expect("a folder");
    for (to, name) in [
        ("behind/first", "link"),
        ("link", "second"),
        ("b", "a"),
        ("a", "b"),
    ] {
        symlink(to, folder.join(name)).expect("the folder is ours");
    }
    let written = |name: &str| {
        let path = folder.join(name).display().to_string();
        ringside(&["convert", "--to", "kperf2", "-", &path], TRACE)
    };
    // Twice: there is nothing at its end at first.
    for name in ["second", "link"] {
        assert_eq!(written(name).status.code(), Some(0));
        let text = fs::read_to_string(folder.join("behind/first")).expect("where it leads");
        assert!(text.starts_with("# kperf 2"));
        assert!(folder.join(name).is_symlink());
    }
    let round = written("a");
    assert_eq!(round.status.code(), Some(1));
    assert!(folder.join("a").is_symlink());
}

/// A recording names addresses and processes: who has made a file for himself alone keeps it so.
#[cfg(unix)]
#[test]
fn convert_leaves_a_file_to_those_who_could_read_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let out = format!("{}/private", env!("CARGO_TARGET_TMPDIR"));
    fs::write(&out, "here before").expect("the folder is ours");
    for mode in [0o600, 0o604] {
        fs::set_permissions(&out, fs::Permissions::from_mode(mode)).expect("the file is ours");
        let output = ringside(&["convert", "--to", "kperf2", "-", &out], TRACE);
        assert_eq!(output.status.code(), Some(0));
        let written = fs::metadata(&out).expect("it was written");
        assert_eq!(written.permissions().mode() & 0o777, mode);
    }
}
