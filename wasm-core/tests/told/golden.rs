//! The first half minute of some runs as it is told, against golden files that
//! `UPDATE_EXPECT=1 cargo test` rewrites.

use expect_test::expect_file;

use super::shelf::{recording, scenario};
use ringside::told::{Told, picture};

const RECORDINGS: &[&str] = &[
    "udp-fragments",
    "socket-buffer-overflow",
    "tcp-gro-on",
    "send-udp-fragments",
];
const SCENARIOS: &[&str] = &["ba-fig5-smp-1"];

#[test]
fn the_story_reads_as_it_did() {
    let recordings = RECORDINGS.iter().map(|name| (name, recording(name)));
    let scenarios = SCENARIOS.iter().map(|name| (name, scenario(name)));
    for (name, opened) in recordings.chain(scenarios) {
        let told = Told::of(&opened.replay, None);
        let text = picture(&opened.replay, &told, 30.0);
        expect_file![format!("golden/{name}.txt")].assert_eq(&text);
    }
}
