//! What the core reads, one target each, and what must be true of whatever it makes of it.
//!
//! A target is a function over bytes that panics where something is wrong. The fuzzer (`engine`)
//! looks for bytes that make it panic, `tests/corpus.rs` replays what it found worth keeping, and
//! `replay` does so with a single file. None of the three knows an importer.

#![allow(clippy::unwrap_used, reason = "a panic is what the fuzzer looks for")]

mod events;
mod explore;
mod import;
mod recorded;
mod scenario;
mod script;
mod wire;

pub use explore::explore;

/// Something that reads what others wrote.
#[derive(Debug)]
pub struct Target {
    /// Its name, and that of its folder in `corpus/`.
    pub name: &'static str,
    /// Reads the bytes and panics if something is wrong.
    pub check: fn(&[u8]),
}

/// All of them. The importers of text are one function: which one reads a file is told by its
/// first lines, so that their targets differ by the corpus from which the fuzzer sets out.
pub const TARGETS: &[Target] = &[
    target("ftrace", import::file),
    target("latency", import::file),
    target("trace-cmd", import::file),
    target("perf-script", import::file),
    target("bpftrace", import::file),
    target("kperf", import::file),
    target("kperf2", import::file),
    target("packed", import::packed),
    target("capture", wire::capture),
    target("wire", wire::joined),
    target("recorded", recorded::damaged),
    target("scenario", scenario::text),
    target("simulation", scenario::simulated),
    target("packetdrill", script::run),
    target("journeys", events::journeys),
    target("frames", events::frames),
    target("export", events::exports),
];

const fn target(name: &'static str, check: fn(&[u8])) -> Target {
    Target { name, check }
}

/// The target of a name.
pub fn named(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
