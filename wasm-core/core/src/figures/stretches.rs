//! One run taken apart into stretches, so that it tells by itself how far its figures waver: the
//! method of batch means (Schmeiser, Operations Research 30(3), 1982, who finds 10 to 30 batches
//! enough).
//!
//! Stretches are bounded by packets, so that each tells its costs from as many of them. What they
//! tell is how sure a figure of this run is. What another run would give, after another boot or on
//! another placement, no stretch of this one knows.

use super::{Figures, all_transactions};
use crate::kernel::Nanos;
use crate::order;
use crate::replay::Basis;

/// Into so many stretches.
const COUNT: usize = 10;
/// Each of at least so many packets: a mean of fewer tells little.
const LEAST: usize = 5;

/// The figures of the stretches between two times, both included, without the round trip: the least
/// of a run is no mean of the least of its stretches.
pub(super) fn of(basis: &Basis<'_>, from: Nanos, to: Nanos) -> Vec<Figures> {
    let bounds = bounds(basis, from, to);
    if bounds.is_empty() {
        return Vec::new();
    }
    let transactions = all_transactions(basis);
    let stretches = bounds.windows(2).map(|pair| {
        let end = if pair[1] == to {
            to
        } else {
            // The next one begins there.
            Nanos(pair[1].0 - 1)
        };
        Figures::told(basis, &transactions, pair[0], end, None)
    });
    stretches.collect()
}

/// Where stretches begin, and where the last one ends; nothing of too few packets, or of packets
/// that set out all at once.
fn bounds(basis: &Basis<'_>, from: Nanos, to: Nanos) -> Vec<Nanos> {
    let packets = basis.journeys.packets.iter();
    let starts = packets.map(|packet| packet.start);
    let mut starts: Vec<Nanos> = starts
        .filter(|&start| from <= start && start <= to)
        .collect();
    if starts.len() < COUNT * LEAST {
        return Vec::new();
    }
    order::sort(&mut starts);
    let inner = (1..COUNT).map(|at| starts[at * starts.len() / COUNT]);
    let bounds: Vec<Nanos> = std::iter::once(from).chain(inner).chain([to]).collect();
    let is_ascending = bounds.windows(2).all(|pair| pair[0] < pair[1]);
    if is_ascending { bounds } else { Vec::new() }
}
