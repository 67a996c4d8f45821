//! Ringside's core: recorded kernel network traces or scenarios in, journeys and
//! frames out.
//!
//! Read the modules in this order, which is also the direction of dependencies:
//! each may use those above it. Only `boundary` knows that a browser exists.

#[macro_use]
pub mod kernel;

pub mod glossary;

#[macro_use]
pub mod saying;

pub mod run;

pub mod ledger;

pub mod wire;

pub mod import;

pub mod sim;

#[cfg(not(target_family = "wasm"))]
pub mod packetdrill;

pub mod journey;

pub mod replay;

pub mod measure;

pub mod profile;

pub mod sequence;

pub mod english;

pub mod told;

pub mod papers;

pub mod opened;

pub mod export;

pub mod findings;

pub mod figures;

pub mod compare;

#[cfg(target_family = "wasm")]
pub mod boundary;
