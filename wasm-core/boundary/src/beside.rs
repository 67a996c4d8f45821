//! Published numbers beside a sweep, as the page gets them (`web/core/figures.ts`).

use serde::Serialize;
use sim::config::scenario::Scenario;
use tsify::{Ts, Tsify};
use validation::{Beside, beside};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// A published number at a point of a sweep.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct BesideView {
    #[tsify(type = "readonly (number | string | boolean)[]")]
    at: Vec<serde_json::Value>,
    figure: &'static str,
    low: f64,
    high: f64,
    by: String,
    entry: String,
    place: String,
    conditions: String,
    item: String,
}

impl From<Beside> for BesideView {
    fn from(one: Beside) -> Self {
        Self {
            at: one.at,
            figure: one.figure,
            low: one.value.0,
            high: one.value.1,
            by: one.by,
            entry: one.entry,
            place: one.place,
            conditions: one.conditions,
            item: one.item,
        }
    }
}

/// The published numbers that a sweep of a scenario (JSON text) over one setting or two can be held against;
/// none of what is no scenario.
#[wasm_bindgen]
pub fn published_beside(
    scenario: &str,
    swept: Vec<String>,
) -> Result<Vec<Ts<BesideView>>, JsError> {
    let Ok(scenario) = serde_json::from_str::<Scenario>(scenario) else {
        return Ok(Vec::new());
    };
    let names: Vec<&str> = swept.iter().map(String::as_str).collect();
    let found = beside(&scenario, &names).map_err(|why| JsError::new(&why))?;
    let view = |one| Ok(BesideView::from(one).into_ts()?);
    found.into_iter().map(view).collect()
}
