//! A run that the simulator's module made, opened here as any other.

use tsify::{Ts, Tsify};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use super::compare::FiguresView;
use super::session::Session;
use ringside::figures::Figures;
use ringside::opened::Opened;
use ringside::run::Run;
use ringside::run::measured::Measured;

/// Opens a run from the bytes that the simulator's module of the same build gave, with what it measured.
/// Throws where they are none.
#[wasm_bindgen]
pub fn open_simulated(run: &[u8], measured: &[u8]) -> Result<Session, JsError> {
    let (run, measured) = read(run, measured)?;
    Ok(Session::new(Opened::from(run), Some(measured)))
}

/// What came out of such a run, in figures, where nothing else of it is wanted.
#[wasm_bindgen]
pub fn figures_alone(run: &[u8], measured: &[u8]) -> Result<Ts<FiguresView>, JsError> {
    let (run, measured) = read(run, measured)?;
    let start = run.start();
    Ok(FiguresView::of(&Figures::alone(run, &measured), start).into_ts()?)
}

fn read(run: &[u8], measured: &[u8]) -> Result<(Run, Measured), JsError> {
    let why = "what the simulator gave is no run of this version; load the page again";
    let run = Run::from_bytes(run).ok_or_else(|| JsError::new(why))?;
    let measured = postcard::from_bytes(measured).map_err(|_| JsError::new(why))?;
    Ok((run, measured))
}
