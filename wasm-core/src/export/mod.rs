//! A run as a file again: what Ringside writes, other tools and people can read.

mod kperf2;
#[cfg(test)]
mod tests;

pub use kperf2::kperf2;
