//! The recordings on the shelf, and how a test reads one.

use std::path::{Path, PathBuf};

use ringside::import::{Import, Imported};

/// The bundled recordings' traces, in order.
pub fn recordings() -> Vec<PathBuf> {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces");
    let entries = std::fs::read_dir(traces).expect("the traces are beside the core");
    let traces = entries.map(|entry| entry.expect("a folder can be listed").path());
    let traces = traces.map(|folder| folder.join("trace.txt.gz"));
    let mut found: Vec<PathBuf> = traces.filter(|trace| trace.exists()).collect();
    found.sort();
    found
}

/// The whole of a trace, imported.
pub fn import(bytes: &[u8]) -> Imported {
    let mut import = Import::new();
    import.push(bytes);
    import.finish().expect("it imports")
}
