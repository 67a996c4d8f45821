//! Datagrams that have left all queues in which they may have been, with no read that certainly took them.

use super::{Facts, Queues};
use crate::kernel::EventIdx;

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

    /// Whether the datagram was certainly read, by whichever read.
    pub fn was_read(&self, at: usize) -> bool {
        self.was_read[at]
    }
}
