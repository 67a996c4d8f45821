//! Reads of sockets whose receive queue no probe observes: `sock_recv_length` reports who read how many bytes from
//! which socket, and the order of the queue shows which packets those were.
//!
//! The packets of such a read are inferred. Where the evidence does not fit, nothing is inferred: a read of another
//! length, a peek (`MSG_PEEK`), a datagram whose address was reused.

use std::collections::{BTreeMap, BTreeSet};

use crate::journey::stitch::Stitcher;
use crate::journey::stitch::cpu::task::Splice;
use crate::journey::stitch::packet::headers::{IP_HEADER, IPV6_HEADER, TCP, UDP};
use crate::journey::stitch::packet::uapi::{ERRQUEUE, OOB, PEEK, TRUNC};
use crate::journey::stitch::socket::tcp::closing::Closing;
use crate::journey::stitch::socket::tcp::coalesced::Coalesced;
use crate::journey::stitch::socket::tcp::splice::Splices;
use crate::journey::stitch::socket::tcp::stream::Stream;
use crate::journey::stitch::socket::udp::datagrams::Datagrams;
use crate::journey::stitch::socket::udp::known::Known;
use crate::journey::stitch::socket::udp::read_assignment::ReadAssignment;
use crate::journey::stitch::socket::udp::unread::Unread;
use crate::journey::stitch::survey::copied_skbs::CopiedSkbs;
use crate::journey::stitch::survey::homes::homes;
use crate::journey::stitch::survey::probe_naming::{ProbeNaming, is_unnamed, sockets_of_hashes};
use crate::journey::stitch::survey::subflows::of_several;
use crate::kernel::{AddrId, Event, EventIdx, Field, MPTCP, PacketId, Probe, Probes};
use crate::run::Run;

/// The limit of packets with unknown addresses, above what a socket's receive buffer holds.
const MAX_UNADDRESSED: usize = 1024;

/// The protocol that a read reports for sockets outside IP.
const NO_PROTOCOL: u32 = 0;

/// The queues that reads are matched with.
#[derive(Debug)]
pub struct Reads {
    pub datagrams: Datagrams,
    pub unread: Unread,
    pub assignment: ReadAssignment,
    pub splices: Splices,
    pub closing: Closing,
    /// Multipath TCP sockets that read several subflows at a time.
    pub of_several: BTreeSet<AddrId>,
    /// Segments that copies name.
    pub copied_skbs: CopiedSkbs,
    pub streams: BTreeMap<AddrId, Stream>,
    /// Segments that were coalesced into those that copies name.
    pub coalesced: Coalesced,
    /// The TCP socket of each hash, as `tcp_probe` reported it.
    socket_of: BTreeMap<u32, AddrId>,
    /// Segments unread when their socket was destroyed, with the bytes read of them and the event.
    pub destroyed: Vec<(PacketId, u32, EventIdx)>,
    /// No probe observes the receive queue of TCP sockets; of UDP sockets.
    infers: (bool, bool),
    /// Packets in a receive queue whose address is unknown: datagrams segmented here, and clones.
    pub unaddressed: Vec<PacketId>,
    /// Some packet in a receive queue has had an unknown address.
    pub has_unaddressed: bool,
    /// How `tcp_probe` reports segments.
    pub probe_naming: ProbeNaming,
    /// Receive calls report their return.
    are_told: bool,
}

impl Reads {
    /// Prepares what this run needs; `passed` are the probes that the recording contains.
    pub fn of(run: &Run, passed: &Probes) -> Self {
        let infers = (
            !passed.has(Probe::TcpQueueRcv) || !tells_lengths(run),
            !passed.has(Probe::UdpEnqueueScheduleSkb),
        );
        let are_all_told = !passed.has(Probe::LostEvents);
        // With lost events, reads may be lost too.
        let assignment = if infers.1 && are_all_told {
            ReadAssignment::of(run)
        } else {
            ReadAssignment::default()
        };
        let homes = homes(run);
        let probe_naming = match (infers.0 && is_unnamed(run), passed.has(Probe::SkDataReady)) {
            (false, _) => ProbeNaming::ByName,
            (true, true) => ProbeNaming::InOrder,
            (true, false) => ProbeNaming::InOrderAndInStream,
        };
        Self {
            datagrams: Datagrams::new(are_all_told, homes, &assignment.spread),
            unread: Unread::of(run),
            assignment,
            splices: Splices::default(),
            closing: Closing::default(),
            of_several: of_several(run),
            copied_skbs: if infers.0 {
                CopiedSkbs::of(run, probe_naming, passed)
            } else {
                CopiedSkbs::default()
            },
            streams: BTreeMap::new(),
            coalesced: Coalesced::of(passed),
            socket_of: if probe_naming == ProbeNaming::ByName {
                BTreeMap::new()
            } else {
                sockets_of_hashes(run)
            },
            probe_naming,
            destroyed: Vec::new(),
            infers,
            unaddressed: Vec::new(),
            has_unaddressed: false,
            are_told: passed.has(Probe::SockRecvLength),
        }
    }

    /// Whether the reads of this protocol's sockets are inferred.
    pub const fn are_inferred(&self, protocol: u8) -> bool {
        match protocol {
            TCP => self.infers.0,
            UDP => self.infers.1,
            _ => false,
        }
    }

    /// A segment shows the socket of its hash.
    pub fn know_socket(&mut self, hash: u32, sk: AddrId) {
        if hash != 0 && sk.is_some() {
            self.socket_of.insert(hash, sk);
        }
    }

    /// A packet with an unknown address is in a socket's queue.
    pub fn wait_unaddressed(&mut self, packet: PacketId) {
        self.has_unaddressed = true;
        let surplus = (self.unaddressed.len() + 1).saturating_sub(MAX_UNADDRESSED);
        self.unaddressed.drain(..surplus);
        self.unaddressed.push(packet);
    }

    /// The TCP socket at which segments of a hash arrive, if one was reported.
    pub fn socket_of(&self, hash: u32) -> Option<AddrId> {
        self.socket_of.get(&hash).copied()
    }

    /// The byte stream of a socket.
    pub fn stream(&mut self, sk: AddrId) -> &mut Stream {
        self.streams.entry(sk).or_default()
    }
}

/// Whether `tcp_queue_rcv` reports how much it queues: since v6.6 a kprobe can fetch the length by its name
/// (`Documentation/trace/kprobetrace.rst`).
fn tells_lengths(run: &Run) -> bool {
    let mut queued = run
        .indices()
        .filter(|&index| run.probe[index.at()] == Probe::TcpQueueRcv);
    queued.any(|index| run.event(index).known_len().is_some())
}

impl Stitcher<'_> {
    /// Records a copy from the packet that it names. Its length shows which segments were coalesced into that packet.
    pub fn note_copy(&mut self, packet: PacketId, index: EventIdx, event: &Event, count: u32) {
        let copy = (packet, index, count);
        let task = self.tasks.of(event.pid);
        task.splice.has_copied = true;
        if self.reads.are_told {
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
        let task = self.tasks.of(event.pid);
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
        match protocol {
            None if field(Field::Proto) == Some(MPTCP) && self.reads.are_inferred(TCP) => {
                self.read_multipath(index, event, &copied);
            }
            Some(TCP) if self.reads.are_inferred(TCP) && flags & OOB != 0 => {
                let urgent = self.reads.stream(event.sk).take_urgent(bytes);
                if let Some(packet) = urgent {
                    self.table.read_by(packet, index, index, event.pid);
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
                        self.table.read_by(taken.packet, index, index, event.pid);
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
                    let draft = &mut self.table[packet];
                    draft.queues.is_taken = true;
                    // Its `sk_buff` may be freed much later.
                    draft.outcome.end = draft.outcome.end.or(Some(event.time));
                    match draft.sharing.cloned_at {
                        Some(share) => self.reads.datagrams.clones.note_read(event.sk, share),
                        None => self.reads.datagrams.bind(draft.hash, event.sk),
                    }
                } else if read >= 0 {
                    self.read_waiting(index, event, bytes, index);
                }
            }
            Some(protocol) if !matches!(protocol, TCP | UDP) && read > 0 => {
                self.tasks.of(event.pid).copied = copied;
                self.read_raw(index, event, protocol.into(), bytes);
            }
            _ => {}
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
        let known = Known {
            table: &self.table,
            run: self.run,
        };
        let (sk, pid) = (event.sk, event.pid);
        let read = self.reads.assignment.read(index);
        let datagrams = &mut self.reads.datagrams;
        if let Some(read) = read {
            datagrams.bind(read.hash, sk);
        }
        datagrams.forget(event.sk, bytes, &known);
        let read = read.or_else(|| datagrams.read(sk, bytes, pid, &known));
        let read = read.or_else(|| self.reads.unread.read(sk, bytes, pid, &known))?;
        let packet = read.packet;
        let draft = &mut self.table[packet];
        // A packet with unknown protocol was taken to be IPv4; a read shorter by the difference of the headers shows
        // IPv6.
        let is_ipv6 = draft.headers.ethertype == 0
            && read.bytes == bytes.saturating_add(IPV6_HEADER - IP_HEADER);
        draft.payload = if is_ipv6 { bytes } else { read.bytes };
        draft.copied = Some(bytes);
        draft.sk = if read.is_doubtful { draft.sk } else { event.sk };
        self.confirm_fragments(packet, read.bytes);
        if read.is_doubtful {
            self.read_by_someone(packet, index);
        } else {
            self.table.read_by(packet, index, copy, event.pid);
        }
        Some(packet)
    }
}
