//! Sockets from which datagrams are read: what each read may have found in the queue, by time and length.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::facts::{Facts, SleepInterval};
use super::queues::Cuts;
use crate::kernel::{AddrId, EventIdx, Pid};

#[derive(Debug, Default)]
pub(super) struct Socket {
    pub sk: AddrId,
    /// Its reads in order, as indices into `Facts::reads`.
    pub reads: Vec<usize>,
    /// The same by returned length in bytes.
    by_length: BTreeMap<u32, Vec<usize>>,
    /// What is known of its queue by reads that found it empty, and by tasks that read no other socket.
    own: Waits,
    /// The same by tasks that read others too, together for all sockets which the same ones read.
    shared: Rc<Waits>,
    /// The first datagram that is known to be in its queue and woke a task: the queue was empty.
    pub woken_at: Option<EventIdx>,
    /// The datagrams that may be in its queue, in order of arrival.
    pub may_have: Vec<usize>,
    /// Some of its reads after this event truncated a datagram.
    pub cuts_since: Option<EventIdx>,
    /// A candidate was ruled out since it was looked at last.
    pub is_changed: bool,
}

/// When sockets' queues are known to have been empty.
#[derive(Debug, Default)]
struct Waits {
    /// Intervals between two events in which the queue was empty at some moment; once they are put in order, the second
    /// is the soonest of all that begin there or later.
    empty: Vec<(EventIdx, EventIdx)>,
    /// Intervals in which a task slept on it, so that any datagram would have woken that task or another.
    sleeps: Vec<(EventIdx, EventIdx)>,
}

impl Waits {
    fn add(&mut self, sleep: &SleepInterval) {
        let empty = sleep.since.map(|since| (since, sleep.from));
        self.empty.extend(empty);
        self.sleeps.push((sleep.from, sleep.to));
    }

    fn put_in_order(&mut self) {
        self.empty.sort_unstable();
        let mut soonest = EventIdx(u32::MAX);
        for (_, until) in self.empty.iter_mut().rev() {
            soonest = soonest.min(*until);
            *until = soonest;
        }
        self.sleeps = joined(std::mem::take(&mut self.sleeps));
    }

    fn has_sleep_at(&self, at: EventIdx) -> bool {
        let after = self.sleeps.partition_point(|&(from, _)| from < at);
        let last = after.checked_sub(1).map(|last| self.sleeps[last]);
        last.is_some_and(|(_, to)| at < to)
    }

    fn emptied_after(&self, ready: EventIdx) -> Option<EventIdx> {
        let later = self.empty.partition_point(|&(since, _)| since <= ready);
        self.empty.get(later).map(|&(_, until)| until)
    }
}

/// Since when it is known what stands in a socket's queue: the reads from an event on take the datagrams that came from
/// another on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub reads_from: EventIdx,
    pub datagrams_from: EventIdx,
}

/// The sockets of a run.
#[derive(Debug, Default)]
pub(super) struct Sockets {
    pub list: Vec<Socket>,
    pub numbers: BTreeMap<AddrId, usize>,
    /// The sockets with a read of each length in bytes.
    pub with_length: BTreeMap<u32, Vec<usize>>,
    /// The sockets with reads that truncated a datagram.
    pub cutting: Vec<usize>,
    /// The sockets that each task reads.
    pub of_task: BTreeMap<Pid, Homes>,
}

/// The sockets that a task reads.
#[derive(Debug, Default)]
pub(super) struct Homes {
    pub sockets: BTreeSet<usize>,
    /// Some of its reads wait for a datagram. It then waits at that socket alone, else at all of them.
    waits_in_call: bool,
}

impl Homes {
    /// Whether it sleeps only while all its sockets' queues are empty.
    fn waits_at_all(&self) -> bool {
        self.sockets.len() == 1 || !self.waits_in_call
    }
}

impl Sockets {
    /// The sockets from which datagrams are read; those in `cuts` have truncating reads.
    pub fn of(facts: &Facts, cuts: &Cuts) -> Self {
        let mut all = Self::default();
        for (at, read) in facts.reads.iter().enumerate() {
            let number = *all.numbers.entry(read.sk).or_insert(all.list.len());
            if number == all.list.len() {
                all.list.push(Socket {
                    sk: read.sk,
                    cuts_since: cuts.get(&read.sk).copied(),
                    is_changed: true,
                    own: Waits {
                        empty: facts.empty.get(&read.sk).cloned().unwrap_or_default(),
                        ..Waits::default()
                    },
                    ..Socket::default()
                });
                all.cutting.extend(cuts.get(&read.sk).map(|_| number));
            }
            let socket = &mut all.list[number];
            socket.reads.push(at);
            let of_length = socket.by_length.entry(read.bytes).or_default();
            if of_length.is_empty() {
                all.with_length.entry(read.bytes).or_default().push(number);
            }
            of_length.push(at);
            let homes = all.of_task.entry(read.pid).or_default();
            homes.waits_in_call |= !read.is_nonblocking;
            homes.sockets.insert(number);
        }
        all.wait(facts);
        all
    }

    /// Gives the tasks' sleeps to their sockets. A server may sleep as often as it has sockets, so what is of several
    /// sockets is there once for all that are read by the same tasks.
    fn wait(&mut self, facts: &Facts) {
        let mut readers: Vec<Vec<Pid>> = vec![Vec::new(); self.list.len()];
        for (&pid, homes) in &self.of_task {
            if homes.sockets.len() > 1 && homes.waits_at_all() {
                homes.sockets.iter().for_each(|&at| readers[at].push(pid));
            }
        }
        let mut groups: BTreeMap<&[Pid], Waits> = BTreeMap::new();
        let mut of_reader: BTreeMap<Pid, BTreeSet<&[Pid]>> = BTreeMap::new();
        for group in readers.iter().map(Vec::as_slice) {
            groups.entry(group).or_default();
            for &pid in group {
                of_reader.entry(pid).or_default().insert(group);
            }
        }
        for sleep in &facts.sleeps {
            let homes = self.of_task.get(&sleep.pid);
            let only = homes.filter(|homes| homes.sockets.len() == 1);
            if let Some(&number) = only.and_then(|homes| homes.sockets.first()) {
                self.list[number].own.add(sleep);
            }
            for group in of_reader.get(&sleep.pid).into_iter().flatten() {
                groups.entry(group).or_default().add(sleep);
            }
        }
        let shared = groups.into_iter().map(|(group, mut waits)| {
            waits.put_in_order();
            (group, Rc::new(waits))
        });
        let shared: BTreeMap<&[Pid], Rc<Waits>> = shared.collect();
        for (socket, group) in self.list.iter_mut().zip(&readers) {
            socket.own.put_in_order();
            socket.shared = shared.get(group.as_slice()).cloned().unwrap_or_default();
        }
    }
}

impl Socket {
    /// Whether any of its reads may have taken the datagram.
    pub fn may_give(&self, facts: &Facts, at: usize) -> bool {
        let datagram = &facts.datagrams[at];
        let woke_nobody =
            datagram.woke == Pid::UNKNOWN && !datagram.woke_several && !datagram.is_odd;
        if woke_nobody && self.waits().any(|it| it.has_sleep_at(datagram.ready)) {
            return false;
        }
        let next = |reads: &[usize]| {
            let first = reads.partition_point(|&read| facts.reads[read].at < datagram.ready);
            reads.get(first).copied()
        };
        let of_length = self.by_length.get(&datagram.bytes);
        let fitting = of_length.and_then(|reads| next(reads));
        let any = next(&self.reads).filter(|_| self.cuts_since.is_some());
        let mut reads = fitting.into_iter().chain(any);
        reads.any(|read| self.is_in_time(facts, at, read))
    }

    /// Whether this read may have taken the datagram, if it came to this socket.
    pub fn gives(&self, facts: &Facts, at: usize, read: usize) -> bool {
        let (bytes, returned) = (facts.datagrams[at].bytes, facts.reads[read].bytes);
        let is_cutting = self
            .cuts_since
            .is_some_and(|since| since < facts.reads[read].at);
        let is_cut = is_cutting && 0 < returned && returned < bytes;
        (bytes == returned || is_cut) && self.is_in_time(facts, at, read)
    }

    /// Removes the reads that took what stood in its queue when the recording began, and returns them: those before
    /// `known` for which no datagram is left, if each read after them took one that was recorded.
    pub fn take_unrecorded(&mut self, facts: &Facts, known: Known) -> Vec<usize> {
        let end = self
            .reads
            .partition_point(|&read| facts.reads[read].at < known.reads_from);
        let came = |&at: &usize| facts.datagrams[at].ready < known.datagrams_from;
        let end_of_left = self.may_have.partition_point(came);
        let mut left = &self.may_have[..end_of_left];
        for place in (0..end).rev() {
            // The reader's buffer may have been too small for all of it.
            let read = self.reads[place];
            let gives = |&at: &usize| {
                facts.datagrams[at].bytes >= facts.reads[read].bytes
                    && self.is_in_time(facts, at, read)
            };
            match left.iter().rposition(gives) {
                Some(last) => left = &left[..last],
                // Of a datagram that the survey leaves out, nothing follows for the reads before.
                None if !self.may_have.iter().any(gives) => {}
                None => return self.reads.drain(..=place).collect(),
            }
        }
        Vec::new()
    }

    /// Since when it is known what stands in the queue: it was empty, or a task waited for what came, or a read is known
    /// to have taken a datagram. `took`: such datagrams, by read.
    pub fn known_since(&self, facts: &Facts, took: &BTreeMap<usize, usize>) -> Option<Known> {
        // The event before may be the return of the last read that took anything.
        let first = |waits: &Waits| waits.empty.first().map(|&(since, _)| EventIdx(since.0 + 1));
        let empty = self.waits().filter_map(first);
        let empty = empty.chain(self.slept_first()).chain(self.woken_at).min();
        let empty = empty.map(|at| Known {
            reads_from: at,
            datagrams_from: at,
        });
        let mut pairs = self
            .reads
            .iter()
            .filter_map(|read| Some((read, took.get(read)?)));
        let pair = pairs.next().map(|(&read, &datagram)| Known {
            reads_from: facts.reads[read].at,
            datagrams_from: facts.datagrams[datagram].ready,
        });
        empty
            .into_iter()
            .chain(pair)
            .min_by_key(|known| known.reads_from)
    }

    /// The event until which its queue was found empty, once after what came at this event.
    pub fn emptied_after(&self, ready: EventIdx) -> Option<EventIdx> {
        let waits = self.waits();
        waits.filter_map(|waits| waits.emptied_after(ready)).min()
    }

    /// The event until which its queue was found empty first.
    pub fn emptied_first(&self) -> Option<EventIdx> {
        let first = |waits: &Waits| waits.empty.first().map(|&(_, until)| until);
        self.waits().filter_map(first).min()
    }

    /// Since when a task slept on it first.
    pub fn slept_first(&self) -> Option<EventIdx> {
        let first = |waits: &Waits| waits.sleeps.first().map(|&(from, _)| from);
        self.waits().filter_map(first).min()
    }

    fn waits(&self) -> impl Iterator<Item = &Waits> {
        [&self.own, &*self.shared].into_iter()
    }

    /// Whether the datagram was queued at a socket of the read's family before the read returned, and was not gone, nor
    /// the queue found empty since, before the call.
    pub fn is_in_time(&self, facts: &Facts, at: usize, read: usize) -> bool {
        let (datagram, read) = (&facts.datagrams[at], &facts.reads[read]);
        let empty = self.emptied_after(datagram.ready);
        let is_before = |end: Option<EventIdx>| end.is_none_or(|end| read.since < Some(end));
        datagram.family.may_be(read.family)
            && datagram.ready < read.at
            && is_before(datagram.gone)
            && is_before(empty)
    }
}

/// Sorts intervals and joins those that overlap.
fn joined(mut stretches: Vec<(EventIdx, EventIdx)>) -> Vec<(EventIdx, EventIdx)> {
    stretches.sort_unstable();
    stretches.dedup_by(|later, earlier| {
        let is_within = later.0 <= earlier.1;
        if is_within {
            earlier.1 = earlier.1.max(later.1);
        }
        is_within
    });
    stretches
}

#[cfg(test)]
mod tests {
    use super::super::facts::RecvCall;
    use super::*;
    use crate::journey::stitch::packet::datagram::SocketFamily;
    use crate::kernel::CpuId;

    fn read(at: u32, pid: u32, sk: u32) -> RecvCall {
        RecvCall {
            at: EventIdx(at),
            since: None,
            cpu: CpuId(0),
            pid: Pid(pid),
            sk: AddrId(sk),
            family: SocketFamily::default(),
            bytes: 64,
            is_nonblocking: true,
        }
    }

    fn sleep(pid: u32, from: u32, to: u32) -> SleepInterval {
        SleepInterval {
            pid: Pid(pid),
            since: Some(EventIdx(from - 1)),
            from: EventIdx(from),
            to: EventIdx(to),
        }
    }

    /// A server that sleeps on all its sockets at once does so as often as there are datagrams: its sleeps stand there
    /// once, however many sockets it has.
    #[test]
    fn sleeps_on_several_sockets_are_kept_once() {
        let facts = Facts {
            reads: vec![
                read(10, 1, 1),
                read(20, 1, 2),
                read(30, 1, 3),
                read(40, 2, 3),
            ],
            sleeps: vec![sleep(1, 5, 8), sleep(1, 15, 18), sleep(2, 35, 38)],
            ..Facts::default()
        };
        let sockets = Sockets::of(&facts, &Cuts::new()).list;
        assert!(Rc::ptr_eq(&sockets[0].shared, &sockets[1].shared));
        assert!(Rc::ptr_eq(&sockets[0].shared, &sockets[2].shared));
        let count = |socket: &Socket| (socket.own.sleeps.len(), socket.shared.sleeps.len());
        let counts: Vec<_> = sockets.iter().map(count).collect();
        assert_eq!(counts, [(0, 2), (0, 2), (1, 2)]);
        let slept = |at: u32| {
            let waits = |socket: &Socket| socket.waits().any(|it| it.has_sleep_at(EventIdx(at)));
            sockets.iter().map(waits).collect::<Vec<_>>()
        };
        assert_eq!(slept(16), [true, true, true]);
        assert_eq!(slept(36), [false, false, true]);
        assert_eq!(slept(20), [false, false, false]);
        assert_eq!(sockets[2].emptied_after(EventIdx(10)), Some(EventIdx(15)));
        assert_eq!(sockets[0].emptied_after(EventIdx(20)), None);
        assert_eq!(sockets[2].emptied_after(EventIdx(20)), Some(EventIdx(35)));
    }
}
