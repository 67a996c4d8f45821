//! Which model a program was built with: a digest of the sources and the data that decide what a run gives. The build
//! script computes it (`build.rs`), so that runs of two models never stand in one table.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What decides the numbers of a run, below `wasm-core/`. The scenario is no part of it: a sweep names its own.
pub const PARTS: [&str; 9] = [
    "Cargo.lock",
    "core/src",
    "data/instrumentation",
    "data/kernels",
    "data/machines",
    "data/workloads",
    "rust-toolchain.toml",
    "sim/src",
    "sweep/src",
];

/// The files of the model below a folder like `wasm-core/`, contents by path. Modules of tests are left out. The error
/// is that of a part that cannot be read.
pub fn files(root: &Path) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut left: Vec<PathBuf> = PARTS.iter().map(|part| root.join(part)).collect();
    while let Some(path) = left.pop() {
        if path.ends_with("tests") || path.ends_with("tests.rs") {
            continue;
        }
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                left.push(entry?.path());
            }
            continue;
        }
        let name = path.strip_prefix(root).unwrap_or(&path);
        let name = name.to_string_lossy().replace('\\', "/");
        files.insert(name, fs::read(&path)?);
    }
    Ok(files)
}

/// A digest of names and contents in their order: FNV-1a with 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv-17
/// section 2), the same with every release of the standard library. Each part ends with its length, so that no byte
/// can go over to the next unseen.
pub fn digest<'a>(files: impl IntoIterator<Item = (&'a String, &'a [u8])>) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let parts = files
        .into_iter()
        .flat_map(|(name, contents)| [name.as_bytes(), contents]);
    parts.fold(BASIS, |hash, part| {
        let length = (part.len() as u64).to_le_bytes();
        let bytes = part.iter().chain(&length);
        bytes.fold(hash, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(PRIME)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digest in the program is that of the sources as they stand, whatever of them changed last.
    #[test]
    fn the_program_knows_what_it_was_built_with() {
        let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap();
        for name in [
            "core/src/kernel/mod.rs",
            "data/kernels/6.18.json",
            "sim/src/engine/mod.rs",
            "sweep/src/columns.rs",
        ] {
            assert!(files.contains_key(name), "{name}");
        }
        let is_test = |name: &String| name.contains("/tests");
        assert!(!files.keys().any(is_test));
        let digest = digest(files.iter().map(|(name, text)| (name, text.as_slice())));
        assert_eq!(format!("{digest:016x}"), env!("RINGSIDE_MODEL"));
    }

    #[test]
    fn a_digest_is_of_names_and_contents_and_their_order() {
        let of = |parts: &[(&str, &str)]| {
            let parts: Vec<(String, &str)> = parts.iter().map(|&(a, b)| (a.into(), b)).collect();
            digest(parts.iter().map(|(name, text)| (name, text.as_bytes())))
        };
        let one = of(&[("a", "b"), ("c", "d")]);
        assert_ne!(one, of(&[("c", "d"), ("a", "b")]));
        assert_ne!(one, of(&[("a", "bc"), ("", "d")]));
        assert_ne!(one, of(&[("a", "b"), ("c", "e")]));
    }
}
