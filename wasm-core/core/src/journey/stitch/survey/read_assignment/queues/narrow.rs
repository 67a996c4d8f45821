//! Reads one after the other, each of which has some datagram to take.

use std::collections::BTreeSet;

use super::Stretch;

/// Keeps those candidates of each read that leave the later reads a candidate.
pub(super) fn narrow(stretch: &mut Stretch, must_before: &[usize]) {
    let mut next: Option<BTreeSet<usize>> = None;
    for of_reads in stretch.iter_mut().rev() {
        let others = of_reads.len() - 1;
        let lets_next = |&place: &usize| {
            next.as_ref().is_none_or(|next| {
                let later = next.range(place + 1..).next();
                later.is_some_and(|&later| must_before[later] <= must_before[place + 1] + others)
            })
        };
        for (_, places) in of_reads.iter_mut() {
            places.retain(lets_next);
        }
        let places = of_reads.iter().flat_map(|(_, places)| places);
        next = Some(places.copied().collect());
    }
}
