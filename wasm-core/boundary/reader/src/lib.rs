//! The wasm interface to a run: what the page may ask of the core. This crate and
//! `boundary/simulator` beside it are the only places where `#[wasm_bindgen]` appears.
//!
//! Nothing is decided here. Each function calls the core and converts the answer for JavaScript: rare,
//! structured answers into objects, and those that come with every frame into packed columns (`columns`).

#![cfg(target_family = "wasm")]

mod abreast;
mod columns;
mod compare;
mod curve;
mod findings;
mod importer;
mod journey;
mod lanes;
mod machine;
mod measures;
mod opened;
mod profile;
mod saved;
mod sequence;
mod session;
mod simulated;
mod told;
mod words;

use tsify::{Ts, Tsify};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use words::Glossary;

/// A panic ends in a trap that has no words.
#[wasm_bindgen(start)]
fn start() {
    boundary_panic::note();
}

/// The version of the core, as in its manifest.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The words of the stack with their explanations.
#[wasm_bindgen]
pub fn glossary() -> Result<Ts<Glossary>, JsError> {
    Ok(Glossary::all().into_ts()?)
}
