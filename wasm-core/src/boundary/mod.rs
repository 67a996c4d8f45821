//! The door to the page: the only place where `#[wasm_bindgen]` appears.
//!
//! Nothing is decided here. Each function hands over to the core and turns
//! what comes back into something JavaScript can hold.

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of the core, as in its manifest.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
