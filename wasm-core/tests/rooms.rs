//! The rooms of the stitcher, the folders of `core/src/journey/stitch/`: a room may use those before it in the order
//! that `core/src/journey/stitch.rs` states, and none behind it. The compiler does not hold this, as `Stitcher` has
//! methods in all rooms but two; reading the sources does. What a room's `mod.rs` says that it uses is what it uses.

#![allow(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::code::code_below;
use crate::recordings::folder;

/// The rooms, the lowest first.
const ORDER: [&str; 10] = [
    "packet", "survey", "table", "cpu", "ip", "send", "device", "socket", "read", "free",
];
/// What stands beside the rooms: each file may use every room, and no room uses one of them.
const BESIDE: [&str; 5] = [
    "finish.rs",
    "flows.rs",
    "identity.rs",
    "kperf.rs",
    "shared.rs",
];
/// How a room names another one: nothing shorter reaches it from within a folder.
const PATH: &str = "crate::journey::stitch::";

struct Source {
    /// Place in [`ORDER`].
    room: usize,
    file: String,
    /// Without comments and tests.
    code: String,
}

/// Where the rooms are, in the crate's folder.
const ROOMS: &str = "core/src/journey/stitch";

fn sources() -> Vec<Source> {
    code_below(ROOMS)
        .into_iter()
        .filter_map(|(file, code)| {
            let name = file.split('/').next().unwrap();
            let room = ORDER.iter().position(|room| *room == name);
            assert!(
                room.is_some() || BESIDE.contains(&name),
                "{file} is in no room"
            );
            (!file.ends_with("/tests.rs")).then_some(Source {
                room: room?,
                file,
                code,
            })
        })
        .collect()
}

/// The bodies of the `impl Stitcher` blocks of a source.
fn methods(code: &str) -> impl Iterator<Item = &str> {
    let blocks = code.split("\nimpl Stitcher<'_> {\n").skip(1);
    blocks.map(|block| block.split("\n}").next().unwrap())
}

/// The name that a text begins with.
fn name(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    &text[..end.unwrap_or(text.len())]
}

/// The stitcher's fields and the room of each: the one that its type is imported from.
fn fields() -> BTreeMap<String, usize> {
    let code = fs::read_to_string(folder("core/src/journey/stitch.rs")).unwrap();
    let (_, of) = code.split_once("struct Stitcher<'run> {\n").unwrap();
    let of = of.split("\n}").next().unwrap();
    let fields = of.lines().filter_map(|line| line.trim().split_once(": "));
    let fields = fields.filter_map(|(field, of_type)| {
        let imported = format!("::{};", name(of_type));
        let mut lines = code.lines();
        let path = lines.find_map(|line| line.strip_prefix("use ")?.strip_suffix(&imported))?;
        let room = ORDER.iter().position(|room| *room == name(path))?;
        Some((field.to_owned(), room))
    });
    fields.collect()
}

/// The rooms that each room uses: by a path, by calling a method of the stitcher, or by its field.
fn used(sources: &[Source]) -> BTreeMap<usize, BTreeSet<(usize, String)>> {
    let mut declared: BTreeMap<&str, usize> = BTreeMap::new();
    for source in sources {
        for block in methods(&source.code) {
            let names = block.split("fn ").skip(1).map(name);
            declared.extend(names.map(|name| (name, source.room)));
        }
    }
    assert!(
        declared.len() > 100,
        "the stitcher's methods are not found: {}",
        declared.len()
    );
    let fields = fields();
    assert!(
        fields.len() > 10,
        "the stitcher's fields are not found: {fields:?}"
    );
    let mut used: BTreeMap<usize, BTreeSet<(usize, String)>> = BTreeMap::new();
    for source in sources {
        let mut note = |room: Option<usize>, what: &str| {
            if let Some(room) = room.filter(|&room| room != source.room) {
                let told = format!("{}: {what} of {}", source.file, ORDER[room]);
                used.entry(source.room).or_default().insert((room, told));
            }
        };
        let room = |name: &str| ORDER.iter().position(|room| *room == name);
        for path in source.code.split(PATH).skip(1) {
            note(room(name(path)), path.split(';').next().unwrap());
        }
        if source.file.ends_with("mod.rs") {
            for path in source.code.split("use super::").skip(1) {
                note(room(name(path)), path.split(';').next().unwrap());
            }
        }
        for block in methods(&source.code) {
            let flat: String = block.split_whitespace().collect();
            for call in flat.split("self.").skip(1) {
                let called = name(call);
                let room = if call[called.len()..].starts_with('(') {
                    declared.get(called).copied()
                } else {
                    fields.get(called).copied()
                };
                note(room, called);
            }
        }
    }
    used
}

#[test]
fn a_room_of_the_stitcher_uses_only_those_before_it() {
    let sources = sources();
    let used = used(&sources);
    let upward = used.iter().flat_map(|(room, used)| {
        let behind = used.iter().filter(move |(other, _)| other > room);
        behind.map(|(_, told)| told)
    });
    assert_eq!(upward.collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn a_room_says_which_others_it_uses() {
    let all = used(&sources());
    for (room, name) in ORDER.iter().enumerate() {
        let text = fs::read_to_string(folder(ROOMS).join(name).join("mod.rs")).unwrap();
        let header = text.lines().take_while(|line| line.starts_with("//!"));
        let header = header.map(|line| line.trim_start_matches("//!"));
        let header = header.collect::<String>();
        let (_, says) = header.split_once("It uses ").unwrap();
        let says = says.split('.').next().unwrap();
        let says: BTreeSet<&str> = says.split('`').skip(1).step_by(2).collect();
        let others = all.get(&room).into_iter().flatten();
        let others: BTreeSet<&str> = others.map(|(other, _)| ORDER[*other]).collect();
        assert_eq!(says, others, "what {name}/mod.rs says that it uses");
    }
}
