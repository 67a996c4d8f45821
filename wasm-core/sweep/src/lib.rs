//! A sweep: one scenario over ranges of one setting or two, and over seeds, measured run by run
//! on all cores, gathered as means with intervals, and written as CSV and Parquet.
//!
//! A crate of its own, so that the core, which starts no thread, is linked with none of it.

pub mod model;

pub mod range;

pub mod columns;

pub mod plan;

pub mod runs;

pub mod work;

pub mod points;

pub mod table;

pub mod folder;
