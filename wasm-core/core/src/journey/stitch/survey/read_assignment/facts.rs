//! What a run shows about datagrams and reads before its journeys are stitched, as collected by `gathering`.
//!
//! Only unambiguous cases: datagrams that arrived unfragmented, or in fragments whose first one the reassembly
//! reported, and that were queued for one socket; and the segments of a UDP GSO packet. Other fragments and the
//! clones of a multicast group are left to the stitcher, which knows more about them.

use std::collections::BTreeMap;

use crate::journey::stitch::packet::datagram::SocketFamily;
use crate::kernel::{AddrId, CpuId, EventIdx, Pid};

#[allow(
    clippy::struct_excessive_bools,
    reason = "independent facts about one datagram, not states"
)]
/// A datagram that was put into a socket's receive queue.
#[derive(Debug)]
pub(super) struct QueuedDatagram {
    /// The `sk_data_ready` event that queued it.
    pub ready: EventIdx,
    /// Its payload in bytes.
    pub bytes: u32,
    /// The family of its socket.
    pub family: SocketFamily,
    /// Hash of its flow, chosen by the sender's socket; 0 where unknown.
    pub hash: u32,
    /// The task that it woke; unknown if it woke none or several.
    pub woke: Pid,
    pub woke_several: bool,
    /// The event by which its `sk_buff` was freed or reused, so that it was read before.
    pub gone: Option<EventIdx>,
    /// Several sockets may have it, or it was never read.
    pub is_odd: bool,
    /// Several sockets have it, each a clone but the last.
    pub has_clones: bool,
    /// It was fragmented; its length is that of the fragments found.
    pub is_reassembled: bool,
    /// The datagram, as an index, that was cut from the same packet before it: both came to one socket (`net/ipv4/udp.c:
    /// udp_queue_rcv_skb`, v6.18).
    pub cut_after: Option<usize>,
    /// A longer datagram of its sender came before it, so a read of its length may be a truncated read of that one.
    pub follows_longer: bool,
}

/// A read of a datagram; the call returned at `at`.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecvCall {
    pub at: EventIdx,
    /// An event on its CPU, before which the call had not dequeued anything.
    pub since: Option<EventIdx>,
    pub cpu: CpuId,
    pub pid: Pid,
    pub sk: AddrId,
    /// The family of the socket.
    pub family: SocketFamily,
    pub bytes: u32,
    /// It does not wait for a datagram: its task does so elsewhere, if at all.
    pub is_nonblocking: bool,
}

/// Datagrams that one CPU freed in one flush after reads on other CPUs, the one read last first.
#[derive(Debug)]
pub(super) struct Flush {
    pub cpu: CpuId,
    /// An event no later than this CPU's previous flush.
    pub since: Option<EventIdx>,
    pub at: EventIdx,
    /// Indices into `Facts::datagrams`.
    pub freed: Vec<usize>,
}

/// A task slept on a socket until a datagram woke it.
#[derive(Debug, Clone, Copy)]
pub(super) struct SleepInterval {
    pub pid: Pid,
    /// An event on its CPU after which it checked the queue for the last time.
    pub since: Option<EventIdx>,
    pub from: EventIdx,
    /// The `sk_data_ready` event of the datagram.
    pub to: EventIdx,
}

/// The datagrams, reads and flushes of a run, each in order of time.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub datagrams: Vec<QueuedDatagram>,
    pub reads: Vec<RecvCall>,
    /// Datagrams whose `sk_buff` a copy names, as with reassembled ones, each with the read that copied it; both as
    /// indices.
    pub named: Vec<(usize, usize)>,
    pub flushes: Vec<Flush>,
    pub sleeps: Vec<SleepInterval>,
    /// Per socket, the intervals between two events in which its queue was empty at some moment: a non-blocking read
    /// returned nothing.
    pub empty: BTreeMap<AddrId, Vec<(EventIdx, EventIdx)>>,
    /// The socket that sends the packets of each hash; `None` if several do.
    pub senders: BTreeMap<u32, Option<AddrId>>,
    /// When `sk_buff`s that no event names came to datagram sockets' queues: clones and segments.
    pub unaddressed: Vec<EventIdx>,
}

impl Facts {
    /// Marks datagrams that are ambiguous because a read of their length may be a truncated read of a longer, earlier
    /// datagram of the same sender that no read returned whole (`net/ipv4/udp.c: udp_recvmsg`, v6.18).
    pub fn leave_what_follows_longer(&mut self) {
        let of_length = |read: &RecvCall| (read.bytes, read.at);
        let last_of: BTreeMap<u32, EventIdx> = self.reads.iter().map(of_length).collect();
        let mut longest: BTreeMap<u32, u32> = BTreeMap::new();
        for datagram in self
            .datagrams
            .iter_mut()
            .filter(|datagram| !datagram.is_odd)
        {
            let last = last_of.get(&datagram.bytes);
            let is_read_whole = last.is_some_and(|&at| datagram.ready <= at);
            if datagram.is_reassembled && !is_read_whole {
                // It was assembled from the wrong fragments.
                datagram.is_odd = true;
                continue;
            }
            let longest = longest.entry(datagram.hash).or_default();
            datagram.follows_longer = datagram.bytes < *longest;
            if !is_read_whole {
                *longest = datagram.bytes.max(*longest);
            }
        }
    }

    /// The datagrams of a length that no other has, by the only read that returned as much.
    pub fn alone_of_length(&self) -> BTreeMap<usize, usize> {
        let mut of_length: BTreeMap<u32, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for (at, datagram) in self.datagrams.iter().enumerate() {
            let (datagrams, _) = of_length.entry(datagram.bytes).or_default();
            datagrams.push(at);
        }
        for (at, read) in self.reads.iter().enumerate() {
            let (_, reads) = of_length.entry(read.bytes).or_default();
            reads.push(at);
        }
        let pairs = of_length.into_values();
        let pairs = pairs.filter_map(|pair| match (&pair.0[..], &pair.1[..]) {
            (&[datagram], &[read]) => Some((read, datagram)),
            _ => None,
        });
        pairs
            .filter(|&(read, datagram)| self.datagrams[datagram].ready < self.reads[read].at)
            .collect()
    }

    /// Whether the second read may have dequeued before the first although it returned later: they are of two tasks
    /// on two CPUs.
    pub fn may_return_late(&self, first: usize, second: usize) -> bool {
        let (first, second) = (&self.reads[first], &self.reads[second]);
        let is_beside = first.pid != second.pid && first.cpu != second.cpu;
        is_beside && second.since < Some(first.at) && first.since < Some(second.at)
    }

    /// The socket whose reads took all datagrams of each hash, as far as certain. `None` if several sockets took
    /// some: a connected socket may send to others or keep its hash when it is disconnected (`net/ipv4/udp.c:
    /// udp_sendmsg`, `__udp_disconnect`, v6.18), and addresses may be translated. `None` also if several sockets send
    /// with one hash: for a packet of an unconnected socket a tunnel makes the kernel compute a hash, which is the
    /// same in both directions (`include/net/udp.h: udp_flow_src_port`, `net/core/flow_dissector.c:
    /// __flow_hash_consistentify`, v6.18).
    pub fn homes(&self, by: &[Option<usize>]) -> BTreeMap<u32, Option<AddrId>> {
        let senders = self.senders.iter();
        let of_many = senders.filter(|(_, sender)| sender.is_none());
        let mut homes: BTreeMap<u32, Option<AddrId>> =
            of_many.map(|(&hash, _)| (hash, None)).collect();
        for (datagram, by) in self.datagrams.iter().zip(by) {
            if let Some(read) = by.filter(|_| datagram.hash != 0) {
                let sk = self.reads[read].sk;
                let home = homes.entry(datagram.hash).or_insert(Some(sk));
                *home = home.filter(|&home| home == sk);
            }
        }
        homes
    }
}
