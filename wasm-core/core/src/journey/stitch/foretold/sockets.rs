//! The sockets of which datagrams are read: what each read may have found in their queues, by time and length.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Facts;
use crate::kernel::{AddrId, EventIdx, Pid};

#[derive(Debug, Default)]
pub(super) struct Socket {
    pub sk: AddrId,
    /// Its reads, in order.
    pub reads: Vec<usize>,
    /// The same by how much they returned.
    by_length: BTreeMap<u32, Vec<usize>>,
    /// When its queue was empty, at a moment between two events.
    pub empty: Vec<(EventIdx, EventIdx)>,
    /// From when to when a task waited at it that whatever came would have woken, or another in its place.
    pub naps: Vec<(EventIdx, EventIdx)>,
    /// The datagrams that may be in its queue, in the order in which they came.
    pub may_have: Vec<usize>,
    /// Some of its reads had no room for all of a datagram.
    pub cuts: bool,
    /// Not looked at since something was ruled out.
    pub is_changed: bool,
}

/// The sockets of a run.
#[derive(Debug, Default)]
pub(super) struct Sockets {
    pub list: Vec<Socket>,
    pub numbers: BTreeMap<AddrId, usize>,
    /// Those of which reads returned so much.
    pub with_length: BTreeMap<u32, Vec<usize>>,
    /// Those of which some reads had no room for all of a datagram.
    pub cutting: Vec<usize>,
    /// The one of which each task reads; none where it reads several.
    pub home: BTreeMap<Pid, Option<usize>>,
}

impl Sockets {
    /// Those of which datagrams are read, some of them with buffers that are too small.
    pub fn of(facts: &Facts, cuts: &BTreeSet<AddrId>) -> Self {
        let mut all = Self::default();
        for (at, read) in facts.reads.iter().enumerate() {
            let number = *all.numbers.entry(read.sk).or_insert(all.list.len());
            if number == all.list.len() {
                all.list.push(Socket {
                    sk: read.sk,
                    cuts: cuts.contains(&read.sk),
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
        for nap in &facts.naps {
            if let Some(&Some(number)) = all.home.get(&nap.pid) {
                let socket = &mut all.list[number];
                let empty = nap.since.map(|since| (since, nap.from));
                socket.empty.extend(empty);
                socket.naps.push((nap.from, nap.to));
            }
        }
        for socket in &mut all.list {
            socket.empty.sort_unstable();
            let mut soonest = EventIdx(u32::MAX);
            for (_, until) in socket.empty.iter_mut().rev() {
                soonest = soonest.min(*until);
                *until = soonest;
            }
            socket.naps = joined(std::mem::take(&mut socket.naps));
        }
        all
    }
}

impl Socket {
    /// Whether one of its reads may have taken a datagram.
    pub fn may_give(&self, facts: &Facts, at: usize) -> bool {
        let coming = &facts.coming[at];
        let nap = self.naps.partition_point(|&(from, _)| from < coming.ready);
        let nap = nap.checked_sub(1).map(|last| self.naps[last]);
        let woke_nobody = coming.woke == Pid::UNKNOWN && !coming.woke_several && !coming.is_odd;
        if woke_nobody && nap.is_some_and(|(_, to)| coming.ready < to) {
            return false;
        }
        let next = |reads: &[usize]| {
            let first = reads.partition_point(|&read| facts.reads[read].at < coming.ready);
            reads.get(first).copied()
        };
        let of_length = self.by_length.get(&coming.bytes);
        let fitting = of_length.and_then(|reads| next(reads));
        let any = next(&self.reads).filter(|_| self.cuts);
        let mut reads = fitting.into_iter().chain(any);
        reads.any(|read| self.is_in_time(facts, at, read))
    }

    /// Whether a datagram that came to it may have been taken by this read.
    pub fn gives(&self, facts: &Facts, at: usize, read: usize) -> bool {
        let (bytes, returned) = (facts.coming[at].bytes, facts.reads[read].bytes);
        let is_cut = self.cuts && 0 < returned && returned < bytes;
        (bytes == returned || is_cut) && self.is_in_time(facts, at, read)
    }

    /// Whether the datagram was there before the read returned, and neither gone nor the queue empty before the call.
    pub fn is_in_time(&self, facts: &Facts, at: usize, read: usize) -> bool {
        let (coming, read) = (&facts.coming[at], &facts.reads[read]);
        let later = self
            .empty
            .partition_point(|&(since, _)| since <= coming.ready);
        let empty = self.empty.get(later).map(|&(_, until)| until);
        let is_before = |end: Option<EventIdx>| end.is_none_or(|end| read.since < Some(end));
        coming.ready < read.at && is_before(coming.gone) && is_before(empty)
    }
}

/// Stretches of time in order, those joined that overlap.
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
