//! What a law gave in its scenarios, a line each: pinned beside the tests (`held/`) and shown by
//! the page ("Why believe it").
//!
//! A line is: whether the law is to hold, what it says, what was measured, their ratio, of what, in which scenario.

use std::fmt::Write;

use expect_test::expect_file;
use serde_json::Value;

/// The lines of one law.
#[derive(Default)]
pub struct Held {
    samples: Vec<Sample>,
}

struct Sample {
    scenario: Value,
    of: String,
    law: f64,
    measured: f64,
    is_held: bool,
}

impl Held {
    /// The law says `law` of something in a scenario, and `measured` came out.
    pub fn note(&mut self, scenario: &Value, of: &str, law: f64, measured: f64) {
        self.take(scenario, of, law, measured, true);
    }

    /// The same where the law tells of a system that it does not hold for.
    pub fn note_broken(&mut self, scenario: &Value, of: &str, law: f64, measured: f64) {
        self.take(scenario, of, law, measured, false);
    }

    fn take(&mut self, scenario: &Value, of: &str, law: f64, measured: f64, is_held: bool) {
        let (scenario, of) = (scenario.clone(), of.to_owned());
        self.samples.push(Sample {
            scenario,
            of,
            law,
            measured,
            is_held,
        });
    }

    /// Fails with the lines whose ratio is not within a range.
    pub fn all_within(&self, range: std::ops::RangeInclusive<f64>) {
        let is_off =
            |sample: &&Sample| sample.is_held && !range.contains(&(sample.measured / sample.law));
        let off: Vec<String> = self.samples.iter().filter(is_off).map(line).collect();
        assert!(off.is_empty(), "not within {range:?}:\n{}", off.join(""));
    }

    /// Compares with what is pinned under the law's name.
    pub fn pin(&self, name: &str) {
        let text: String = self.samples.iter().map(line).collect();
        let path = format!("{}/tests/laws/held/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        expect_file![path].assert_eq(&text);
    }
}

fn line(sample: &Sample) -> String {
    let mut text = String::new();
    let Sample {
        scenario,
        of,
        law,
        measured,
        is_held,
    } = sample;
    let kind = if *is_held { "held" } else { "broken" };
    let ratio = measured / law;
    writeln!(
        text,
        "{kind:6} {law:>12.4} {measured:>12.4} {ratio:>7.4}  {of}  {scenario}"
    )
    .unwrap();
    text
}
