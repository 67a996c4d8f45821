//! The offset between the capture's and the trace's clocks, from pairs of a frame and a packet.

use std::collections::BTreeMap;

use super::frame::Frame;
use super::matching::difference;
use super::sighting::Sighting;
use crate::kernel::Direction;
use crate::order;

/// Nanoseconds by which the bounds may cross: a capture on the host itself takes its timestamps beside the events.
const SLACK: i64 = 1_000_000;
/// Largest spread of agreeing pairs, in nanoseconds: the delay of a frame up to its first event. Smaller spreads are
/// then tried among those.
const WIDTHS: [i64; 3] = [AGREEING, 20_000, 2_000];
pub(super) const AGREEING: i64 = 200_000;
/// The limit of pairs that vote.
const MOST_VOTES: usize = 1 << 18;

/// Bounds of link time minus trace time in nanoseconds: a received frame precedes the first event of its packet, a
/// sent one follows the last.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bounds {
    /// The largest difference of a received frame.
    pub low: Option<i64>,
    /// The smallest difference of a sent frame.
    pub high: Option<i64>,
}

impl Bounds {
    /// Whether no offset satisfies both: some frames were matched to wrong packets.
    pub fn contradict(self) -> bool {
        let both = self.low.zip(self.high);
        both.is_some_and(|(low, high)| low.saturating_sub(high) > SLACK)
    }

    pub fn offset(self) -> Option<i64> {
        // One nanosecond more, so that the frame precedes its event.
        self.low.map(|low| low.saturating_add(1)).or(self.high)
    }
}

/// Frames and packets of one length and direction.
#[derive(Default)]
struct Alike<'a> {
    frames: Vec<usize>,
    sightings: Vec<&'a Sighting>,
}

impl Alike<'_> {
    fn pairs(&self) -> usize {
        self.frames.len().saturating_mul(self.sightings.len())
    }
}

/// The offset on which most pairs of a frame and a packet of equal length agree, whichever are the true pairs. Rare
/// lengths come first, as they give fewer wrong pairs.
pub(super) fn agreed(
    frames: &[Frame],
    directions: &[Option<Direction>],
    received: &[Sighting],
    sent: &[Sighting],
) -> Option<i64> {
    let mut alike: BTreeMap<(bool, u32), Alike<'_>> = BTreeMap::new();
    for (place, (frame, direction)) in frames.iter().zip(directions).enumerate() {
        if let Some(direction) = direction {
            let key = (*direction == Direction::Receive, frame.network_length());
            alike.entry(key).or_default().frames.push(place);
        }
    }
    for (is_received, sightings) in [(true, received), (false, sent)] {
        for sighting in sightings {
            let key = sighting
                .network_length()
                .map(|length| (is_received, length));
            if let Some(both) = key.and_then(|key| alike.get_mut(&key)) {
                both.sightings.push(sighting);
            }
        }
    }
    let mut alike: Vec<_> = alike.into_iter().collect();
    order::sort_by_key(&mut alike, |(_, alike)| alike.pairs());
    let mut votes: Vec<i64> = Vec::new();
    for (_, alike) in alike {
        if alike.pairs() > MOST_VOTES - votes.len() {
            break;
        }
        for place in alike.frames {
            let of = |sighting: &Sighting| difference(&frames[place], sighting);
            votes.extend(alike.sightings.iter().map(|&sighting| of(sighting)));
        }
    }
    order::sort(&mut votes);
    let agreeing = WIDTHS
        .iter()
        .fold(&votes[..], |votes, &width| densest(votes, width));
    agreeing.get(agreeing.len() / 2).copied()
}

/// The interval of sorted votes, at most `width` wide, with the most votes.
fn densest(votes: &[i64], width: i64) -> &[i64] {
    let mut first = 0;
    let mut best: &[i64] = &[];
    for (last, vote) in votes.iter().enumerate() {
        while vote.saturating_sub(votes[first]) > width {
            first += 1;
        }
        if last + 1 - first > best.len() {
            best = &votes[first..=last];
        }
    }
    best
}
