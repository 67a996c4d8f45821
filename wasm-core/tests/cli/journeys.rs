//! What `journeys --json` tells programs beside what its text tells people.

use std::path::Path;

use super::ringside;

/// Of the datagrams of three sockets that one task serves, which of its calls took which is not always known; the text
/// says so of the same packets.
#[test]
fn journeys_tell_programs_too_of_which_the_call_is_unknown() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/tracepoints/udp-three-sockets.txt.gz")
        .display()
        .to_string();
    let told = |arguments: &[&str]| {
        let output = ringside(&[arguments, &[&file]].concat(), "");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let text = told(&["journeys"]);
    let packets = text.lines().filter(|line| line.starts_with("packet "));
    let by_text: Vec<bool> = packets
        .map(|line| line.contains("by which of its calls is not recorded"))
        .collect();
    let json = told(&["journeys", "--json"]);
    let rows = json.lines().map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).expect("an object a line");
        let is_call_unknown = row["is_call_unknown"].as_bool()?;
        // Of an unknown reader the text tells nothing.
        Some(is_call_unknown && row["reader_pid"].is_u64())
    });
    let by_json: Option<Vec<bool>> = rows.collect();
    assert!(
        by_text.contains(&true) && by_text.contains(&false),
        "{text}"
    );
    assert_eq!(by_json, Some(by_text));
}
