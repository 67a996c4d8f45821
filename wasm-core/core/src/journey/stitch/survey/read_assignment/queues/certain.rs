//! Datagrams that were certainly read although no length shows by which read.

use super::{Facts, Queues, Socket};
use crate::kernel::EventIdx;

impl Queues {
    /// When the oldest datagram came of those that the reads before this one truncated. Its sender's datagrams before
    /// the one that this read took had all left the queue: if they are as many as those reads, and each longer than
    /// what its read returned, these took them in order.
    pub(super) fn cut_before(
        &self,
        facts: &Facts,
        socket: &Socket,
        place: usize,
    ) -> Option<EventIdx> {
        let (before, from) = socket.reads.split_at(place);
        if before.is_empty() {
            return None;
        }
        let [took] = self.choices[from.first()?][..] else {
            return None;
        };
        let hash = facts.datagrams[took].hash;
        let older = (0..took).filter(|&at| facts.datagrams[at].hash == hash);
        let older: Vec<usize> = older.take(before.len() + 1).collect();
        let is_cut = |(&at, &read): (&usize, &usize)| {
            let (datagram, read) = (&facts.datagrams[at], &facts.reads[read]);
            let is_shorter = 0 < read.bytes && read.bytes < datagram.bytes;
            self.by[at].is_none() && is_shorter && datagram.ready < read.at
        };
        let are_as_many = hash != 0 && older.len() == before.len();
        let are_cut = are_as_many && older.iter().zip(before).all(is_cut);
        are_cut.then(|| facts.datagrams[older[0]].ready)
    }
}
