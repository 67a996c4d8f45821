//! The simulator: a deterministic discrete-event model of hosts. It
//! produces the same events ([`ringside::kernel`]) as the importers.
//!
//! A scenario names a machine, a kernel and a workload (`config`); the `engine`
//! runs it to its end and returns the recorded run and the measurements. `cache`,
//! `sched`, `tcp` and `qdisc` are models of their own; `tcp` and `qdisc` share `ecn` and
//! how one of several is chosen by name (`chosen`), and else none knows another.

pub mod time;

pub mod rng;

pub mod simplification;

mod chosen;

pub mod ecn;

pub mod cache;

pub mod sched;

pub mod tcp;

pub mod qdisc;

pub mod simplified;

pub mod config;

pub mod engine;

#[cfg(not(target_family = "wasm"))]
pub mod packetdrill;
