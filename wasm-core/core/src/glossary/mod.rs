//! The glossary: for every word of [`crate::kernel`] one plain sentence, the kernel
//! function behind it and the version in which that function was read.
//!
//! The page's tooltips are made from it and from nothing else. A sentence is
//! written for a student who has heard one lecture on operating systems and must
//! still be right for someone who works on the kernel. It does not teach (lessons
//! do) and says nothing about a run. Functions were read in the kernel's source,
//! v6.12 (6.12.117 of the stable series) unless the entry says otherwise. What is
//! younger was read in the changes that brought it, all of them in v6.18 (6.18.44).

#[macro_use]
mod table;

mod contexts;
mod drop_reasons;
mod fields;
mod probes;
mod queues;
mod stations;
mod verdicts;

#[cfg(test)]
mod tests;

pub use contexts::context;
pub use drop_reasons::drop_reason;
pub use fields::field;
pub use probes::probe;
pub use queues::queue;
pub use stations::station;
pub use verdicts::verdict;

/// What the glossary says of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// One sentence in plain English.
    pub sentence: &'static str,
    /// The place in the kernel's source, `file: function`; empty where the word is
    /// ours alone.
    pub function: &'static str,
    /// The version the place was read in, `v6.12`; empty when `function` is.
    pub version: &'static str,
}
