//! TCP sockets: byte streams, their queues and backlogs. Where no probe observes the receive queue, which segment a
//! read takes is inferred here.

mod acknowledgements;
mod backlog;
mod closing;
mod coalesced;
mod copied;
mod fastopen;
mod lost;
mod probed;
mod queue;
mod readers;
mod splice;
pub mod stream;
mod subflows;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::journey::stitch::packet::draft::Draft;
use crate::journey::stitch::packet::flow::Ends;
use crate::journey::stitch::survey::copied_skbs::CopiedSkbs;
use crate::journey::stitch::survey::probe_naming::{ProbeNaming, is_unnamed, sockets_of_hashes};
use crate::journey::stitch::survey::subflows::of_several;
use crate::kernel::{AddrId, EventIdx, PacketId, Pid, Probe, Probes};
use crate::run::Run;

use closing::Closing;
use coalesced::Coalesced;
use readers::Readers;
use splice::Splices;
use stream::Stream;

/// The TCP sockets of a run.
#[derive(Debug)]
pub struct Tcp {
    /// The byte stream of each socket, by the probes of its queues.
    observed: BTreeMap<AddrId, Stream>,
    /// The same by `tcp_probe` and what follows from it, where no probe observes the receive queue.
    inferred: BTreeMap<AddrId, Stream>,
    /// No probe observes the receive queue.
    infers_reads: bool,
    /// Receive calls report their return.
    are_returns_told: bool,
    /// How `tcp_probe` reports segments.
    probe_naming: ProbeNaming,
    /// The socket of each hash, as `tcp_probe` reported it.
    socket_of: BTreeMap<u32, AddrId>,
    splices: Splices,
    closing: Closing,
    /// Multipath TCP sockets that read several subflows at a time.
    of_several: BTreeSet<AddrId>,
    /// Segments that copies name.
    copied_skbs: CopiedSkbs,
    /// Segments that were coalesced into those that copies name.
    coalesced: Coalesced,
    readers: Readers,
    /// SYNs with data that a listening socket has consumed (TCP Fast Open).
    openings: VecDeque<PacketId>,
    /// Segments unread when their socket was destroyed, with the bytes read of them and the event.
    destroyed: Vec<(PacketId, u32, EventIdx)>,
}

impl Tcp {
    /// No sockets yet; `passed` are the probes that the recording contains.
    pub fn of(run: &Run, passed: &Probes) -> Self {
        let infers_reads = !passed.has(Probe::TcpQueueRcv) || !tells_lengths(run);
        let probe_naming = match (
            infers_reads && is_unnamed(run),
            passed.has(Probe::SkDataReady),
        ) {
            (false, _) => ProbeNaming::ByName,
            (true, true) => ProbeNaming::InOrder,
            (true, false) => ProbeNaming::InOrderAndInStream,
        };
        Self {
            observed: BTreeMap::new(),
            inferred: BTreeMap::new(),
            infers_reads,
            are_returns_told: passed.has(Probe::SockRecvLength),
            probe_naming,
            socket_of: if probe_naming == ProbeNaming::ByName {
                BTreeMap::new()
            } else {
                sockets_of_hashes(run)
            },
            splices: Splices::default(),
            closing: Closing::default(),
            of_several: of_several(run),
            copied_skbs: if infers_reads {
                CopiedSkbs::of(run, probe_naming, passed)
            } else {
                CopiedSkbs::default()
            },
            coalesced: Coalesced::of(passed),
            readers: Readers::default(),
            openings: VecDeque::new(),
            destroyed: Vec::new(),
        }
    }

    /// Whether it is inferred which segments a read takes: no probe observes the receive queue.
    pub const fn infers_reads(&self) -> bool {
        self.infers_reads
    }

    /// Whether receive calls report their return.
    pub const fn are_returns_told(&self) -> bool {
        self.are_returns_told
    }

    /// Whether `tcp_probe` names no segment.
    pub const fn is_unnamed(&self) -> bool {
        self.probe_naming.is_unnamed()
    }

    /// The socket at which segments of a hash arrive, if one was reported.
    pub fn socket_of(&self, hash: u32) -> Option<AddrId> {
        self.socket_of.get(&hash).copied()
    }

    /// A segment shows the socket of its hash.
    fn know_socket(&mut self, hash: u32, sk: AddrId) {
        if hash != 0 && sk.is_some() {
            self.socket_of.insert(hash, sk);
        }
    }

    /// The byte stream of a socket whose queues are observed.
    pub fn observed(&mut self, sk: AddrId) -> &mut Stream {
        self.observed.entry(sk).or_default()
    }

    /// The same, if the socket has one yet.
    pub fn if_observed(&mut self, sk: AddrId) -> Option<&mut Stream> {
        self.observed.get_mut(&sk)
    }

    /// Whether a queue of any socket was observed.
    pub fn has_observed(&self) -> bool {
        !self.observed.is_empty()
    }

    /// The byte stream of a socket whose reads are inferred.
    pub fn inferred(&mut self, sk: AddrId) -> &mut Stream {
        self.inferred.entry(sk).or_default()
    }

    /// The task that last took data from a socket without a copy, and the event.
    pub fn last_spliced(&self, sk: AddrId) -> Option<(Pid, EventIdx)> {
        self.splices.last_by(sk)
    }

    /// A task has read a part of a segment and left the rest.
    pub fn leave_rest(&mut self, packet: PacketId, pid: Pid) {
        self.readers.leave(packet, pid);
    }

    /// The tasks that read parts of a segment before its final reader; `None` without any.
    pub fn read_before(&self, packet: PacketId, draft: &Draft) -> Option<Vec<Pid>> {
        self.readers.before(packet, draft)
    }

    /// Removes all segments with unread bytes from a socket's stream, with the number of bytes read of each.
    pub fn take_unread(&mut self, sk: AddrId) -> Vec<(PacketId, u32)> {
        let stream = self.stream(sk);
        stream.map_or_else(Vec::new, |stream| stream.unread().collect())
    }

    /// A socket's stream, if it has one yet.
    fn stream(&mut self, sk: AddrId) -> Option<&mut Stream> {
        let streams = if self.infers_reads {
            &mut self.inferred
        } else {
            &mut self.observed
        };
        streams.get_mut(&sk)
    }

    /// The socket of a cookie is destroyed: its unread data is discarded if it is known what was read of it. Returns
    /// else the segments that may have been read or not, with the bytes known to be read of them: the next connection
    /// at the socket's address does not read them.
    pub fn destroy(&mut self, cookie: u32, index: EventIdx) -> Vec<(PacketId, u32)> {
        let Some((sk, is_unread)) = self.splices.end(cookie, self.is_unnamed()) else {
            return Vec::new();
        };
        // What a subflow received may still wait in the multipath TCP socket.
        let is_subflow = |stream: &&mut Stream| stream.reader.is_some();
        if !is_unread && self.stream(sk).as_ref().is_some_and(is_subflow) {
            return Vec::new();
        }
        let left = self.end_stream(sk);
        if is_unread {
            let unread = left.into_iter();
            let unread = unread.map(|(packet, read)| (packet, read, index));
            self.destroyed.extend(unread);
            return Vec::new();
        }
        left
    }

    /// `tcp_probe` reports the cookie, address and ends of a socket. Another cookie at an address is another socket:
    /// returns what is left of the earlier one's stream, as `destroy` does.
    fn know_cookie(&mut self, cookie: u32, sk: AddrId, ends: Ends) -> Vec<(PacketId, u32)> {
        if self.splices.know(cookie, sk, ends) {
            self.end_stream(sk)
        } else {
            Vec::new()
        }
    }

    /// A socket is gone. Returns the segments with unread bytes, with the number of bytes read of each.
    fn end_stream(&mut self, sk: AddrId) -> Vec<(PacketId, u32)> {
        let stream = self.stream(sk);
        stream.map_or_else(Vec::new, Stream::end)
    }

    /// What waits in a socket's stream is discarded at this event, if the stream begins with this segment.
    pub fn discard_from(&mut self, first: PacketId, sk: AddrId, index: EventIdx) {
        if let Some(stream) = self.inferred.get_mut(&sk)
            && stream.begins_with(first)
        {
            let unread = stream.unread().map(|(packet, read)| (packet, read, index));
            self.destroyed.extend(unread);
        }
    }

    /// The segments that were discarded with their sockets, with the bytes read of them and the event.
    pub fn take_destroyed(&mut self) -> Vec<(PacketId, u32, EventIdx)> {
        std::mem::take(&mut self.destroyed)
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
