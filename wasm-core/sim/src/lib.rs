//! The simulator: a deterministic discrete-event model of hosts, on the same
//! vocabulary of events as the importers.
//!
//! A scenario names a machine, a kernel and a workload (`config`); the `engine`
//! runs it to its end and gives a run and what was measured. `cache`, `sched` and
//! `tcp` are pure models that know nothing of each other.

pub mod time;

pub mod rng;

pub mod simplification;

pub mod cache;

pub mod sched;

pub mod tcp;

pub mod simplified;

pub mod config;

pub mod engine;

#[cfg(not(target_family = "wasm"))]
pub mod packetdrill;
