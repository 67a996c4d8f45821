//! Measures the host it runs on and writes it down as a machine that the simulator takes.
//!
//! It is a crate of its own because it does what the core never does: it reads the clock, starts
//! threads and binds them to CPUs. It needs no root. All numbers are medians of many short measurements
//! ("turns") with a confidence interval, since other work on a host disturbs some turns and not most.

pub mod arguments;

pub mod context;

pub mod statistics;

pub mod cpus;

pub mod turns;

pub mod quiet;

pub mod memory;

pub mod pages;

pub mod copies;

pub mod lines;

pub mod calls;

pub mod noise;

/// The cost of code that has to be fetched.
pub mod code;

pub mod host;

pub mod instructions;

pub mod machine;

pub mod report;

pub mod counts;

pub mod windows;

pub mod loads;

pub mod predict;

pub mod check;
