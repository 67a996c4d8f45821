//! Commands that are programs of their own beside this one, as `git` and `cargo` have them:
//! `ringside measure-host` runs `ringside-measure-host` of the same folder. The core and whatever is
//! linked with it reads no clock and starts no thread; those programs (crates `host` and `sweep`) do.

use std::process::Command;

use crate::{Failure, complain};

/// The commands.
pub const COMMANDS: &[&str] = &["measure-host", "check-host", "sweep"];

/// Runs the program of a command.
pub fn run(command: &str, arguments: &[String]) -> Result<(), Failure> {
    let name = format!("ringside-{command}{}", std::env::consts::EXE_SUFFIX);
    let own = std::env::current_exe().map_err(Failure::Output)?;
    let program = own.with_file_name(&name);
    let status = Command::new(&program).args(arguments).status();
    let package = if command == "sweep" {
        "ringside-sweep"
    } else {
        "ringside-host"
    };
    let status = status.map_err(|error| {
        complain(&format!(
            "{name} does not run ({error}); it is built with: cargo build --release -p {package}"
        ));
        Failure::Beside(1)
    })?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    match code.unwrap_or(1) {
        0 => Ok(()),
        failed => Err(Failure::Beside(failed)),
    }
}
