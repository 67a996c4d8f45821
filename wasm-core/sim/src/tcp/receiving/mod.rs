//! The receiving half: what is queued and acknowledged, the window that is offered, and the buffer behind it.

pub(in crate::tcp) mod autotune;
pub(in crate::tcp) mod compression;
pub(in crate::tcp) mod lengths;
pub(in crate::tcp) mod read;
pub(in crate::tcp) mod receive;
pub(in crate::tcp) mod receive_buffer;
