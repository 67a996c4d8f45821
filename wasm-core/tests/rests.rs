//! What the board of a study rests on, as a digest: the model, what measures its runs, and of the data what the study
//! has to do with. A machine or a study that is added moves no board that was there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// What all boards rest on. Unit tests and the schemas that are made of the code move no number, and are left
/// out ([`is_beside_the_point`]).
const ALL_REST_ON: &[&str] = &[
    "Cargo.lock",
    "core/src/blocks.rs",
    "core/src/journey",
    "core/src/kernel",
    "core/src/measure",
    "core/src/order.rs",
    "core/src/replay",
    "core/src/run",
    "core/src/saying.rs",
    "data/instrumentation",
    "data/kernels",
    "data/scenarios",
    "data/workloads",
    "rust-toolchain.toml",
    "sim/src",
    "src/bin/ringside/reproduce",
    "src/bin/ringside/reproduce.rs",
    "validation/src",
];
/// The studies of our own hosts in the order in which they were measured: what those before say is the baseline of one.
const HOSTS: [&str; 7] = [
    "own", "xeon", "zen3", "milan", "drawn", "redrawn", "packets",
];
const MACHINES: &str = "data/machines";
const PAPERS: &str = "data/papers";

/// A digest of all that a study's board rests on, names and contents; `begin` is the beginning of its entries' ids.
pub fn digest(begin: &str) -> u64 {
    let files = files_of(begin);
    digest_of(
        files
            .iter()
            .flat_map(|(name, contents)| [name.as_bytes(), contents.as_slice()]),
    )
}

/// A digest of parts in their order.
pub fn digest_of(parts: impl Iterator<Item: AsRef<[u8]>>) -> u64 {
    parts.fold(FNV_BASIS, |hash, part| fnv_1a(hash, part.as_ref()))
}

const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// FNV-1a, 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv-17 section 2), as the standard library's hashes may be
/// others with each release; a part ends with its length, so that no byte can go over to the next unseen.
fn fnv_1a(begin: u64, part: &[u8]) -> u64 {
    let length = (part.len() as u64).to_le_bytes();
    part.iter().chain(&length).fold(begin, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME)
    })
}

/// What a study's board rests on: contents by path.
fn files_of(begin: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for path in ALL_REST_ON {
        read(path, &mut files);
    }
    let host = HOSTS.iter().position(|&host| host == begin);
    let studies = host.map_or_else(|| vec![begin], |at| HOSTS[..=at].to_vec());
    for (path, text) in below(PAPERS) {
        for study in &studies {
            if let Some(part) = part_of_study(&text, study) {
                files.entry(path.clone()).or_default().extend(part);
            }
        }
    }
    add_machines(&mut files);
    files
}

/// What a file of the papers has of a study: the file that has its experiments, and of published numbers its own.
fn part_of_study(text: &[u8], begin: &str) -> Option<Vec<u8>> {
    let is_of_study = |id: &str| id.split_once('.').is_some_and(|(study, _)| study == begin);
    let Ok(Value::Object(mut file)) = serde_json::from_slice(text) else {
        return None;
    };
    if let Some(Value::Array(entries)) = file.get("entries") {
        let mut ids = entries.iter().filter_map(|entry| entry["id"].as_str());
        return ids.any(is_of_study).then(|| text.to_vec());
    }
    file.retain(|id, _| is_of_study(id));
    (!file.is_empty()).then(|| Value::Object(file).to_string().into_bytes())
}

/// Adds the machines that the files' data name, and those that these name.
fn add_machines(files: &mut BTreeMap<String, Vec<u8>>) {
    let machines = below(MACHINES);
    let mut looked_at = BTreeSet::new();
    loop {
        let next = files
            .iter()
            .find(|(path, _)| path.starts_with("data/") && !looked_at.contains(path.as_str()));
        let Some((path, text)) = next else {
            return;
        };
        let text = String::from_utf8_lossy(text).into_owned();
        looked_at.insert(path.clone());
        for (path, machine) in &machines {
            let name = path.trim_start_matches(MACHINES).trim_start_matches('/');
            let name = name.trim_end_matches(".json");
            // As a machine or a peer, and as that of which a parameter is the same or derived.
            let mentions = [
                format!("\"{name}\""),
                format!("\"machines/{name}\""),
                format!("\"machines/{name}:"),
            ];
            if mentions.iter().any(|mention| text.contains(mention)) {
                files.entry(path.clone()).or_insert_with(|| machine.clone());
            }
        }
    }
}

/// Whether a path has no part in any number: a module of tests, a list of which files there are (what they hold counts by
/// itself), or the scripts of packetdrill, which run against TCP alone.
fn is_beside_the_point(path: &Path) -> bool {
    let files = [
        "tests",
        "tests.rs",
        "testing.rs",
        "sim/src/config/catalogue/list.rs",
        "sim/src/packetdrill",
        "validation/src/papers/list.rs",
    ];
    files.iter().any(|end| path.ends_with(end))
}

/// The files below a folder of the crate: contents by path.
fn below(folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    read(folder, &mut files);
    files
}

fn read(path: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut left = vec![root.join(path)];
    while let Some(path) = left.pop() {
        if is_beside_the_point(&path) {
            continue;
        }
        if path.is_dir() {
            left.extend(entries(&path));
            continue;
        }
        let name = path.strip_prefix(root).expect("below the root");
        let name = name.to_string_lossy().replace('\\', "/");
        files.insert(name, fs::read(&path).expect("a file of the repository"));
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of the repository");
    entries
        .map(|entry| entry.expect("can be read").path())
        .collect()
}

#[test]
fn a_board_rests_on_its_own_machines_and_on_no_later_study() {
    let files = files_of("zen3");
    let has = |path: &str| files.contains_key(path);
    assert!(has("data/machines/epyc-zen3-vm.json"));
    // What it is based on, and what its noise is the same as.
    assert!(has("data/machines/current-server.json") && has("data/machines/epyc-milan-vm.json"));
    assert!(has("data/kernels/6.18.json") && has("sim/src/config/machine.rs"));
    // The hosts before it are its baseline.
    assert!(has("data/machines/xeon-emerald-rapids-vm.json") && has("data/papers/own-xeon.json"));
    assert!(has("data/papers/own-zen3.json") && !has("data/papers/own-milan.json"));
    let numbers = String::from_utf8_lossy(&files["data/papers/own.json"]);
    assert!(numbers.contains("zen3.streams") && numbers.contains("xeon.streams"));
    assert!(!numbers.contains("milan.streams"));
    assert!(!files_of("ba").contains_key("data/papers/own-xeon.json"));
}

/// A module that the listed ones use moves numbers as they do: a sort, or how long passes are cut.
#[test]
fn what_the_listed_modules_of_the_core_use_is_listed() {
    let is_listed = |module: &str| {
        let path = format!("core/src/{module}");
        ALL_REST_ON
            .iter()
            .any(|&listed| listed == path || listed == format!("{path}.rs"))
    };
    let mut files = BTreeMap::new();
    for path in ALL_REST_ON.iter().filter(|path| path.starts_with("core/")) {
        read(path, &mut files);
    }
    let mut left_out = BTreeSet::new();
    for (path, contents) in &files {
        let text = String::from_utf8_lossy(contents);
        // A link in a comment is no use.
        let code = text.lines().filter(|line| !line.trim().starts_with("//"));
        for used in code.flat_map(|line| line.split("crate::").skip(1)) {
            let end = used.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
            let module = &used[..end.unwrap_or(used.len())];
            // A macro stands at the top of the crate, a group of names in braces is none of a module.
            let is_module = module.starts_with(|letter: char| letter.is_lowercase())
                && !used[module.len()..].starts_with('!');
            if is_module && !is_listed(module) {
                left_out.insert(format!("{path} uses {module}"));
            }
        }
    }
    assert!(
        left_out.is_empty(),
        "ALL_REST_ON lacks what these use: {left_out:?}"
    );
}

#[test]
fn a_digest_is_of_names_and_contents_and_the_same_everywhere() {
    let of = |parts: &[&str]| digest_of(parts.iter());
    assert_eq!(of(&["a"]), 0xdedf_9f98_2e43_402d);
    assert_ne!(of(&["ab", ""]), of(&["a", "b"]));
    assert_ne!(of(&["a", "b"]), of(&["b", "a"]));
}
