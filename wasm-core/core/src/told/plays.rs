//! Measures how a run plays from its opening: how soon something moves, how much, and how long nothing does. The
//! bench prints it, and a test checks it for every shipped run.

use super::copying::Copying;
use super::moves::{Move, Moves};
use super::{Kind, Told};
use crate::kernel::Nanos;
use crate::replay::Replay;

/// How a run plays from its opening; all lengths are in seconds of film.
#[derive(Debug, Clone)]
pub struct Plays {
    /// Until the first movement.
    pub first: f64,
    /// Hops of any packet in the first ten seconds.
    pub hops_in_ten: usize,
    /// Hops of any packet until the end.
    pub hops_left: usize,
    /// The longest interval of the first minute without a movement.
    pub still: f64,
    /// The longest fold.
    pub longest_fold: f64,
    /// Film for each hop of the followed packet in the first minute during which nothing else happens.
    pub own_hops: Vec<f64>,
    /// Length of the whole film.
    pub length: f64,
}

/// Measures how a run plays.
pub fn plays(replay: &Replay, told: &Told) -> Plays {
    let journeys = &replay.journeys;
    let pieces = &told.pieces;
    let moves = Moves::of(journeys);
    let ahead: Vec<(f64, &Move)> = moves
        .all
        .iter()
        .map(|one| (pieces.film_at(one.time) - told.opens_at, one))
        .filter(|(film, _)| *film > 0.0)
        .collect();
    let hops = || ahead.iter().filter(|(_, one)| one.stay != Move::END);
    let minute: Vec<f64> = std::iter::once(0.0)
        .chain(ahead.iter().map(|(film, _)| *film))
        .filter(|film| *film < 60.0)
        .collect();
    let is_cued = |from: f64, to: f64| {
        let cues = told.cues.iter().map(|cue| cue.time);
        // A told wait has its own reading time.
        let mut all = cues.chain(told.waits.iter().map(|wait| wait.time));
        all.any(|time| {
            let film = pieces.film_at(time) - told.opens_at;
            from < film && film < to
        })
    };
    let dwells = |from: f64, to: f64| -> f64 {
        let first = pieces
            .film
            .partition_point(|film| film - told.opens_at < from - 1e-9);
        (first..pieces.kind.len())
            .take_while(|&at| pieces.film[at] - told.opens_at < to)
            .filter(|&at| pieces.kind[at] == Kind::Dwell)
            .map(|at| pieces.film[at + 1] - pieces.film[at])
            .sum()
    };
    // While one packet is copied the next one waits; that is not part of its hop.
    let film_at = |time: Nanos| pieces.film_at(time) - told.opens_at;
    let copies: Vec<(f64, f64)> = ahead
        .iter()
        .filter_map(|(_, one)| Copying::of(replay, one))
        .map(|copy| (film_at(copy.from), film_at(copy.until)))
        .collect();
    let is_copied = |from: f64, to: f64| copies.iter().any(|copy| copy.0 < to && from < copy.1);
    let own_hops = ahead
        .windows(2)
        .filter(|pair| pair[1].0 < 60.0 && pair[0].0 < pair[1].0)
        .filter(|pair| told.actor_at(pair[0].1.time) == Some(pair[1].1.packet))
        .filter(|pair| !is_cued(pair[0].0, pair[1].0) && !is_copied(pair[0].0, pair[1].0))
        .map(|pair| pair[1].0 - pair[0].0 - dwells(pair[0].0, pair[1].0))
        .collect();
    let folds = (0..pieces.kind.len()).filter(|&at| pieces.kind[at] == Kind::Fold);
    Plays {
        first: ahead.first().map_or(f64::INFINITY, |(film, _)| *film),
        hops_in_ten: hops().filter(|(film, _)| *film < 10.0).count(),
        hops_left: hops().count(),
        still: minute
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .fold(0.0, f64::max),
        longest_fold: folds
            .map(|at| pieces.film[at + 1] - pieces.film[at])
            .fold(0.0, f64::max),
        own_hops,
        length: pieces.length(),
    }
}
