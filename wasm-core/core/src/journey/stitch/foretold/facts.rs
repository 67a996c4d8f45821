//! What a run tells of datagrams and reads before its journeys are put together, as `gathering` finds it.
//!
//! Only what is plain: a datagram that came in one piece, or in fragments of which reassembly told the first, and was queued for
//! one socket, and the segments of one that was cut here. Of other fragments and of a group's clones the journeys themselves
//! tell more.

use std::collections::BTreeMap;

use crate::kernel::{AddrId, CpuId, EventIdx, Pid};

#[allow(
    clippy::struct_excessive_bools,
    reason = "independent facts about one datagram, not states"
)]
/// A datagram that is in its socket's queue.
#[derive(Debug)]
pub(super) struct Coming {
    /// The event at which its reader was told.
    pub ready: EventIdx,
    /// Its payload.
    pub bytes: u32,
    /// Of its flow, as the sender's socket chose it; 0 where none is known.
    pub hash: u32,
    /// The task that it woke; unknown where it woke none, or several.
    pub woke: Pid,
    pub woke_several: bool,
    /// The event by which its `sk_buff` was free, or another packet's: it was read before.
    pub gone: Option<EventIdx>,
    /// Several sockets may have it, or nobody reads it.
    pub is_odd: bool,
    /// It came in fragments, as far as is known in these.
    pub is_reassembled: bool,
    /// A read as long as it may be of another.
    pub follows_longer: bool,
}

/// A read of a datagram.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    pub at: EventIdx,
    /// An event of its CPU before which the call did not look at the queue.
    pub since: Option<EventIdx>,
    pub cpu: CpuId,
    pub pid: Pid,
    pub sk: AddrId,
    pub bytes: u32,
}

/// Datagrams that one CPU freed in one go after they had been read on others, the one that was read last first.
#[derive(Debug)]
pub(super) struct Flush {
    pub cpu: CpuId,
    /// The CPU freed what there was at this event or later, before this time.
    pub since: Option<EventIdx>,
    pub at: EventIdx,
    /// Places in the list of datagrams.
    pub freed: Vec<usize>,
}

/// A task slept until a datagram woke it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nap {
    pub pid: Pid,
    /// An event of its CPU before which it did not look at the queue for the last time.
    pub since: Option<EventIdx>,
    pub from: EventIdx,
    /// The datagram's coming.
    pub to: EventIdx,
}

/// The datagrams, the reads and the flushes of a run, each in its order.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub coming: Vec<Coming>,
    pub reads: Vec<Reading>,
    /// Datagrams of which copies name the `sk_buff`, as they do of what came in fragments, each with the read that copied.
    pub named: Vec<(usize, usize)>,
    pub flushes: Vec<Flush>,
    pub naps: Vec<Nap>,
    /// When each socket's queue was empty, at a moment between two events: a read that does not wait came back with nothing.
    pub empty: BTreeMap<AddrId, Vec<(EventIdx, EventIdx)>>,
    /// The socket that sends what has each hash; none where several do.
    pub senders: BTreeMap<u32, Option<AddrId>>,
}

impl Facts {
    /// A read that is as long as a datagram may be the beginning of a longer one of its sender that came before and that no
    /// read gave whole (`net/ipv4/udp.c: udp_recvmsg`, v6.18): such a datagram is not plain.
    pub fn leave_what_follows_longer(&mut self) {
        let of_length = |read: &Reading| (read.bytes, read.at);
        let last_of: BTreeMap<u32, EventIdx> = self.reads.iter().map(of_length).collect();
        let mut longest: BTreeMap<u32, u32> = BTreeMap::new();
        for coming in self.coming.iter_mut().filter(|coming| !coming.is_odd) {
            let last = last_of.get(&coming.bytes);
            let is_read_whole = last.is_some_and(|&at| coming.ready <= at);
            if coming.is_reassembled && !is_read_whole {
                // Its fragments were others.
                coming.is_odd = true;
                continue;
            }
            let longest = longest.entry(coming.hash).or_default();
            coming.follows_longer = coming.bytes < *longest;
            if !is_read_whole {
                *longest = coming.bytes.max(*longest);
            }
        }
    }

    /// Whether a read that returned before another may have looked at the queue after it: another task's on another CPU.
    pub fn may_return_late(&self, first: usize, second: usize) -> bool {
        let (first, second) = (&self.reads[first], &self.reads[second]);
        let is_beside = first.pid != second.pid && first.cpu != second.cpu;
        is_beside && second.since < Some(first.at) && first.since < Some(second.at)
    }

    /// The socket whose reads took all datagrams of each hash, as far as is certain; none where several did: a connected
    /// socket may send to others, or keep its hash as it loses its peer (`net/ipv4/udp.c: udp_sendmsg`, `__udp_disconnect`,
    /// v6.18), and addresses may be translated. Nor is there one where several sockets send: a tunnel needs a hash of what an
    /// unconnected socket sends, and the kernel computes the same for both directions (`include/net/udp.h: udp_flow_src_port`,
    /// `net/core/flow_dissector.c: __flow_hash_consistentify`, v6.18).
    pub fn homes(&self, by: &[Option<usize>]) -> BTreeMap<u32, Option<AddrId>> {
        let senders = self.senders.iter();
        let of_many = senders.filter(|(_, sender)| sender.is_none());
        let mut homes: BTreeMap<u32, Option<AddrId>> =
            of_many.map(|(&hash, _)| (hash, None)).collect();
        for (coming, by) in self.coming.iter().zip(by) {
            if let Some(read) = by.filter(|_| coming.hash != 0) {
                let sk = self.reads[read].sk;
                let home = homes.entry(coming.hash).or_insert(Some(sk));
                *home = home.filter(|&home| home == sk);
            }
        }
        homes
    }
}
