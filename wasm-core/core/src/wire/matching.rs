//! Matches frames to packets by content: the header fields that the trace has.
//!
//! IP ids wrap and are zero for many segments, so each frame is used at most once, and frames that look alike are
//! assigned in order of time. IPv6 has no such number in packets that are whole: there addresses and ports, the sequence
//! number of TCP, and otherwise the length tell.

use std::collections::BTreeMap;
use std::net::IpAddr;

use super::dissect::ETHERNET_HEADER;
use super::frame::{Frame, Ip, Tcp};
use super::sighting::{Layer, Sighting};
use crate::kernel::Direction;
use crate::kernel::protocol::ETH_P_IP;
use crate::order;

/// Frames by the fields that a sighting may have; each list in order of time.
#[derive(Debug, Clone, Default)]
pub(super) struct FrameIndex {
    of_ip: BTreeMap<(u8, u16, u16), Vec<usize>>,
    by_seq: BTreeMap<(u16, u32), Vec<usize>>,
    /// Those of IPv6 by source and destination port, and by their addresses.
    by_ports: BTreeMap<(u16, u16), Vec<usize>>,
    between: BTreeMap<[IpAddr; 2], Vec<usize>>,
}

impl FrameIndex {
    pub(super) fn new(frames: &[Frame]) -> Self {
        let mut index = Self::default();
        for (place, frame) in frames.iter().enumerate() {
            let Some(ip) = frame.ip else { continue };
            if let Some(id) = ip.id {
                let key = (ip.proto, id, ip.frag_off & Ip::OFFSET);
                index.of_ip.entry(key).or_default().push(place);
            }
            if frame.is_v6() {
                let hosts = [ip.source, ip.destination];
                index.between.entry(hosts).or_default().push(place);
                if let Some(transport) = frame.transport {
                    let ports = (transport.sport, transport.dport);
                    index.by_ports.entry(ports).or_default().push(place);
                }
            }
            if let Some(transport) = frame.transport
                && let Some(Tcp { seq, .. }) = transport.tcp
            {
                index
                    .by_seq
                    .entry((transport.sport, seq))
                    .or_default()
                    .push(place);
            }
        }
        index
    }

    /// The frames that may be a sighting's first frame, in order of time: the shorter of two lists, as some senders
    /// give every packet IP id zero and some give every ACK the same sequence number.
    pub(super) fn like(&self, sighting: &Sighting) -> &[usize] {
        if sighting.is_v6() {
            return self.like_v6(sighting);
        }
        if sighting
            .protocol
            .is_some_and(|protocol| protocol != ETH_P_IP)
        {
            return &[];
        }
        let by_ip = sighting.ip.map(|ip| {
            let key = (ip.proto, ip.id, ip.frag_off & Ip::OFFSET);
            self.of_ip.get(&key).map_or(&[][..], Vec::as_slice)
        });
        let by_seq = match (sighting.ports.0, sighting.seq) {
            (Some(sport), Some(seq)) => Some(self.with_seq(sport, seq)),
            _ => None,
        };
        match (by_ip, by_seq) {
            (Some(by_ip), Some(by_seq)) if by_seq.len() < by_ip.len() => by_seq,
            (Some(list), _) | (None, Some(list)) => list,
            (None, None) => &[],
        }
    }

    /// The same for IPv6: the list by what tells most.
    fn like_v6(&self, sighting: &Sighting) -> &[usize] {
        let list = match (sighting.ports, sighting.seq, sighting.hosts) {
            ((Some(sport), _), Some(seq), _) => return self.with_seq(sport, seq),
            ((Some(sport), Some(dport)), None, _) => self.by_ports.get(&(sport, dport)),
            (_, _, [Some(source), Some(destination)]) => self.between.get(&[source, destination]),
            _ => None,
        };
        list.map_or(&[], Vec::as_slice)
    }

    fn with_seq(&self, sport: u16, seq: u32) -> &[usize] {
        self.by_seq.get(&(sport, seq)).map_or(&[], Vec::as_slice)
    }
}

/// Whether no field known of both differs.
pub(super) fn agrees(frame: &Frame, sighting: &Sighting) -> bool {
    if sighting.is_v6() && !agrees_in_v6(frame, sighting) {
        return false;
    }
    if let (Some(ip), Some(known)) = (frame.ip, sighting.ip)
        && (ip.proto != known.proto || ip.id.is_some_and(|id| id != known.id))
    {
        return false;
    }
    let Some(transport) = frame.transport else {
        return true;
    };
    let same = |a: Option<u16>, b: u16| a.is_none_or(|a| a == b);
    same(sighting.ports.0, transport.sport)
        && same(sighting.ports.1, transport.dport)
        && match (sighting.seq, transport.tcp) {
            (Some(seq), Some(tcp)) => seq == tcp.seq,
            _ => true,
        }
        && agrees_in_payload(frame, sighting)
}

/// Whether a frame can be this packet of IPv6 by its addresses, its protocol and its length. TCP's segments may be cut and
/// joined; their payload is compared.
fn agrees_in_v6(frame: &Frame, sighting: &Sighting) -> bool {
    let Some(ip) = frame.ip.filter(|_| frame.is_v6()) else {
        return false;
    };
    let is_same = |(known, found): (Option<IpAddr>, IpAddr)| known.is_none_or(|it| it == found);
    let hosts = sighting.hosts.into_iter();
    let is_segment = frame.transport.is_some_and(|it| it.tcp.is_some());
    hosts.zip([ip.source, ip.destination]).all(is_same)
        && sighting.proto.is_none_or(|proto| proto == ip.proto)
        && (is_segment
            || sighting
                .network_length()
                .is_none_or(|length| length == frame.network_length()))
}

/// Whether the payload length fits: an empty segment may have the sequence number and IP id of the next full one (an
/// emulated e1000 sends one after a TSO burst that fills its last segment).
fn agrees_in_payload(frame: &Frame, sighting: &Sighting) -> bool {
    /// The bytes that a minimum-size frame (60 bytes) can hold above the shortest headers.
    const PADDING: u32 = 60 - ETHERNET_HEADER - 40;
    payload_of(frame, sighting).is_none_or(|payload| match frame.payload {
        0 => payload <= PADDING,
        found => payload >= found,
    })
}

/// Which sighting each frame is, and whether it is the first of its sighting.
#[derive(Debug, Clone, Default)]
pub(super) struct Matches {
    /// By frame: the sighting's index, and whether it is the sighting's first frame.
    pub(super) of: Vec<Option<(usize, bool)>>,
}

impl Matches {
    pub(super) fn count(&self) -> u64 {
        self.of.iter().flatten().count() as u64
    }

    /// The number of sightings with a frame.
    pub(super) fn count_first(&self) -> u64 {
        let first = self.of.iter().flatten().filter(|found| found.1);
        first.count() as u64
    }
}

/// The clock differences (link minus trace, nanoseconds) of the pairs that are unambiguous.
pub(super) fn sure_differences(
    frames: &[Frame],
    index: &FrameIndex,
    sightings: &[Sighting],
    is_candidate: impl Fn(usize) -> bool,
) -> Vec<i64> {
    let mut of_frame: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
    for sighting in sightings {
        let like = index.like(sighting).iter().copied();
        let mut like =
            like.filter(|&frame| is_candidate(frame) && agrees(&frames[frame], sighting));
        if let (Some(frame), None) = (like.next(), like.next()) {
            of_frame
                .entry(frame)
                .or_default()
                .push(difference(&frames[frame], sighting));
        }
    }
    let alone = of_frame.into_values().filter(|found| found.len() == 1);
    without_strays(alone.flatten().collect())
}

pub(super) fn difference(frame: &Frame, sighting: &Sighting) -> i64 {
    frame
        .time
        .0
        .cast_signed()
        .wrapping_sub(sighting.time.0.cast_signed())
}

/// Removes differences more than a second from the median, which are accidental pairs.
fn without_strays(mut differences: Vec<i64>) -> Vec<i64> {
    const FAR: u64 = 1_000_000_000;
    order::sort(&mut differences);
    if let Some(&median) = differences.get(differences.len() / 2) {
        differences.retain(|difference| difference.abs_diff(median) <= FAR);
    }
    differences
}

/// Matches by content. `offset` is link minus trace time in nanoseconds; received frames precede their first event,
/// sent ones follow their last. Without an offset, frames that look alike are assigned in order.
pub(super) fn by_content(
    frames: &[Frame],
    index: &FrameIndex,
    sightings: &[Sighting],
    direction: Direction,
    offset: Option<i64>,
    is_candidate: impl Fn(usize) -> bool,
) -> Matches {
    let mut matches = Matches {
        of: vec![None; frames.len()],
    };
    // Without an offset: the next index in a list of frames that look alike.
    let mut given: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut give = |place: usize, sighting: &Sighting| {
        let free = |frame: usize| matches.of[frame].is_none() && is_candidate(frame);
        let fits = |frame: &usize| free(*frame) && agrees(&frames[*frame], sighting);
        let like = index.like(sighting);
        let Some(&oldest) = like.first() else { return };
        let first = match (offset, direction) {
            // The nearest before: an earlier one that looks alike belongs to an earlier sighting.
            (Some(offset), Direction::Receive) => {
                let like = in_time(frames, like, sighting, direction, offset);
                like.iter().copied().rfind(fits)
            }
            (Some(offset), Direction::Transmit) => {
                let like = in_time(frames, like, sighting, direction, offset);
                like.iter().copied().find(fits)
            }
            (None, _) => {
                let from = given.entry((oldest, like.len())).or_default();
                let found = like[*from..].iter().position(fits);
                found.map(|skipped| {
                    *from += skipped + 1;
                    like[*from - 1]
                })
            }
        };
        let Some(first) = first else { return };
        let mut found = vec![first];
        let whole = payload_of(&frames[first], sighting).unwrap_or(0);
        let mut missing = match frames[first].payload {
            0 => 0,
            payload => whole.saturating_sub(payload),
        };
        // Segmentation on sending, or a probe after GRO: the following frames of the byte stream belong to it.
        while missing > 0
            && let Some(&last) = found.last()
            && let Some(next) = successor(frames, index, last, free)
        {
            missing = missing.saturating_sub(frames[next].payload);
            found.push(next);
        }
        for frame in found {
            matches.of[frame] = Some((place, frame == first));
        }
    };
    let places = sightings.iter().enumerate();
    if offset.is_some() && direction == Direction::Receive {
        places
            .rev()
            .for_each(|(place, sighting)| give(place, sighting));
    } else {
        places.for_each(|(place, sighting)| give(place, sighting));
    }
    matches
}

/// The part of a list of frames that can be this sighting by time.
fn in_time<'a>(
    frames: &[Frame],
    list: &'a [usize],
    sighting: &Sighting,
    direction: Direction,
    offset: i64,
) -> &'a [usize] {
    /// Nanoseconds by which a given offset may be wrong.
    const SLACK: i64 = 1_000_000;
    /// Nanoseconds: no frame waits longer in a ring, and IP ids repeat after that.
    const WAIT: i64 = 1_000_000_000;
    let (from, to) = match direction {
        Direction::Receive => (-WAIT, SLACK),
        Direction::Transmit => (-SLACK, WAIT),
    };
    let wait = |&frame: &usize| difference(&frames[frame], sighting).wrapping_sub(offset);
    let start = list.partition_point(|frame| wait(frame) < from);
    let end = list.partition_point(|frame| wait(frame) <= to);
    &list[start.min(end)..end]
}

/// The TCP payload in bytes, padding included, of a packet that begins with this frame, by the packet's length.
fn payload_of(frame: &Frame, sighting: &Sighting) -> Option<u32> {
    let (ip, transport) = (frame.ip?, frame.transport?);
    transport.tcp?;
    let headers = match sighting.from {
        Layer::Link => ETHERNET_HEADER + ip.header + transport.header,
        Layer::Network => ip.header + transport.header,
        Layer::Transport => transport.header,
    };
    Some(sighting.len?.saturating_sub(headers))
}

/// The frame whose TCP payload follows that of `last`.
fn successor(
    frames: &[Frame],
    index: &FrameIndex,
    last: usize,
    is_free: impl Fn(usize) -> bool,
) -> Option<usize> {
    let transport = frames[last].transport?;
    let seq = transport.tcp?.seq.wrapping_add(frames[last].payload);
    let follows = |&frame: &usize| {
        let other = frames[frame].transport;
        let is_flow = other.is_some_and(|other| other.dport == transport.dport);
        is_flow && frames[frame].payload > 0 && is_free(frame)
    };
    index
        .with_seq(transport.sport, seq)
        .iter()
        .copied()
        .find(follows)
}
