//! What became of a capture's frames is said to people and to programs, by each command that takes one.

use std::path::Path;

use super::ringside;

fn shelf(folder: &str, name: &str) -> String {
    let shelf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces");
    shelf.join(folder).join(name).display().to_string()
}

#[test]
fn a_summary_accounts_for_the_frames_of_a_capture() {
    let trace = shelf("closed-and-filtered-ports", "trace.txt.gz");
    let wire = shelf("closed-and-filtered-ports", "wire.pcap.gz");
    let words = ["summarize", "--json", "--wire", &wire, &trace];
    let output = ringside(&words, "");
    assert_eq!(output.status.code(), Some(0));
    let summary: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("one JSON object");
    let frames = |what: &str| summary["wire"][what].as_u64().expect("a number");
    assert!(frames("matched_in") > 0 && frames("matched_out") > 0);
    let text = ringside(&["summarize", "--wire", &wire, &trace], "");
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    let (matched, out) = (frames("matched_in"), frames("matched_out"));
    let all = matched + frames("unmatched_in") + frames("dropped_by_nic");
    let line = format!("wire: {matched} of {all} frames in matched, {out} of ");
    assert!(text.contains(&line), "{text}");
}

#[test]
fn a_capture_of_another_recording_is_told_by_each_command() {
    let trace = shelf("busy-receiver", "trace.txt.gz");
    let wire = shelf("closed-and-filtered-ports", "wire.pcap.gz");
    let why = "None of the capture’s";
    for words in [
        &["journeys", "--json", "--wire", &wire, &trace][..],
        &["findings", "--json", "--wire", &wire, &trace],
        &["convert", "--to", "kperf2", "--wire", &wire, &trace, "-"],
    ] {
        let said = ringside(words, "").stderr;
        let said = String::from_utf8_lossy(&said);
        assert_eq!(said.matches(why).count(), 1, "{words:?}: {said}");
    }
    let output = ringside(&["summarize", "--json", "--wire", &wire, &trace], "");
    assert!(String::from_utf8_lossy(&output.stdout).contains(why));
}
