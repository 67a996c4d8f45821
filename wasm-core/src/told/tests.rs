//! The told film: what holds for any run, and what every run on the shelf must play like.

#![allow(clippy::unwrap_used, reason = "tests")]

mod any_run;
mod golden;
mod said;
mod shelf;
