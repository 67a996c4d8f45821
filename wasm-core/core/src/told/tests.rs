//! The told film: what holds for any run, and what small runs written by hand say.

#![allow(clippy::unwrap_used, reason = "tests")]

mod any_run;
mod briefly;
mod gro;
mod nics;
mod said;
