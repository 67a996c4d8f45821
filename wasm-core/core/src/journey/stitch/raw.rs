//! Packets that raw sockets read: answers to ping, protocols without a handler.
//!
//! A raw socket gets a clone before the protocol's handler has the packet (`net/ipv4/raw.c:
//! raw_v4_input`, v6.12), and the handler frees what it has no socket for (`net/ipv4/ping.c: ping_rcv`:
//! `NO_SOCKET`), although somebody reads it. The clone passes no probe but the copy to its reader, so
//! the packet waits, for a read of its protocol and its length. Where none comes it ends as it was freed.

use std::collections::VecDeque;

use super::fragments::whole_bytes;
use super::{Stitcher, TCP, UDP};
use crate::kernel::{AddrId, DropReason, Event, EventIdx, Nanos, PacketId, Verdict};

/// What waits for a raw socket's reader.
#[derive(Debug, Clone)]
struct Waiting {
    packet: PacketId,
    proto: u32,
    /// Bytes with the IP header, as a read over IPv4 gives, and without.
    bytes: [u32; 2],
    /// So many sockets have a clone of it, and these have read theirs.
    sockets: usize,
    readers: Vec<AddrId>,
    /// How it ends if nobody reads it.
    freed: Option<(Verdict, Nanos)>,
}

/// Packets that raw sockets have and nobody has read, in the order of their coming.
#[derive(Debug, Default)]
pub(super) struct Raws(VecDeque<Waiting>);

/// So many are kept at most: the oldest then ends unread.
const MANY: usize = 64;

/// ICMP and ICMPv6 (IANA), which have handlers of their own: what those use up is used up.
const ICMP: [u32; 2] = [1, 58];

impl Raws {
    fn of(&mut self, packet: PacketId) -> Option<&mut Waiting> {
        self.0.iter_mut().find(|waits| waits.packet == packet)
    }
}

impl Stitcher<'_> {
    /// `sk_data_ready` of a socket that is neither of TCP nor of UDP: it has what the CPU works on.
    pub(super) fn queue_raw(&mut self, index: EventIdx, event: &Event, proto: u32) {
        let (drafts, cpu) = (&self.drafts, self.cpus.entry(event.cpu).or_default());
        let is_new = |packet: PacketId| {
            let draft = &drafts[packet.at()];
            !draft.is_closed && !draft.is_probed && !matches!(draft.protocol, TCP | UDP)
        };
        let Some((packet, first, silent)) = cpu.receiving.in_hand(event, is_new) else {
            return;
        };
        if let Some(waits) = self.raws.of(packet) {
            waits.sockets = (waits.sockets + 1).min(MANY);
            return;
        }
        let draft = &drafts[packet.at()];
        let parts = self.fragments.take_parts(draft, first, silent, drafts);
        // As of a datagram, whose header is 8 bytes: here those are payload.
        let bytes = whole_bytes(packet, &parts, drafts) + 8;
        let header = draft.ip_header();
        let queue = &mut self.raws.0;
        queue.push_back(Waiting {
            packet,
            proto,
            bytes: [bytes + header, bytes],
            sockets: 1,
            readers: Vec::new(),
            freed: None,
        });
        let surplus = (queue.len() > MANY).then(|| queue.pop_front()).flatten();
        self.fragments.suppose(packet, parts, index);
        self.drafts[packet.at()].protocol = proto as u8;
        self.queue(packet, index, event);
        if let Some(surplus) = surplus {
            self.leave_unread(&surplus);
        }
    }

    /// The packet is freed. Whether it waits for the reader of a raw socket: then that is not its end.
    pub(super) fn free_raw(&mut self, packet: PacketId, verdict: Verdict, event: &Event) -> bool {
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
        self.stay_put(packet);
        let draft = &mut self.drafts[packet.at()];
        draft.is_superseded = true;
        if self.live.get(draft.skb.0 as usize) == Some(&packet) {
            self.live[draft.skb.0 as usize] = PacketId::NONE;
        }
        self.cpu(event.cpu).receiving.let_go(packet);
        true
    }

    /// A read of a raw socket returns: it took the clone of the packet of its protocol that fits it.
    pub(super) fn read_raw(&mut self, index: EventIdx, event: &Event, proto: u32, bytes: u32) {
        let copied = std::mem::take(&mut self.tasks.entry(event.pid).or_default().copied);
        let fits = |waits: &&mut Waiting| {
            let is_left = waits.readers.len() < waits.sockets && !waits.readers.contains(&event.sk);
            waits.proto == proto && waits.bytes.contains(&bytes) && is_left
        };
        // ICMP answers a request itself: its end is no reader's, and a socket may well have refused it.
        let is_used_up = |packet: PacketId| self.drafts[packet.at()].verdict == Verdict::Consumed;
        // A ping socket has the packet itself, which the copy then names.
        let is_named = |waits: &Waiting| {
            waits.freed.is_none() && copied.iter().any(|&(packet, ..)| packet == waits.packet)
        };
        let rank = |waits: &Waiting| (!is_named(waits), is_used_up(waits.packet));
        let fitting = self.raws.0.iter_mut().filter(fits);
        let Some(waits) = fitting.min_by_key(|waits| rank(waits)) else {
            return;
        };
        waits.readers.push(event.sk);
        let (packet, bytes) = (waits.packet, waits.bytes);
        self.raws
            .0
            .retain(|waits| waits.packet != packet || waits.readers.len() < waits.sockets);
        // Where no clone was made, the copy named the packet itself, and ended it.
        if copied.iter().any(|&(copied, ..)| copied == packet) {
            return;
        }
        let copy = copied.first().map_or(index, |&(_, copy, _)| copy);
        self.disown(&copied, event.pid);
        self.drafts[packet.at()].payload = bytes[1];
        self.confirm_fragments(packet, bytes[1].saturating_sub(8));
        self.read_by(packet, index, copy, event.pid);
    }

    /// What nobody has read when the recording ends.
    pub(super) fn leave_raw(&mut self) {
        for waits in std::mem::take(&mut self.raws).0 {
            self.leave_unread(&waits);
        }
    }

    fn leave_unread(&mut self, waits: &Waiting) {
        if let Some((verdict, end)) = waits.freed
            && !self.drafts[waits.packet.at()].is_closed
        {
            self.close(waits.packet, verdict, end);
        }
    }
}
