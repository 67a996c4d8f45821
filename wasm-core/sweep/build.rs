//! Gives the program the digest of the model that it is built with, as `RINGSIDE_MODEL`.

use std::io::{self, Write as _};
use std::path::Path;

#[path = "src/model.rs"]
mod model;

fn main() -> io::Result<()> {
    let root = Path::new("..");
    let files = model::files(root)?;
    let digest = model::digest(files.iter().map(|(name, text)| (name, text.as_slice())));
    let mut cargo = io::stdout().lock();
    for part in model::PARTS {
        writeln!(
            cargo,
            "cargo::rerun-if-changed={}",
            root.join(part).display()
        )?;
    }
    writeln!(cargo, "cargo::rustc-env=RINGSIDE_MODEL={digest:016x}")
}
