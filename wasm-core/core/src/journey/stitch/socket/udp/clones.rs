//! Datagrams that several sockets receive: multicast and broadcast groups, and raw sockets for UDP.
//!
//! `net/ipv4/udp.c: __udp4_lib_mcast_deliver` (v6.18) queues a clone for each socket but the last, which gets the
//! original `sk_buff`. Before that, `net/ipv4/raw.c: raw_v4_input` queues clones for raw sockets, even if UDP then
//! finds no socket. A clone passes no probe before it is read, so its journey begins in the socket's receive queue,
//! and its address is unknown.

use std::collections::{BTreeMap, VecDeque};

use super::datagrams::SEARCH_WINDOW;
use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::copies::CopyOf;
use crate::journey::stitch::packet::datagram::{Datagram, SocketFamily};
use crate::journey::stitch::packet::draft::{Draft, Entry};
use crate::journey::stitch::packet::frames::Frames;
use crate::journey::stitch::packet::headers::{ETH_P_IPV6, IP_HEADER_MOST, UDP, UDP_HEADER};
use crate::journey::stitch::packet::location::{freeing_function, refuses_datagram};
use crate::journey::stitch::packet::outcome::Outcome;
use crate::journey::stitch::packet::reported::drop_reason;
use crate::kernel::{AddrId, Event, EventIdx, PacketId, Pid, Verdict};

/// The limit of waiting clones of one length, above what the receive buffers of a group's sockets hold; beyond it the
/// oldest counts as unread.
const MAX_WAITING: usize = 4096;

/// Clones that wait in sockets' receive queues, by payload length and in the order of their original packets.
#[derive(Debug, Default)]
pub struct Clones {
    waiting: BTreeMap<u32, VecDeque<Datagram>>,
    /// The last packet whose clone each socket has read; packets are identified by the event that queued their first
    /// clone.
    read: BTreeMap<AddrId, EventIdx>,
}

impl Clones {
    pub fn wait(&mut self, clone: Datagram) {
        let queue = self.waiting.entry(clone.bytes).or_default();
        let at = queue.partition_point(|before| before.share <= clone.share);
        queue.insert(at, clone);
        let surplus = queue.len().saturating_sub(MAX_WAITING);
        queue.drain(..surplus);
    }

    /// A socket has read its clone of a packet; its next reads return later packets.
    pub fn note_read(&mut self, sk: AddrId, share: EventIdx) {
        self.read.insert(sk, share);
    }

    /// The waiting clones of `bytes` bytes that come after the last one the socket has read, at most `SEARCH_WINDOW`.
    fn near(&self, sk: AddrId, bytes: u32) -> impl Iterator<Item = &Datagram> {
        let read = self.read.get(&sk).copied();
        let queue = self.waiting.get(&bytes);
        let first = queue.map_or(0, |queue| {
            queue.partition_point(|waits| waits.share <= read)
        });
        let rest = queue.map(|queue| queue.range(first..));
        rest.into_iter().flatten().take(SEARCH_WINDOW)
    }

    /// The clone of `bytes` bytes that a socket reads next. Of the clones of one packet it prefers the one that woke
    /// the reader, then the one queued last.
    pub fn next(
        &self,
        sk: AddrId,
        bytes: u32,
        fits: impl Fn(&Datagram) -> bool,
        woke: impl Fn(&Datagram) -> bool,
    ) -> Option<Datagram> {
        let first = self.near(sk, bytes).find(|waits| fits(waits))?;
        let of_packet = self.near(sk, bytes);
        let of_packet = of_packet.filter(|waits| waits.share == first.share && fits(waits));
        of_packet
            .max_by_key(|waits| (woke(waits), waits.ready))
            .copied()
    }

    /// The first clone of `bytes` bytes that the socket may read and for which `fits` holds.
    pub fn first(
        &self,
        sk: AddrId,
        bytes: u32,
        fits: impl Fn(&Datagram) -> bool,
    ) -> Option<Datagram> {
        self.near(sk, bytes).find(|waits| fits(waits)).copied()
    }

    /// Removes a waiting clone that a socket has read.
    pub fn take(&mut self, sk: AddrId, clone: Datagram) -> Option<Datagram> {
        let (queue, at) = self.find(clone)?;
        queue.remove(at);
        self.note_read(sk, clone.share?);
        Some(clone)
    }

    /// Removes a waiting clone. Returns whether it was there.
    pub fn withdraw(&mut self, clone: Datagram) -> bool {
        let found = self.find(clone);
        found.is_some_and(|(queue, at)| queue.remove(at).is_some())
    }

    /// Replaces the packet of a waiting clone.
    pub fn hand_on(&mut self, waits: Datagram, clone: PacketId) {
        if let Some((queue, at)) = self.find(waits) {
            queue[at].packet = clone;
        }
    }

    fn find(&mut self, clone: Datagram) -> Option<(&mut VecDeque<Datagram>, usize)> {
        let queue = self.waiting.get_mut(&clone.bytes)?;
        let first = queue.partition_point(|before| before.share < clone.share);
        let mut of_packet = queue.range(first..).take(SEARCH_WINDOW);
        let at = of_packet.position(|waits| *waits == clone)?;
        Some((queue, first + at))
    }
}

impl Stitcher<'_> {
    /// `sk_data_ready` when no received packet of this CPU is unaccounted for: the datagram that was queued last goes
    /// to a further socket, and what the earlier socket got is a clone of it.
    pub fn queue_again(&mut self, index: EventIdx, event: &Event) {
        let Some(datagram) = self.cpus.at(event.cpu).receiving.datagram() else {
            return;
        };
        let share = self.leave_clone(datagram);
        let packet = datagram.packet;
        self.table[packet].flow.protocol = UDP;
        self.queue(packet, index, event);
        let datagram = Datagram {
            share: Some(share),
            family: SocketFamily::of(self.run, index),
            ready: index,
            ..datagram
        };
        self.udp.wait_as_last(datagram, &self.table, self.run);
        let receiving = &mut self.cpus.at(event.cpu).receiving;
        receiving.wait(datagram);
    }

    /// Makes what waits in the earlier socket's queue, or was read from it already, a clone; the original packet
    /// continues. Returns the event at which the first socket got a clone, which identifies all clones of the packet.
    pub fn leave_clone(&mut self, datagram: Datagram) -> EventIdx {
        let share = datagram.share.unwrap_or(datagram.ready);
        let packet = &mut self.table[datagram.packet];
        let behind = packet.entries.iter().rev();
        let behind = behind.take_while(|entry| entry.event >= datagram.ready);
        let way = packet.entries.len() - behind.count();
        let entries: Vec<Entry> = packet.entries.split_off(way);
        packet.sharing.cloned_at = Some(share);
        let clone = clone_of(packet, entries);
        packet.woke = Pid::UNKNOWN;
        packet.copied = None;
        packet.outcome = Outcome::default();
        let clone = self.table.split_off(datagram.packet, clone);
        self.udp.may_be_read(datagram);
        self.udp.datagrams.hand_on(datagram, clone, share);
        self.udp.wait_unaddressed(clone);
        share
    }

    /// UDP drops the datagram that was queued last, so what is in a queue is another socket's clone of it.
    pub fn refuse_datagram(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let receiving = &self.cpus.at(event.cpu).receiving;
        let queued = receiving.queued_last(event);
        let is_refused = freeing_function(self.run, index).is_some_and(refuses_datagram);
        if let Some(datagram) = queued.filter(|queued| is_refused && queued.packet == packet) {
            self.cpus.at(event.cpu).receiving.forget_datagram();
            self.leave_clone(datagram);
        }
    }

    /// The same for a clone, when one socket of the group has no room and others already have theirs. Returns whether
    /// that was so.
    pub fn refuse_for_one(&mut self, index: EventIdx, event: &Event) -> bool {
        let there = self.table.packet_at(event.skb);
        let queued = self.cpus.at(event.cpu).receiving.queued_last(event);
        // If several packets arrived together, each drop is reported at the address of its own packet.
        let is_own = there.is_some_and(|packet| self.just_comes(packet, event));
        let queued = queued.filter(|_| !is_own);
        let is_refused = freeing_function(self.run, index).is_some_and(refuses_datagram);
        let Some(datagram) = queued.filter(|_| is_refused) else {
            return false;
        };
        if let Some(packet) = there {
            self.table.release_address(packet);
        }
        let reason = drop_reason(self.run, index);
        let packet = &mut self.table[datagram.packet];
        let mut clone = clone_of(packet, vec![Entry::new(index, None)]);
        clone.skb = event.skb;
        clone.sharing.cloned_at = Some(datagram.share.unwrap_or(datagram.ready));
        let clone = self.table.create(clone);
        self.table.attribute(index, clone);
        self.table
            .close(clone, Verdict::Dropped { reason }, event.time);
        true
    }

    /// A raw socket for UDP read its clone of a datagram: UDP header included, and for IPv4 the IP header too
    /// (`net/ipv4/raw.c: raw_recvmsg`, `net/ipv6/raw.c: rawv6_recvmsg`, v6.18).
    pub fn read_raw_clone(
        &mut self,
        index: EventIdx,
        event: &Event,
        bytes: u32,
        copied: &[CopyOf],
    ) {
        self.undo_foreign_copies(copied, event.pid);
        let table = &self.table;
        let family = SocketFamily::of(self.run, index);
        let fits = |waits: &Datagram| {
            let draft = &table[waits.packet];
            let header = match draft.headers.ethertype {
                ETH_P_IPV6 => 0,
                _ => draft.headers.ip_header(),
            };
            let headers = UDP_HEADER + header;
            bytes == waits.bytes.saturating_add(headers)
                && draft.outcome.is_open()
                && waits.family.may_be(family)
        };
        let clones = &mut self.udp.datagrams.clones;
        let headers = (0..=IP_HEADER_MOST).step_by(4);
        let payloads = headers.filter_map(|header| bytes.checked_sub(header + UDP_HEADER));
        let found = payloads
            .filter_map(|payload| clones.first(event.sk, payload, fits))
            .min_by_key(|clone| clone.ready);
        let Some(clone) = found.and_then(|clone| clones.take(event.sk, clone)) else {
            return;
        };
        let draft = &mut self.table[clone.packet];
        (draft.payload, draft.copied, draft.sk) = (clone.bytes, Some(clone.bytes), event.sk);
        let copy = copied.last().map_or(index, |copy| copy.at);
        self.table.attribute(copy, clone.packet);
        self.table.read_by(clone.packet, index, copy, event.pid);
    }
}

/// A clone of a packet with these events. The earlier events, which may be many, stay with the packet and are not
/// copied.
fn clone_of(packet: &mut Draft, entries: Vec<Entry>) -> Draft {
    let way = std::mem::take(&mut packet.entries);
    let clone = Draft {
        entries,
        skb: AddrId::NONE,
        outcome: Outcome {
            is_inferred: true,
            ..packet.outcome.clone()
        },
        frames: Frames::default(),
        fragment: None,
        cut_from: PacketId::NONE,
        ..packet.clone()
    };
    packet.entries = way;
    clone
}
