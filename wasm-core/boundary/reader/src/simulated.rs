//! A run that the simulator's module made, opened here as any other.

use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use super::session::Session;
use ringside::opened::Opened;
use ringside::run::Run;

/// Opens a run from the bytes that the simulator's module of the same build gave, with what it measured.
/// Throws where they are none.
#[wasm_bindgen]
pub fn open_simulated(run: &[u8], measured: &[u8]) -> Result<Session, JsError> {
    let why = "what the simulator gave is no run of this version; load the page again";
    let run = Run::from_bytes(run).ok_or_else(|| JsError::new(why))?;
    let measured = postcard::from_bytes(measured).map_err(|_| JsError::new(why))?;
    Ok(Session::new(Opened::from(run), Some(measured)))
}
