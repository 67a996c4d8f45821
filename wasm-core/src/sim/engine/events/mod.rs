//! events.

pub(crate) mod queue;
