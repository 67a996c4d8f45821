//! Gives files, or all files of folders, to a target, without a fuzzer: `replay TARGET FILE...`. It
//! panics as the fuzzer saw it panic. `replay` alone lists the targets, each with the first one that has the same
//! function. `replay --words` prints what kernels and
//! formats say, as a dictionary for libFuzzer.

#![allow(clippy::print_stdout, reason = "a command line")]

use std::error::Error;
use std::path::Path;

use fuzz::{TARGETS, Target};
use ringside::kernel::{Context, DropReason, Field, Probe};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        None => {
            for target in TARGETS {
                let is_same = |first: &&Target| std::ptr::fn_addr_eq(first.check, target.check);
                let first = TARGETS.iter().find(is_same).unwrap_or(target);
                println!("{} {}", target.name, first.name);
            }
        }
        Some((option, _)) if option == "--words" => words(),
        Some((name, files)) => {
            let target = fuzz::named(name).ok_or(format!("{name} is no target"))?;
            for file in files {
                replay(target, Path::new(file))?;
            }
        }
    }
    Ok(())
}

fn replay(target: &Target, path: &Path) -> Result<(), Box<dyn Error>> {
    if path.is_dir() {
        for entry in std::fs::read_dir(path)? {
            replay(target, &entry?.path())?;
        }
    } else {
        println!("{} {}", target.name, path.display());
        (target.check)(&std::fs::read(path)?);
    }
    Ok(())
}

/// Words of the kernel's that random bytes would hardly hit on.
fn words() {
    let probes = Probe::ALL.iter().map(|probe| probe.name());
    let fields = Field::ALL.iter().map(|field| field.name());
    let contexts = Context::ALL.iter().map(|context| context.name());
    let reasons = DropReason::ALL.iter().map(|reason| reason.name());
    let formats = [
        "# kperf 2\\x0a",
        "# tracer: nop\\x0a",
        "cpus=4\\x0a",
        "CPU:1 [LOST 7 EVENTS]\\x0a",
        " ==> ",
        "skbaddr=",
        "skaddr=",
        "rx_sk=",
        "[000] ..s1. ",
    ];
    for word in probes
        .chain(fields)
        .chain(contexts)
        .chain(reasons)
        .chain(formats)
    {
        println!("\"{word}\"");
    }
}
