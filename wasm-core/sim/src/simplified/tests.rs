//! The list of differences: complete sentences, none twice, and each that the code speaks of.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::ALL;

#[test]
fn every_difference_says_all_four_things_and_is_named_once() {
    let mut names = BTreeSet::new();
    for mechanism in ALL {
        assert!(
            !mechanism.simplifications.is_empty(),
            "{} has none",
            mechanism.title
        );
        for simplification in mechanism.simplifications {
            let about = simplification.about;
            assert!(names.insert(about), "{about:?} stands there twice");
            for sentence in [
                simplification.linux,
                simplification.here,
                simplification.seen,
            ] {
                assert!(sentence.ends_with('.'), "{about:?}: {sentence:?}");
            }
        }
    }
}

/// What a comment of this crate calls simplified is one of the differences that the page shows, by its name: `Simplified
/// ("groups"): no cgroups`.
#[test]
fn what_a_comment_calls_simplified_is_in_the_list() {
    let named: BTreeSet<&str> = ALL
        .iter()
        .flat_map(|mechanism| mechanism.simplifications)
        .map(|simplification| simplification.about)
        .collect();
    let mut told = 0;
    for file in sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))) {
        if file
            .components()
            .any(|part| part.as_os_str() == "simplified")
        {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        for place in comments(&text).split("Simplified").skip(1) {
            let name = place
                .strip_prefix(" (\"")
                .and_then(|rest| rest.split_once("\"):"))
                .map(|(name, _)| name);
            let is_named = name.is_some_and(|name| named.contains(name));
            let start: String = place.chars().take(60).collect();
            assert!(is_named, "{}: Simplified{start}", file.display());
            told += 1;
        }
    }
    assert!(told > 30, "{told}");
}

/// The Rust files of a folder and of those in it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                sources(&path)
            } else {
                vec![path]
            }
        })
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .collect()
}

/// The comments of a file, their lines joined by spaces.
fn comments(text: &str) -> String {
    let lines = text.lines().map(str::trim_start);
    let lines = lines.filter_map(|line| line.strip_prefix("//"));
    let lines: Vec<&str> = lines
        .map(|line| line.trim_start_matches(['/', '!', ' ']))
        .collect();
    lines.join(" ")
}
