//! tasks.

pub(crate) mod scheduling;
