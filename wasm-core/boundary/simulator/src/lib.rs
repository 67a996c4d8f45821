//! The wasm interface to the model: what scenarios can be made of, simulations, the scoreboard.
//! The page loads it when it first needs one of these; opening a recording does not.
//!
//! Nothing is decided here, and no run is read here: a simulation ends as bytes that the door to a run opens
//! (`boundary/reader`). The data files come from the page.

#![cfg(target_family = "wasm")]

mod beside;
mod catalogue;
mod model;
mod papers;
mod simulator;

use wasm_bindgen::prelude::wasm_bindgen;

/// A panic ends in a trap that has no words.
#[wasm_bindgen(start)]
fn start() {
    boundary_panic::note();
}
