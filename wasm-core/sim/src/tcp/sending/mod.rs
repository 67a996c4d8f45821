//! The sending half: which segment goes next, in what size, when, and what is written.

pub(in crate::tcp) mod pacing;
pub(in crate::tcp) mod send;
pub(in crate::tcp) mod small_queue;
pub(in crate::tcp) mod tso;
pub(in crate::tcp) mod write;
pub(in crate::tcp) mod write_queue;
