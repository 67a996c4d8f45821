//! The door to the page: the only place where `#[wasm_bindgen]` appears.
//!
//! Nothing is decided here. Each function hands over to the core and turns what
//! comes back into something JavaScript can hold: what is rare and structured as an
//! object, what comes with every frame as packed columns (`columns`).

#![cfg(target_family = "wasm")]

mod abreast;
mod beside;
mod catalogue;
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
mod papers;
mod profile;
mod saved;
mod saying;
mod sequence;
mod session;
mod simulator;
mod told;
mod words;

use std::cell::RefCell;

use tsify::{Ts, Tsify};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use catalogue::CatalogueView;
use papers::{ReproducedView, StudyView};
use words::Glossary;

use sim::config::catalogue::Catalogue;
use sim::config::own::with_machines;
use validation::{reproduce as run_experiments, studies};

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Notes the words of a panic, which ends in a trap that has none.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| {
        PANIC.with(|words| *words.borrow_mut() = Some(panic.to_string()));
    }));
}

/// The words of the panic that the module ended with; none where it got no more memory.
#[wasm_bindgen]
pub fn last_panic() -> Option<String> {
    PANIC.with(|words| words.borrow().clone())
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

/// What a scenario can be made of, and what the model leaves out; with the texts of machine files of
/// one's own, which throws where one is no machine.
#[wasm_bindgen]
pub fn catalogue(machines: Vec<String>) -> Result<Ts<CatalogueView>, JsError> {
    Ok(CatalogueView::of(&with_machines(machines)?).into_ts()?)
}

/// The scoreboard before anything is run: every number that was published.
#[wasm_bindgen]
pub fn published() -> Result<Vec<Ts<StudyView>>, JsError> {
    let catalogue = Catalogue::shipped()?;
    let studies = studies(&catalogue).map_err(|why| JsError::new(&why))?;
    let view = |study| Ok(StudyView::from(study).into_ts()?);
    studies.into_iter().map(view).collect()
}

/// Runs the experiments behind an entry: one result for each of its numbers.
#[wasm_bindgen]
pub fn reproduce(entry: &str) -> Result<Vec<Ts<ReproducedView>>, JsError> {
    let catalogue = Catalogue::shipped()?;
    let results = run_experiments(entry, &catalogue).map_err(|why| JsError::new(&why))?;
    let view = |result| Ok(ReproducedView::from(result).into_ts()?);
    results.into_iter().map(view).collect()
}
