//! Ringside's core: recorded kernel network traces in, journeys and frames out. It does not
//! know where a run came from; the simulator (crate `sim`) makes runs of the same events.
//!
//! Read the modules in this order, which is also the direction of dependencies:
//! each may use those above it.

#[macro_use]
pub mod kernel;

pub mod glossary;

mod blocks;

pub mod order;

#[macro_use]
pub mod saying;

pub mod run;

pub mod intervention;

pub mod ledger;

pub mod wire;

pub mod import;

pub mod journey;

pub mod replay;

pub mod measure;

pub mod profile;

pub mod sequence;

pub mod english;

pub mod told;

pub mod opened;

pub mod export;

pub mod findings;

pub mod figures;

pub mod compare;
