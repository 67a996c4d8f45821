//! What a source says of another file holds.

use super::shipped;

/// The other file may be fitted anew; whoever says that it has the same is held to it.
#[test]
fn what_is_as_in_another_file_is_checked() {
    let catalogue = shipped();
    let is_of_another = |text: &str| {
        text.match_indices("as ").any(|(at, word)| {
            let rest = &text[at + word.len()..];
            let named = rest.strip_prefix("in ").unwrap_or(rest);
            let digits = named.trim_start_matches(|it: char| it.is_ascii_digit());
            let is_version = digits.len() < named.len() && digits.starts_with('.');
            let is_length = text[..at].ends_with("long ");
            is_version || (named.starts_with("paths.") && !is_length)
        })
    };
    assert!(is_of_another("cycles as in 2.6.3") && !is_of_another("guessed as 256"));
    for file in catalogue.files() {
        for one in catalogue.parameters(file) {
            let (text, path) = (&one.source.text, &one.path);
            let is_checked = one.source.same_as.is_some();
            assert!(is_checked || !is_of_another(text), "{file} {path}: {text}");
        }
    }
}
