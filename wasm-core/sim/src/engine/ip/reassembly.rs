//! Reassembly: datagrams of which fragments are missing (`struct ipq`).

use std::collections::VecDeque;

use crate::engine::ids::SkbId;
use crate::time::SimTime;

/// A datagram of which fragments are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Partial {
    /// Its IP identification.
    pub id: u32,
    /// Bytes that have arrived.
    pub got: u32,
    /// The first fragment that arrived: the head of the chain.
    pub first: SkbId,
    /// Number of fragments that have arrived.
    pub count: u32,
}

/// The incomplete datagrams of a host, oldest first.
#[derive(Debug)]
pub struct Reassembly {
    /// How long fragments wait for the others (`ipfrag_time`).
    pub time: SimTime,
    /// Memory limit in bytes (`ipfrag_high_thresh`).
    limit: u32,
    /// Whether the oldest datagram is evicted above the limit; else new fragments are refused.
    evicts: bool,
    partials: VecDeque<Partial>,
}

impl Reassembly {
    /// An empty reassembly queue.
    pub const fn new(time: SimTime, limit: u32, evicts: bool) -> Self {
        Self {
            time,
            limit,
            evicts,
            partials: VecDeque::new(),
        }
    }

    /// Adds a fragment of `bytes` bytes; returns its datagram with the fragment in it.
    pub fn add(&mut self, id: u32, bytes: u32, skb: SkbId) -> Partial {
        let known = self.partials.iter().position(|partial| partial.id == id);
        let place = known.unwrap_or_else(|| {
            self.partials.push_back(Partial {
                id,
                got: 0,
                first: skb,
                count: 0,
            });
            self.partials.len() - 1
        });
        let partial = &mut self.partials[place];
        partial.got += bytes;
        partial.count += 1;
        *partial
    }

    /// Removes a datagram that is complete or given up.
    pub fn take(&mut self, id: u32) -> Option<Partial> {
        let place = self.partials.iter().position(|partial| partial.id == id)?;
        self.partials.remove(place)
    }

    /// Whether the fragments exceed the memory limit.
    fn is_over(&self) -> bool {
        let held: u32 = self.partials.iter().map(|partial| partial.got).sum();
        held > self.limit
    }

    /// The datagram to evict because the memory limit is exceeded: the oldest.
    pub fn evicted(&self) -> Option<u32> {
        let oldest = self.partials.front()?;
        (self.evicts && self.is_over()).then_some(oldest.id)
    }

    /// Whether a new fragment is refused.
    pub fn is_full(&self) -> bool {
        !self.evicts && self.is_over()
    }

    /// The first fragments of all datagrams.
    pub fn firsts(&self) -> impl Iterator<Item = SkbId> {
        self.partials.iter().map(|partial| partial.first)
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::ids::Id as _;

    use super::*;

    #[test]
    fn pieces_join_by_identification_and_the_oldest_goes_first() {
        let mut reassembly = Reassembly::new(SimTime::from_ms(30_000), 2500, true);
        let skb = SkbId::from_index;
        assert_eq!(reassembly.add(1, 1000, skb(0)).count, 1);
        assert_eq!(reassembly.add(2, 1000, skb(1)).first, skb(1));
        assert_eq!(reassembly.evicted(), None);
        let second = reassembly.add(1, 500, skb(2));
        assert_eq!((second.got, second.count, second.first), (1500, 2, skb(0)));
        assert_eq!(
            reassembly.evicted(),
            None,
            "2500 bytes are within the limit"
        );
        reassembly.add(2, 1, skb(3));
        assert_eq!(reassembly.evicted(), Some(1));
        assert_eq!(reassembly.take(1).map(|partial| partial.got), Some(1500));
        assert_eq!(reassembly.take(1), None);
        assert_eq!(reassembly.firsts().collect::<Vec<_>>(), [skb(1)]);
    }

    #[test]
    fn where_no_datagram_is_evicted_a_piece_is_refused() {
        let mut reassembly = Reassembly::new(SimTime::from_ms(30_000), 2500, false);
        let skb = SkbId::from_index(0);
        reassembly.add(1, 2500, skb);
        assert!(!reassembly.is_full(), "as much as it may");
        reassembly.add(2, 1, skb);
        assert_eq!((reassembly.is_full(), reassembly.evicted()), (true, None));
        reassembly.take(1);
        assert!(!reassembly.is_full(), "until one is whole or given up");
    }
}
