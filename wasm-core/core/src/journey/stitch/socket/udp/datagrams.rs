//! Datagrams that wait in sockets' receive queues, in recordings with tracepoints only.
//!
//! `sk_data_ready` names no socket and `sock_recv_length` no packet. They are matched by these rules: a socket's
//! queue is read in order; a read returns a datagram's payload up to its last byte or to the end of the reader's
//! buffer; and datagrams of one sending socket (one hash) arrive at one socket here unless a read contradicts that. A
//! read that fits no waiting datagram read one that was not recorded.
//!
//! A read as long as one datagram may also be the truncated start of an earlier, longer one. Buffers that are too
//! small are rare, so this is assumed only if both are known to be in one queue and no event was lost: a lost read
//! would leave a datagram listed that had been read. A read shorter than all that was recorded is a truncated one only
//! if nothing older can be in the queue (`heads`).

mod loose;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::clones::Clones;
use super::heads::Heads;
use super::known::{Known, Read};
use crate::journey::stitch::packet::datagram::{Datagram, Doubt};
use crate::journey::stitch::packet::headers::{IP_HEADER, IPV6_HEADER};
use crate::journey::stitch::survey::homes::Homes;
use crate::kernel::{AddrId, EventIdx, PacketId, Pid};

/// The waiting datagrams of all sockets.
#[derive(Debug, Default)]
pub struct Datagrams {
    /// Datagrams whose socket is unknown, by payload length.
    loose: BTreeMap<u32, VecDeque<Datagram>>,
    /// Datagrams whose socket is known, by socket.
    queues: BTreeMap<AddrId, VecDeque<Datagram>>,
    /// The socket at which the datagrams of a hash arrive; `None` where a sender has several destinations, or several
    /// sockets here share its datagrams.
    socket_of: BTreeMap<u32, Option<AddrId>>,
    /// Datagrams of which several sockets have a clone each.
    pub clones: Clones,
    /// Which queues' oldest datagram was recorded.
    pub heads: Heads,
    /// No event was lost, so every read is recorded.
    are_all_told: bool,
    /// The socket of all reads, if there is only one.
    only: Option<AddrId>,
    /// Who reads what.
    homes: Homes,
}

/// Which tasks may have read a datagram.
#[derive(Debug, Clone, Copy)]
enum By {
    /// The task that it woke, or any task if it woke none.
    Woken,
    /// Another task that read the socket before the woken one ran.
    Beside,
}

/// How many datagrams are examined for one read; a match further back is not searched for.
pub const SEARCH_WINDOW: usize = 64;

impl Datagrams {
    /// Empty queues. `are_all_told`: no event was lost; `homes`: who reads what;
    /// `spread`: hashes whose datagrams arrive at several sockets.
    pub fn new(are_all_told: bool, homes: Homes, spread: &BTreeSet<u32>, heads: Heads) -> Self {
        let of_task = &homes.of_task;
        let first = of_task.values().next().copied().flatten();
        Self {
            are_all_told,
            only: first.filter(|_| of_task.values().all(|&home| home == first)),
            homes,
            socket_of: spread.iter().map(|&hash| (hash, None)).collect(),
            heads,
            ..Self::default()
        }
    }

    pub fn wait(&mut self, datagram: Datagram) {
        if datagram.share.is_some() {
            self.clones.wait(datagram);
            return;
        }
        if let Some(sk) = self.socket(datagram.hash) {
            self.queues.entry(sk).or_default().push_back(Datagram {
                doubt: Doubt::None,
                ..datagram
            });
        } else {
            let queue = self.loose.entry(datagram.bytes).or_default();
            queue.push_back(datagram);
        }
    }

    /// The waiting datagram is the clone of one of several sockets; the socket of its sender's other datagrams says
    /// nothing about it.
    pub fn hand_on(&mut self, datagram: Datagram, clone: PacketId, share: EventIdx) {
        if datagram.share.is_some() {
            self.clones.hand_on(datagram, clone);
            return;
        }
        let bytes = datagram.bytes;
        let of_socket = self.socket(datagram.hash);
        let queue = match of_socket.and_then(|sk| self.queues.get_mut(&sk)) {
            Some(queue) => queue,
            None => self.loose.entry(bytes).or_default(),
        };
        if queue
            .pop_back_if(|last| last.packet == datagram.packet)
            .is_some()
        {
            self.clones.wait(Datagram {
                packet: clone,
                share: Some(share),
                ..datagram
            });
        }
    }

    /// Removes a datagram if it is the last in its queue. Returns whether it was.
    pub fn withdraw(&mut self, datagram: Datagram) -> bool {
        if datagram.share.is_some() {
            return self.clones.withdraw(datagram);
        }
        let of_socket = self.socket(datagram.hash);
        let of_socket = of_socket.and_then(|sk| self.queues.get_mut(&sk));
        let queue = of_socket.or_else(|| self.loose.get_mut(&datagram.bytes));
        queue.is_some_and(|queue| {
            queue
                .pop_back_if(|last| last.packet == datagram.packet)
                .is_some()
        })
    }

    /// Whether the datagram woke nobody and came before the reader's queues were last known to be empty: it is then in
    /// none of them.
    fn is_elsewhere(&self, waits: &Datagram, reader: Pid, known: &Known<'_>) -> bool {
        let empty_before = self.heads.empty_before(reader);
        known.woke(waits.packet) == Pid::UNKNOWN && empty_before.is_some_and(|at| waits.ready < at)
    }

    /// The datagram that a read took, if one fits.
    pub fn read(&mut self, read: Read<'_>) -> Option<Datagram> {
        let whole = self.take(read, By::Woken);
        let found = whole.or_else(|| self.take(read, By::Beside));
        if found.is_some() {
            self.heads.note(read.sk);
        }
        found.or_else(|| self.take_longer(read))
    }

    /// Takes the datagram that a read truncated, discarding the rest (`net/ipv4/udp.c: udp_recvmsg`, v6.12): the
    /// first in the socket's queue; or, of those whose socket is unknown, the one that woke the reader, else the only
    /// one, else the first if all have one sender.
    fn take_longer(&mut self, read: Read<'_>) -> Option<Datagram> {
        let Read {
            sk,
            bytes,
            reader,
            known,
            ..
        } = read;
        if bytes == 0 {
            return None;
        }
        // A header that nothing is told of may be of IPv6: the datagram is then as long as the read.
        let whole = bytes.saturating_add(IPV6_HEADER - IP_HEADER);
        let is_any = self.heads.is_recorded(sk, reader);
        let fits = |waits: &Datagram| is_any || waits.bytes == whole;
        if let Some(queue) = self.queues.get_mut(&sk) {
            let mut near = queue.iter().take(SEARCH_WINDOW);
            let may_wait =
                |waits: &Datagram| read.may_find(waits) && self.heads.is_since_loss(waits.ready);
            if let Some(first) = near.position(may_wait) {
                if queue[first].bytes < bytes || !fits(&queue[first]) {
                    return None;
                }
                return queue.drain(..=first).next_back();
            }
        }
        let longer = self.loose.range(bytes + 1..).take(SEARCH_WINDOW);
        let waiting = longer.flat_map(|(_, queue)| queue.iter().take(SEARCH_WINDOW));
        let woke = |waits: &Datagram| known.woke(waits.packet);
        let waiting: Vec<Datagram> = waiting
            .filter(|waits| {
                let is_others = self.socket(waits.hash).is_some_and(|of| of != sk);
                let is_for_other = woke(waits) != Pid::UNKNOWN && woke(waits) != reader;
                let is_elsewhere = self.is_elsewhere(waits, reader, known)
                    || !self.heads.is_since_loss(waits.ready);
                let may_be = fits(waits) && read.may_find(waits);
                may_be && !is_others && !is_for_other && !is_elsewhere
            })
            .copied()
            .collect();
        let by_woken = waiting.iter().filter(|&waits| woke(waits) == reader);
        let found = match by_woken.min_by_key(|waits| waits.ready) {
            Some(first) => *first,
            None if are_of_one_sender(&waiting, known) => {
                *waiting.iter().min_by_key(|waits| waits.ready)?
            }
            None => return None,
        };
        self.take_waiting(found)
    }

    /// The first datagram that is longer than the read, came before `fitting`, which is exactly as long as the read,
    /// and is in the same queue. That is known if its hash belongs to the socket, if it woke the reader, which has
    /// not waited since, or if one sender sent both and no other socket is read.
    fn longer_before(&self, fitting: Datagram, read: Read<'_>) -> Option<Datagram> {
        let Read {
            sk,
            bytes,
            reader,
            known,
            ..
        } = read;
        if !self.are_all_told || bytes == 0 || !self.heads.is_recorded(sk, reader) {
            return None;
        }
        let is_before = |waits: &&Datagram| {
            let (socket, woke) = (self.socket(waits.hash), known.woke(waits.packet));
            let is_first_of_reader = woke == reader && known.woke(fitting.packet) != reader;
            let is_only = self.only == Some(sk)
                && (woke == Pid::UNKNOWN || woke == reader)
                && are_of_one_sender(&[**waits, fitting], known);
            let is_here = socket.map_or(is_first_of_reader || is_only, |of| of == sk);
            waits.ready < fitting.ready && is_here && read.may_find(waits)
        };
        let longer = self.loose.range(bytes + 1..).take(SEARCH_WINDOW);
        let first =
            longer.filter_map(|(_, queue)| queue.iter().take(SEARCH_WINDOW).find(is_before));
        first.min_by_key(|waits| waits.ready).copied()
    }

    /// Removes a datagram whose socket is unknown.
    fn take_waiting(&mut self, found: Datagram) -> Option<Datagram> {
        let queue = self.loose.get(&found.bytes)?;
        let at = queue
            .iter()
            .take(SEARCH_WINDOW)
            .position(|waits| *waits == found)?;
        self.take_loose(found.bytes, at);
        Some(found)
    }

    /// Takes the datagram that a read returns, among those that the reader may have read according to `by`: the
    /// earliest of those that wait in the socket's queue, in none that is known, and as clones.
    fn take(&mut self, read: Read<'_>, by: By) -> Option<Datagram> {
        let own = self.first_of_queue(read);
        let loose = self.first_loose(read, by);
        let clone = self.clones.next(
            read.sk,
            read.bytes,
            |waits| self.may_be_taken(waits, read, by),
            |waits| read.known.woke(waits.packet) == read.reader,
        );
        let ready = |found: (usize, Datagram)| found.1.ready;
        let (own_ready, loose_ready) = (own.map(ready), loose.map(ready));
        let is_older = |clone: EventIdx| own_ready.or(loose_ready).is_none_or(|at| clone < at);
        if let Some(clone) = clone.filter(|clone| is_older(clone.ready)) {
            return self.clones.take(read.sk, clone);
        }
        let is_own = own_ready.is_some() && loose_ready.is_none_or(|loose| own_ready < Some(loose));
        let (at, fitting) = if is_own { own } else { loose }?;
        if let Some(longer) = self.longer_before(fitting, read) {
            return self.take_waiting(longer);
        }
        if is_own {
            // A queue is read in order: no recorded read took the datagrams before this one.
            let queue = self.queues.get_mut(&read.sk)?;
            return queue.drain(..=at).next_back();
        }
        Some(self.take_first_loose(at, fitting, read, by))
    }

    /// The first datagram in the socket's queue that is as long as the read, or longer, and its position.
    fn first_of_queue(&self, read: Read<'_>) -> Option<(usize, Datagram)> {
        let queue = self.queues.get(&read.sk)?;
        let mut near = queue.iter().take(SEARCH_WINDOW);
        let is_recorded = self.heads.is_recorded(read.sk, read.reader);
        let may_be_cut_off = self.are_all_told && read.bytes > 0 && is_recorded;
        let at = near.position(|waits| {
            let is_cut_off = may_be_cut_off && waits.bytes > read.bytes;
            (waits.bytes == read.bytes || is_cut_off) && read.may_find(waits)
        })?;
        Some((at, queue[at]))
    }

    /// Whether the reader may have taken a datagram. Being woken reserves none: the first task at the socket takes the
    /// head of its queue. The socket is the one of the hash, or the only one that the woken task reads.
    fn may_be_taken(&self, waits: &Datagram, read: Read<'_>, by: By) -> bool {
        let Read {
            sk, reader, known, ..
        } = read;
        if !read.may_find(waits) {
            return false;
        }
        if let Some(of) = self.socket(waits.hash) {
            return of == sk;
        }
        let woke = known.woke(waits.packet);
        let is_for_other = match by {
            By::Woken => {
                let is_here = self.homes.of_task.get(&woke) == Some(&Some(sk));
                woke != Pid::UNKNOWN && woke != reader && !is_here
            }
            By::Beside => !known.may_share(woke, reader),
        };
        !is_for_other && !self.is_elsewhere(waits, reader, known)
    }

    /// The doubt about a datagram of so many bytes that may be any other one of as many.
    pub fn doubt_of_any(&self, bytes: u32) -> Doubt {
        match self.homes.of_length.get(&bytes) {
            Some((Some(_), Some(_))) => Doubt::Call,
            Some((None, Some(_))) => Doubt::Socket,
            _ => Doubt::Reader,
        }
    }

    /// A read that names its packet binds the packet's hash to the socket.
    pub fn bind(&mut self, hash: u32, sk: AddrId) {
        let place = self.socket_of.entry(hash).or_insert(Some(sk));
        *place = place.filter(|_| hash != 0).and(Some(sk));
    }

    /// The socket at which the datagrams of a hash arrive, if exactly one is known.
    fn socket(&self, hash: u32) -> Option<AddrId> {
        self.socket_of.get(&hash).copied().flatten()
    }

    /// Drops datagrams that can no longer be read from the heads of the queues that a read would search.
    pub fn forget(&mut self, read: Read<'_>) {
        let known = read.known;
        for queue in [
            self.queues.get_mut(&read.sk),
            self.loose.get_mut(&read.bytes),
        ] {
            let Some(queue) = queue else { continue };
            while queue
                .pop_front_if(|first| known.is_gone(first.packet))
                .is_some()
            {}
        }
    }
}

/// Whether datagrams have one sender: one hash, or without a hash one task of this host. True for a single datagram.
fn are_of_one_sender(waiting: &[Datagram], known: &Known<'_>) -> bool {
    let Some((first, others)) = waiting.split_first() else {
        return false;
    };
    let sender = known.sender(first.packet);
    others.iter().all(|waits| {
        waits.hash == first.hash
            && (waits.hash != 0 || sender.is_some() && known.sender(waits.packet) == sender)
    })
}
