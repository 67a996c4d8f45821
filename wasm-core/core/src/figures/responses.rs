//! How long requests of this host wait for their answers, where of that on this host, and how many are answered.

use std::collections::BTreeMap;

use super::{Figures, Of, Quantity};
use crate::kernel::{Nanos, PacketId, Station, sum_of_nanos};
use crate::measure::{Distribution, Transaction};
use crate::replay::Basis;

/// Of the transactions of a run, those whose answers were read between two times, both included.
pub(super) fn add(
    figures: &mut Figures,
    basis: &Basis<'_>,
    asked: &[Transaction],
    from: Nanos,
    to: Nanos,
) {
    let journeys = basis.journeys;
    let is_within = |one: &&Transaction| (from..=to).contains(&one.answered);
    let all: Vec<Transaction> = asked.iter().filter(is_within).copied().collect();
    if all.is_empty() {
        return;
    }
    let times = Distribution::of(all.iter().map(|one| one.nanos()).collect());
    let seen = |nanos: u64| {
        let one = all.iter().find(|one| one.nanos() == nanos)?;
        Some((one.request, one.asked))
    };
    let (median, tail) = (times.median, times.p99);
    for (quantity, nanos) in [
        (Quantity::ResponseMedian, median),
        (Quantity::ResponseTail, tail),
    ] {
        figures.see(quantity, Of::Run, nanos as f64, seen(nanos));
    }
    let rate = times.count as f64 * 1e9 / to.since(from) as f64;
    let first = all.first().map(|one| (one.request, one.asked));
    figures.see(Quantity::TransactionRate, Of::Run, rate, first);
    let mut waits: BTreeMap<Station, Vec<(u64, PacketId, Nanos)>> = BTreeMap::new();
    for (packet, place) in all.iter().flat_map(|one| one.stays(journeys)) {
        let stay = &journeys.stays[place as usize];
        let wait = (stay.wait(), packet, stay.enter);
        waits.entry(stay.station).or_default().push(wait);
    }
    figures.tell(Quantity::ResponseWait);
    for (station, waits) in waits {
        let sum = sum_of_nanos(waits.iter().map(|&(nanos, ..)| nanos));
        let longest = waits.iter().max_by_key(|&&(nanos, ..)| nanos);
        let seen = longest.map(|&(_, packet, at)| (packet, at));
        if sum > 0 {
            let mean = sum as f64 / times.count as f64;
            figures.see(Quantity::ResponseWait, Of::Station(station), mean, seen);
        }
    }
}
