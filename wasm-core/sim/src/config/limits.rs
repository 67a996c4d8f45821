//! How large a number of a data file may be. What is read has 32 or 64 bits, and prices are multiplied with counts
//! and with femtoseconds: beyond these a run would wrap, take all memory or never end. Every number of the shipped
//! files is smaller by far.

use serde_json::{Map, Value};

use super::refusal::{Unfit, says};
use super::scenario::LONGEST_US;

/// The most that a number may be, by the end of its field's name; the first that fits.
const MOST: &[(&str, u64)] = &[
    // Checked where machines are, with a least (`Machine::check`).
    ("bytes_per_second", u64::MAX),
    ("clock_khz", u64::MAX),
    ("rate_mbit", u64::MAX),
    ("kib", u64::MAX),
    ("permille", 1_000_000),
    ("cycles_per_kib", 10_000_000),
    ("cycles_per_line", 10_000_000),
    ("cycles_each", 10_000_000),
    ("cycles", 10_000_000),
    ("bytes", 1 << 30),
    ("ns", 1_000_000_000),
    ("slice_us", 1_000_000),
    ("ms", 3_600_000),
    ("segments", 1 << 16),
    ("ticks", 10_000),
    ("queues", 256),
];

/// The same for a number that is called otherwise: a count, or microseconds, of which the longest run has so many.
const MOST_OTHERWISE: u64 = LONGEST_US;

/// That all numbers of a file can be modelled; else the path of the first that cannot. Where a number comes from
/// (`sources`) may have others.
pub fn check(fields: &Map<String, Value>) -> Result<(), Unfit> {
    fields
        .iter()
        .filter(|(name, _)| *name != "sources")
        .try_for_each(|(name, value)| check_value(name, name, value))
}

fn check_value(path: &str, name: &str, value: &Value) -> Result<(), Unfit> {
    match value {
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| *name != "sources")
            .try_for_each(|(name, value)| check_value(&format!("{path}.{name}"), name, value)),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(index, item)| check_value(&format!("{path}.{index}"), name, item)),
        Value::Number(number) => {
            let known = MOST.iter().find(|(end, _)| name.ends_with(end));
            let most = known.map_or(MOST_OTHERWISE, |&(_, most)| most);
            // A fraction or a negative number is the type's to refuse.
            match number.as_u64() {
                Some(number) if number > most => Err(Unfit(says::at_most(
                    path.to_owned(),
                    number.to_string(),
                    most.to_string(),
                ))),
                _ => Ok(()),
            }
        }
        _ => Ok(()),
    }
}
