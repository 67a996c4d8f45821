//! The told film as the page gets it (`web/core/told.ts`).

use crate::replay::{NONE, Replay};
use crate::told::Told;

use super::columns::Columns;

/// The packet that the film opens with and where, the pieces' columns, the actors'.
pub fn packed(replay: &Replay, told: &Told) -> Vec<f64> {
    let pieces = &told.pieces;
    let opens_with = told.opens_with.map_or(NONE, |packet| packet.0);
    let column = |value: &dyn Fn(usize) -> f64, length: usize| -> Vec<f64> {
        (0..length).map(value).collect()
    };
    let acts = &told.acts;
    Columns::default()
        .push(&[f64::from(opens_with)])
        .push(&[told.opens_at])
        .push(&pieces.film)
        .push(&column(
            &|at| replay.since_start(pieces.time[at]),
            pieces.time.len(),
        ))
        .push(&column(
            &|at| f64::from(pieces.kind[at] as u8),
            pieces.kind.len(),
        ))
        .push(&column(&|at| pieces.film_at(acts[at].from), acts.len()))
        .push(&column(
            &|at| f64::from(acts[at].packet.map_or(NONE, |packet| packet.0)),
            acts.len(),
        ))
        .into_array()
}
