//! Every code that the core can say has a message with exactly its values, and no message
//! is left of a code that is gone.

use std::collections::{BTreeMap, BTreeSet};

use ringside::english::{Cases, Message, key, messages};
use ringside::saying::Code;
use ringside::{compare, export, findings, import, intervention, journey, ledger, told, wire};

/// The codes of every part of the core and of the simulator that says something.
const ALL: &[&[Code]] = &[
    compare::words::CODES,
    findings::words::CODES,
    told::words::CODES,
    intervention::words::CODES,
    journey::words::CODES,
    import::says::CODES,
    import::found::CODES,
    ledger::CODES,
    export::CODES,
    sim::config::refusal::says::CODES,
    sim::config::unfit::says::CODES,
    wire::words::CODES,
];

fn codes() -> impl Iterator<Item = Code> {
    ALL.iter().flat_map(|codes| codes.iter().copied())
}

/// The texts of a message: one, or one for each case.
fn texts(message: &Message) -> Vec<&str> {
    match message {
        Message::Text(text) => vec![text],
        Message::Cases(cases) => cases
            .iter()
            .flat_map(|cases| cases.texts.values().map(String::as_str))
            .collect(),
    }
}

/// The values by which, or by whose plural, a text is chosen.
fn deciding(message: &Message) -> Vec<&str> {
    let Message::Cases(cases) = message else {
        return Vec::new();
    };
    let selectors = cases.iter().flat_map(|cases| &cases.selectors);
    selectors
        .filter_map(|selector| cases.iter().find_map(|cases| value_of(cases, selector)))
        .collect()
}

/// The value that a selector is, or is the plural of.
fn value_of<'a>(cases: &'a Cases, selector: &str) -> Option<&'a str> {
    cases.declarations.iter().find_map(|text| {
        let is_it = |name: &str| name.trim() == selector;
        if let Some(input) = text.strip_prefix("input ") {
            return is_it(input).then_some(input);
        }
        let (name, of) = text.strip_prefix("local ")?.split_once('=')?;
        is_it(name).then_some(of.trim().strip_suffix(": plural")?)
    })
}

/// The names in braces.
fn names(text: &str) -> BTreeSet<&str> {
    let after = text.split('{').skip(1);
    after
        .filter_map(|rest| Some(rest.split_once('}')?.0))
        .collect()
}

#[test]
fn every_code_has_its_message_with_exactly_its_values() {
    let mut wrong = Vec::new();
    for (code, values) in codes() {
        let expected: BTreeSet<&str> = values.iter().copied().collect();
        let Some(message) = messages().get(&key(code)) else {
            wrong.push(format!("{}: write it", key(code)));
            continue;
        };
        // A case may leave out the number that makes it the case ("one packet").
        let said = texts(message).into_iter().flat_map(names);
        let all: BTreeSet<&str> = said.chain(deciding(message)).collect();
        if all != expected {
            wrong.push(format!("{}: has {all:?} for {expected:?}", key(code)));
        }
    }
    assert!(
        wrong.is_empty(),
        "web/words/messages/en.json:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn no_two_codes_share_a_message_and_none_is_left_over() {
    let mut keys: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (code, _) in codes() {
        keys.entry(key(code)).or_default().push(code);
    }
    let shared: Vec<_> = keys.values().filter(|codes| codes.len() > 1).collect();
    assert!(shared.is_empty(), "one message for {shared:?}");
    let said = messages().keys().filter(|key| key.starts_with("say_"));
    let left: Vec<_> = said.filter(|key| !keys.contains_key(*key)).collect();
    assert!(left.is_empty(), "nobody says {left:?}");
}

#[test]
fn a_case_is_chosen_by_a_value_of_the_code() {
    for (code, values) in codes() {
        let Some(Message::Cases(cases)) = messages().get(&key(code)) else {
            continue;
        };
        for cases in cases {
            for selector in &cases.selectors {
                let is_known = value_of(cases, selector).is_some_and(|of| values.contains(&of));
                assert!(is_known, "{}: {selector} is no value of it", key(code));
            }
        }
    }
}
