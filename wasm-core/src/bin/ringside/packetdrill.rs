//! `ringside packetdrill [--kernel NAME] [--to OUT] FILE...`: runs scripts in packetdrill's grammar
//! against the TCP of a kernel, and prints the first difference of each.

use std::cell::{OnceCell, RefCell};
use std::fmt::Display;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use ringside::export::kperf2;
use ringside::import::Ledger;
use sim::config::kernel::Kernel;
use sim::packetdrill;

use crate::{Failure, complain, data, input, options, output};

/// The kernel where none is named.
const KERNEL: &str = "6.1";

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options::read(arguments, &["--data", "--kernel", "--to"], &[])?;
    if options.files.is_empty() {
        return Err(Failure::Usage("packetdrill which scripts?".to_owned()));
    }
    let to = options.value("--to");
    if to.is_some() && options.files.len() > 1 {
        return Err(Failure::Usage(
            "--to takes the run of one script".to_owned(),
        ));
    }
    if let Some(to) = to {
        let scripts = options.files.iter();
        output::spare(to, scripts.map(|file| (Path::new(file), "script")))?;
        data::spare(to, options.data)?;
    }
    let catalogue = data::catalogue(options.data).map_err(|why| {
        complain(&why);
        Failure::Import
    })?;
    let name = options.value("--kernel").unwrap_or(KERNEL);
    let kernel = catalogue
        .kernel(name)
        .ok_or_else(|| Failure::Usage(format!("no kernel is called \"{name}\"")))?;
    let mut has_failed = false;
    for file in &options.files {
        has_failed |= !passes(file, kernel, to)?;
    }
    if has_failed {
        return Err(Failure::Import);
    }
    Ok(())
}

/// Runs a script and prints what came of it, or says why it or a file that it names cannot be read.
fn passes(file: &str, kernel: &Kernel, to: Option<&str>) -> Result<bool, Failure> {
    let text = match input::text(file, "script") {
        Ok(text) => text,
        Err(why) => {
            complain(&why);
            return Ok(false);
        }
    };
    let named = Named::of(file);
    let ran = packetdrill::run(&text, kernel, &|name| named.text(name));
    if let Some(why) = named.unreadable.get() {
        complain(&format!("{file}: {why}"));
        return Ok(false);
    }
    let line = match &ran {
        Err(refused) => cut(refused),
        Ok(outcome) => {
            if let Some(to) = to {
                let read = named.read.borrow();
                let read = read.iter().map(|path| (path.as_path(), "set-up file"));
                output::spare(to, read)?;
                whole::write_file(to, |output| kperf2(&outcome.run, output))
                    .map_err(Failure::Output)?;
            }
            outcome
                .difference
                .as_ref()
                .map_or_else(|| " passed".to_owned(), cut)
        }
    };
    writeln!(output::stdout(false), "{file}:{line}").map_err(Failure::Output)?;
    Ok(ran.is_ok_and(|outcome| outcome.difference.is_none()))
}

/// What is said of a script, which may name all that stands in one of its lines.
fn cut(said: &impl Display) -> String {
    let said = said.to_string();
    match said.char_indices().nth(Ledger::TEXT) {
        Some((end, _)) => format!("{}…", &said[..end]),
        None => said,
    }
}

/// The set-up files that a script names by their place beside it.
struct Named {
    folder: PathBuf,
    /// Those that were read.
    read: RefCell<Vec<PathBuf>>,
    /// Why one that is there cannot be read: the first such.
    unreadable: OnceCell<String>,
}

impl Named {
    fn of(script: &str) -> Self {
        let folder = Path::new(script).parent().unwrap_or(Path::new("."));
        Self {
            folder: folder.to_owned(),
            read: RefCell::default(),
            unreadable: OnceCell::new(),
        }
    }

    /// The text of one; none where there is none.
    fn text(&self, name: &str) -> Option<String> {
        let path = self.folder.join(name);
        match input::regular(&path, "set-up file") {
            Ok(text) => {
                self.read.borrow_mut().push(path);
                Some(text)
            }
            Err(error) => {
                let is_there =
                    !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory);
                if is_there {
                    self.unreadable
                        .get_or_init(|| format!("{}: {error}", path.display()));
                }
                None
            }
        }
    }
}
