//! Sayings in English, for the command line and for goldens: the page's own messages with
//! the values put in. Not part of what the browser gets; there `web/words/say.ts` does it.
//!
//! A message is a text with `{names}`, or the inlang message format's list of variants by
//! plural or by a value; of that format only what our messages use is read.

#![cfg(not(target_family = "wasm"))]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::replay::{Queue, Replay};
use crate::saying::{Saying, Value};

/// The messages of the page, as they are shipped.
pub const MESSAGES: &str = include_str!("../../../web/words/messages/en.json");

/// A message of the page.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Message {
    /// A text with the names of its values in braces.
    Text(String),
    /// A text for each case.
    Cases(Vec<Cases>),
}

/// Texts by case: the first whose conditions all hold.
#[derive(Debug, Clone, Deserialize)]
pub struct Cases {
    /// `input count`, `local plural = count: plural`.
    pub declarations: Vec<String>,
    /// The variables that decide.
    pub selectors: Vec<String>,
    /// `plural=one`, `reason=XDP` or `plural=*`, with the text of that case.
    #[serde(rename = "match")]
    pub texts: BTreeMap<String, String>,
}

static PARSED: LazyLock<BTreeMap<String, Message>> = LazyLock::new(|| {
    serde_json::from_str(MESSAGES).unwrap_or_else(|error| {
        // The file is embedded and a test reads all of it.
        unreachable!("web/words/messages/en.json: {error}")
    })
});

/// All messages by key.
pub fn messages() -> &'static BTreeMap<String, Message> {
    &PARSED
}

/// The text of a message that is one for all cases; `None` where there is none of this key.
pub fn message(key: &str) -> Option<&'static str> {
    match messages().get(key)? {
        Message::Text(text) => Some(text),
        Message::Cases(_) => None,
    }
}

/// The key of a code's message.
pub fn key(code: &str) -> String {
    format!("say_{}", code.replace('.', "_"))
}

/// The saying as an English sentence; its code in brackets where no message is written.
pub fn say(saying: &Saying, replay: &Replay) -> String {
    put_in(saying, |value| in_words(value, replay))
}

/// The same for a saying about a file, of which there is no run: packets, queues, tasks and flows
/// are called by their number.
pub fn say_of_file(saying: &Saying) -> String {
    put_in(saying, |value| match value {
        Value::Said(part) => say_of_file(part),
        other => {
            let number = || other.number().unwrap_or_default().to_string();
            amount_in_words(other).unwrap_or_else(number)
        }
    })
}

fn put_in(saying: &Saying, in_words: impl Fn(&Value) -> String) -> String {
    let values: BTreeMap<&str, String> = saying
        .values
        .iter()
        .map(|(name, value)| (*name, in_words(value)))
        .collect();
    match messages().get(&key(saying.code)) {
        None => format!("[{}]", saying.code),
        Some(Message::Text(text)) => filled(text, &values),
        Some(Message::Cases(cases)) => {
            let text = cases.first().and_then(|cases| cases.text(saying, &values));
            text.map_or_else(String::new, |text| filled(text, &values))
        }
    }
}

impl Cases {
    /// The text for these values.
    fn text(&self, saying: &Saying, values: &BTreeMap<&str, String>) -> Option<&str> {
        let plural = |selector: &str| {
            let declared = self.declarations.iter().find_map(|declaration| {
                let (name, of) = declaration.strip_prefix("local ")?.split_once('=')?;
                (name.trim() == selector).then_some(of.split(':').next()?.trim())
            })?;
            let (_, value) = saying.values.iter().find(|(name, _)| *name == declared)?;
            let is_one = value.number() == Some(1.0);
            Some(if is_one { "one" } else { "other" })
        };
        let holds = |condition: &str| match condition.trim().split_once('=') {
            Some((_, "*")) | None => true,
            Some((selector, case)) => {
                let value = || values.get(selector.trim()).map(String::as_str);
                plural(selector.trim()).or_else(value) == Some(case)
            }
        };
        // A case that names its plural or value comes before one that takes any.
        let fits = |(conditions, _): &(&String, &String)| conditions.split(',').all(holds);
        let open = |conditions: &str| conditions.matches('*').count();
        self.texts
            .iter()
            .filter(fits)
            .min_by_key(|(conditions, _)| open(conditions))
            .map(|(_, text)| text.as_str())
    }
}

fn filled(text: &str, values: &BTreeMap<&str, String>) -> String {
    let fill =
        |text: String, (name, value): (&&str, &String)| text.replace(&format!("{{{name}}}"), value);
    values.iter().fold(text.to_owned(), fill)
}

fn in_words(value: &Value, replay: &Replay) -> String {
    match value {
        Value::Packet(packet) => replay.journeys.name(*packet).to_string(),
        Value::Queue(index) => replay
            .queues
            .get(*index as usize)
            .map_or_else(String::new, queue_name),
        Value::Task(pid) => match replay.run.comm(*pid) {
            Some(comm) => format!("{comm} ({})", pid.0),
            None => format!("task {}", pid.0),
        },
        Value::Flow(index) => {
            let flow = replay.journeys.flows.get(*index as usize);
            flow.map_or_else(String::new, ToString::to_string)
        }
        Value::Said(part) => say(part, replay),
        other => amount_in_words(other).unwrap_or_default(),
    }
}

/// A value that needs no run to be understood.
fn amount_in_words(value: &Value) -> Option<String> {
    const TIMES: [(&str, f64); 4] = [("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)];
    const BYTES: [(&str, f64); 4] = [("B", 1.0), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9)];
    match value {
        Value::Nanos(nanos) => Some(amount(*nanos as f64, TIMES)),
        Value::Bytes(bytes) => Some(amount(*bytes as f64, BYTES)),
        Value::Count(count) => Some(grouped(*count)),
        Value::Number(number) => Some(three_digits(*number)),
        Value::Share(share) => Some(percent(*share)),
        Value::Cpu(cpu) => Some(cpu.0.to_string()),
        Value::Station(station) => Some(station.to_string()),
        Value::DropReason(reason) => Some(reason.to_string()),
        Value::Probe(probe) => Some(probe.to_string()),
        Value::Name(name) => Some(name.clone()),
        Value::Unread(why) => Some((*why).to_owned()),
        Value::Packet(_) | Value::Queue(_) | Value::Task(_) | Value::Flow(_) | Value::Said(_) => {
            None
        }
    }
}

/// A queue by its kind and whose it is: `receive queue (port 5001)`.
pub fn queue_name(queue: &Queue) -> String {
    if queue.label.is_empty() {
        queue.kind.to_string()
    } else {
        format!("{} ({})", queue.kind, queue.label)
    }
}

/// In the smallest unit in which three digits are less than 1000.
fn amount(amount: f64, units: [(&str, f64); 4]) -> String {
    let fits = |&&(_, size): &&(&str, f64)| amount.abs() / size < 999.5;
    let &(name, size) = units.iter().find(fits).unwrap_or(&units[3]);
    let number = amount / size;
    // A whole number of the smallest unit is exact; else the digits say how exact it is.
    let is_whole = size <= 1.0 && number.fract() == 0.0;
    let digits = if is_whole {
        grouped(number as u64)
    } else {
        in_three_digits(number)
    };
    format!("{digits} {name}")
}

fn three_digits(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 999.5 {
        format!("{number:.0}")
    } else {
        in_three_digits(number)
    }
}

fn in_three_digits(number: f64) -> String {
    let decimals = match number.abs() {
        ..9.995 => 2,
        ..99.95 => 1,
        ..999.5 => 0,
        _ => return grouped(number.abs().round() as u64),
    };
    // The page rounds the shortest decimal that is this number, and half of a digit up.
    let number = number * (1.0 + f64::EPSILON);
    format!("{number:.decimals$}")
}

fn percent(share: f64) -> String {
    match share * 100.0 {
        percent if 0.0 < percent && percent < 0.1 => "< 0.1 %".to_owned(),
        percent if 99.9 < percent && percent < 100.0 => "> 99.9 %".to_owned(),
        percent if percent < 10.0 && percent.fract() != 0.0 => format!("{percent:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}

fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let places = digits.chars().enumerate();
    places.fold(String::new(), |mut text, (place, digit)| {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_like_the_page_s() {
        let times = [("ns", 1.0), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)];
        let read: Vec<String> = [0.0, 431.0, 4_430.0, 4_845.0, 999_600.0, 4_430_000.0, 93e9]
            .map(|nanos| amount(nanos, times))
            .to_vec();
        assert_eq!(
            read,
            [
                "0 ns", "431 ns", "4.43 µs", "4.85 µs", "1.00 ms", "4.43 ms", "93.0 s"
            ]
        );
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(
            [0.934, 0.000_4, 0.999_9, 0.025].map(percent),
            ["93 %", "< 0.1 %", "> 99.9 %", "2.5 %"]
        );
    }
}
