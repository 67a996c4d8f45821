//! Recordings of the shelf, without their captures of the link.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use ringside::import::Import;
use ringside::opened::Opened;

/// The one that is called so.
pub fn recorded(slug: &str) -> Opened {
    let path = format!(
        "{}/../traces/{slug}/trace.txt.gz",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut import = Import::new();
    import.push(&std::fs::read(path).unwrap());
    Opened::from(import.finish().unwrap().run)
}
