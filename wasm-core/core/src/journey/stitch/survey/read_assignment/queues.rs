//! Which reads may have taken which datagrams, by the order in which sockets' queues are read.
//!
//! A datagram is in the queue of one socket, and a queue is read from its head (`net/core/datagram.c:
//! __skb_try_recv_from_queue`, v6.18). So a socket's datagrams come in the order of its reads, each as long as its
//! read returned. At certain moments a queue is known to be empty: a reader sleeps on it, or a non-blocking read
//! returns EAGAIN. Assignments that no such order allows are ruled out, socket by socket, until a fixed point.

mod certain;
mod crowded;
mod heads;
mod left;
mod narrow;
mod truncating;

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Facts;
use super::sockets::{Socket, Sockets};
use crate::kernel::{AddrId, EventIdx, Pid};

use crowded::{Crowd, most_candidates};
use narrow::narrow;

/// The limit of sockets with reads of one length; datagrams of that length are left open beyond it.
const SOCKETS: usize = 16;
/// How many positions behind the previously read datagram a candidate is searched for, for each that is looked at.
const SEARCHED: usize = 8;
/// The limit of concurrent reads that may have returned in another order.
const MAX_BESIDE: usize = 8;
/// The limit of passes over all sockets: a datagram ruled out at one socket may rule out others elsewhere.
const ROUNDS: usize = 16;

/// Which read may have taken which datagram.
#[derive(Debug, Default)]
pub(super) struct Queues {
    sockets: Vec<Socket>,
    numbers: BTreeMap<AddrId, usize>,
    /// Whether it is known at some time what stands in each socket's queue.
    is_known: Vec<bool>,
    /// The reads that took what stood in their queue when the recording began, as indices.
    pub unrecorded: Vec<usize>,
    /// The sockets, as indices, in whose queues each datagram may be.
    may_be_in: Vec<Vec<usize>>,
    /// Whether each datagram was certainly read.
    was_read: Vec<bool>,
    /// The read that certainly took each datagram, as an index.
    pub by: Vec<Option<usize>>,
    took: BTreeMap<usize, usize>,
    /// Reads are taken to have dequeued in the order of their returns, unless that leaves one without a datagram.
    is_in_order: bool,
    /// The datagrams that each read may have taken.
    pub choices: BTreeMap<usize, Vec<usize>>,
    /// What is crowded at each socket, by its index.
    crowds: BTreeMap<usize, Crowd>,
    /// The reads of all crowds, as indices.
    crowded: BTreeSet<usize>,
    /// Most candidates that are looked at for one read.
    most_candidates: usize,
    /// The sockets of which all reads are taken to truncate.
    pub only_truncating: BTreeSet<AddrId>,
}

/// The sockets with reads that truncated a datagram, each with the event since which its queue holds nothing from before
/// the recording.
pub(super) type Cuts = BTreeMap<AddrId, EventIdx>;

/// A sequence of reads that all have candidates: for each step the reads whose mutual order is unknown, each with the
/// positions of its candidates in the socket's list.
type Stretch = Vec<Vec<(usize, Vec<usize>)>>;

impl Queues {
    /// Derives all that follows from the facts and from the assignments that are already certain.
    pub fn of(facts: &Facts, certain: &[Option<usize>]) -> Self {
        let mut queues = Self::begin(facts, certain, None);
        // The certain assignments show the socket of most hashes.
        queues.keep_to_homes(facts);
        let mut recorded = queues.recorded_since(facts);
        let only_truncating = queues.only_truncating(facts, &recorded);
        let from_start = only_truncating.iter().map(|&sk| (sk, EventIdx(0)));
        recorded.extend(from_start);
        let mut cuts = queues.without_datagram(facts, &recorded);
        let without_heads = Self::begin(facts, certain, Some(&cuts));
        if !cuts.is_empty() || !without_heads.unrecorded.is_empty() {
            queues = without_heads;
            queues.keep_to_homes(facts);
        }
        if !cuts.is_empty() {
            let others = queues.without_datagram(facts, &recorded);
            if cuts.keys().any(|sk| others.contains_key(sk)) {
                cuts.retain(|sk, _| !others.contains_key(sk));
                queues = Self::begin(facts, certain, Some(&cuts));
                queues.keep_to_homes(facts);
            }
        }
        queues.is_in_order = true;
        queues.look_again(facts);
        queues.keep_to_homes(facts);
        queues.only_truncating = only_truncating;
        queues.only_truncating.retain(|sk| cuts.contains_key(sk));
        queues
    }

    /// Marks all sockets for another look and settles them.
    fn look_again(&mut self, facts: &Facts) {
        for socket in &mut self.sockets {
            socket.is_changed = true;
        }
        self.settle(facts);
    }

    /// The queues before anything is ruled out. `cuts`: the sockets with truncating reads; while they are not known, nothing
    /// is left out as having stood in a queue when the recording began.
    fn begin(facts: &Facts, certain: &[Option<usize>], cuts: Option<&Cuts>) -> Self {
        let Sockets {
            list,
            numbers,
            with_length,
            cutting,
            of_task,
        } = Sockets::of(facts, cuts.unwrap_or(&Cuts::new()));
        let mut queues = Self {
            sockets: list,
            most_candidates: most_candidates(facts.reads.len()),
            ..Self::default()
        };
        for (at, (datagram, &by)) in facts.datagrams.iter().zip(certain).enumerate() {
            let of_length = with_length.get(&datagram.bytes);
            let of_length = of_length.map_or(&[][..], Vec::as_slice);
            let is_known = of_length.len() + cutting.len() <= SOCKETS;
            let all = is_known.then(|| of_length.iter().chain(&cutting));
            let all: BTreeSet<usize> = all.into_iter().flatten().copied().collect();
            let may_give = |&number: &usize| queues.sockets[number].may_give(facts, at);
            let mut may: Vec<usize> = all.into_iter().filter(may_give).collect();
            let before = datagram.cut_after;
            let before = before.filter(|&before| queues.was_read[before]);
            let of_task = of_task.get(&datagram.woke);
            let is_home = |number: &usize| match before {
                Some(before) => queues.may_be_in[before].contains(number),
                None => of_task.is_some_and(|of| of.sockets.contains(number)),
            };
            let homes: Vec<usize> = may.iter().copied().filter(is_home).collect();
            let is_home_known = !homes.is_empty();
            if let Some(read) = by {
                let number = numbers.get(&facts.reads[read].sk);
                may = number.into_iter().copied().collect();
            } else if is_home_known {
                may = homes;
            }
            let woke_some = datagram.woke != Pid::UNKNOWN || datagram.woke_several;
            for &number in &may {
                let socket = &mut queues.sockets[number];
                socket.may_have.push(at);
                if woke_some && may.len() == 1 {
                    socket.woken_at.get_or_insert(datagram.ready);
                }
            }
            let is_certain = by.is_some() || is_home_known;
            let is_gone = datagram.gone.is_some() && is_known;
            let was_read = !datagram.is_odd && (is_certain || is_gone);
            queues.was_read.push(was_read);
            queues.may_be_in.push(may);
            queues.by.push(by);
            queues.took.extend(by.map(|read| (read, at)));
        }
        queues.numbers = numbers;
        queues.leave_unrecorded(facts, cuts.is_some());
        queues
    }

    /// Looks at changed sockets until nothing more is ruled out, or `ROUNDS` is reached.
    fn settle(&mut self, facts: &Facts) {
        for _ in 0..ROUNDS {
            let mut is_settled = true;
            for number in 0..self.sockets.len() {
                if std::mem::take(&mut self.sockets[number].is_changed) {
                    self.look_at(facts, number);
                    is_settled = false;
                }
            }
            if is_settled {
                break;
            }
        }
    }

    /// Rules out the assignments that no order of the socket's reads allows.
    fn look_at(&mut self, facts: &Facts, number: usize) {
        let mut may_have = std::mem::take(&mut self.sockets[number].may_have);
        may_have.retain(|&at| self.may_be_in[at].contains(&number));
        self.sockets[number].may_have = may_have;
        let (stretches, mut is_possible) = self.stretches(facts, number);
        let may_have = std::mem::take(&mut self.sockets[number].may_have);
        for read in &self.sockets[number].reads {
            self.choices.remove(read);
        }
        let mut found = Vec::new();
        for (read, places) in stretches.into_iter().flatten().flatten() {
            for &place in &places {
                is_possible[place] = true;
            }
            let choices: Vec<usize> = places.iter().map(|&place| may_have[place]).collect();
            if let [only] = choices[..]
                && !facts.datagrams[only].is_odd
                && self.by[only].is_none()
            {
                found.push((read, only));
            }
            self.choices.insert(read, choices);
        }
        for (&at, _) in may_have.iter().zip(&is_possible).filter(|(_, is)| !**is) {
            self.rule_out(at, |of| of == number);
        }
        self.sockets[number].may_have = may_have;
        for (read, at) in found {
            self.by[at] = Some(read);
            self.took.insert(read, at);
            self.was_read[at] = true;
            self.rule_out(at, |of| of != number);
        }
    }

    /// The datagram is in none of the sockets for which `is_out` holds.
    fn rule_out(&mut self, at: usize, is_out: impl Fn(usize) -> bool) {
        for number in std::mem::take(&mut self.may_be_in[at]) {
            self.sockets[number].is_changed = true;
            if !is_out(number) {
                self.may_be_in[at].push(number);
            }
        }
    }

    /// The candidates of each read of a socket, in stretches of reads that all have some; and which datagrams lie in
    /// the gaps between stretches, where any of them may have been read.
    fn stretches(&mut self, facts: &Facts, number: usize) -> (Vec<Stretch>, Vec<bool>) {
        let mut reads = std::mem::take(&mut self.sockets[number].reads);
        let have = &self.sockets[number].may_have;
        let mut must_before = vec![0];
        for &at in have {
            let is_must = self.was_read[at] && self.may_be_in[at].len() == 1;
            must_before.push(must_before[must_before.len() - 1] + usize::from(is_must));
        }
        let (mut stretches, mut stretch) = (Vec::new(), Stretch::new());
        let mut is_open = vec![false; have.len()];
        let mut opened = 0;
        // The possible positions behind the datagram read last, and behind the one read before it.
        let (mut before, mut earlier) = (vec![0], None);
        // Up to where one of the reads since `before` was known may have taken some: nobody knows which.
        let mut crowded_to = 0;
        let (mut crowd, mut crowd_end) = (Crowd::default(), 0);
        // The end of the pair of reads that was exchanged last, which is not exchanged back.
        let mut exchanged = 0;
        let mut next = 0;
        while next < reads.len() {
            let beside = self.beside(facts, &reads[next..]);
            let mut is_crowded = false;
            let of_reads: Vec<_> = beside
                .iter()
                .map(|&read| {
                    let from = (before.as_slice(), crowded_to, beside.len() - 1);
                    let places = self.places(facts, number, read, from, &must_before);
                    is_crowded |= places.is_none();
                    (read, places.unwrap_or_default())
                })
                .collect();
            let read = reads[next];
            next += beside.len();
            if !is_crowded && of_reads.iter().all(|(_, places)| !places.is_empty()) {
                let places = of_reads.iter().flat_map(|(_, places)| places);
                let behind: BTreeSet<usize> = places.map(|&place| place + 1).collect();
                let behind = behind.into_iter().collect();
                earlier = Some(std::mem::replace(&mut before, behind)).filter(|_| crowded_to == 0);
                crowded_to = 0;
                stretch.push(of_reads);
            } else if let Some(before_both) = earlier.take()
                && !is_crowded
                && self.is_in_order
                && exchanged < next
                && facts.may_return_late(reads[next - 2], read)
            {
                // Of two tasks on two CPUs, the one that dequeued first returned second.
                reads.swap(next - 2, next - 1);
                exchanged = next;
                stretch.pop();
                before = before_both;
                next -= 2;
            } else {
                // The read took an ambiguous datagram, or unrecorded reads took the candidates: nothing is known up
                // to here.
                let first = before[0];
                let came =
                    |&at: &usize| facts.datagrams[at].ready < facts.reads[reads[next - 1]].at;
                let end = have.partition_point(came);
                is_open[opened.max(first).min(end)..end].fill(true);
                opened = opened.max(end);
                before = vec![self.behind(facts, number, read, first)];
                if is_crowded {
                    crowd.reads.extend(&beside);
                }
                if is_crowded || crowded_to > 0 {
                    crowded_to = end;
                    let known = crowd_end.max(before[0]).min(end);
                    crowd.datagrams.extend(&have[known..end]);
                    crowd_end = crowd_end.max(end);
                }
                stretches.push(std::mem::take(&mut stretch));
            }
        }
        stretches.push(stretch);
        for stretch in &mut stretches {
            narrow(stretch, &must_before);
        }
        self.sockets[number].reads = reads;
        self.note_crowd(number, crowd);
        (stretches, is_open)
    }

    /// The first of these reads, and those after it that may have dequeued before it.
    fn beside(&self, facts: &Facts, reads: &[usize]) -> Vec<usize> {
        let most = if self.is_in_order { 1 } else { MAX_BESIDE };
        let pairs = reads.windows(2).take(most - 1);
        let late = pairs.take_while(|pair| facts.may_return_late(pair[0], pair[1]));
        reads[..=late.count()].to_vec()
    }

    /// The positions of the datagrams that a read may have taken: next after one of the positions `before`, or of any up
    /// to `crowded_to`, apart from up to `others` taken concurrently. `must_before[n]`: datagrams before n certainly read
    /// from this queue. `None`: they are too many.
    fn places(
        &self,
        facts: &Facts,
        number: usize,
        read: usize,
        (before, crowded_to, others): (&[usize], usize, usize),
        must_before: &[usize],
    ) -> Option<Vec<usize>> {
        let socket = &self.sockets[number];
        let taken = self.took.get(&read);
        let first = before[0];
        let last = before[before.len() - 1].max(crowded_to);
        let window = SEARCHED * self.most_candidates;
        let mut places = Vec::new();
        let mut nearest = 0;
        for (place, &at) in socket.may_have.iter().enumerate().skip(first) {
            while before.get(nearest + 1).is_some_and(|&next| next <= place) {
                nearest += 1;
            }
            let nearest_before = before[nearest].max(crowded_to.min(place));
            let is_behind_other = must_before[place] > must_before[nearest_before] + others;
            if facts.datagrams[at].ready >= facts.reads[read].at
                || is_behind_other && nearest + 1 == before.len() && place >= crowded_to
            {
                break;
            }
            let is_its =
                self.by[at].is_none_or(|by| by == read) && taken.is_none_or(|&taken| taken == at);
            if is_its && !is_behind_other && socket.gives(facts, at, read) {
                places.push(place);
            }
            if places.len() > self.most_candidates || place > last + window {
                return None;
            }
        }
        Some(places)
    }

    /// The first position, from `first` on, of a datagram that may still have been in the queue at a read.
    fn behind(&self, facts: &Facts, number: usize, read: usize, first: usize) -> usize {
        let socket = &self.sockets[number];
        let rest = &socket.may_have[first..];
        let may_be_there = |&at: &usize| socket.is_in_time(facts, at, read);
        first + rest.iter().position(may_be_there).unwrap_or(rest.len())
    }

    /// The datagrams of one sending socket arrive at one socket unless something contradicts that: a datagram that
    /// may be at several is assigned to the one of its sender's other datagrams.
    fn keep_to_homes(&mut self, facts: &Facts) {
        let homes = facts.homes(&self.by);
        for at in 0..self.may_be_in.len() {
            let home = homes.get(&facts.datagrams[at].hash).copied().flatten();
            let is_home = |&number: &usize| Some(self.sockets[number].sk) == home;
            if self.by[at].is_none()
                && self.may_be_in[at].len() > 1
                && let Some(home) = self.may_be_in[at].iter().copied().find(is_home)
            {
                self.rule_out(at, |of| of != home);
            }
        }
        self.settle(facts);
    }
}

#[cfg(test)]
mod tests;
