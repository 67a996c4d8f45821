//! Which read took which datagram, where what comes later tells: before the journeys are put together.
//!
//! - A read on another CPU than the one that made an `sk_buff` leaves it to that CPU to free, in its next round and the last
//!   one first (`net/core/skbuff.c: skb_attempt_defer_free`, `skb_defer_free_flush`; `net/ipv4/udp.c: skb_consume_udp`,
//!   v6.18). So the reads before a flush and what it frees are in one order.
//! - A task that a datagram wakes had read all before it slept: its first read is of that one.
//! - What wakes nobody came to a task that was not waiting: one that reads again before it is woken the next time.
//!
//! A datagram that several tasks may have read so is doubtful: it was read, and by whom is left open unless its sender's
//! others tell.

mod facts;

use std::collections::{BTreeMap, BTreeSet};

use super::Stitcher;
use super::datagrams::Datagram;
use super::reads::Reads;
use crate::kernel::{AddrId, EventIdx, Field, PacketId, Pid, Probe, Verdict};
use crate::run::Run;

use facts::{Coming, Facts, Flush, Reading};

/// What is known of how a datagram ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// At this read.
    Read(EventIdx),
    /// At one of several tasks' reads.
    Doubtful,
}

/// What is known before.
#[derive(Debug, Default)]
pub(super) struct Foretold {
    /// By the event that told of each datagram's coming.
    fates: BTreeMap<EventIdx, Fate>,
    /// Datagrams that wait for the read that takes them.
    waiting: BTreeMap<EventIdx, Datagram>,
    /// The hashes of which datagrams came to several sockets.
    pub spread: BTreeSet<u32>,
}

impl Foretold {
    /// What a run tells of the datagrams of which every read is told.
    pub fn of(run: &Run) -> Self {
        let mut matching = Matching::of(Facts::of(run));
        for flush in std::mem::take(&mut matching.facts.flushes) {
            matching.match_flush(&flush);
        }
        matching.match_woken();
        matching.match_only();
        let homes = matching.homes().into_iter();
        let spread = homes.filter(|(_, home)| home.is_none());
        Self {
            spread: spread.map(|(hash, _)| hash).collect(),
            fates: matching.fates(),
            waiting: BTreeMap::new(),
        }
    }

    /// The datagram that this read takes.
    pub fn read(&mut self, read: EventIdx) -> Option<Datagram> {
        self.waiting.remove(&read)
    }
}

impl Stitcher<'_> {
    /// A datagram is in its socket's queue, and is not known to be freed there.
    pub(super) fn wait_for_read(&mut self, datagram: Datagram) {
        let Reads {
            foretold,
            datagrams,
            ..
        } = &mut self.reads;
        let returns = |read| self.run.field(read, Field::Ret);
        match foretold.fates.get(&datagram.ready) {
            Some(&Fate::Read(read)) if returns(read) == Some(datagram.bytes) => {
                foretold.waiting.insert(read, datagram);
            }
            fate => datagrams.wait(Datagram {
                is_doubtful: fate == Some(&Fate::Doubtful),
                ..datagram
            }),
        }
    }

    /// How a packet ended that its reader left to another CPU to free (`net/core/skbuff.c: skb_attempt_defer_free`, v6.18),
    /// by whom it was read: the read returns a little later, or it was a splice.
    pub(super) fn who_read(
        &mut self,
        packet: PacketId,
        index: EventIdx,
        freed: Verdict,
    ) -> Verdict {
        let entries = self.drafts[packet.at()].entries.iter().rev();
        let mut events = entries.map(|entry| entry.event);
        let ready = events.find(|event| self.run.probe[event.at()] == Probe::SkDataReady);
        let fate = ready.and_then(|at| self.reads.foretold.fates.get(&at).copied());
        let draft = &self.drafts[packet.at()];
        let spliced = self.reads.splices.last_by(draft.sk);
        let came = draft.entries.last().map(|entry| entry.event);
        let read = match fate {
            Some(Fate::Read(read)) => Some((self.run.pid(read), read)),
            _ => spliced.filter(|&(_, at)| Some(at) > came),
        };
        match (freed, read) {
            (Verdict::Delivered { .. }, Some((pid, read))) if draft.verdict == Verdict::Open => {
                if read < index {
                    self.read_by(packet, read, read, pid);
                }
                self.drafts[packet.at()].is_inferred = true;
                Verdict::Delivered { pid, read }
            }
            _ => freed,
        }
    }

    /// One of several tasks has read the packet, at this event or about then.
    pub(super) fn read_by_someone(&mut self, packet: PacketId, index: EventIdx) {
        let draft = &mut self.drafts[packet.at()];
        if draft.is_closed || draft.verdict != Verdict::Open {
            return;
        }
        draft.is_inferred = true;
        let pid = Pid::UNKNOWN;
        let verdict = Verdict::Delivered { pid, read: index };
        self.close(packet, verdict, self.run.time(index));
    }
}

/// The reads of datagrams while they are matched with these.
#[derive(Debug)]
struct Matching {
    facts: Facts,
    /// The read that took each datagram.
    by: Vec<Option<usize>>,
    /// Whether each read took one.
    took: Vec<bool>,
    /// The tasks that read one socket which nobody else reads.
    sole: BTreeSet<Pid>,
    /// The datagrams that several tasks may have read.
    doubtful: Vec<EventIdx>,
}

/// So many reads before a flush are looked at, more than what it freed, and so many tasks for one datagram.
const LOOK: usize = 64;
/// More than waits to be freed on a CPU (`net.core.skb_defer_max`).
const MANY: usize = 1024;
/// What is certain of one datagram leaves less for others: so many times all are looked at again.
const ROUNDS: usize = 8;

impl Matching {
    fn of(mut facts: Facts) -> Self {
        facts
            .wakes
            .values_mut()
            .for_each(|wakes| wakes.sort_unstable());
        let mut tasks: BTreeMap<AddrId, BTreeSet<Pid>> = BTreeMap::new();
        let mut sockets: BTreeMap<Pid, BTreeSet<AddrId>> = BTreeMap::new();
        for read in &facts.reads {
            tasks.entry(read.sk).or_default().insert(read.pid);
            sockets.entry(read.pid).or_default().insert(read.sk);
        }
        let is_sole = |of: &BTreeSet<AddrId>| {
            let mut of = of.iter().map(|sk| tasks[sk].len());
            of.len() == 1 && of.all(|readers| readers == 1)
        };
        let sole = sockets.iter().filter(|(_, of)| is_sole(of));
        Self {
            by: vec![None; facts.coming.len()],
            took: vec![false; facts.reads.len()],
            sole: sole.map(|(&pid, _)| pid).collect(),
            doubtful: Vec::new(),
            facts,
        }
    }

    fn pair(&mut self, coming: usize, read: usize) {
        (self.by[coming], self.took[read]) = (Some(read), true);
    }

    /// The reads since the CPU freed the last time are of what it frees now, in order, where that leaves no choice. One may
    /// return a little later.
    fn match_flush(&mut self, flush: &Flush) {
        let reads = &self.facts.reads;
        let end = reads.partition_point(|read| read.at < flush.at);
        let first = reads.partition_point(|read| Some(read.at) < flush.since);
        if end - first > flush.freed.len() + LOOK || flush.freed.len() > MANY {
            return;
        }
        let is_other = |at: &usize| reads[*at].cpu != flush.cpu && !self.took[*at];
        let mut window: Vec<usize> = (first..end).filter(is_other).collect();
        let is_plain = |at: &usize| !self.facts.coming[*at].is_odd;
        let freed: Vec<usize> = flush.freed.iter().rev().copied().filter(is_plain).collect();
        if freed.len() > window.len() {
            let late = (end..reads.len()).take(LOOK).find(is_other);
            window.extend(late);
        }
        let fits = |coming: usize, read: usize| {
            let (coming, read) = (&self.facts.coming[coming], reads[read]);
            coming.bytes == read.bytes && coming.ready < read.at
        };
        let first = in_order(freed.iter().copied(), window.iter().copied(), fits);
        let last = in_order(
            freed.iter().rev().copied(),
            window.iter().rev().copied(),
            fits,
        );
        let certain: Vec<_> = first.intersection(&last).copied().collect();
        for (coming, read) in certain {
            self.pair(coming, read);
        }
    }

    /// The first read of a task that was woken is of what woke it.
    fn match_woken(&mut self) {
        let mut reads_of: BTreeMap<Pid, Vec<usize>> = BTreeMap::new();
        for (at, read) in self.facts.reads.iter().enumerate() {
            reads_of.entry(read.pid).or_default().push(at);
        }
        for at in 0..self.by.len() {
            let coming = &self.facts.coming[at];
            let Some(reads) = reads_of.get(&coming.woke) else {
                continue;
            };
            if coming.is_odd || self.by[at].is_some() || !self.sole.contains(&coming.woke) {
                continue;
            }
            let next = reads.partition_point(|&read| self.facts.reads[read].at < coming.ready);
            let Some(&read) = reads.get(next) else {
                continue;
            };
            let Reading {
                at: when, bytes, ..
            } = self.facts.reads[read];
            let is_first =
                next_wake(&self.facts, coming.woke, coming.ready).is_none_or(|wake| when < wake);
            if is_first && bytes == coming.bytes && !self.took[read] {
                self.pair(at, read);
            }
        }
    }

    /// What only one task may have read was read by that one.
    fn match_only(&mut self) {
        let homes = self.homes();
        let mut spare: BTreeMap<u32, BTreeMap<Pid, BTreeSet<(EventIdx, usize)>>> = BTreeMap::new();
        for (at, read) in self.facts.reads.iter().enumerate() {
            if !self.took[at] {
                let of_length = spare.entry(read.bytes).or_default();
                of_length.entry(read.pid).or_default().insert((read.at, at));
            }
        }
        for _ in 0..ROUNDS {
            let mut is_settled = true;
            self.doubtful.clear();
            for at in 0..self.by.len() {
                let coming = &self.facts.coming[at];
                let is_open =
                    self.by[at].is_none() && !coming.is_odd && coming.woke == Pid::UNKNOWN;
                let Some(spare) = spare.get_mut(&coming.bytes).filter(|_| is_open) else {
                    continue;
                };
                let home = homes.get(&coming.hash).copied().flatten();
                let is_home =
                    |read: usize| home.is_none_or(|home| self.facts.reads[read].sk == home);
                let mut may = spare.iter().take(LOOK).filter_map(|(&pid, reads)| {
                    let read = self.first_spare(coming, pid, reads)?;
                    is_home(read.1).then_some(())?;
                    Some((pid, read))
                });
                let Some((pid, (when, read))) = may.next() else {
                    continue;
                };
                if may.next().is_some() {
                    self.doubtful.push(coming.ready);
                } else if self.sole.contains(&pid) {
                    spare.entry(pid).or_default().remove(&(when, read));
                    self.pair(at, read);
                    is_settled = false;
                }
            }
            if is_settled {
                break;
            }
        }
    }

    /// The read at which a task may have taken a datagram that woke nobody.
    fn first_spare(
        &self,
        coming: &Coming,
        pid: Pid,
        reads: &BTreeSet<(EventIdx, usize)>,
    ) -> Option<(EventIdx, usize)> {
        let &(when, read) = reads.range((coming.ready, 0)..).next()?;
        let is_sole = self.sole.contains(&pid);
        let wake = next_wake(&self.facts, pid, coming.ready).filter(|_| is_sole);
        let is_before = |end: Option<EventIdx>| end.is_none_or(|end| when < end);
        (is_before(wake) && is_before(coming.gone)).then_some((when, read))
    }

    /// The socket whose reads took all datagrams of each hash, as far as is certain; none where several did: a connected
    /// socket may send to others, or keep its hash as it loses its peer (`net/ipv4/udp.c: udp_sendmsg`, `__udp_disconnect`,
    /// v6.18), and addresses may be translated. Nor is there one where several sockets send: a tunnel needs a hash of what an
    /// unconnected socket sends, and the kernel computes the same for both directions (`include/net/udp.h: udp_flow_src_port`,
    /// `net/core/flow_dissector.c: __flow_hash_consistentify`, v6.18).
    fn homes(&self) -> BTreeMap<u32, Option<AddrId>> {
        let senders = self.facts.senders.iter();
        let of_many = senders.filter(|(_, sender)| sender.is_none());
        let mut homes: BTreeMap<u32, Option<AddrId>> =
            of_many.map(|(&hash, _)| (hash, None)).collect();
        for (coming, by) in self.facts.coming.iter().zip(&self.by) {
            if let Some(read) = by.filter(|_| coming.hash != 0) {
                let sk = self.facts.reads[read].sk;
                let home = homes.entry(coming.hash).or_insert(Some(sk));
                *home = home.filter(|&home| home == sk);
            }
        }
        homes
    }

    fn fates(self) -> BTreeMap<EventIdx, Fate> {
        let of_coming = self.facts.coming.iter().zip(self.by);
        let read = of_coming.filter_map(|(coming, by)| {
            let read = self.facts.reads[by?].at;
            Some((coming.ready, Fate::Read(read)))
        });
        let doubtful = self.doubtful.iter().map(|&ready| (ready, Fate::Doubtful));
        doubtful.chain(read).collect()
    }
}

/// When a datagram that came later woke the task.
fn next_wake(facts: &Facts, pid: Pid, ready: EventIdx) -> Option<EventIdx> {
    let wakes = facts.wakes.get(&pid)?;
    wakes
        .get(wakes.partition_point(|&wake| wake <= ready))
        .copied()
}

/// Each datagram with the first read that fits it behind that of the one before.
fn in_order(
    freed: impl Iterator<Item = usize>,
    mut reads: impl Iterator<Item = usize> + Clone,
    fits: impl Fn(usize, usize) -> bool,
) -> BTreeSet<(usize, usize)> {
    let mut pairs = BTreeSet::new();
    for coming in freed {
        let mut behind = reads.clone();
        if let Some(read) = behind.find(|&read| fits(coming, read)) {
            pairs.insert((coming, read));
            reads = behind;
        }
    }
    pairs
}
