//! Frees: how a packet ends by the function that frees it, drops that are a packet's only event, packets that this host
//! answers with an error, and what goes with its socket.
//!
//! It uses `packet`, `table`, `cpu`, `ip`, `send`, `device`, `socket` and `read`.

pub mod answered;
pub mod drops;
pub mod ends;
pub mod purge;
