//! Reads of sockets whose receive queue no probe observes: `sock_recv_length` reports who read how many bytes from
//! which socket, and the order of the queue shows which packets those were.
//!
//! The packets of such a read are inferred. Where the evidence does not fit, nothing is inferred: a read of another
//! length, a peek (`MSG_PEEK`), a datagram whose address was reused.

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::copies::CopyOf;
use crate::journey::stitch::packet::datagram::Doubt;
use crate::journey::stitch::packet::headers::{IP_HEADER, IPV6_HEADER, TCP, UDP, is_udp};
use crate::journey::stitch::packet::uapi::{EAGAIN, ERRQUEUE, OOB, PEEK, TRUNC};
use crate::kernel::{Event, EventIdx, Field, MPTCP, PacketId, Pid};

/// The protocol that a read reports for sockets outside IP.
const NO_PROTOCOL: u32 = 0;

impl Stitcher<'_> {
    /// Records a copy from the packet that it names. Its length shows which segments were coalesced into that packet.
    pub fn note_copy(&mut self, packet: PacketId, index: EventIdx, event: &Event, count: u32) {
        let copy = CopyOf {
            packet,
            at: index,
            bytes: count,
        };
        let task = self.tasks.of(event.pid);
        task.splice.has_copied = true;
        if self.tcp.are_returns_told() {
            task.copied.push(copy);
        } else {
            self.commit_stream(self.table[packet].sk);
            self.copy_stream(copy, index, event.pid);
        }
    }

    /// `sock_recv_length`: a receive call returns.
    pub fn return_read(&mut self, index: EventIdx, event: &Event) {
        // The call has finished with the segments of its socket's backlog.
        self.cpus.at(event.cpu).in_tcp.leave(event);
        let (copied, is_raw) = self.tasks.of(event.pid).end_read();
        let field = |field| self.run.field(index, field);
        let flags = field(Field::Flags).unwrap_or(0);
        let is_of_others =
            field(Field::Proto).is_none() && field(Field::Protocol) == Some(NO_PROTOCOL);
        if is_of_others && let Some(copy) = copied.last() {
            self.read_of_held(index, event, copy.bytes);
        }
        if is_of_others || flags & ERRQUEUE != 0 {
            self.undo_foreign_copies(&copied, event.pid);
            return;
        }
        if flags & PEEK != 0 {
            self.undo_peek(&copied, event.pid);
            return;
        }
        let read = field(Field::Ret).map_or(0, u32::cast_signed);
        let bytes = u32::try_from(read).unwrap_or(0);
        let protocol = field(Field::Proto).and_then(|proto| u8::try_from(proto).ok());
        let protocol = protocol.map(|proto| {
            if is_udp(Some(proto.into())) {
                UDP
            } else {
                proto
            }
        });
        match protocol {
            None if field(Field::Proto) == Some(MPTCP) && self.tcp.infers_reads() => {
                self.read_multipath(index, event, &copied);
            }
            Some(TCP) if self.tcp.infers_reads() && flags & OOB != 0 => {
                self.read_urgent(index, event, bytes);
            }
            Some(TCP) if self.tcp.infers_reads() => {
                self.read_segments(index, event, bytes, &copied);
                if copied.is_empty() && flags & TRUNC != 0 {
                    self.discard_segments(index, event, bytes);
                }
            }
            Some(UDP) if self.udp.infers_reads() && is_raw => {
                self.read_raw_clone(index, event, bytes, &copied);
            }
            Some(UDP) if read == EAGAIN => self.udp.found_empty(event.sk),
            Some(UDP) if self.udp.infers_reads() => {
                let bytes = u32::try_from(read).ok();
                self.read_own_datagram(index, event, bytes, &copied);
            }
            Some(protocol) if !matches!(protocol, TCP | UDP) && read > 0 => {
                self.read_raw(index, event, (protocol.into(), bytes), &copied);
            }
            _ => {}
        }
    }

    /// A call read `bytes` bytes of a stream, by these copies.
    fn read_segments(&mut self, index: EventIdx, event: &Event, bytes: u32, copied: &[CopyOf]) {
        self.tcp.inferred(event.sk).read_by_itself();
        self.leave_closing_backlog(event.pid, event.sk);
        self.return_stream(event.sk, bytes, copied);
        for &copy in copied {
            self.copy_stream(copy, index, event.pid);
            self.end_with_call(copy.packet, event);
        }
    }

    /// A call with `MSG_TRUNC` took bytes off a stream without a copy.
    fn discard_segments(&mut self, index: EventIdx, event: &Event, bytes: u32) {
        for taken in self.tcp.inferred(event.sk).read(bytes.into()) {
            self.table.read_by(taken.packet, index, index, event.pid);
        }
        self.tcp.leave_part(event.sk, event.pid);
    }

    /// A call read a datagram, by these copies, or failed (`bytes` is `None`).
    fn read_own_datagram(
        &mut self,
        index: EventIdx,
        event: &Event,
        bytes: Option<u32>,
        copied: &[CopyOf],
    ) {
        if self.read_unaddressed(index, event, bytes.unwrap_or(0), copied) {
            return;
        }
        if let Some(copy) = copied.last() {
            let draft = &mut self.table[copy.packet];
            draft.queues.is_taken = true;
            // Its `sk_buff` may be freed much later.
            draft.outcome.end = draft.outcome.end.or(Some(event.time));
            let (hash, cloned_at) = (draft.hash, draft.sharing.cloned_at);
            self.udp.note_read(event.sk, hash, cloned_at);
        } else if let Some(bytes) = bytes {
            self.read_waiting(index, event, bytes, index);
        }
    }

    /// Attributes a read, whose copy was at this event, to the datagram in the socket's queue that fits.
    pub fn read_waiting(
        &mut self,
        index: EventIdx,
        event: &Event,
        bytes: u32,
        copy: EventIdx,
    ) -> Option<PacketId> {
        let of = (event.sk, bytes, event.pid);
        let read = self.udp.read(index, of, &self.table, self.run)?;
        let packet = read.packet;
        let draft = &mut self.table[packet];
        // A packet with unknown protocol was taken to be IPv4; a read shorter by the difference of the headers shows
        // IPv6.
        let is_ipv6 = draft.headers.ethertype == 0
            && read.bytes == bytes.saturating_add(IPV6_HEADER - IP_HEADER);
        draft.payload = if is_ipv6 { bytes } else { read.bytes };
        draft.copied = Some(bytes);
        if read.doubt < Doubt::Socket {
            draft.sk = event.sk;
        }
        self.confirm_fragments(packet, read.bytes);
        match read.doubt {
            Doubt::None => self.table.read_by(packet, index, copy, event.pid),
            Doubt::Call | Doubt::Socket => self.table.read_by_some_call(packet, index, event.pid),
            Doubt::Reader => self.table.read_by_some_call(packet, index, Pid::UNKNOWN),
        }
        Some(packet)
    }
}
