//! cpu.

pub(crate) mod charge;
pub(crate) mod code;
pub(crate) mod lines_out;
pub(crate) mod op;
