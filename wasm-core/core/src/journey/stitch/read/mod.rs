//! Reads: the calls of processes, and which packets each took from its socket's queue.
//!
//! It uses `packet`, `table`, `cpu`, `ip` and `socket`.

pub mod process;
pub mod reads;
pub mod unaddressed;
