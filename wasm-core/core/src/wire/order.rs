//! Matches frames to packets where the trace has no header fields: each packet is the next frame of its length and,
//! if known, its protocol.

use std::collections::{BTreeMap, BTreeSet};

use super::frame::Frame;
use super::matching::{Matches, difference};
use super::sighting::Sighting;
use crate::kernel::Direction;

/// Matches by order. With an offset, each frame is on the right side of its packet's time.
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
    fill_by_order(
        &mut matches,
        frames,
        sightings,
        direction,
        offset,
        is_candidate,
    );
    matches
}

/// Matches each sighting without a frame to the next free one, if one of the two has no content to compare. Returns the
/// number of frames with content that were matched so.
pub(super) fn fill_by_order(
    matches: &mut Matches,
    frames: &[Frame],
    sightings: &[Sighting],
    direction: Direction,
    offset: Option<i64>,
    is_candidate: impl Fn(usize) -> bool,
) -> u64 {
    /// Nanoseconds: a frame stays in a transmit ring for less; a later one belongs to another packet.
    const RING: i64 = 20_000_000;
    let taken: BTreeSet<usize> = matches.of.iter().flatten().map(|found| found.0).collect();
    let is_comparable = |frame: usize| frames[frame].is_comparable();
    // By length, protocol and whether there is content to compare.
    let mut alike: BTreeMap<(u32, u16, bool), Vec<usize>> = BTreeMap::new();
    for (place, frame) in frames.iter().enumerate() {
        if matches.of[place].is_none() && is_candidate(place) {
            let key = (frame.network_length(), frame.protocol, is_comparable(place));
            alike.entry(key).or_default().push(place);
        }
    }
    let (mut next, mut guessed) = (0, 0);
    for (place, sighting) in sightings.iter().enumerate() {
        let length = sighting.network_length();
        let Some(length) = length.filter(|_| !taken.contains(&place)) else {
            continue;
        };
        let wait = |frame: usize| {
            offset.map_or(0, |offset| {
                difference(&frames[frame], sighting).wrapping_sub(offset)
            })
        };
        let latest = match direction {
            Direction::Receive => 0,
            Direction::Transmit => RING,
        };
        let is_early = |frame: usize| direction == Direction::Transmit && wait(frame) < 0;
        let lists = alike.range((length, 0, false)..=(length, u16::MAX, true));
        let lists = lists.filter(|&(&(_, protocol, is_comparable), _)| {
            let is_kind = sighting
                .protocol
                .is_none_or(|found| found == u32::from(protocol));
            is_kind && !(sighting.has_content() && is_comparable)
        });
        let nexts = lists.filter_map(|(_, list)| {
            let start = list.partition_point(|&frame| frame < next || is_early(frame));
            list.get(start)
                .copied()
                .filter(|&frame| wait(frame) <= latest)
        });
        let found = nexts.min();
        if let Some(frame) = found {
            matches.of[frame] = Some((place, true));
            guessed += u64::from(is_comparable(frame));
            next = frame + 1;
        }
    }
    guessed
}
