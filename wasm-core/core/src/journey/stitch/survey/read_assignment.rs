//! Which read took which datagram, as far as later events show it; computed before the journeys are stitched.
//!
//! - A read on a CPU other than the one that allocated the `sk_buff` defers the free to that CPU, whose next flush
//!   frees the latest first (`net/core/skbuff.c: skb_attempt_defer_free`, `skb_defer_free_flush`; `net/ipv4/udp.c:
//!   skb_consume_udp`, v6.18). So the order of a flush's frees is the reverse of the order of the reads.
//! - A receive queue is read in order, and is known to be empty at certain moments (`queues`).
//!
//! A datagram that several reads may have taken is doubtful (`doubts`): it was read, but by which of them stays open unless
//! other datagrams of its sender show it.

mod ambiguous;
mod doubts;
mod facts;
mod gathering;
mod queues;
mod rx_state;
mod sockets;

use std::collections::{BTreeMap, BTreeSet};

use crate::journey::stitch::packet::datagram::Doubt;
use crate::kernel::{AddrId, EventIdx};
use crate::run::Run;

use facts::{Facts, Flush};
use queues::Queues;

/// What is known about the read of a datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssignedRead {
    /// It is taken by this read.
    Read(EventIdx),
    /// It is taken by one of several reads, this one or another.
    Doubtful(Option<EventIdx>, Doubt),
    /// One read took it or another like it: more of them came than were read.
    Ambiguous,
}

/// What the matching of a run's datagrams and reads has found.
#[derive(Debug, Default)]
pub struct Matches {
    /// What is known about each datagram, by its `sk_data_ready` event.
    pub assigned: BTreeMap<EventIdx, AssignedRead>,
    /// The reads that took one of several ambiguous datagrams each.
    pub ambiguous_reads: BTreeSet<EventIdx>,
    /// The reads that took what stood in their queue when the recording began.
    pub unrecorded_reads: BTreeSet<EventIdx>,
    /// The reads before which so much stood in queues that it is open which datagram each took.
    pub crowded_reads: BTreeMap<EventIdx, Doubt>,
    /// The hashes whose datagrams arrived at several sockets.
    pub spread: BTreeSet<u32>,
    /// The sockets of which all reads are taken to truncate.
    pub only_truncating: BTreeSet<AddrId>,
    /// When `sk_buff`s that no event names came to datagram sockets' queues.
    pub unaddressed: Vec<EventIdx>,
}

/// Matches the datagrams and reads of a run.
pub fn match_reads(run: &Run) -> Matches {
    let mut matching = Matching::of(Facts::of(run));
    for (datagram, read) in std::mem::take(&mut matching.facts.named) {
        // The first socket has a clone: the copy names what the last one has.
        if !matching.facts.datagrams[datagram].has_clones {
            matching.pair(datagram, read);
        }
    }
    for flush in std::mem::take(&mut matching.facts.flushes) {
        matching.match_flush(&flush);
    }
    let only_truncating = matching.match_queues();
    let homes = matching.facts.homes(&matching.by).into_iter();
    let spread = homes.filter(|(_, home)| home.is_none());
    let spread = spread.map(|(hash, _)| hash).collect();
    Matches {
        unaddressed: std::mem::take(&mut matching.facts.unaddressed),
        ambiguous_reads: std::mem::take(&mut matching.ambiguous_reads),
        unrecorded_reads: std::mem::take(&mut matching.unrecorded_reads),
        crowded_reads: std::mem::take(&mut matching.crowded_reads),
        assigned: matching.assigned(),
        spread,
        only_truncating,
    }
}

/// Matches datagrams with reads.
#[derive(Debug)]
struct Matching {
    facts: Facts,
    /// The read that took each datagram, as an index into `facts.reads`.
    by: Vec<Option<usize>>,
    /// Whether each read took a datagram.
    took: Vec<bool>,
    /// The datagrams, as indices, of which a flush shows the read.
    flushed: BTreeSet<usize>,
    /// The datagrams, as indices, that several reads may have taken.
    doubtful: BTreeMap<usize, Doubt>,
    /// The datagrams, as indices, of which it is open whether they were read, and the reads that took some of them.
    ambiguous: BTreeSet<usize>,
    ambiguous_reads: BTreeSet<EventIdx>,
    unrecorded_reads: BTreeSet<EventIdx>,
    crowded_reads: BTreeMap<EventIdx, Doubt>,
}

/// The limit of reads considered beyond the number of `sk_buff`s that a flush freed.
const SEARCH_WINDOW: usize = 64;
/// Above the number of deferred frees that can wait on one CPU (`net.core.skb_defer_max`).
const MAX_DEFERRED: usize = 1024;

impl Matching {
    fn of(facts: Facts) -> Self {
        Self {
            by: vec![None; facts.datagrams.len()],
            took: vec![false; facts.reads.len()],
            flushed: BTreeSet::new(),
            doubtful: BTreeMap::new(),
            ambiguous: BTreeSet::new(),
            ambiguous_reads: BTreeSet::new(),
            unrecorded_reads: BTreeSet::new(),
            crowded_reads: BTreeMap::new(),
            facts,
        }
    }

    fn pair(&mut self, datagram: usize, read: usize) {
        (self.by[datagram], self.took[read]) = (Some(read), true);
    }

    /// Matches the datagrams that a CPU frees with the reads since its previous flush, in order, where only one
    /// assignment is possible. One of the calls may return a little after the flush.
    fn match_flush(&mut self, flush: &Flush) {
        let reads = &self.facts.reads;
        let end = reads.partition_point(|read| read.at < flush.at);
        let first = reads.partition_point(|read| Some(read.at) < flush.since);
        if end - first > flush.freed.len() + SEARCH_WINDOW || flush.freed.len() > MAX_DEFERRED {
            return;
        }
        let is_other = |at: &usize| reads[*at].cpu != flush.cpu && !self.took[*at];
        let mut window: Vec<usize> = (first..end).filter(is_other).collect();
        let is_plain = |at: &usize| {
            let datagram = &self.facts.datagrams[*at];
            !datagram.is_odd && !datagram.follows_longer && self.by[*at].is_none()
        };
        let freed: Vec<usize> = flush.freed.iter().rev().copied().filter(is_plain).collect();
        if freed.len() > window.len() {
            // The call had dequeued before the flush and returned after it.
            let is_late = |at: &usize| is_other(at) && reads[*at].since < Some(flush.at);
            let late = (end..reads.len()).take(SEARCH_WINDOW).find(is_late);
            window.extend(late);
        }
        let fits = |datagram: usize, read: usize| {
            let (datagram, read) = (&self.facts.datagrams[datagram], reads[read]);
            datagram.bytes == read.bytes
                && datagram.ready < read.at
                && datagram.family.may_be(read.family)
        };
        let first = in_order(freed.iter().copied(), window.iter().copied(), fits);
        let last = in_order(
            freed.iter().rev().copied(),
            window.iter().rev().copied(),
            fits,
        );
        let certain: Vec<_> = first.intersection(&last).copied().collect();
        for (datagram, read) in certain {
            self.pair(datagram, read);
            self.flushed.insert(datagram);
        }
    }

    /// The queues, without what flushes show at sockets where that alone contradicts the order of the queue: another call may
    /// have dequeued before the flush and returned after it.
    fn queues(&mut self) -> Queues {
        let queues = Queues::of(&self.facts, &self.by);
        let with = queues.without_any(&self.facts);
        let is_against = |&datagram: &usize| {
            let read = self.by[datagram].map(|read| self.facts.reads[read].sk);
            read.is_some_and(|sk| with.contains(&sk))
        };
        let against: Vec<usize> = self.flushed.iter().copied().filter(is_against).collect();
        if against.is_empty() {
            return queues;
        }
        let mut others = self.by.clone();
        for &datagram in &against {
            others[datagram] = None;
        }
        let other = Queues::of(&self.facts, &others);
        let without = other.without_any(&self.facts);
        if with.iter().any(|sk| without.contains(sk)) {
            return queues;
        }
        for datagram in against {
            if let Some(read) = self.by[datagram].take() {
                self.took[read] = false;
            }
        }
        other
    }

    /// Takes over the readers that the order of the queues leaves possible: one, or several. Returns the sockets of
    /// which all reads are taken to truncate.
    fn match_queues(&mut self) -> BTreeSet<AddrId> {
        let queues = self.queues();
        for (datagram, by) in queues.by.iter().enumerate() {
            if let Some(read) = *by {
                self.pair(datagram, read);
            }
        }
        // Of several, a read takes one that it returns whole, and of those the one that came first.
        let certain = self.by.clone();
        for (&read, choices) in &queues.choices {
            let is_free = |&&datagram: &&usize| {
                !self.facts.datagrams[datagram].is_odd && self.by[datagram].is_none()
            };
            let bytes = self.facts.reads[read].bytes;
            let order = |&&datagram: &&usize| {
                let datagram = &self.facts.datagrams[datagram];
                (datagram.bytes != bytes, datagram.ready)
            };
            if !self.took[read]
                && let Some(&datagram) = choices.iter().filter(is_free).min_by_key(order)
            {
                self.pair(datagram, read);
            }
        }
        self.doubtful = self.doubts(&queues, &certain);
        self.leave_unknown_heads(&queues);
        let unrecorded = queues.unrecorded.iter();
        self.unrecorded_reads = unrecorded.map(|&read| self.facts.reads[read].at).collect();
        for (crowd, doubt) in queues.crowds(&self.facts) {
            let reads = crowd.reads.iter().filter(|&&read| !self.took[read]);
            let reads = reads.map(|&read| (self.facts.reads[read].at, doubt));
            self.crowded_reads.extend(reads);
        }
        self.leave_ambiguous(&queues, &certain);
        queues.only_truncating
    }

    fn assigned(self) -> BTreeMap<EventIdx, AssignedRead> {
        let of_datagrams = self.facts.datagrams.iter().zip(&self.by).enumerate();
        let assigned = of_datagrams.filter_map(|(at, (datagram, by))| {
            let read = by.map(|by| self.facts.reads[by].at);
            let assigned = if self.ambiguous.contains(&at) {
                AssignedRead::Ambiguous
            } else if let Some(&doubt) = self.doubtful.get(&at) {
                AssignedRead::Doubtful(read, doubt)
            } else {
                AssignedRead::Read(read?)
            };
            Some((datagram.ready, assigned))
        });
        assigned.collect()
    }
}

/// Pairs each datagram with the first fitting read after the previous datagram's read.
fn in_order(
    freed: impl Iterator<Item = usize>,
    mut reads: impl Iterator<Item = usize> + Clone,
    fits: impl Fn(usize, usize) -> bool,
) -> BTreeSet<(usize, usize)> {
    let mut pairs = BTreeSet::new();
    for datagram in freed {
        let mut behind = reads.clone();
        if let Some(read) = behind.find(|&read| fits(datagram, read)) {
            pairs.insert((datagram, read));
            reads = behind;
        }
    }
    pairs
}
