//! Datagrams of which more came than were read, where nothing tells them apart.
//!
//! A datagram that no read took, although each queue that it may have been in was found empty after it came, stood in
//! the queue of a socket that nobody read. A read that may have taken it leaves open which of the two it took, that one
//! or the one it was paired with; and so does each read that may have taken the latter. There are then more datagrams
//! than reads that took nothing else, whichever way they are paired (Hall's theorem).

use std::collections::{BTreeMap, BTreeSet};

use super::Matching;
use super::queues::Queues;

/// The limit of datagrams that may be exchanged for one another; with more, their pairs are left as they are.
const MOST_EXCHANGED: usize = 1024;

impl Matching {
    /// Takes back the pairs that such a datagram leaves open. `certain`: the pairs that are not.
    pub(super) fn leave_ambiguous(&mut self, queues: &Queues, certain: &[Option<usize>]) {
        let is_left = |&datagram: &usize| {
            self.by[datagram].is_none() && queues.is_left(&self.facts, datagram)
        };
        let left: Vec<usize> = (0..self.by.len()).filter(is_left).collect();
        if left.is_empty() {
            return;
        }
        let mut readers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (&read, choices) in &queues.choices {
            for &datagram in choices {
                readers.entry(datagram).or_default().push(read);
            }
        }
        let pairs = self.by.iter().enumerate();
        let taken: BTreeMap<usize, usize> =
            pairs.filter_map(|(at, by)| Some(((*by)?, at))).collect();
        let exchangeable = |first: usize| {
            let mut found = BTreeSet::from([first]);
            let mut ahead = vec![first];
            while let Some(datagram) = ahead.pop() {
                for read in readers.get(&datagram)? {
                    // A read that has taken none yet leaves enough for all.
                    let &other = taken.get(read)?;
                    if certain[other].is_none() && found.insert(other) {
                        ahead.push(other);
                    }
                }
                if found.len() > MOST_EXCHANGED {
                    return None;
                }
            }
            Some(found)
        };
        let found: BTreeSet<usize> = left
            .into_iter()
            .filter_map(exchangeable)
            .flatten()
            .collect();
        for datagram in found.into_iter().filter(|&at| !queues.was_read(at)) {
            let read = self.by[datagram].take();
            self.ambiguous.insert(datagram);
            self.ambiguous_reads
                .extend(read.map(|read| self.facts.reads[read].at));
        }
    }
}
