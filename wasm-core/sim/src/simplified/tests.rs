//! The list of differences: complete sentences, and none twice.

use std::collections::BTreeSet;

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
