//! Which frame is which packet: by content where the trace has the headers, else by
//! order and length.
//!
//! IP ids wrap and are zero for many a segment, so a frame is taken at most once and
//! frames that look alike are given out in the order of time.

use std::collections::{BTreeMap, BTreeSet};

use super::dissect::ETHERNET_HEADER;
use super::frame::{Frame, Ip};
use super::sighting::{Layer, Sighting};
use crate::kernel::Direction;

/// Frames by what a sighting may know of them; each list in the order of time.
#[derive(Debug, Clone, Default)]
pub(super) struct FrameIndex {
    by_ip: BTreeMap<(u8, u16, u16), Vec<usize>>,
    by_seq: BTreeMap<(u16, u32), Vec<usize>>,
}

impl FrameIndex {
    pub(super) fn new(frames: &[Frame]) -> Self {
        let mut index = Self::default();
        for (place, frame) in frames.iter().enumerate() {
            let Some(ip) = frame.ip else { continue };
            if let Some(id) = ip.id {
                let key = (ip.proto, id, ip.frag_off & Ip::OFFSET);
                index.by_ip.entry(key).or_default().push(place);
            }
            if let Some(transport) = frame.transport
                && let Some((seq, _, _)) = transport.tcp
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

    /// The frames that a sighting's first frame may be, in the order of time.
    pub(super) fn like<'a>(
        &'a self,
        frames: &'a [Frame],
        sighting: &'a Sighting,
    ) -> impl Iterator<Item = usize> + 'a {
        const IPV4: u32 = 0x0800;
        let is_ipv4 = sighting.protocol.is_none_or(|protocol| protocol == IPV4);
        let list = match (sighting.ip, sighting.ports.0, sighting.seq) {
            (Some(ip), _, _) => self.by_ip.get(&(ip.proto, ip.id, ip.frag_off & Ip::OFFSET)),
            (None, Some(sport), Some(seq)) => self.by_seq.get(&(sport, seq)),
            _ => None,
        };
        let list = list.map_or(&[][..], Vec::as_slice);
        let list = if is_ipv4 { list } else { &[] };
        list.iter()
            .copied()
            .filter(move |&frame| agrees(&frames[frame], sighting))
    }

    fn with_seq(&self, sport: u16, seq: u32) -> &[usize] {
        self.by_seq.get(&(sport, seq)).map_or(&[], Vec::as_slice)
    }
}

/// Whether nothing that both know differs.
fn agrees(frame: &Frame, sighting: &Sighting) -> bool {
    let Some(transport) = frame.transport else {
        return true;
    };
    let same = |a: Option<u16>, b: u16| a.is_none_or(|a| a == b);
    same(sighting.ports.0, transport.sport)
        && same(sighting.ports.1, transport.dport)
        && match (sighting.seq, transport.tcp) {
            (Some(seq), Some((found, _, _))) => seq == found,
            _ => true,
        }
        && agrees_in_payload(frame, sighting)
}

/// An empty segment can have the sequence number and the IP id of the next full one
/// (an emulated e1000 sends one after a TSO burst that fills its last segment).
fn agrees_in_payload(frame: &Frame, sighting: &Sighting) -> bool {
    /// What a frame of the least length (60 bytes) can hold above its shortest headers.
    const PADDING: u32 = 60 - ETHERNET_HEADER - 40;
    payload_of(frame, sighting).is_none_or(|payload| match frame.payload {
        0 => payload <= PADDING,
        found => payload >= found,
    })
}

/// Which sighting each frame is, and whether it is the first of its sighting.
#[derive(Debug, Clone, Default)]
pub(super) struct Matches {
    /// By frame: the sighting and whether it is the frame that its skb began as.
    pub(super) of: Vec<Option<(usize, bool)>>,
}

impl Matches {
    pub(super) fn count(&self) -> u64 {
        self.of.iter().flatten().count() as u64
    }

    /// How many sightings have a frame.
    pub(super) fn count_first(&self) -> u64 {
        let first = self.of.iter().flatten().filter(|found| found.1);
        first.count() as u64
    }
}

/// The clock difference (wire minus trace) of each pair that can be no other.
pub(super) fn sure_differences(
    frames: &[Frame],
    index: &FrameIndex,
    sightings: &[Sighting],
    is_candidate: impl Fn(usize) -> bool,
) -> Vec<i64> {
    let mut of_frame: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
    for sighting in sightings {
        let mut like = index
            .like(frames, sighting)
            .filter(|&frame| is_candidate(frame));
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

/// Drops what is more than a second from the median: a pair by accident.
fn without_strays(mut differences: Vec<i64>) -> Vec<i64> {
    const FAR: u64 = 1_000_000_000;
    differences.sort_unstable();
    if let Some(&median) = differences.get(differences.len() / 2) {
        differences.retain(|difference| difference.abs_diff(median) <= FAR);
    }
    differences
}

/// Matches by content. `offset` is wire minus trace; frames come before their first
/// event on the way in and after their last on the way out. Without an offset frames
/// that look alike are given out in order.
pub(super) fn by_content(
    frames: &[Frame],
    index: &FrameIndex,
    sightings: &[Sighting],
    direction: Direction,
    offset: Option<i64>,
    is_candidate: impl Fn(usize) -> bool,
) -> Matches {
    /// How far a given offset may be off.
    const SLACK: i64 = 1_000_000;
    let mut matches = Matches {
        of: vec![None; frames.len()],
    };
    let mut give = |place: usize, sighting: &Sighting| {
        let free = |frame: &usize, matches: &Matches| {
            let wait = offset.map_or(0, |offset| {
                difference(&frames[*frame], sighting).wrapping_sub(offset)
            });
            let in_time = match direction {
                Direction::Receive => wait <= SLACK,
                Direction::Transmit => wait >= -SLACK,
            };
            in_time && matches.of[*frame].is_none() && is_candidate(*frame)
        };
        let mut like = index
            .like(frames, sighting)
            .filter(|frame| free(frame, &matches));
        let first = match direction {
            // The nearest before: an older one that looks alike belongs to an older sighting.
            Direction::Receive => like.last(),
            Direction::Transmit => like.next(),
        };
        let Some(first) = first else { return };
        matches.of[first] = Some((place, true));
        let whole = payload_of(&frames[first], sighting).unwrap_or(0);
        let mut missing = match frames[first].payload {
            0 => 0,
            payload => whole.saturating_sub(payload),
        };
        let mut last = first;
        // Segmentation on the way out, or a probe behind GRO: the byte stream goes on.
        while missing > 0 {
            let Some(next) = successor(frames, index, last, |frame| free(&frame, &matches)) else {
                break;
            };
            matches.of[next] = Some((place, false));
            missing = missing.saturating_sub(frames[next].payload);
            last = next;
        }
    };
    match direction {
        Direction::Receive => {
            for (place, sighting) in sightings.iter().enumerate().rev() {
                give(place, sighting);
            }
        }
        Direction::Transmit => {
            for (place, sighting) in sightings.iter().enumerate() {
                give(place, sighting);
            }
        }
    }
    matches
}

/// The TCP payload, padding included, of a packet that begins as this frame, by its length.
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
    let seq = transport.tcp?.0.wrapping_add(frames[last].payload);
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

/// Matches by order: each sighting is the next frame of its length and, where it is
/// known, its protocol. With an offset, one on the right side of the sighting's time.
pub(super) fn by_order(
    frames: &[Frame],
    sightings: &[Sighting],
    direction: Direction,
    offset: Option<i64>,
    is_candidate: impl Fn(usize) -> bool,
) -> Matches {
    let mut matches = Matches {
        of: vec![None; frames.len()],
    };
    matches.fill_by_order(frames, sightings, direction, offset, is_candidate);
    matches
}

impl Matches {
    /// Gives sightings without a frame the next free one of their length, where one of
    /// the two has no IP id to compare. Gives the number of frames with an id so matched.
    pub(super) fn fill_by_order(
        &mut self,
        frames: &[Frame],
        sightings: &[Sighting],
        direction: Direction,
        offset: Option<i64>,
        is_candidate: impl Fn(usize) -> bool,
    ) -> u64 {
        /// A frame stays in a transmit ring for less; one that comes later is another's.
        const RING: i64 = 20_000_000;
        let taken: BTreeSet<usize> = self.of.iter().flatten().map(|&(place, _)| place).collect();
        let has_id = |frame: usize| frames[frame].ip.is_some_and(|ip| ip.id.is_some());
        let mut next = 0;
        let mut guessed = 0;
        for (place, sighting) in sightings.iter().enumerate() {
            let Some(len) = sighting.len.filter(|_| !taken.contains(&place)) else {
                continue;
            };
            let has_content = sighting.ip.is_some() || sighting.seq.is_some();
            let fits = |&frame: &usize| {
                let wait = offset.map_or(0, |offset| {
                    difference(&frames[frame], sighting).wrapping_sub(offset)
                });
                let in_time = match direction {
                    Direction::Receive => wait <= 0,
                    Direction::Transmit => (0..=RING).contains(&wait),
                };
                let protocol = u32::from(frames[frame].protocol);
                in_time
                    && self.of[frame].is_none()
                    && is_candidate(frame)
                    && !(has_content && has_id(frame))
                    && sighting.protocol.is_none_or(|found| found == protocol)
                    && length_at(&frames[frame], sighting.from) == Some(len)
            };
            let found = (next..frames.len()).find(fits);
            if let Some(frame) = found {
                self.of[frame] = Some((place, true));
                guessed += u64::from(has_id(frame));
                next = frame + 1;
            }
        }
        guessed
    }
}

/// What `skb->len` is for this frame.
fn length_at(frame: &Frame, from: Layer) -> Option<u32> {
    let network = frame.length.checked_sub(frame.link_header)?;
    match from {
        Layer::Link => Some(network + ETHERNET_HEADER),
        Layer::Network => Some(network),
        Layer::Transport => Some(network.checked_sub(frame.ip?.header)?),
    }
}
