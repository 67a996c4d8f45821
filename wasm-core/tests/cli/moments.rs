//! Times that a command is given: moments of a recording, and where a part of it begins and ends.

use super::{TRACE, ringside};

/// What `frame` says on standard error of a moment; it prints its frame in any case.
fn said_of(moment: &str) -> String {
    let output = ringside(&["frame", "--at", moment, "-"], TRACE);
    assert_eq!(output.status.code(), Some(0), "{moment}");
    assert!(output.stdout.starts_with(b"at "), "{moment}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_frame_outside_the_recording_is_told() {
    for moment in ["1.000001s", "1.000003s", "+3us"] {
        assert_eq!(said_of(moment), "");
    }
    let before = "ringside: -: 999000000 ns is before its first event, at 1000001000 ns\n";
    assert_eq!(said_of("999ms"), before);
    let after = "ringside: -: 1000004001 ns is after its last event, at 1000004000 ns\n";
    assert_eq!(said_of("+3001ns"), after);
}

#[test]
fn a_part_is_given_by_the_clock_alone_and_the_answer_says_why() {
    for option in ["--from", "--to"] {
        let output = ringside(&["summarize", option, "+1s", "-"], TRACE);
        assert_eq!(output.status.code(), Some(2));
        let why = String::from_utf8_lossy(&output.stderr);
        let said = format!("ringside: {option} takes no time after a +: ");
        assert!(why.starts_with(&said), "{why}");
        assert!(why.contains("summarize --json"), "{why}");
    }
    let help = String::from_utf8(ringside(&["help"], "").stdout).expect("usage is text");
    assert!(help.contains("\n--at takes it after a +"), "{help}");
}

/// A trace's text has its times so, in seconds; a number alone is nanoseconds, of which none has a fraction.
#[test]
fn a_fraction_without_a_unit_is_refused_with_the_units() {
    for (words, option) in [
        (&["frame", "--at", "1.000002", "-"][..], "--at"),
        (&["frame", "--at", "+1.5", "-"], "--at"),
        (&["summarize", "--from", "1.000002", "-"], "--from"),
        (&["summarize", "--to", "1.000002", "-"], "--to"),
    ] {
        let output = ringside(words, TRACE);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let why = String::from_utf8_lossy(&output.stderr);
        let given = words[2];
        let said = format!(
            "ringside: {option}: {given} has no unit: say {given}s, {given}ms, {given}us or {given}ns\n"
        );
        assert!(why.starts_with(&said), "{why}");
    }
    let why = ringside(&["frame", "--at", "noon", "-"], TRACE).stderr;
    let why = String::from_utf8_lossy(&why);
    assert!(
        why.starts_with("ringside: --at: \"noon\" is no time such as "),
        "{why}"
    );
}
