//! Unread data that is discarded with its socket: the socket was closed, was destroyed after a reset, or was never
//! accepted.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::Entry;
use crate::journey::stitch::packet::headers::TCP;
use crate::journey::stitch::packet::reported::is_freed_in;
use crate::kernel::{DropReason, Event, EventIdx, Field, PacketId, Pid, Probe, Verdict};

impl Stitcher<'_> {
    /// `tcp_send_reset` because a process closed its socket with unread data, which is discarded (`net/ipv4/tcp.c:
    /// __tcp_close`, v6.12).
    pub fn abort(&mut self, index: EventIdx, event: &Event) {
        let reason = self.run.field_name(index, Field::ResetReason);
        if reason == Some("TCP_ABORT_ON_CLOSE") {
            for (packet, read) in self.tcp.take_unread(event.sk) {
                self.purge_rest(packet, read, index, DropReason::SocketClose);
            }
        }
    }

    /// `tcp_destroy_sock`: a connection that its peer reset has ended, and its unread data is discarded with the
    /// socket (`net/ipv4/inet_connection_sock.c: inet_csk_destroy_sock`, v6.12). `kfree_skb` may still report some of
    /// it. Before v6.10 `tcp_send_reset` gives no reason, so this event alone shows that a process closed the socket
    /// with unread data.
    pub fn destroy(&mut self, index: EventIdx) {
        let cookie = self.run.field(index, Field::Cookie);
        if let Some(cookie) = cookie {
            let left = self.tcp.destroy(cookie, index);
            self.leave_open(left);
        }
    }

    /// Ends the segments discarded with their sockets that no later event ended.
    pub fn purge_with_sockets(&mut self) {
        let mut purged = None;
        for (packet, read, index) in self.tcp.take_destroyed() {
            let draft = &self.table[packet];
            let last = draft.entries.last().map(|entry| entry.event);
            if let Verdict::Dropped { reason } = draft.outcome.verdict
                && let Some(last) = last.filter(|at| self.run.probe[at.at()] == Probe::KfreeSkb)
            {
                purged = Some((index, last, reason));
                continue;
            }
            // A segment after a freed one, itself without a free, was coalesced into that one.
            match purged.filter(|&(of, ..)| of == index) {
                Some((_, with, reason)) => self.purge_rest(packet, read, with, reason),
                None => self.purge_rest(packet, read, index, DropReason::SocketClose),
            }
        }
    }

    /// `net/ipv4/tcp.c: tcp_disconnect` (v6.18) purges the receive queue of a connection that was never accepted, and
    /// this segment is the first in it. All later ones are discarded too, some in an `sk_buff` that is yet to be
    /// freed.
    pub fn purge_stream(&mut self, first: PacketId, index: EventIdx) {
        if !is_freed_in(self.run, index, "tcp_disconnect") || !self.tcp.infers_reads() {
            return;
        }
        let sk = self.table[first].sk;
        self.tcp.discard_from(first, sk, index);
    }

    /// The same for a segment of which `read` bytes were read, by a copy that names the `sk_buff` into which it was
    /// coalesced.
    fn purge_rest(&mut self, packet: PacketId, read: u32, index: EventIdx, reason: DropReason) {
        let copied = &mut self.table[packet].copied;
        *copied = copied.or((read > 0).then_some(read));
        self.purge_for(packet, index, reason);
    }

    /// A packet in a socket's queue is discarded with the socket at this event.
    pub fn purge(&mut self, packet: PacketId, index: EventIdx) {
        self.purge_for(packet, index, DropReason::SocketClose);
    }

    /// A packet in a socket's queue is discarded at this event unless another event ended it: all of it, or the rest
    /// that a read left.
    fn purge_for(&mut self, packet: PacketId, index: EventIdx, reason: DropReason) {
        self.take_for_unread(packet);
        let draft = &mut self.table[packet];
        let has_rest = draft.copied.is_some_and(|copied| copied < draft.payload);
        match draft.outcome.verdict {
            Verdict::Delivered { pid, .. } if has_rest && draft.flow.protocol == TCP => {
                self.tasks.forget(pid, packet);
            }
            Verdict::Open => {}
            _ => return,
        }
        if !draft.outcome.is_closed {
            draft.outcome.is_inferred = true;
            draft.entries.push(Entry::new(index, None));
            self.table
                .close(packet, Verdict::Dropped { reason }, self.run.time(index));
        }
    }

    /// `kfree_skb` of a packet in a destroyed socket's queue (`net/ipv4/udp.c: udp_destruct_common`, or for a raw
    /// socket `net/ipv4/af_inet.c: inet_sock_destruct`, v6.18), at an address without a live packet: a segment, if
    /// only segments of one packet wait, or a clone, if no packet has two waiting clones.
    pub fn purge_unaddressed(&mut self, index: EventIdx) {
        let is_raw = is_freed_in(self.run, index, "inet_sock_destruct");
        if !is_raw && !is_freed_in(self.run, index, "udp_destruct_common") {
            return;
        }
        let table = &self.table;
        let waits = |&packet: &PacketId| {
            let draft = &table[packet];
            draft.outcome.is_open()
        };
        let waiting = self.udp.unaddressed(waits);
        let Some(&first) = waiting.first() else {
            return;
        };
        let mut waiting = waiting.iter();
        let draft = |packet: &PacketId| &table[*packet];
        let is_certain = if draft(&first).sharing.cloned_at.is_some() {
            waiting.is_sorted_by(|one, other| {
                draft(one).sharing.cloned_at < draft(other).sharing.cloned_at
            })
        } else {
            !is_raw && waiting.all(|it| draft(it).cut_from == draft(&first).cut_from)
        };
        if is_certain {
            self.purge(first, index);
        }
    }

    /// A socket is closed with this segment in its receive queue. Unread segments are freed in the same way as read
    /// ones (`net/ipv4/tcp.c: __tcp_close`, `tcp_eat_recv_skb`, v6.18), sometimes by another CPU before the event of
    /// the close: a segment that no call is known to have read is unread.
    pub fn take_for_unread(&mut self, packet: PacketId) {
        let is_all_told = self.table.are_all_told();
        let draft = &mut self.table[packet];
        let is_freed_by_someone =
            matches!(draft.outcome.verdict, Verdict::Delivered { pid, .. } if pid == Pid::UNKNOWN);
        if is_all_told && is_freed_by_someone && draft.copied.is_none() {
            draft.outcome.verdict = Verdict::Dropped {
                reason: DropReason::SocketClose,
            };
            draft.outcome.is_inferred = true;
        }
    }
}
