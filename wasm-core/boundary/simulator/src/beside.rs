//! Published numbers beside a sweep, as the page gets them (`web/core/figures.ts`).

use serde::Serialize;
use tsify::Tsify;
use validation::Beside;

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
