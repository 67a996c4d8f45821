//! IP fragments and their reassembly, for a socket of this host and in a router.
//!
//! It uses `packet`, `survey`, `table` and `cpu`.

pub mod defrag;
pub mod fragments;
pub mod parts;
