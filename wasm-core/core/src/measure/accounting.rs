//! The three ways in which the 2005 report accounts for socket-layer time when one
//! read takes several segments (Demter et al. 2005, section 4.6, figures 4.3 to 4.5).
//!
//! Each segment passes the boundary into the socket (id 9) by itself; the read (id
//! 10) is one for all of them.

use crate::kernel::{EventIdx, Nanos, PacketId, Verdict};
use crate::order;
use crate::replay::Replay;

use super::{Hop, Passages};

/// Socket-layer time of one read's packet, in nanoseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SocketTime {
    /// First approach: only the segment that came last.
    pub last_only: u64,
    /// Second approach: every segment, in the order in which they came to the socket.
    pub both_segments: Vec<u64>,
    /// Third approach: the first segment's, less the time in which other layers
    /// were busy with the other segments.
    pub less_other_layers: u64,
}

/// The socket-layer time of the read that took a packet; none where it was not read
/// or ids 9 and 10 were not seen. It is the same for all packets of one read.
pub fn of(replay: &Replay, packet: PacketId) -> Option<SocketTime> {
    let row = &replay.journeys.packets[packet.at()];
    let Verdict::Delivered { read, .. } = row.verdict else {
        return None;
    };
    let pieces = pieces_of(replay, read);
    let mut segments: Vec<Segment> = pieces.iter().filter_map(Segment::of).collect();
    order::sort(&mut segments);
    account(&segments)
}

/// When all that one read took passed the layer boundaries: every segment or fragment, those that
/// went on inside another included.
pub fn pieces_of(replay: &Replay, read: EventIdx) -> Vec<Passages> {
    let mut pieces = Vec::new();
    for head in replay.growth.read_by(read) {
        let mut left = vec![head];
        while let Some(part) = left.pop() {
            left.extend(replay.growth.parts_of(part).filter(|&inner| inner != head));
            pieces.extend(Passages::of(replay, part));
        }
    }
    pieces
}

/// From when the first piece of what one read took was at an id to when the last was at another, in
/// nanoseconds; none where no piece was seen at either.
///
/// It is how the recordings' README measures a packet in several pieces: what a layer takes from its
/// first sight of the packet until it has handed on the whole.
pub fn whole(pieces: &[Passages], hop: Hop) -> Option<u64> {
    let first = pieces.iter().filter_map(|piece| piece.at(hop.from)).min()?;
    let last = pieces.iter().filter_map(|piece| piece.at(hop.to)).max()?;
    (first <= last).then(|| last.since(first))
}

/// A segment's way: into the stack at 6, to the socket at 9, read at 10.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Segment {
    pub(super) to_socket: Nanos,
    pub(super) from_net: Option<Nanos>,
    pub(super) read: Nanos,
}

impl Segment {
    fn of(passages: &Passages) -> Option<Self> {
        // A segment that went on inside another before the socket is none there.
        let (to_socket, read) = passages.hop(Hop { from: 9, to: 10 })?;
        Some(Self {
            to_socket,
            from_net: passages.at(6),
            read,
        })
    }
}

/// Segments are sorted by when they came to the socket.
pub(super) fn account(segments: &[Segment]) -> Option<SocketTime> {
    let (first, last) = (segments.first()?, segments.last()?);
    let read = segments.iter().map(|segment| segment.read).max()?;
    let mut elsewhere: Vec<(Nanos, Nanos)> = segments[1..]
        .iter()
        .filter_map(|segment| Some((segment.from_net?, segment.to_socket)))
        .collect();
    order::sort(&mut elsewhere);
    let mut busy = 0;
    let mut counted_to = first.to_socket;
    for (from, to) in elsewhere {
        let to = to.min(read);
        busy += to.since(from.max(counted_to));
        counted_to = counted_to.max(to);
    }
    let whole = read.since(first.to_socket);
    Some(SocketTime {
        last_only: read.since(last.to_socket),
        both_segments: segments
            .iter()
            .map(|segment| read.since(segment.to_socket))
            .collect(),
        less_other_layers: whole - busy,
    })
}
