//! The told film of every run on the shelf, recorded or simulated.

#![allow(clippy::unwrap_used, reason = "a test may fail anywhere")]

mod golden;
mod shelf;
