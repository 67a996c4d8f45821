//! packetdrill's scripts: their text, and runs of those that are accepted.

use ringside::journey::{Journeys, invariants};
use sim::packetdrill;

use crate::scenario::CATALOGUE;

/// A script is refused or differs with words and a line that it has, and its run is as any other.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let kernel = CATALOGUE.kernel("6.1").unwrap();
    let lines = text.split('\n').count() as u32;
    let line = match packetdrill::run(text, kernel, &|_| None) {
        Err(refused) => {
            assert!(!refused.why.is_empty());
            refused.line
        }
        Ok(outcome) => {
            let run = &outcome.run;
            assert_eq!(invariants::broken(run, &Journeys::of(run)), []);
            outcome.difference.map_or(1, |difference| difference.line)
        }
    };
    assert!((1..=lines).contains(&line), "line {line} of {lines}");
}
