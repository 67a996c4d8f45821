//! The curve of a figure over a setting, as the page gets it (`web/core/figures.ts`).

use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use super::compare::EstimateView;
use ringside::compare::Estimate;
use ringside::compare::knee::{self, Axis, Bend};

/// The points of a curve, and where it bends.
#[derive(Debug, Serialize, Tsify)]
pub struct CurveView {
    points: Vec<EstimateView>,
    #[tsify(type = "KneeView | undefined")]
    knee: Option<KneeView>,
}

/// Where a curve levels off or takes off.
#[derive(Debug, Serialize, Tsify)]
pub struct KneeView {
    /// The place of the point.
    at: usize,
    #[tsify(type = "'levels_off' | 'takes_off'")]
    bend: &'static str,
}

/// The curve through points: the values of all runs, point after point, and how many each point has; its
/// axis is one of logarithms, or it is not.
#[wasm_bindgen]
pub fn curve(
    settings: &[f64],
    is_log: bool,
    counts: &[u32],
    values: &[f64],
) -> Result<Ts<CurveView>, JsError> {
    let axis = if is_log { Axis::Log } else { Axis::Even };
    let mut rest = values;
    let mut estimates = Vec::with_capacity(counts.len());
    for &count in counts {
        let point;
        (point, rest) = rest.split_at((count as usize).min(rest.len()));
        estimates.push(Estimate::of(point).ok_or_else(|| JsError::new("a point has no value"))?);
    }
    let knee = knee::of(settings, &estimates, axis).map(|knee| KneeView {
        at: knee.at,
        bend: match knee.bend {
            Bend::LevelsOff => "levels_off",
            Bend::TakesOff => "takes_off",
        },
    });
    let points = estimates.into_iter().map(EstimateView::from).collect();
    Ok(CurveView { points, knee }.into_ts()?)
}
