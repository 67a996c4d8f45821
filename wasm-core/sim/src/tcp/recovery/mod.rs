//! What was lost and what is sent again: by SACK alone (`scoreboard`), or by the times at which segments were sent
//! (`rack`, `rtx_queue`, with the tail loss probe); how the window comes down meanwhile, and when that is taken back.

pub(in crate::tcp) mod loss_probe;
pub(in crate::tcp) mod prr;
pub(in crate::tcp) mod rack;
pub(in crate::tcp) mod rtx_queue;
pub(in crate::tcp) mod scoreboard;
pub(in crate::tcp) mod undo;
