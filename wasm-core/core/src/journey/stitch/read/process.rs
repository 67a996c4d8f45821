//! Sockets and the processes that read them.
//!
//! A segment's journey ends with the call that copied its last byte, or with the one that closed its socket. Its
//! `sk_buff` may be freed much later, by the CPU that allocated it and when that CPU next receives (`net/ipv4/tcp.c:
//! tcp_eat_recv_skb`, `net/core/skbuff.c: skb_attempt_defer_free`, v6.18); until then it may hold segments that were
//! coalesced into it (`net/ipv4/tcp_input.c: tcp_try_coalesce`). A call with `MSG_PEEK`, or one that read no packet,
//! ends no journey.
//!
//! Source: `net/ipv4/tcp.c: tcp_recvmsg`, `net/ipv4/udp.c: udp_recvmsg`,
//! `skb_consume_udp`, `net/ipv4/tcp_ipv4.c: tcp_add_backlog`, `net/core/sock.c:
//! __release_sock` (v6.1).

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::packet::draft::Entry;
use crate::journey::stitch::packet::order::is_copy;
use crate::journey::stitch::packet::reported::copied_at;
use crate::journey::stitch::socket::tcp::stream::{ReadSegment, Stream};
use crate::kernel::{AddrId, Event, EventIdx, Field, PacketId, Pid, Probe, Station, Verdict};

impl Stitcher<'_> {
    /// A task enters a receive or send call.
    pub fn enter_call(&mut self, index: EventIdx, event: &Event) {
        let is_outer = matches!(
            event.probe,
            Probe::SysRecvfrom | Probe::SysSendto | Probe::SysEnter
        );
        let is_send = matches!(
            event.probe,
            Probe::SysSendto | Probe::TcpSendmsg | Probe::UdpSendmsg
        ) || (event.probe == Probe::SysEnter && self.names_a_send(index));
        // The previous call's return is missing: the copies since then were that call's.
        self.take_uncounted(index, event);
        let task = self.tasks.of(event.pid);
        if is_outer || !is_send {
            if is_outer {
                task.sk = AddrId::NONE;
            }
            task.sending.clear();
            task.read.clear();
            task.returned.0.clear();
            task.copies.clear();
            task.is_counted = false;
        }
        if is_send {
            // An inner call without its outer one begins a send by itself.
            let follows_outer = task.sending.len() == 1
                && matches!(
                    self.run.probe[task.sending[0].at()],
                    Probe::SysSendto | Probe::SysEnter
                );
            if !is_outer && !follows_outer {
                task.sending.clear();
            }
            task.sending.push(index);
        }
        if event.sk.is_some() {
            task.sk = event.sk;
        }
    }

    /// A call returns: the packets that it read are delivered.
    pub fn leave_call(&mut self, index: EventIdx, event: &Event) {
        let result = self
            .run
            .field(index, Field::Ret)
            .map_or(0, |ret| ret as i32);
        let bytes = u64::try_from(result).unwrap_or(0);
        let Some(task) = self.tasks.get_mut(event.pid) else {
            return;
        };
        if event.probe == Probe::SysExit || event.probe == Probe::SysRecvfromRet {
            task.sending.clear();
        }
        // A splice copies nothing: the task's earlier copies belong to other calls.
        if self.leave_splice(index, event.pid) {
            return;
        }
        let Some(task) = self.tasks.get_mut(event.pid) else {
            return;
        };
        let is_stream = !task.is_counted && self.tcp.if_observed(task.sk).is_some();
        if is_stream && bytes > 0 {
            self.read_stream(event.pid, index, bytes);
        }
        let Some(task) = self.tasks.get_mut(event.pid) else {
            return;
        };
        task.is_counted |= bytes > 0;
        // Without entry events: a return at the same level as before, or further in, belongs to another call.
        let outer = how_far_out(event.probe);
        let (returned, before) = &mut task.returned;
        if outer <= *before {
            returned.clear();
        }
        *before = outer;
        returned.append(&mut task.read);
        for packet in returned.clone() {
            self.table.unmerge(packet);
            let draft = &mut self.table[packet];
            draft.outcome.verdict = Verdict::Delivered {
                pid: event.pid,
                read: index,
            };
            draft.outcome.end = Some(event.time);
            // The outer return replaces the inner one as the end of the journey.
            draft.entries.push(Entry::new(index, None));
        }
    }

    /// `skb_copy_datagram_iter`: data is copied to the reading process.
    pub fn copy(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        let is_second_sight = event.probe == Probe::SkbCopyDatagramIovec
            && self.table[packet]
                .entries
                .iter()
                .rev()
                .nth(1)
                .is_some_and(|entry| {
                    self.run.probe[entry.event.at()] == Probe::SkbCopyDatagramIter
                });
        let count = copied_at(self.run, index, event);
        let is_queued = self.table[packet].queues.is_queued();
        let task = self.tasks.of(event.pid);
        if !is_second_sight {
            let before = task.copies.last().map_or(0, |&(_, total)| total);
            task.copies.push((index, before + u64::from(count)));
            self.table[packet].add_copy(count);
        }
        // With tracepoints only, the copy is the only event of the read, and the only source of the payload's length.
        if !is_queued {
            if !is_second_sight {
                self.note_copy(packet, index, event, count);
            }
            self.confirm_fragments(packet, count);
            self.read_copied(packet, index, event, count);
            self.read_coalesced(packet, index, event);
            let draft = &mut self.table[packet];
            // Copies are its only events, for instance after lost events: together they are its payload.
            let first = draft
                .entries
                .first()
                .map(|first| self.run.probe[first.event.at()]);
            if first.is_some_and(is_copy) {
                draft.payload = draft.payload.max(draft.copied.unwrap_or(0));
            }
        }
    }

    /// `skb_consume_udp`: the whole datagram was copied.
    pub fn deliver_datagram(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        self.read_datagram(packet, index, event);
        let draft = &mut self.table[packet];
        if draft.payload == 0 {
            // Kernels before 6.4 cannot report the length in a kprobe (BTF arguments of kprobes).
            let copied = self.run.field(index, Field::Count);
            draft.payload = event.known_len().or(copied).unwrap_or(0);
        }
    }

    /// Marks the packet as delivered to this task at this event, until the call's return is known. An earlier reader
    /// has only peeked (`MSG_PEEK`).
    pub fn read_datagram(&mut self, packet: PacketId, index: EventIdx, event: &Event) -> Verdict {
        let verdict = Verdict::Delivered {
            pid: event.pid,
            read: index,
        };
        self.table.unmerge(packet);
        let draft = &mut self.table[packet];
        draft.outcome.verdict = verdict;
        draft.outcome.end = None;
        let task = self.tasks.of(event.pid);
        task.read.insert(packet);
        verdict
    }

    /// A read of a TCP socket takes bytes from the stream.
    fn read_stream(&mut self, pid: Pid, read: EventIdx, bytes: u64) {
        let Some(task) = self.tasks.get_mut(pid) else {
            return;
        };
        let copies = std::mem::take(&mut task.copies);
        let Some(stream) = self.stream_of(pid) else {
            return;
        };
        let (taken, left) = (stream.read(bytes), stream.take_left());
        if let Some(left) = left {
            self.tcp.leave_rest(left, pid);
        }
        for ReadSegment { packet, last_byte } in taken {
            let first = copies.partition_point(|&(_, copied)| copied < last_byte);
            let copy = copies
                .get(first)
                .or(copies.last())
                .map_or(read, |&(event, _)| event);
            let draft = &mut self.table[packet];
            let is_own = draft.entries.iter().any(|entry| entry.event == copy);
            if !is_own {
                draft.entries.push(Entry::new(copy, Some(Station::Process)));
            }
            // A segment without data (FIN) is not read.
            if draft.payload == 0 {
                self.table
                    .close(packet, Verdict::Consumed, self.run.time(read));
                continue;
            }
            if let Some(task) = self.tasks.get_mut(pid) {
                task.read.insert(packet);
            }
        }
    }

    fn take_uncounted(&mut self, index: EventIdx, event: &Event) {
        let Some(task) = self.tasks.get_mut(event.pid) else {
            return;
        };
        let copied = task.copies.last().map_or(0, |&(_, total)| total);
        if !task.is_counted && copied > 0 && self.tcp.if_observed(task.sk).is_some() {
            let last = task.copies.last().map_or(index, |&(event, _)| event);
            // Datagrams that the task read are not part of this call.
            task.read.clear();
            task.returned.0.clear();
            self.read_stream(event.pid, last, copied);
            let task = self.tasks.of(event.pid);
            for packet in std::mem::take(&mut task.read) {
                // A segment that was queued after the last copy was not read before it was queued.
                let entries = &self.table[packet].entries;
                let read = entries
                    .iter()
                    .map(|entry| entry.event)
                    .fold(last, EventIdx::max);
                let pid = event.pid;
                self.table.close(
                    packet,
                    Verdict::Delivered { pid, read },
                    self.run.time(read),
                );
            }
        }
    }

    fn stream_of(&mut self, pid: Pid) -> Option<&mut Stream> {
        let sk = self.tasks.get(pid)?.sk;
        self.tcp.if_observed(sk)
    }

    fn names_a_send(&self, index: EventIdx) -> bool {
        self.run
            .field_name(index, Field::Func)
            .is_some_and(|call| call.starts_with("send") || call.starts_with("write"))
    }

    /// Records a copy of `count` bytes from the packet, or from a segment that was coalesced into it.
    pub fn read_copied(&mut self, packet: PacketId, index: EventIdx, event: &Event, count: u32) {
        if !self.table[packet].is_read_out(count) {
            self.read_datagram(packet, index, event);
        }
    }
}

/// The level of a read's return: 3 for the system call, the outermost.
const fn how_far_out(probe: Probe) -> u8 {
    match probe {
        Probe::SysExit => 3,
        Probe::SysRecvfromRet => 2,
        _ => 1,
    }
}
