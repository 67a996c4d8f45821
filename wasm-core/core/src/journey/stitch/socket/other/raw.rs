//! Packets that raw sockets read: replies to ping, protocols without a handler.
//!
//! A raw socket gets a clone before the protocol's handler gets the packet (`net/ipv4/raw.c: raw_v4_input`, v6.12),
//! and the handler frees a packet for which it has no socket (`net/ipv4/ping.c: ping_rcv`: `NO_SOCKET`), although the
//! raw socket's reader gets it. The clone's only probe is the copy to its reader. So the packet stays open until a
//! read of its protocol and length; without one it ends as it was freed.
//!
//! Before v6.3 there is no `sk_data_ready`: any packet freed for lack of a socket may have a clone in a raw socket.
//! The only sign is a copy of its whole length at an address without a live packet.

use std::collections::VecDeque;

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::ip::parts::whole_bytes;
use crate::journey::stitch::packet::copies::CopyOf;
use crate::journey::stitch::packet::datagram::SocketFamily;
use crate::journey::stitch::packet::headers::{ETH_P_IPV6, TCP, UDP};
use crate::journey::stitch::packet::reported::copied_at;
use crate::kernel::{AddrId, DropReason, Event, EventIdx, Nanos, PacketId, Probe, Probes, Verdict};

/// A packet that waits for a reader of raw sockets.
#[derive(Debug, Clone)]
struct Waiting {
    packet: PacketId,
    proto: u32,
    /// The family of the sockets with a clone of it.
    family: SocketFamily,
    /// Length in bytes with the IP header, as an IPv4 read returns it, and without.
    bytes: [u32; 2],
    /// The number of sockets with a clone of it; `readers` are those that have read theirs.
    sockets: usize,
    readers: Vec<AddrId>,
    /// How and when it ends if no socket reads it.
    freed: Option<(Verdict, Nanos)>,
}

/// Unread packets of raw sockets, in order of arrival.
#[derive(Debug, Default)]
pub struct Raws {
    waiting: VecDeque<Waiting>,
    /// `sk_data_ready` is recorded, so clones for raw sockets are visible.
    are_told: bool,
}

/// The limit of packets kept; beyond it the oldest ends unread.
const MAX_WAITING: usize = 64;

/// ICMP and ICMPv6 (IANA): they have handlers, so a packet that they consume is not a raw socket's.
const ICMP: [u32; 2] = [1, 58];

impl Raws {
    /// No packets yet; `passed` are the probes that the recording contains.
    pub fn of_run(passed: &Probes) -> Self {
        Self {
            waiting: VecDeque::new(),
            are_told: passed.has(Probe::SkDataReady),
        }
    }

    fn of(&mut self, packet: PacketId) -> Option<&mut Waiting> {
        self.waiting.iter_mut().find(|waits| waits.packet == packet)
    }
}

impl Stitcher<'_> {
    /// `sk_data_ready` of a socket of neither TCP nor UDP: it got the packet being received.
    pub fn queue_raw(&mut self, index: EventIdx, event: &Event, proto: u32) {
        let (table, cpu) = (&self.table, self.cpus.at(event.cpu));
        let is_new = |packet: PacketId| {
            let draft = &table[packet];
            !draft.outcome.is_closed
                && !draft.is_probed
                && !matches!(draft.flow.protocol, TCP | UDP)
        };
        let Some((packet, first, unresolved)) = cpu.receiving.in_hand(event, is_new) else {
            return;
        };
        if let Some(waits) = self.raws.of(packet) {
            waits.sockets = (waits.sockets + 1).min(MAX_WAITING);
            return;
        }
        let draft = &table[packet];
        let parts = self.fragments.take_parts(draft, first, unresolved, table);
        // `whole_bytes` subtracts a UDP header of 8 bytes, which is payload here.
        let bytes = whole_bytes(packet, &parts, table) + 8;
        let header = draft.headers.ip_header();
        let queue = &mut self.raws.waiting;
        queue.push_back(Waiting {
            packet,
            proto,
            family: SocketFamily::of(self.run, index),
            bytes: [bytes + header, bytes],
            sockets: 1,
            readers: Vec::new(),
            freed: None,
        });
        let surplus = (queue.len() > MAX_WAITING)
            .then(|| queue.pop_front())
            .flatten();
        self.fragments.suppose(packet, parts, index);
        self.table[packet].flow.protocol = proto as u8;
        self.queue(packet, index, event);
        if let Some(surplus) = surplus {
            self.leave_unread(&surplus);
        }
    }

    /// The packet is freed. Returns whether it waits for a raw socket's reader, so that this is not its end.
    pub fn free_raw(&mut self, packet: PacketId, verdict: Verdict, event: &Event) -> bool {
        let Some(waits) = self.raws.of(packet) else {
            return false;
        };
        let is_for_others = match verdict {
            Verdict::Dropped { reason } => reason == DropReason::NoSocket,
            _ => verdict == Verdict::Consumed && !ICMP.contains(&waits.proto),
        };
        if !is_for_others {
            return false;
        }
        waits.freed = Some((verdict, event.time));
        self.table.stay_put(packet);
        self.table.release_address(packet);
        self.cpus.at(event.cpu).receiving.let_go(packet);
        true
    }

    /// The packet is freed for lack of a socket. If the recording does not show whether a raw socket has a clone, the
    /// packet waits for a read.
    pub fn suppose_raw(&mut self, packet: PacketId, verdict: Verdict, event: &Event) {
        let is_in_hand = self.cpus.at(event.cpu).receiving.has_in_hand(packet, event);
        let reason = DropReason::NoSocket;
        let draft = &self.table[packet];
        let whole = draft.headers.network_bytes;
        let bytes = [whole, whole.saturating_sub(draft.headers.ip_header())];
        if self.raws.are_told
            || verdict != (Verdict::Dropped { reason })
            || !is_in_hand
            || matches!(draft.flow.protocol, TCP | UDP)
        {
            return;
        }
        self.raws.waiting.push_back(Waiting {
            packet,
            proto: u32::from(draft.flow.protocol),
            family: SocketFamily::default(),
            bytes,
            sockets: 1,
            readers: Vec::new(),
            freed: None,
        });
        if self.raws.waiting.len() > MAX_WAITING
            && let Some(surplus) = self.raws.waiting.pop_front()
        {
            self.leave_unread(&surplus);
        }
    }

    /// A copy at an address without a readable packet: it reads a raw socket's clone of a packet that was freed for
    /// lack of a socket, if the whole packet is copied, for IPv4 with its IP header, for IPv6 without.
    pub fn raw_copied(&mut self, index: EventIdx, event: &Event) -> Option<PacketId> {
        let is_copy = matches!(
            event.probe,
            Probe::SkbCopyDatagramIter | Probe::SkbCopyDatagramIovec
        );
        if self.raws.are_told || !is_copy {
            return None;
        }
        let count = copied_at(self.run, index, event);
        let fits = |waits: &Waiting| {
            let is_ipv6 = self.table[waits.packet].headers.ethertype == ETH_P_IPV6;
            waits.freed.is_some() && waits.bytes[usize::from(is_ipv6)] == count
        };
        let at = self.raws.waiting.iter().position(fits)?;
        let packet = self.raws.waiting.remove(at)?.packet;
        let draft = &mut self.table[packet];
        (draft.skb, draft.outcome.is_inferred, draft.is_superseded) = (event.skb, true, false);
        draft.payload = count;
        self.table.bind_address(packet, event.skb);
        Some(packet)
    }

    /// A read of a raw socket returns: it took the clone of a packet with its protocol and length in bytes.
    pub fn read_raw(
        &mut self,
        index: EventIdx,
        event: &Event,
        (proto, bytes): (u32, u32),
        copied: &[CopyOf],
    ) {
        let family = SocketFamily::of(self.run, index);
        let fits = |waits: &&mut Waiting| {
            let is_left = waits.readers.len() < waits.sockets && !waits.readers.contains(&event.sk);
            waits.proto == proto
                && waits.family.may_be(family)
                && waits.bytes.contains(&bytes)
                && is_left
        };
        // The kernel answers an ICMP echo request itself; such a packet needs no reader, and a socket's filter may
        // have refused it.
        let is_used_up = |packet: PacketId| self.table[packet].outcome.verdict == Verdict::Consumed;
        // A ping socket gets the packet itself, so the copy names it.
        let is_named = |waits: &Waiting| {
            waits.freed.is_none() && copied.iter().any(|copy| copy.packet == waits.packet)
        };
        let rank = |waits: &Waiting| (!is_named(waits), is_used_up(waits.packet));
        let fitting = self.raws.waiting.iter_mut().filter(fits);
        let Some(waits) = fitting.min_by_key(|waits| rank(waits)) else {
            return;
        };
        waits.readers.push(event.sk);
        let (packet, bytes) = (waits.packet, waits.bytes);
        self.raws
            .waiting
            .retain(|waits| waits.packet != packet || waits.readers.len() < waits.sockets);
        // Without a clone the copy named the packet itself, which ended with it.
        if copied.iter().any(|copy| copy.packet == packet) {
            return;
        }
        let copy = copied.first().map_or(index, |copy| copy.at);
        self.undo_foreign_copies(copied, event.pid);
        self.table[packet].payload = bytes[1];
        self.confirm_fragments(packet, bytes[1].saturating_sub(8));
        self.table.read_by(packet, index, copy, event.pid);
    }

    /// Ends the packets that are unread when the recording ends.
    pub fn leave_raw(&mut self) {
        for waits in std::mem::take(&mut self.raws.waiting) {
            self.leave_unread(&waits);
        }
    }

    fn leave_unread(&mut self, waits: &Waiting) {
        if let Some((verdict, end)) = waits.freed
            && !self.table[waits.packet].outcome.is_closed
        {
            self.table.close(waits.packet, verdict, end);
        }
    }
}
