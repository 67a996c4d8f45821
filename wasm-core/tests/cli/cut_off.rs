//! A recording or a capture of which only a part could be read: what is made of it looks whole, so it is said.

use std::fs;
use std::path::Path;

use super::ringside;

/// The first bytes of a packed file of a shelf's folder.
fn cut(name: &str, bytes: usize) -> String {
    let shelf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/udp-fragments");
    let whole = fs::read(shelf.join(name)).expect("it is on the shelf");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cut-off-{name}"));
    fs::write(&path, &whole[..bytes]).expect("the folder is ours");
    path.display().to_string()
}

#[test]
fn each_command_says_once_that_only_a_part_could_be_read() {
    let trace = cut("trace.txt.gz", 2000);
    let trace = trace.as_str();
    let cases: [&[&str]; 9] = [
        &["convert", "--to", "kperf2", trace, "-"],
        &["convert", "--to", "chrome", trace, "-"],
        &["findings", trace],
        &["findings", "--json", trace],
        &["journeys", trace],
        &["frame", "--at", "+1us", trace],
        &["told", trace],
        &["profile", trace],
        &["compare", trace, "wc-ring", "--seeds", "1"],
    ];
    let part = format!("ringside: {trace}: Only a part could be read: the gzip ");
    for words in cases {
        let output = ringside(words, "");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {said}");
        assert_eq!(said.matches(&part).count(), 1, "{words:?}: {said}");
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(!stdout.contains("Only a part"), "{words:?}: {stdout}");
    }
    // Its output has the warnings.
    for words in [&["summarize", trace][..], &["summarize", "--json", trace]] {
        let output = ringside(words, "");
        assert_eq!(output.stderr, b"");
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert_eq!(stdout.matches("Only a part").count(), 1, "{stdout}");
    }
}

#[test]
fn so_it_is_of_a_capture() {
    let shelf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces/udp-fragments");
    let trace = shelf.join("trace.txt.gz").display().to_string();
    let wire = cut("wire.pcap.gz", 400);
    let words = ["convert", "--to", "kperf2", "--wire", &wire, &trace, "-"];
    let output = ringside(&words, "");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let part = format!("ringside: {wire}: Only a part could be read: the gzip ");
    assert_eq!(said.matches(&part).count(), 1, "{said}");
}
