//! Reads of sockets where no probe saw what they took from the queue: `sock_recv_length` tells
//! who read how much from which socket, and the queue's order tells what that was.
//!
//! What a read is said to have taken is inferred. Nothing is where the evidence does not fit: a
//! read of another length, a look (`MSG_PEEK`), a datagram whose memory is another packet's.

use std::collections::{BTreeMap, BTreeSet};

use super::closing::Closing;
use super::datagrams::Datagrams;
use super::foretold::Foretold;
use super::heads::Heads;
use super::known::{self, Known};
use super::probed::{Telling, is_unnamed, sockets_of_hashes};
use super::splice::{Splice, Splices};
use super::stream::Stream;
use super::unread::Unread;
use super::{Stitcher, TCP, UDP, subflows};
use crate::kernel::{AddrId, Event, EventIdx, Field, MPTCP, PacketId, Pid, Probe, Probes};
use crate::run::Run;

/// `MSG_PEEK` (`include/linux/socket.h`): nothing is taken from the queue.
pub(super) const PEEK: u32 = 0x2;
/// `MSG_OOB`: TCP gives its urgent byte, which lies in the stream and which no other read gives.
const OOB: u32 = 0x1;
/// `MSG_ERRQUEUE`: what is read is a report of the kernel's about what was sent.
pub(super) const ERRQUEUE: u32 = 0x2000;
/// `MSG_TRUNC`: TCP throws the bytes away instead of copying them.
const TRUNC: u32 = 0x20;

/// Bytes by which a header of IPv6 is longer than one of IPv4 without options (RFC 791 section 3.1, RFC 8200 section 3).
const IPV6_LONGER: u32 = 20;

/// So many of an address that is not known are kept: more than a socket's buffer holds.
const MANY: usize = 1024;

/// What a read of a socket of another family than IP's tells as its protocol.
const NO_PROTOCOL: u32 = 0;

/// The queues that reads are matched with.
#[derive(Debug)]
pub(super) struct Reads {
    pub datagrams: Datagrams,
    pub unread: Unread,
    pub foretold: Foretold,
    pub splices: Splices,
    pub closing: Closing,
    /// Multipath TCP sockets that read several subflows at a time.
    pub of_several: BTreeSet<AddrId>,
    /// Segments that reads' copies name.
    pub heads: Heads,
    pub streams: BTreeMap<AddrId, Stream>,
    /// The TCP socket that `tcp_probe` told for segments of a hash.
    socket_of: BTreeMap<u32, AddrId>,
    /// What waited at sockets when they were destroyed, how much of it was read, and at which event.
    pub destroyed: Vec<(PacketId, u32, EventIdx)>,
    /// No probe at the queue of TCP sockets, of UDP sockets.
    infers: (bool, bool),
    /// What nobody has read, as far as is known, of an address that is not known: segments that were cut here, clones.
    pub unaddressed: Vec<PacketId>,
    /// Something waits in a queue of which the address is not known.
    pub has_unaddressed: bool,
    /// How `tcp_probe` tells of segments.
    pub telling: Telling,
    /// Calls that read say so when they return.
    are_told: bool,
}

impl Reads {
    /// What a run lacks and has, whose events pass these probes.
    pub fn of(run: &Run, passed: &Probes) -> Self {
        let infers = (
            !passed.has(Probe::TcpQueueRcv) || !tells_lengths(run),
            !passed.has(Probe::UdpEnqueueScheduleSkb),
        );
        let are_all_told = !passed.has(Probe::LostEvents);
        // Where events were lost, reads were.
        let foretold = if infers.1 && are_all_told {
            Foretold::of(run)
        } else {
            Foretold::default()
        };
        let homes = known::homes(run);
        let telling = match (infers.0 && is_unnamed(run), passed.has(Probe::SkDataReady)) {
            (false, _) => Telling::ByName,
            (true, true) => Telling::InOrder,
            (true, false) => Telling::InOrderAndInStream,
        };
        Self {
            datagrams: Datagrams::new(are_all_told, homes, &foretold.spread),
            unread: Unread::of(run),
            foretold,
            splices: Splices::default(),
            closing: Closing::default(),
            of_several: subflows::of_several(run),
            heads: if infers.0 {
                Heads::of(run)
            } else {
                Heads::default()
            },
            streams: BTreeMap::new(),
            socket_of: if telling == Telling::ByName {
                BTreeMap::new()
            } else {
                sockets_of_hashes(run)
            },
            telling,
            destroyed: Vec::new(),
            infers,
            unaddressed: Vec::new(),
            has_unaddressed: false,
            are_told: passed.has(Probe::SockRecvLength),
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

    /// A segment told to which socket those of its hash come.
    pub fn know_socket(&mut self, hash: u32, sk: AddrId) {
        if hash != 0 && sk.is_some() {
            self.socket_of.insert(hash, sk);
        }
    }

    /// Something is in a socket's queue, at an address that is not known.
    pub fn wait_unaddressed(&mut self, packet: PacketId) {
        self.has_unaddressed = true;
        let surplus = (self.unaddressed.len() + 1).saturating_sub(MANY);
        self.unaddressed.drain(..surplus);
        self.unaddressed.push(packet);
    }

    /// To which TCP socket segments of a hash come, if one has told.
    pub fn socket_of(&self, hash: u32) -> Option<AddrId> {
        self.socket_of.get(&hash).copied()
    }

    /// The byte stream of a socket.
    pub fn stream(&mut self, sk: AddrId) -> &mut Stream {
        self.streams.entry(sk).or_default()
    }
}

/// Whether `tcp_queue_rcv` tells how much it queues: a kprobe finds that by name since v6.6 (`Documentation/trace/kprobetrace.rst`).
fn tells_lengths(run: &Run) -> bool {
    let mut queued = run
        .indices()
        .filter(|&index| run.probe[index.at()] == Probe::TcpQueueRcv);
    queued.any(|index| run.event(index).known_len().is_some())
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
        let task = self.tasks.entry(event.pid).or_default();
        task.splice.has_copied = true;
        if self.reads.are_told {
            task.copied.push(copy);
        } else {
            self.settle_stream(self.drafts[packet.at()].sk);
            self.copy_stream(copy, index, event.pid);
        }
    }

    /// `sock_recv_length`: a call that read returns.
    pub(super) fn return_read(&mut self, index: EventIdx, event: &Event) {
        // Whatever the call took from its socket's backlog, it is done with.
        self.cpu(event.cpu).in_tcp.leave(event);
        let task = self.tasks.entry(event.pid).or_default();
        let copied = std::mem::take(&mut task.copied);
        task.splice = Splice::default();
        let is_raw = std::mem::take(&mut task.has_read_raw);
        let field = |field| self.run.field(index, field);
        let flags = field(Field::Flags).unwrap_or(0);
        let is_of_others =
            field(Field::Proto).is_none() && field(Field::Protocol) == Some(NO_PROTOCOL);
        if is_of_others && let Some(&(.., bytes)) = copied.last() {
            self.read_of_held(index, event, bytes);
        }
        if is_of_others || flags & ERRQUEUE != 0 {
            self.disown(&copied, event.pid);
            return;
        }
        if flags & PEEK != 0 {
            self.take_back(&copied, event.pid);
            return;
        }
        let read = field(Field::Ret).map_or(0, u32::cast_signed);
        let bytes = u32::try_from(read).unwrap_or(0);
        let protocol = field(Field::Proto).and_then(|proto| u8::try_from(proto).ok());
        match protocol {
            None if field(Field::Proto) == Some(MPTCP) && self.reads.are_inferred(TCP) => {
                self.read_multipath(index, event, &copied);
            }
            Some(TCP) if self.reads.are_inferred(TCP) && flags & OOB != 0 => {
                let urgent = self.reads.stream(event.sk).take_urgent(bytes);
                if let Some(packet) = urgent {
                    self.read_by(packet, index, index, event.pid);
                }
            }
            Some(TCP) if self.reads.are_inferred(TCP) => {
                self.reads.stream(event.sk).reader = AddrId::NONE;
                self.leave_closing_backlog(event.pid, event.sk);
                self.return_stream(event.sk, bytes, &copied);
                for &copy in &copied {
                    self.copy_stream(copy, index, event.pid);
                    self.end_with_call(copy.0, event);
                }
                if copied.is_empty() && flags & TRUNC != 0 {
                    for taken in self.reads.stream(event.sk).read(bytes.into()) {
                        self.read_by(taken.packet, index, index, event.pid);
                    }
                    self.leave_part(event.sk, event.pid);
                }
            }
            Some(UDP) if self.reads.are_inferred(UDP) && is_raw => {
                self.read_raw_clone(index, event, bytes, &copied);
            }
            Some(UDP) if self.reads.are_inferred(UDP) => {
                if self.read_unaddressed(index, event, bytes, &copied) {
                    return;
                }
                if let Some(&(packet, ..)) = copied.last() {
                    let draft = &mut self.drafts[packet.at()];
                    draft.is_taken = true;
                    // Its memory may be given back much later.
                    draft.end = draft.end.or(Some(event.time));
                    match draft.share {
                        Some(share) => self.reads.datagrams.clones.note_read(event.sk, share),
                        None => self.reads.datagrams.bind(draft.hash, event.sk),
                    }
                } else if read >= 0 {
                    self.read_waiting(index, event, bytes, index);
                }
            }
            Some(protocol) if !matches!(protocol, TCP | UDP) && read > 0 => {
                self.tasks.entry(event.pid).or_default().copied = copied;
                self.read_raw(index, event, protocol.into(), bytes);
            }
            _ => {}
        }
    }

    /// The read, which copied at this event, took what of the socket's queue fits it.
    pub(super) fn read_waiting(
        &mut self,
        index: EventIdx,
        event: &Event,
        bytes: u32,
        copy: EventIdx,
    ) -> Option<PacketId> {
        let known = Known {
            drafts: &self.drafts,
            run: self.run,
        };
        let (sk, pid) = (event.sk, event.pid);
        let read = self.reads.foretold.read(index);
        let datagrams = &mut self.reads.datagrams;
        if let Some(read) = read {
            datagrams.bind(read.hash, sk);
        }
        datagrams.forget(event.sk, bytes, &known);
        let read = read.or_else(|| datagrams.read(sk, bytes, pid, &known));
        let read = read.or_else(|| self.reads.unread.read(sk, bytes, pid, &known))?;
        let packet = read.packet;
        let draft = &mut self.drafts[packet.at()];
        // Where nothing told its protocol it was taken to be IPv4's: what its read leaves is of the longer header.
        let is_ipv6 = draft.ethertype == 0 && read.bytes == bytes.saturating_add(IPV6_LONGER);
        draft.payload = if is_ipv6 { bytes } else { read.bytes };
        draft.copied = Some(bytes);
        draft.sk = if read.is_doubtful { draft.sk } else { event.sk };
        self.confirm_fragments(packet, read.bytes);
        if read.is_doubtful {
            self.read_by_someone(packet, index);
        } else {
            self.read_by(packet, index, copy, event.pid);
        }
        Some(packet)
    }

    /// A copy took bytes off the stream: whoever's last byte is among them is read.
    pub(super) fn copy_stream(
        &mut self,
        copy: (PacketId, EventIdx, u32),
        index: EventIdx,
        pid: Pid,
    ) {
        let (packet, at, count) = copy;
        let sk = self.drafts[packet.at()].sk;
        for taken in self.copy_from(packet, count, sk) {
            if taken.packet != packet && self.are_of_one_flow(taken.packet, packet) {
                self.read_by(taken.packet, index, at, pid);
            }
        }
        self.leave_part(sk, pid);
    }

    /// Whether both packets are of one flow. A socket's memory may have become another's.
    pub(super) fn are_of_one_flow(&self, one: PacketId, other: PacketId) -> bool {
        let (one, other) = (&self.drafts[one.at()], &self.drafts[other.at()]);
        one.hash == other.hash || one.ends() == other.ends()
    }
}
