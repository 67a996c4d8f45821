//! The send path: the call that sends a packet, clones, and packets cut from larger ones.
//!
//! It uses `packet`, `survey`, `table`, `cpu` and `ip`.

pub mod queue_cuts;
pub mod transmit;
