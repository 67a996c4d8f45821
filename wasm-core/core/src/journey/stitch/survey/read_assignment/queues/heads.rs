//! What stood in queues when the recording began.

use super::{Cuts, Facts, Queues, Socket};

impl Queues {
    /// Finds since when it is known what stands in each queue and, if `is_cut_known`, leaves out the reads that took what
    /// stood there when the recording began. A read that truncated a datagram seems to be such a one: there is none of its
    /// length. So it must be known which sockets have such reads, and those are left as they are.
    pub(super) fn leave_unrecorded(&mut self, facts: &Facts, is_cut_known: bool) {
        let mut taken = facts.alone_of_length();
        taken.extend(&self.took);
        for socket in &mut self.sockets {
            let known = socket.known_since(facts, &taken);
            self.is_known.push(known.is_some());
            let is_whole = is_cut_known && socket.cuts_since.is_none();
            let unrecorded = known
                .filter(|_| is_whole)
                .map(|known| socket.take_unrecorded(facts, known));
            self.unrecorded.extend(unrecorded.into_iter().flatten());
        }
    }

    /// Whether something from before the recording stood in the socket's queue, and it is never known what stands in it
    /// after: its first read took nothing that was recorded. A queue that shows neither is taken to be empty when the
    /// recording begins.
    pub fn is_head_unknown(&self, facts: &Facts, read: usize) -> bool {
        let number = self.numbers.get(&facts.reads[read].sk);
        number.is_some_and(|&number| {
            let first = self.sockets[number].reads.first();
            let is_of_unrecorded = |first: &usize| !self.took_some(*first);
            !self.is_known[number] && first.is_some_and(is_of_unrecorded)
        })
    }

    /// All reads of the socket of this read, as indices.
    pub fn reads_beside(&self, facts: &Facts, read: usize) -> &[usize] {
        let number = self.numbers.get(&facts.reads[read].sk);
        number.map_or(&[], |&number| &self.sockets[number].reads)
    }

    /// The event since which each socket's queue holds nothing from before the recording: it was empty, or a read took
    /// a datagram that was recorded.
    pub(super) fn recorded_since(&self, facts: &Facts) -> Cuts {
        let since = |socket: &Socket| {
            let took = |read: &usize| self.took_some(*read);
            let took = socket.reads.iter().position(took);
            let cut = took.and_then(|place| self.cut_before(facts, socket, place));
            let took = took.map(|place| facts.reads[socket.reads[place]].at);
            let empty = socket.emptied_first();
            let slept = socket.slept_first();
            let since = [took, cut, empty, slept].into_iter().flatten().min();
            since.map(|since| (socket.sk, since))
        };
        self.sockets.iter().filter_map(since).collect()
    }
}
