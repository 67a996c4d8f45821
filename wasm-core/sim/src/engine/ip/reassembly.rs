//! Reassembly: datagrams of which fragments are missing (`struct ipq`). A fragment that is there already is a duplicate
//! (`inet_frag_queue_insert`, v6.1): it adds nothing.
//!
//! Fragments of a datagram are cut once, by its sender: two of them either are the same or do not overlap.

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

/// A datagram, and at which offsets fragments of it have arrived.
#[derive(Debug)]
struct Queue {
    partial: Partial,
    offsets: Vec<u32>,
    /// When it is given up; `NEVER` before its timer is set.
    due: SimTime,
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
    queues: VecDeque<Queue>,
}

impl Reassembly {
    /// An empty reassembly queue.
    pub const fn new(time: SimTime, limit: u32, evicts: bool) -> Self {
        Self {
            time,
            limit,
            evicts,
            queues: VecDeque::new(),
        }
    }

    /// Adds a fragment of `bytes` bytes at `offset`; returns its datagram with the fragment in it, or nothing if the fragment
    /// is a duplicate.
    pub fn add(&mut self, id: u32, offset: u32, bytes: u32, skb: SkbId) -> Option<Partial> {
        let place = self.place_of(id).unwrap_or_else(|| {
            let partial = Partial {
                id,
                got: 0,
                first: skb,
                count: 0,
            };
            let offsets = Vec::new();
            let due = SimTime::NEVER;
            self.queues.push_back(Queue {
                partial,
                offsets,
                due,
            });
            self.queues.len() - 1
        });
        let Queue {
            partial, offsets, ..
        } = &mut self.queues[place];
        if offsets.contains(&offset) {
            return None;
        }
        offsets.push(offset);
        partial.got += bytes;
        partial.count += 1;
        Some(*partial)
    }

    /// Sets the timer of a datagram whose first fragment arrived at `now`; the time at which it is given up.
    pub fn set_timer(&mut self, id: u32, now: SimTime) -> SimTime {
        let due = now + self.time;
        if let Some(place) = self.place_of(id) {
            self.queues[place].due = due;
        }
        due
    }

    /// Whether a datagram is to be given up at `now`: not one that took the number of another, whose timer this was.
    pub fn is_due(&self, id: u32, now: SimTime) -> bool {
        self.place_of(id)
            .is_some_and(|place| self.queues[place].due <= now)
    }

    /// Removes a datagram that is complete or given up.
    pub fn take(&mut self, id: u32) -> Option<Partial> {
        let place = self.place_of(id)?;
        self.queues.remove(place).map(|queue| queue.partial)
    }

    fn place_of(&self, id: u32) -> Option<usize> {
        self.queues.iter().position(|queue| queue.partial.id == id)
    }

    /// Whether the fragments exceed the memory limit. Simplified ("memory of reassembly"): by their bytes.
    fn is_over(&self) -> bool {
        let held: u32 = self.queues.iter().map(|queue| queue.partial.got).sum();
        held > self.limit
    }

    /// The datagram to evict because the memory limit is exceeded: the oldest.
    pub fn evicted(&self) -> Option<u32> {
        let oldest = self.queues.front()?;
        (self.evicts && self.is_over()).then_some(oldest.partial.id)
    }

    /// Whether a new fragment is refused.
    pub fn is_full(&self) -> bool {
        !self.evicts && self.is_over()
    }

    /// The first fragments of all datagrams.
    pub fn firsts(&self) -> impl Iterator<Item = SkbId> {
        self.queues.iter().map(|queue| queue.partial.first)
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
        assert_eq!(reassembly.add(1, 0, 1000, skb(0)).unwrap().count, 1);
        assert_eq!(reassembly.add(2, 0, 1000, skb(1)).unwrap().first, skb(1));
        assert_eq!(reassembly.evicted(), None);
        let second = reassembly.add(1, 1000, 500, skb(2)).unwrap();
        assert_eq!((second.got, second.count, second.first), (1500, 2, skb(0)));
        assert_eq!(
            reassembly.evicted(),
            None,
            "2500 bytes are within the limit"
        );
        reassembly.add(2, 1000, 1, skb(3));
        assert_eq!(reassembly.evicted(), Some(1));
        assert_eq!(reassembly.take(1).map(|partial| partial.got), Some(1500));
        assert_eq!(reassembly.take(1), None);
        assert_eq!(reassembly.firsts().collect::<Vec<_>>(), [skb(1)]);
    }

    #[test]
    fn a_fragment_that_is_there_already_adds_nothing() {
        let mut reassembly = Reassembly::new(SimTime::from_ms(30_000), 2500, true);
        let skb = SkbId::from_index;
        assert!(reassembly.add(1, 1000, 1000, skb(0)).is_some());
        assert_eq!(reassembly.add(1, 1000, 1000, skb(1)), None);
        let whole = reassembly.add(1, 0, 1000, skb(2)).unwrap();
        assert_eq!((whole.got, whole.count), (2000, 2));
    }

    #[test]
    fn the_timer_of_a_whole_datagram_ends_no_other_one() {
        let mut reassembly = Reassembly::new(SimTime::from_ms(30), 2500, true);
        let skb = SkbId::from_index(0);
        reassembly.add(1, 0, 1000, skb);
        let first = reassembly.set_timer(1, SimTime::ZERO);
        assert_eq!(first, SimTime::from_ms(30));
        reassembly.take(1);
        assert!(!reassembly.is_due(1, first), "it is whole");
        // A fragment of it that comes twice.
        reassembly.add(1, 0, 1000, skb);
        let second = reassembly.set_timer(1, SimTime::from_ms(10));
        assert!(!reassembly.is_due(1, first));
        assert!(reassembly.is_due(1, second));
    }

    #[test]
    fn where_no_datagram_is_evicted_a_piece_is_refused() {
        let mut reassembly = Reassembly::new(SimTime::from_ms(30_000), 2500, false);
        let skb = SkbId::from_index(0);
        reassembly.add(1, 0, 2500, skb);
        assert!(!reassembly.is_full(), "as much as it may");
        reassembly.add(2, 0, 1, skb);
        assert_eq!((reassembly.is_full(), reassembly.evicted()), (true, None));
        reassembly.take(1);
        assert!(!reassembly.is_full(), "until one is whole or given up");
    }
}
