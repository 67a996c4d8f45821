//! Datagrams whose socket is not known.

use super::{By, Datagrams, Read, SEARCH_WINDOW};
use crate::journey::stitch::packet::datagram::{Datagram, Doubt};

impl Datagrams {
    /// Removes the datagram at a position among those whose socket is unknown. Empty queues are removed, as all
    /// lengths are searched.
    pub(super) fn take_loose(&mut self, bytes: u32, at: usize) {
        if let Some(queue) = self.loose.get_mut(&bytes) {
            queue.remove(at);
            if queue.is_empty() {
                self.loose.remove(&bytes);
            }
        }
    }

    /// The first datagram as long as the read whose socket is unknown and that may be taken, and its position.
    pub(super) fn first_loose(&self, read: Read<'_>, by: By) -> Option<(usize, Datagram)> {
        let queue = self.loose.get(&read.bytes)?;
        let fits = |waits: &Datagram| self.may_be_taken(waits, read, by);
        let first = queue.iter().take(SEARCH_WINDOW).position(fits);
        let at = first.or_else(|| {
            // Many may be ruled out by the reader's empty queues; the search continues behind that moment.
            let empty_before = self.heads.empty_before(read.reader);
            let after = queue.partition_point(|waits| Some(waits.ready) < empty_before);
            let near = queue.range(after..).take(SEARCH_WINDOW).position(fits);
            near.map(|at| after + at)
        })?;
        Some((at, queue[at]))
    }

    /// Takes a datagram whose socket is unknown. With several senders the oldest datagram is the most likely. Only a
    /// certain match binds the sender's hash to the socket.
    pub(super) fn take_first_loose(
        &mut self,
        at: usize,
        mut first: Datagram,
        read: Read<'_>,
        by: By,
    ) -> Datagram {
        let candidates = self.loose.get(&read.bytes).into_iter().flatten();
        let others = candidates.take(SEARCH_WINDOW).filter(|waits| {
            let is_alike = waits.hash == first.hash && first.hash != 0;
            waits.packet != first.packet && !is_alike && self.may_be_taken(waits, read, by)
        });
        let has_others = others.count() > 0;
        self.take_loose(read.bytes, at);
        let is_woken = read.known.woke(first.packet) == read.reader;
        if self.socket(first.hash) == Some(read.sk) {
            first.doubt = Doubt::None;
        } else {
            let doubt = self.doubt_of_loose(first, read, is_woken, has_others);
            first.doubt = first.doubt.max(doubt);
        }
        if first.doubt == Doubt::None && (!has_others || is_woken) {
            self.bind(first.hash, read.sk);
        }
        first
    }

    /// How far it is known that a read took this datagram, whose socket is unknown. `has_others`: it may have taken others
    /// of that length. Those whose read is known are not among them, so without a hash the socket stays open even if there
    /// are none, unless it is where the reader waited or where all datagrams of that length are read.
    fn doubt_of_loose(
        &self,
        first: Datagram,
        read: Read<'_>,
        is_woken: bool,
        has_others: bool,
    ) -> Doubt {
        let (sk, pid) = self
            .homes
            .of_length
            .get(&read.bytes)
            .copied()
            .unwrap_or_default();
        let home = self.homes.of_task.get(&read.reader).copied().flatten();
        let is_head = is_woken && (home == Some(read.sk) || !has_others);
        let is_alone = first.hash != 0 && !has_others;
        if is_head || is_alone || sk == Some(read.sk) {
            Doubt::None
        } else if is_woken || pid == Some(read.reader) {
            Doubt::Socket
        } else {
            Doubt::Reader
        }
    }
}
