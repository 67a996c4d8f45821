//! The catalogue of a command: what comes with the program, and a folder of one's own.

use sim::config::catalogue::Catalogue;
use sim::config::named;
use sim::config::scenario::Scenario;

use crate::{Failure, input, output};

/// The shipped catalogue; with a folder, its machines, kernels, instrumentation and workloads take the
/// place of those of their names, or stand beside them. The error names the file.
pub fn catalogue(folder: Option<&str>) -> Result<Catalogue, String> {
    let own = folder.map_or(Ok(Vec::new()), whole::data::files)?;
    Catalogue::with(&own).map_err(|error| match folder {
        Some(folder) => whole::data::refused(folder, &own, &error.to_string()),
        None => error.to_string(),
    })
}

/// The scenario of a name: one that is shipped, or a file. The error does not repeat the name.
pub fn scenario(name: &str, catalogue: &Catalogue) -> Result<Scenario, String> {
    named::scenario(name, catalogue, input::file)
}

/// Refuses to write over a file of the folder.
pub fn spare(to: &str, folder: Option<&str>) -> Result<(), Failure> {
    // Where it cannot be read there is no catalogue either, and nothing is written.
    let own = folder.and_then(|folder| whole::data::paths(folder).ok());
    let own = own.iter().flatten();
    output::spare(to, own.map(|(_, path)| (path.as_path(), "file of --data")))
}
