//! The layers of the simulator's engine: a mechanism may use those before it in [`ORDER`], and none behind it;
//! `sim/src/engine/mod.rs` says what they are. The compiler does not hold this, as `Core` and
//! `Net` have methods in many folders; reading the sources does.

#![allow(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::collections::BTreeMap;

use crate::code::code_below;

/// The layers, the lowest first. A folder is one, and so is a file beside the folders.
const ORDER: [&str; 24] = [
    "ids",
    "events",
    "spinlock",
    "cpu",
    "record",
    "memory",
    "locks",
    "tasks",
    "host",
    "core",
    "napi",
    "softnet",
    "nic",
    "softirq",
    "netfilter",
    "ip",
    "sockets",
    "busy_poll",
    "net",
    "process",
    "execute",
    "measure",
    "audit",
    "setup",
];
/// What is put together of layers: its own methods only reach into it, and any layer may use it.
const WHOLES: [&str; 3] = ["core", "net", "host"];
/// The types whose methods are spread over layers, and what they are called where they are used.
const SPREAD: [(&str, &[&str]); 3] = [
    ("Core", &["core.", "self.core.", "Core::"]),
    ("Net", &["net.", "self.net.", "Net::"]),
    ("Engine", &["engine.", "self.engine."]),
];

/// What holds the layers' state: its file, its name, and what it is called where it is used.
const HOLDERS: [(&str, &str, &[&str]); 2] = [
    ("net.rs", "Net", &["net.", "self.net."]),
    ("net.rs", "Stack", &["stack.", "stacks[]."]),
];

struct Source {
    /// Place in [`ORDER`].
    layer: usize,
    file: String,
    text: String,
}

fn sources() -> Vec<Source> {
    code_below("sim/src/engine")
        .into_iter()
        .filter_map(|(file, text)| {
            // Tests look at a mechanism from anywhere, in whole worlds.
            let is_test = file.ends_with("tests.rs") || file.contains("/tests/");
            if is_test || file.ends_with("testing.rs") {
                return None;
            }
            let name = file.split(['/', '.']).next().unwrap();
            let layer = ORDER.iter().position(|layer| *layer == name);
            assert!(layer.is_some() || file == "mod.rs", "{file} is in no layer");
            Some(Source {
                layer: layer?,
                text,
                file,
            })
        })
        .collect()
}

/// The pieces of a source, each with the spread type whose `impl` block it is in, if any.
fn blocks(text: &str) -> Vec<(Option<&'static str>, &str)> {
    let mut blocks = Vec::new();
    let (mut inside, mut from) = (None, 0);
    for (at, line) in text
        .match_indices('\n')
        .map(|(at, _)| (at + 1, &text[at + 1..]))
    {
        let line = line.lines().next().unwrap_or_default();
        let begins = SPREAD
            .iter()
            .find(|(name, _)| line == format!("impl {name} {{"));
        if begins.is_some() || line == "}" {
            blocks.push((inside, &text[from..at]));
            (inside, from) = (begins.map(|(name, _)| *name), at);
        }
    }
    blocks.push((inside, &text[from..]));
    blocks
}

/// The layers whose types a holder's fields have, by the field's name.
fn fields(sources: &[Source], file: &str, holder: &str) -> BTreeMap<String, usize> {
    let text = &sources.iter().find(|it| it.file == file).unwrap().text;
    let layer_of = |kind: &str| {
        let mut uses = text
            .split(';')
            .filter_map(|it| it.trim().strip_prefix("use super::"));
        let from = uses.find(|it| {
            it.split(|c: char| !c.is_alphanumeric())
                .any(|it| it == kind)
        })?;
        let folder = from.split("::").next().unwrap();
        ORDER.iter().position(|layer| *layer == folder)
    };
    let begin = format!("pub struct {holder} {{");
    let body = text
        .split(&begin)
        .nth(1)
        .unwrap()
        .split("\n}")
        .next()
        .unwrap();
    let fields = body
        .lines()
        .filter_map(|line| line.trim().strip_prefix("pub ")?.split_once(": "));
    let kinds = |kind: &str| -> Option<usize> {
        let words = kind.split(|c: char| !c.is_alphanumeric());
        words.filter(|it| !it.is_empty()).filter_map(layer_of).max()
    };
    fields
        .filter_map(|(name, kind)| Some((name.to_owned(), kinds(kind)?)))
        .collect()
}

/// A text without white space, and without what stands in brackets.
fn without_indices(text: &str) -> String {
    let mut depth = 0;
    let letters = text.chars().filter(|letter| !letter.is_whitespace());
    let kept = letters.filter(|letter| {
        depth -= usize::from(*letter == ']' && depth > 0);
        let is_kept = depth == 0;
        depth += usize::from(*letter == '[');
        is_kept
    });
    kept.collect()
}

/// The fields of layers behind its own that a source reaches into.
fn reached(sources: &[Source]) -> Vec<String> {
    let mut upward = Vec::new();
    for (file, holder, prefixes) in HOLDERS {
        let fields = fields(sources, file, holder);
        assert!(fields.len() > 4, "the fields of {holder} are not found");
        for source in sources {
            if WHOLES.contains(&ORDER[source.layer]) {
                continue;
            }
            for (inside, text) in blocks(&source.text) {
                let flat = without_indices(text);
                let own = (inside == Some(holder)).then_some("self.");
                for prefix in prefixes.iter().copied().chain(own) {
                    for (at, _) in flat.match_indices(prefix) {
                        let rest = &flat[at + prefix.len()..];
                        let end =
                            rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
                        let field = &rest[..end.unwrap_or(rest.len())];
                        if fields.get(field).is_some_and(|&layer| layer > source.layer) {
                            upward.push(format!("{}: {field} of {holder}", source.file));
                        }
                    }
                }
            }
        }
    }
    upward
}

/// The name of the method that is called, or declared, at the beginning of a text.
fn name(text: &str) -> Option<&str> {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_')?;
    text[end..].starts_with('(').then(|| &text[..end])
}

#[test]
fn a_layer_of_the_engine_uses_only_those_before_it() {
    let sources = sources();
    assert!(sources.len() > 40, "the engine has moved");
    let mut declared: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for source in &sources {
        for (inside, text) in blocks(&source.text) {
            let is_whole = WHOLES.contains(&ORDER[source.layer]);
            let Some(of) = inside.filter(|_| !is_whole) else {
                continue;
            };
            for (at, _) in text.match_indices("fn ") {
                if let Some(name) = name(&text[at + 3..]) {
                    declared.insert((of, name), source.layer);
                }
            }
        }
    }
    assert!(declared.len() > 150, "the engine's methods are not found");
    let mut upward = Vec::new();
    for source in &sources {
        for (inside, text) in blocks(&source.text) {
            let flat: String = text.split_whitespace().collect();
            for (of, prefixes) in SPREAD {
                let own = (inside == Some(of)).then_some(["self.", "Self::"]);
                let prefixes = prefixes.iter().copied().chain(own.into_iter().flatten());
                for prefix in prefixes {
                    for (at, _) in flat.match_indices(prefix) {
                        let called = name(&flat[at + prefix.len()..]);
                        let layer = called.and_then(|name| declared.get(&(of, name)));
                        if let Some(&layer) = layer.filter(|layer| **layer > source.layer) {
                            let called = called.unwrap_or_default();
                            upward.push(format!("{}: {called} of {}", source.file, ORDER[layer]));
                        }
                    }
                }
            }
        }
        for prefix in ["crate::engine::", "use super::"] {
            for (at, _) in source.text.match_indices(prefix) {
                let rest = &source.text[at + prefix.len()..];
                let end = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap();
                let layer = ORDER.iter().position(|layer| *layer == &rest[..end]);
                let is_of_a_whole = WHOLES.contains(&ORDER[source.layer]);
                let is_upward = layer.is_some_and(|layer| layer > source.layer);
                if is_upward && !is_of_a_whole && !WHOLES.contains(&&rest[..end]) {
                    upward.push(format!("{}: uses {}", source.file, &rest[..end]));
                }
            }
        }
    }
    upward.append(&mut reached(&sources));
    assert_eq!(upward, Vec::<String>::new());
}
