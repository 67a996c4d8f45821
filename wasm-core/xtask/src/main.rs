//! `cargo xtask`: what the build needs beyond cargo itself.
//!
//! `cargo run -p xtask -- wasm OUT` compiles the core for the browser and writes
//! its two modules with their bindings into OUT. The bindings' generator is a library
//! of the same version as the crate, so no tool has to be installed to match.
//!
//! `cargo run -p xtask -- split MODULE LIST FIRST REST` cuts a module in two: what is named in
//! LIST, a function a line, is written to FIRST, and the rest to REST.
//!
//! `cargo run -p xtask -- watch MODULE OUT NAMES` writes a module that marks which of its functions
//! run, and their names: LIST is made with it (`.ci/first-functions.mjs`).
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line speaks to its user"
)]

mod half;
mod split;
mod watch;

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let outcome = match arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["wasm", out] => build_wasm(Path::new(out)),
        ["split", module, list, first, rest] => split_module(module, list, first, rest),
        ["watch", module, out, names] => watch_module(module, out, names),
        _ => Err(
            "usage: cargo run -p xtask -- wasm OUT | split MODULE LIST FIRST REST | watch MODULE OUT NAMES"
                .to_owned(),
        ),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The modules, each the crate of its name: what reads a run, and what makes one.
const MODULES: [&str; 2] = ["reader", "simulator"];

fn build_wasm(out: &Path) -> Result<(), String> {
    // Asked for at run time: the folder may have moved since this was compiled.
    let manifest = env::var_os("CARGO_MANIFEST_DIR").ok_or("run it with `cargo run -p xtask`")?;
    let root = PathBuf::from(manifest).join("..");
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--lib", "--profile", "wasm"])
        .args(["--target", "wasm32-unknown-unknown"])
        .args(MODULES.iter().flat_map(|module| ["--package", module]))
        // Mangled so, every instance of a generic function has a name of its own. And: every browser that runs the page has had these for years; what looks for the end of a line
        // or a field looks at sixteen bytes at once with them.
        .env(
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
            "-Ctarget-feature=+simd128 -Csymbol-mangling-version=v0",
        )
        .current_dir(&root)
        .status()
        .map_err(|error| format!("cargo could not be started: {error}"))?;
    if !status.success() {
        return Err("the wasm build failed; cargo's own message stands above".to_owned());
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    for name in MODULES {
        let module = target.join(format!("wasm32-unknown-unknown/wasm/{name}.wasm"));
        wasm_bindgen_cli_support::Bindgen::new()
            .input_path(&module)
            .web(true)
            .map_err(|error| error.to_string())?
            .typescript(true)
            .omit_default_module_path(true)
            .generate(out)
            .map_err(|error| format!("{}: {error}", module.display()))?;
    }
    Ok(())
}

fn split_module(module: &str, list: &str, first: &str, rest: &str) -> Result<(), String> {
    let names = String::from_utf8(read(list)?).map_err(|error| format!("{list}: {error}"))?;
    let names: BTreeSet<&str> = names.lines().collect();
    let halves = split::split(&read(module)?, |name| names.contains(name))?;
    write(first, &halves.first)?;
    write(rest, &halves.rest)
}

fn watch_module(module: &str, out: &str, list: &str) -> Result<(), String> {
    let (watched, names) = watch::watch(&read(module)?)?;
    write(out, &watched)?;
    write(list, names.join("\n").as_bytes())
}

fn read(path: &str) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{path}: {error}"))
}

fn write(path: &str, contents: &[u8]) -> Result<(), String> {
    fs::write(path, contents).map_err(|error| format!("{path}: {error}"))
}
