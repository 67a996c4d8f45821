//! Reads before which more datagrams stood in queues than are looked at.
//!
//! Each of them may have taken any of these datagrams, and so may the reads after it as far as nothing shows what it took:
//! who took which is open.

use super::{Facts, Queues};
use crate::journey::stitch::packet::datagram::Doubt;
use crate::kernel::Pid;

/// Most candidates of one read; beyond that the read is crowded.
const MOST: usize = 1024;
/// Least of them, however many reads there are.
const LEAST: usize = 64;
/// Most candidates of all reads together, so that time and memory stay in proportion to what is read.
const MOST_OF_ALL: usize = 1 << 20;

/// Most candidates that are looked at for each of so many reads.
pub(super) fn most_candidates(reads: usize) -> usize {
    (MOST_OF_ALL / reads.max(1)).clamp(LEAST, MOST)
}

/// What is crowded at one socket.
#[derive(Debug, Default)]
pub struct Crowd {
    /// Its reads before which too many stood, as indices.
    pub reads: Vec<usize>,
    /// The datagrams that one of them may have taken, as indices.
    pub datagrams: Vec<usize>,
}

impl Queues {
    /// The crowds of all sockets, with the doubt about who read what in each.
    pub fn crowds(&self, facts: &Facts) -> impl Iterator<Item = (&Crowd, Doubt)> {
        let crowds = self.crowds.iter();
        crowds.map(|(&number, crowd)| (crowd, self.doubt_within(facts, number, crowd)))
    }

    /// Notes what is crowded at a socket, in place of what was.
    pub(super) fn note_crowd(&mut self, number: usize, crowd: Crowd) {
        for read in self.crowds.remove(&number).unwrap_or_default().reads {
            self.crowded.remove(&read);
        }
        if !crowd.reads.is_empty() {
            self.crowded.extend(&crowd.reads);
            self.crowds.insert(number, crowd);
        }
    }

    /// Whether the read took some datagram that was recorded, whichever it is.
    pub(super) fn took_some(&self, read: usize) -> bool {
        self.choices.contains_key(&read) || self.crowded.contains(&read)
    }

    /// How far it is known who read what in a socket's crowd: its datagrams may be in the queues of other sockets too.
    fn doubt_within(&self, facts: &Facts, number: usize, crowd: &Crowd) -> Doubt {
        let others = crowd.datagrams.iter().flat_map(|&at| &self.may_be_in[at]);
        let mut sockets: Vec<usize> = others.copied().chain([number]).collect();
        sockets.sort_unstable();
        sockets.dedup();
        let reads = sockets.iter().flat_map(|&at| &self.sockets[at].reads);
        let mut readers = reads.map(|&read| facts.reads[read].pid);
        let first = readers.next().unwrap_or(Pid::UNKNOWN);
        if readers.any(|pid| pid != first) {
            Doubt::Reader
        } else if sockets.len() > 1 {
            Doubt::Socket
        } else {
            Doubt::Call
        }
    }
}
