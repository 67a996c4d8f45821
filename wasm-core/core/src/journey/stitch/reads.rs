//! Reads of sockets where no probe saw what they took from the queue: `sock_recv_length` tells
//! who read how much from which socket, and the queue's order tells what that was.
//!
//! What a read is said to have taken is inferred. Nothing is where the evidence does not fit: a
//! read of another length, a look (`MSG_PEEK`), a datagram whose memory is another packet's.

use std::collections::BTreeMap;

use super::datagrams::{Datagrams, Known};
use super::draft::{Draft, Entry};
use super::stream::Stream;
use super::{Stitcher, TCP, UDP};
use crate::kernel::{
    AddrId, DropReason, Event, EventIdx, Field, PacketId, Pid, Probe, Station, Verdict,
};
use crate::run::Run;

/// `MSG_PEEK` and `MSG_ERRQUEUE` (`include/linux/socket.h`): nothing is taken from the queue.
const TAKES_NOTHING: u32 = 0x2 | 0x2000;
/// `MSG_TRUNC`: TCP throws the bytes away instead of copying them.
const TRUNC: u32 = 0x20;

/// The queues that reads are matched with.
#[derive(Debug)]
pub(super) struct Reads {
    pub datagrams: Datagrams,
    streams: BTreeMap<AddrId, Stream>,
    /// No probe at the queue of TCP sockets, of UDP sockets.
    infers: (bool, bool),
    /// Calls that read say so when they return.
    are_told: bool,
}

impl Reads {
    /// What a run lacks and has.
    pub fn of(run: &Run) -> Self {
        let has = |probe| run.probe.contains(&probe);
        Self {
            datagrams: Datagrams::default(),
            streams: BTreeMap::new(),
            infers: (!has(Probe::TcpQueueRcv), !has(Probe::UdpEnqueueScheduleSkb)),
            are_told: has(Probe::SockRecvLength),
        }
    }

    /// Whether what such a socket's reads took is inferred.
    pub const fn are_inferred(&self, protocol: u8) -> bool {
        match protocol {
            TCP => self.infers.0,
            UDP => self.infers.1,
            _ => false,
        }
    }

    /// The byte stream of a socket.
    pub fn stream(&mut self, sk: AddrId) -> &mut Stream {
        self.streams.entry(sk).or_default()
    }
}

impl Stitcher<'_> {
    /// A copy names its packet. What it was joined with is told by how much was copied.
    pub(super) fn note_copy(
        &mut self,
        packet: PacketId,
        index: EventIdx,
        event: &Event,
        count: u32,
    ) {
        let copy = (packet, index, count);
        if self.reads.are_told {
            self.tasks.entry(event.pid).or_default().copied.push(copy);
        } else {
            self.copy_stream(copy, index, event.pid);
        }
    }

    /// `sock_recv_length`: a call that read returns.
    pub(super) fn return_read(&mut self, index: EventIdx, event: &Event) {
        let task = self.tasks.entry(event.pid).or_default();
        let copied = std::mem::take(&mut task.copied);
        let field = |field| self.run.field(index, field);
        let flags = field(Field::Flags).unwrap_or(0);
        if flags & TAKES_NOTHING != 0 {
            self.take_back(&copied, event.pid);
            return;
        }
        let read = field(Field::Ret).map_or(0, u32::cast_signed);
        let bytes = u32::try_from(read).unwrap_or(0);
        let protocol = field(Field::Proto).and_then(|proto| u8::try_from(proto).ok());
        match protocol {
            Some(TCP) if self.reads.are_inferred(TCP) => {
                for &copy in &copied {
                    self.copy_stream(copy, index, event.pid);
                }
                if copied.is_empty() && flags & TRUNC != 0 {
                    let taken = self.reads.stream(event.sk).read(bytes.into());
                    for taken in taken {
                        self.read_by(taken.packet, index, index, event.pid);
                    }
                }
            }
            Some(UDP) if self.reads.are_inferred(UDP) => {
                if let Some(&(packet, ..)) = copied.last() {
                    let hash = self.drafts[packet.at()].hash;
                    self.reads.datagrams.bind(hash, event.sk);
                } else if bytes > 0 {
                    self.read_waiting(index, event, bytes);
                }
            }
            _ => {}
        }
    }

    /// The read took what of the socket's queue fits it.
    fn read_waiting(&mut self, index: EventIdx, event: &Event, bytes: u32) {
        let known = Drafts(&self.drafts);
        let datagrams = &mut self.reads.datagrams;
        datagrams.forget(event.sk, bytes, &known);
        let Some(packet) = datagrams.read(event.sk, bytes, event.pid, &known) else {
            return;
        };
        let draft = &mut self.drafts[packet.at()];
        draft.payload = bytes;
        draft.sk = event.sk;
        self.confirm_fragments(packet, bytes);
        self.read_by(packet, index, index, event.pid);
    }

    /// A copy took bytes off the stream: whoever's last byte is among them is read.
    fn copy_stream(&mut self, copy: (PacketId, EventIdx, u32), index: EventIdx, pid: Pid) {
        let (packet, at, count) = copy;
        let sk = self.drafts[packet.at()].sk;
        for taken in self.reads.stream(sk).copy(packet, count) {
            if taken.packet != packet {
                self.read_by(taken.packet, index, at, pid);
            }
        }
    }

    /// `tcp_send_reset` because a process closed its socket with data in it: they were thrown away
    /// (`net/ipv4/tcp.c: __tcp_close`, v6.12).
    pub(super) fn abort(&mut self, index: EventIdx, event: &Event) {
        let reason = self.run.field_name(index, Field::Name);
        if reason != Some("TCP_ABORT_ON_CLOSE") || !self.reads.are_inferred(TCP) {
            return;
        }
        let unread: Vec<PacketId> = self.reads.stream(event.sk).unread().collect();
        for packet in unread {
            let draft = &mut self.drafts[packet.at()];
            if draft.verdict == Verdict::Open && !draft.is_closed {
                draft.is_inferred = true;
                draft.entries.push(Entry::new(index, None));
                let reason = DropReason::SocketClose;
                self.close(packet, Verdict::Dropped { reason }, event.time);
            }
        }
    }

    /// The call only looked: what it copied is still there.
    fn take_back(&mut self, copied: &[(PacketId, EventIdx, u32)], pid: Pid) {
        for &(packet, copy, _) in copied {
            if let Some(task) = self.tasks.get_mut(&pid) {
                task.forget(packet);
            }
            let draft = &mut self.drafts[packet.at()];
            let is_by_it = matches!(draft.verdict, Verdict::Delivered { read, .. } if read == copy);
            if is_by_it && !draft.is_closed {
                draft.verdict = Verdict::Open;
                let is_first_seen = {
                    let placed = draft.entries.iter().filter(|entry| entry.station.is_some());
                    placed.count() < 2
                };
                self.stay_put(packet);
                if is_first_seen && let Some(last) = self.drafts[packet.at()].entries.last_mut() {
                    last.station = Some(Station::ReceiveQueue);
                }
            }
        }
    }
}

/// What the drafts know of a datagram.
struct Drafts<'a>(&'a [Draft]);

impl Known for Drafts<'_> {
    fn is_gone(&self, packet: PacketId) -> bool {
        let draft = &self.0[packet.at()];
        draft.is_closed || draft.is_superseded || draft.verdict != Verdict::Open
    }

    fn woke(&self, packet: PacketId) -> Pid {
        self.0[packet.at()].woke
    }
}
