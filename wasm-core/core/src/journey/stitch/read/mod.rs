//! Reads: the calls of processes, and which packets each took from its socket's queue.
//!
//! It uses `packet`, `survey`, `cpu` and `socket`.

pub mod calls;
pub mod process;
pub mod readers;
pub mod reads;
pub mod segments;
