//! Trace text (or a capture of the link) to events: one streaming importer that
//! takes chunks of any size, tells the format by content and enters every line in
//! the [`Ledger`].

pub mod kperf;
mod ledger;

pub use ledger::{Ledger, Line, Malformed, Tally};
