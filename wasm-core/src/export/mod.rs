//! A run as a file again: what Ringside writes, other tools and people can read.

mod chrome;
mod ftrace;
mod kperf2;
mod pcapng;
mod softirq;
#[cfg(test)]
mod tests;
mod words;

pub use chrome::chrome_trace;
pub use ftrace::ftrace;
pub use kperf2::kperf2;
pub use pcapng::pcapng;
pub use words::fields_in_words;
