//! Datagrams that have left all queues in which they may have been, with no read that certainly took them.

use std::collections::BTreeSet;

use super::{Facts, Queues};
use crate::kernel::{AddrId, EventIdx};

impl Queues {
    /// Whether the datagram is in no queue any more, and nothing shows that it was read: each queue that it may have been
    /// in was found empty after it came, and the reads until then all have other datagrams to take.
    pub fn is_left(&self, facts: &Facts, at: usize) -> bool {
        let datagram = &facts.datagrams[at];
        let was_emptied = |&number: &usize| {
            let socket = &self.sockets[number];
            let emptied = socket.emptied_after(datagram.ready);
            emptied.is_some_and(|until| {
                let is_between = |at: EventIdx| datagram.ready < at && at < until;
                let mut reads = socket.reads.iter();
                reads.all(|read| {
                    !is_between(facts.reads[*read].at) || self.choices.contains_key(read)
                })
            })
        };
        let queues = &self.may_be_in[at];
        let may_be = !self.was_read[at] && !datagram.is_odd && !queues.is_empty();
        may_be && queues.iter().all(was_emptied)
    }

    /// The sockets of which some read took a datagram that was recorded, and can have taken none: what is known of others is
    /// wrong. Only those that one task reads, so that its calls return in the order in which they took, and in whose queues
    /// nothing stood from before the recording.
    pub fn without_any(&self, facts: &Facts) -> BTreeSet<AddrId> {
        let of = |read: &usize| facts.reads[*read].sk;
        let unrecorded: BTreeSet<AddrId> = self.unrecorded.iter().map(of).collect();
        let sockets = self.sockets.iter().zip(&self.is_known);
        let without = sockets.filter(|&(socket, is_known)| {
            let mut reads = socket.reads.iter();
            let first = socket.reads.first().filter(|&&read| self.took_some(read));
            let Some(first) = first.map(|&read| facts.reads[read].pid) else {
                return false;
            };
            let mut pids = socket.reads.iter().map(|&read| facts.reads[read].pid);
            *is_known
                && !unrecorded.contains(&socket.sk)
                && pids.all(|pid| pid == first)
                && reads.any(|&read| !self.took_some(read))
        });
        without.map(|(socket, _)| socket.sk).collect()
    }

    /// Whether the datagram was certainly read, by whichever read.
    pub fn was_read(&self, at: usize) -> bool {
        self.was_read[at]
    }
}
