//! Sockets from which datagrams are read: what each read may have found in the queue, by time and length.

use std::collections::BTreeMap;

use super::facts::Facts;
use super::queues::Cuts;
use crate::kernel::{AddrId, EventIdx, Pid};

#[derive(Debug, Default)]
pub(super) struct Socket {
    pub sk: AddrId,
    /// Its reads in order, as indices into `Facts::reads`.
    pub reads: Vec<usize>,
    /// The same by returned length in bytes.
    by_length: BTreeMap<u32, Vec<usize>>,
    /// Intervals between two events in which its queue was empty at some moment.
    pub empty: Vec<(EventIdx, EventIdx)>,
    /// Intervals in which a task slept on it, so that any datagram would have woken that task or another.
    pub sleeps: Vec<(EventIdx, EventIdx)>,
    /// The datagrams that may be in its queue, in order of arrival.
    pub may_have: Vec<usize>,
    /// Some of its reads after this event truncated a datagram.
    pub cuts_since: Option<EventIdx>,
    /// A candidate was ruled out since it was looked at last.
    pub is_changed: bool,
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
    /// The socket that each task reads; `None` if it reads several.
    pub home: BTreeMap<Pid, Option<usize>>,
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
                    empty: facts.empty.get(&read.sk).cloned().unwrap_or_default(),
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
            let home = all.home.entry(read.pid).or_insert(Some(number));
            *home = home.filter(|&home| home == number);
        }
        for sleep in &facts.sleeps {
            if let Some(&Some(number)) = all.home.get(&sleep.pid) {
                let socket = &mut all.list[number];
                let empty = sleep.since.map(|since| (since, sleep.from));
                socket.empty.extend(empty);
                socket.sleeps.push((sleep.from, sleep.to));
            }
        }
        for socket in &mut all.list {
            socket.empty.sort_unstable();
            let mut soonest = EventIdx(u32::MAX);
            for (_, until) in socket.empty.iter_mut().rev() {
                soonest = soonest.min(*until);
                *until = soonest;
            }
            socket.sleeps = joined(std::mem::take(&mut socket.sleeps));
        }
        all
    }
}

impl Socket {
    /// Whether any of its reads may have taken the datagram.
    pub fn may_give(&self, facts: &Facts, at: usize) -> bool {
        let datagram = &facts.datagrams[at];
        let sleep = self
            .sleeps
            .partition_point(|&(from, _)| from < datagram.ready);
        let sleep = sleep.checked_sub(1).map(|last| self.sleeps[last]);
        let woke_nobody =
            datagram.woke == Pid::UNKNOWN && !datagram.woke_several && !datagram.is_odd;
        if woke_nobody && sleep.is_some_and(|(_, to)| datagram.ready < to) {
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

    /// The event until which its queue was found empty, once after what came at this event.
    pub fn emptied_after(&self, ready: EventIdx) -> Option<EventIdx> {
        let later = self.empty.partition_point(|&(since, _)| since <= ready);
        self.empty.get(later).map(|&(_, until)| until)
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
