//! Journeys: each packet's events in order, where it stayed and how it ended.
//!
//! An skb's address is not its identity: the allocator reuses it, most
//! often without an event in between. Packets are therefore told apart by
//! how far each has come through the stack, not by free events (`stitch`).
//!
//! A journey is one `sk_buff` on its way. A fragment ends merged into the
//! packet that carries the whole datagram, a GRO segment merged into the
//! head that took it in, and a packet that a process reads ends delivered.

pub mod invariants;
mod name;
mod picture;
mod query;
mod reach;
pub mod service;
mod stitch;
#[cfg(test)]
mod tests;
mod typical;
mod waits;
pub mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::ops::Range;

use crate::blocks;
use crate::kernel::{
    AddrId, Context, CpuId, Direction, EventIdx, Nanos, PacketId, Pid, Station, Verdict,
    VerdictKind,
};

use crate::run::Run;
use crate::saying::Saying;

use service::Work;

pub use name::{Piece, ShortName};
pub use picture::{ending, picture};
pub use query::{Query, Sort};
pub(crate) use stitch::freeing_function;
pub use waits::Wait;

/// All journeys of a run, as a table sorted by start. Row `i` is packet `i`.
#[derive(Debug, Clone, Default)]
pub struct Journeys {
    /// One row for each packet.
    pub packets: Vec<Packet>,
    /// Events of all packets, each packet's in order; [`Packet::events`] cuts it.
    pub events: Vec<EventIdx>,
    /// Stays of all packets; [`Packet::stays`] cuts it.
    pub stays: Vec<Stay>,
    /// Indices into `stays`, by the time at which each begins. Stays
    /// that begin with one event are in the order of their packets.
    pub begun: Vec<u32>,
    /// The packet of each event of the run, or [`PacketId::NONE`].
    pub packet_of: Vec<PacketId>,
    /// What each CPU of the run worked on, in ascending order of the CPUs.
    pub work: Vec<Work>,
    /// The flows, by [`FlowId`].
    pub flows: Vec<Flow>,
    /// Datagrams that were put together from fragments, by [`GroupId`].
    pub groups: Vec<Group>,
    /// What the input says about packets that is impossible and was left out.
    pub warnings: Vec<Saying>,
    /// The tasks that read parts of a packet before the task that
    /// read its last byte, in order; only packets with such tasks.
    read_before: BTreeMap<PacketId, Vec<Pid>>,
    /// Packets of which it is open whether they were read, as more like them came than were read.
    ambiguous: BTreeSet<PacketId>,
    /// Packets that were delivered by one of several calls, where nothing tells which.
    unknown_calls: BTreeSet<PacketId>,
    pieces: BTreeMap<PacketId, Piece>,
    /// The fragments of each datagram, in order of their coming.
    fragments: BTreeMap<GroupId, Vec<PacketId>>,
    cut: BTreeMap<PacketId, Vec<PacketId>>,
}

/// A flow by its place in [`Journeys::flows`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlowId(pub u32);

impl FlowId {
    /// The recording does not say.
    pub const NONE: Self = Self(u32::MAX);
}

/// A group of fragments by its place in [`Journeys::groups`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub u32);

impl GroupId {
    /// Not a fragment.
    pub const NONE: Self = Self(u32::MAX);
}

/// One packet and how it fared.
#[derive(Debug, Clone, PartialEq)]
pub struct Packet {
    /// Its events in [`Journeys::events`].
    pub events: Range<u32>,
    /// Its stays in [`Journeys::stays`].
    pub stays: Range<u32>,
    /// The time of its first event.
    pub start: Nanos,
    /// The time of its last event, or of the event that ended it, but never before it was read. A
    /// packet that the stack consumed ends when the CPU is done with it; its memory may be freed later.
    pub end: Nanos,
    /// The direction at its first event. A packet on loopback
    /// or veth begins as transmitted and is then received.
    pub direction: Direction,
    /// How it ended.
    pub verdict: Verdict,
    /// Whether the verdict is inferred from other events, as no event of the packet reports it.
    pub is_inferred: bool,
    /// Its flow.
    pub flow: FlowId,
    /// Its socket, where an event named it.
    pub sk: AddrId,
    /// Its first address; later packets may have the same one.
    pub skb: AddrId,
    /// Its largest size in bytes: `skb->len` at its first event, plus what merged into it.
    pub bytes: u32,
    /// Transport payload in bytes, where known; else 0.
    pub payload: u32,
    /// Bytes of the payload that a process read: not all of them where a segment
    /// was read in part, or where the buffer was too small for a datagram.
    pub read: u32,
    /// The marker of the kperf generator in its payload: thread and packet number.
    pub mark: Option<Mark>,
    /// First byte of its TCP payload, where known.
    pub seq: Option<u32>,
    /// IP identification, where known.
    pub ip_id: Option<u16>,
    /// The datagram that it is a fragment of, with its place in it.
    pub fragment: Option<Fragment>,
    /// The packet that it was cut from (IP fragmentation, GSO).
    pub cut_from: PacketId,
    /// How many frames of the link it holds at its end: 1, more after GRO or reassembly, `gso_segs` when sent.
    pub parts: u32,
}

/// The payload marker of the kperf generator (Demter et al. 2005, section 3.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// Sending thread.
    pub thread: u32,
    /// Packet number within the thread.
    pub packet: u32,
}

/// The longest chain of merges or cuts that is followed. A kernel makes a few;
/// a hostile input could make a long one, which is walked for each packet.
const LONGEST_CHAIN: usize = 64;

/// Bytes of a payload frame (Demter et al. 2005, section 3.2).
pub const PAYLOAD_FRAME: u32 = 16;

/// A fragment's place in its datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fragment {
    /// The datagram.
    pub group: GroupId,
    /// First byte of the datagram's IP payload that it carries.
    pub from: u32,
    /// One past the last.
    pub to: u32,
}

/// A datagram in pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// The packet that carried on with the whole datagram; none if it never became whole.
    pub whole: PacketId,
    /// Bytes of the whole IP payload; 0 while the last fragment was not seen.
    pub bytes: u32,
    /// How many fragments came.
    pub fragments: u32,
}

/// The two ends of a flow, as far as the recording tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flow {
    /// IP protocol number (6 TCP, 17 UDP); 0 when unknown.
    pub protocol: u8,
    /// Source address, if known.
    pub source: Option<IpAddr>,
    /// Source port; 0 when unknown, and of protocols without ports.
    pub source_port: u16,
    /// Destination address, if known.
    pub destination: Option<IpAddr>,
    /// Destination port; 0 when unknown, and of protocols without ports.
    pub destination_port: u16,
}

/// A packet's sojourn at a station, from one of its events to the
/// next: service and waiting (queueing theory's sojourn time).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stay {
    /// The station.
    pub station: Station,
    /// The CPU of the event that brought it there.
    pub cpu: CpuId,
    /// The context in which that event ran.
    pub context: Context,
    /// Which piece of the packet: 0, or the piece's number where a kperf record tells several apart.
    pub piece: u32,
    /// Distance to the next stay of the same piece among the stays of its packet; 0 at the last.
    pub next: u32,
    /// The event that brought it there.
    pub event: EventIdx,
    /// When it came.
    pub enter: Nanos,
    /// When it left: the time of its next event.
    pub leave: Nanos,
    /// Service time in ns: how long the CPU worked on this packet. The rest of the stay is waiting.
    pub service: u64,
}

impl Stay {
    /// The index of the next stay of the same piece among its packet's
    /// stays, given the index of this one; `None` at the last.
    pub const fn next(&self, at: usize) -> Option<usize> {
        if self.next == 0 {
            return None;
        }
        Some(at + self.next as usize)
    }

    /// How long it stayed, in nanoseconds.
    pub const fn duration(&self) -> u64 {
        self.leave.since(self.enter)
    }

    /// Whether the next stay of the same piece is on another CPU; both have to be known.
    pub fn hands_over_to(&self, next: &Self) -> bool {
        let is_known = self.cpu.is_known() && next.cpu.is_known();
        is_known && self.cpu != next.cpu && self.piece == next.piece
    }

    /// Whether the pieces that wait here are one packet again with its next stay.
    pub fn becomes_whole_in(&self, next: &Self) -> bool {
        (self.station, next.station) == (Station::Reassembly, Station::Ip)
    }

    /// Waiting time in ns: the stay without its service.
    pub const fn wait(&self) -> u64 {
        self.duration().saturating_sub(self.service)
    }
}

impl Journeys {
    /// Stitches the events of a run into journeys.
    pub fn of(run: &Run) -> Self {
        let mut journeys = stitch::stitch(run);
        journeys.cut = name::cut(&journeys.packets);
        journeys.fragments = name::fragments(&journeys.packets);
        journeys.pieces = name::pieces(
            &journeys.packets,
            &journeys.groups,
            &journeys.fragments,
            &journeys.cut,
        );
        service::attribute(run, &mut journeys);
        #[cfg(debug_assertions)]
        {
            let broken = invariants::broken(run, &journeys);
            assert!(broken.is_empty(), "{broken:?}");
        }
        journeys
    }

    /// The stays of a packet, in order.
    pub fn stays(&self, packet: PacketId) -> &[Stay] {
        let range = &self.packets[packet.at()].stays;
        &self.stays[range.start as usize..range.end as usize]
    }

    /// The packet of a stay, by the stay's place in [`Journeys::stays`].
    pub fn packet_of_stay(&self, stay: u32) -> PacketId {
        let begun = self.packets.partition_point(|it| it.stays.start <= stay);
        PacketId(begun as u32 - 1)
    }

    /// The events of a packet, in order.
    pub fn events(&self, packet: PacketId) -> &[EventIdx] {
        let range = &self.packets[packet.at()].events;
        &self.events[range.start as usize..range.end as usize]
    }

    /// The fragments of a datagram that came, in order of their coming.
    pub fn fragments(&self, group: GroupId) -> &[PacketId] {
        self.fragments.get(&group).map_or(&[], Vec::as_slice)
    }

    /// The tasks that read parts of a packet before the task it was delivered to, in order; mostly none.
    /// Several processes may read one TCP segment, which is delivered to the one that reads its last byte.
    pub fn read_before(&self, packet: PacketId) -> &[Pid] {
        self.read_before.get(&packet).map_or(&[], Vec::as_slice)
    }

    /// Whether a packet without an observed end is one of several alike, of which fewer were read than came.
    pub fn is_ambiguous(&self, packet: PacketId) -> bool {
        self.ambiguous.contains(&packet)
    }

    /// Whether a packet that was delivered was read by one of several calls, and nothing tells which: the time of its end
    /// is then that of a likely one.
    pub fn is_call_unknown(&self, packet: PacketId) -> bool {
        self.unknown_calls.contains(&packet)
    }

    /// The packet that a packet merged into, the one that that merged into, and so on.
    pub fn goes_on_in(&self, packet: PacketId) -> impl Iterator<Item = PacketId> + Clone + '_ {
        let into = |&packet: &PacketId| match self.packets[packet.at()].verdict {
            Verdict::Merged { into } if into.is_some() => Some(into),
            _ => None,
        };
        std::iter::successors(Some(packet), into)
            .skip(1)
            .take(LONGEST_CHAIN)
    }

    /// The packet that a packet was cut from, the one that that was cut from, and so on.
    pub fn comes_from(&self, packet: PacketId) -> impl Iterator<Item = PacketId> + Clone + '_ {
        let whole = |&packet: &PacketId| {
            let whole = self.packets[packet.at()].cut_from;
            whole.is_some().then_some(whole)
        };
        std::iter::successors(Some(packet), whole)
            .skip(1)
            .take(LONGEST_CHAIN)
    }

    /// The packet of the most typical journey; none in a run without packets.
    pub fn typical(&self) -> Option<PacketId> {
        typical::typical(self)
    }

    /// The stay of a packet before one of its stays; none before its first.
    pub fn before(&self, packet: PacketId, stay: u32) -> Option<&Stay> {
        let first = self.packets[packet.at()].stays.start;
        (first < stay).then(|| &self.stays[stay as usize - 1])
    }

    /// Whether a stay, by its place in [`Journeys::stays`], is where a queue refused its packet:
    /// the packet's last, and it was never in that queue.
    pub fn is_refused(&self, packet: PacketId, stay: u32) -> bool {
        let row = &self.packets[packet.at()];
        let Verdict::Dropped { reason } = row.verdict else {
            return false;
        };
        let is_its_queue = reason.refused_at() == Some(self.stays[stay as usize].station);
        reason.is_full_queue() && is_its_queue && stay + 1 == row.stays.end
    }

    /// The stay, by its place in [`Journeys::stays`], in which a packet was lost because a queue
    /// had no room for it: its last. None where that is not why it was dropped, or it has no stay.
    pub fn lost_to_full_queue(&self, packet: PacketId) -> Option<u32> {
        let row = &self.packets[packet.at()];
        let is_full = matches!(row.verdict, Verdict::Dropped { reason } if reason.is_full_queue());
        row.stays.clone().next_back().filter(|_| is_full)
    }

    /// Calls `take` with each packet in order of their start; use it for a pass over all of them.
    pub(crate) fn each(&self, mut take: impl FnMut(PacketId)) {
        blocks::each(self.packets.len(), |place| take(PacketId(place as u32)));
    }

    /// All packets in order of their start.
    pub fn ids(&self) -> impl Iterator<Item = PacketId> + use<> {
        (0..self.packets.len() as u32).map(PacketId)
    }

    /// How many journeys ended in this way.
    pub fn count(&self, kind: VerdictKind) -> usize {
        self.packets
            .iter()
            .filter(|packet| packet.verdict.kind() == kind)
            .count()
    }
}
