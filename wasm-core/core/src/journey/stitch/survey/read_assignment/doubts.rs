//! How far it stays open which read took a datagram.
//!
//! Reads and the datagrams that they may have taken are joined in groups, within which another choice of one read changes
//! what the others took. Within a group of one socket the datagrams were read in the order in which they came; in one of
//! several sockets nothing tells which of two alike went to which, and so who took what stays open. So it does where a
//! queue is never known to be empty: how many datagrams stood in it when the recording began is not known.

use std::collections::{BTreeMap, BTreeSet};

use super::Matching;
use super::queues::Queues;
use crate::journey::stitch::packet::datagram::Doubt;
use crate::kernel::AddrId;

impl Matching {
    /// The doubt about each datagram whose read is not certain; `certain` are those that are, if it is known what stands in
    /// the queues. Each read has its most likely datagram.
    pub(super) fn doubts(
        &self,
        queues: &Queues,
        certain: &[Option<usize>],
    ) -> BTreeMap<usize, Doubt> {
        let mut readers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (&read, choices) in &queues.choices {
            for &datagram in choices {
                readers.entry(datagram).or_default().push(read);
            }
        }
        let mut seen = BTreeSet::new();
        let mut doubts = BTreeMap::new();
        for &first in queues.choices.keys() {
            if !seen.insert(first) {
                continue;
            }
            let mut group = vec![first];
            let mut datagrams = BTreeSet::new();
            let mut next = 0;
            while let Some(read) = group.get(next) {
                next += 1;
                for &datagram in &queues.choices[read] {
                    let is_certain = certain[datagram]
                        .is_some_and(|read| !queues.is_head_unknown(&self.facts, read));
                    if !is_certain && datagrams.insert(datagram) {
                        let others = readers[&datagram].iter();
                        group.extend(others.filter(|&&other| seen.insert(other)));
                    }
                }
            }
            let sockets: BTreeSet<AddrId> = group
                .iter()
                .map(|&read| self.facts.reads[read].sk)
                .collect();
            let is_unknown = |&&read: &&usize| queues.is_head_unknown(&self.facts, read);
            let unknown = group.iter().find(is_unknown);
            // Any later read of the socket may have taken it.
            let others = unknown.map_or(&[][..], |&read| queues.reads_beside(&self.facts, read));
            let is_settled = sockets.len() == 1 && unknown.is_none();
            let of_group = datagrams.into_iter();
            doubts.extend(of_group.filter_map(|datagram| {
                let reads = readers[&datagram].iter().chain(others);
                let doubt = self.doubt(datagram, reads, is_settled);
                (doubt > Doubt::None).then_some((datagram, doubt))
            }));
        }
        for (crowd, doubt) in queues.crowds(&self.facts) {
            for &datagram in crowd.datagrams.iter().filter(|&&at| certain[at].is_none()) {
                let of_datagram = doubts.entry(datagram).or_default();
                *of_datagram = doubt.max(*of_datagram);
            }
        }
        doubts
    }

    /// The doubt about a datagram that these reads may have taken. `is_settled`: in the order of one queue.
    fn doubt<'a>(
        &self,
        datagram: usize,
        reads: impl Iterator<Item = &'a usize>,
        is_settled: bool,
    ) -> Doubt {
        let reads: Vec<_> = reads.map(|&read| self.facts.reads[read]).collect();
        if self.by[datagram].is_none() || reads.iter().any(|read| read.pid != reads[0].pid) {
            Doubt::Reader
        } else if reads.iter().any(|read| read.sk != reads[0].sk) {
            Doubt::Socket
        } else if is_settled {
            Doubt::None
        } else {
            Doubt::Call
        }
    }

    /// Of a queue of which it is never known what stands in it, what came last may still stand there at the end of the
    /// recording: a datagram that nothing shows to be gone may not have been read.
    pub(super) fn leave_unknown_heads(&mut self, queues: &Queues) {
        for datagram in 0..self.by.len() {
            let is_unknown =
                self.by[datagram].is_some_and(|read| queues.is_head_unknown(&self.facts, read));
            if is_unknown && self.facts.datagrams[datagram].gone.is_none() {
                let read = self.by[datagram].take();
                self.doubtful.remove(&datagram);
                self.ambiguous.insert(datagram);
                self.ambiguous_reads
                    .extend(read.map(|read| self.facts.reads[read].at));
            }
        }
    }
}
