//! `cargo xtask`: what the build needs beyond cargo itself.
//!
//! `cargo run -p xtask -- wasm OUT` compiles the core for the browser and writes
//! its two modules with their bindings into OUT. The bindings' generator is a library
//! of the same version as the crate, so no tool has to be installed to match.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line speaks to its user"
)]

use std::{
    env,
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
        _ => Err("usage: cargo run -p xtask -- wasm OUT".to_owned()),
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
        // Every browser that runs the page has had these for years; what looks for the end of a line
        // or a field looks at sixteen bytes at once with them.
        .env(
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
            "-Ctarget-feature=+simd128",
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
