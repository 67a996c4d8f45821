//! The two clocks: how much the capture's is ahead of the trace's, told by pairs of a frame and a packet.

use std::collections::BTreeMap;

use super::frame::Frame;
use super::matching::difference;
use super::sighting::Sighting;
use crate::kernel::Direction;
use crate::order;

/// By so much bounds may cross: a capture on the host itself takes its times beside the events.
const SLACK: i64 = 1_000_000;
/// Pairs that agree are no further apart, in nanoseconds: what a frame takes to its first event; of those,
/// the ones that agree more closely.
const WIDTHS: [i64; 3] = [AGREEING, 20_000, 2_000];
pub(super) const AGREEING: i64 = 200_000;
/// Pairs that have a vote at most.
const MOST_VOTES: usize = 1 << 18;

/// Wire minus trace lies between these: a frame comes before the first event of its packet, and after the
/// last of one that leaves.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bounds {
    /// The largest difference of a frame that comes in.
    pub low: Option<i64>,
    /// The smallest of one that leaves.
    pub high: Option<i64>,
}

impl Bounds {
    /// No offset lies between them: some frames were taken for those of other packets.
    pub fn contradict(self) -> bool {
        let both = self.low.zip(self.high);
        both.is_some_and(|(low, high)| low.saturating_sub(high) > SLACK)
    }

    pub fn offset(self) -> Option<i64> {
        // One nanosecond, so that the frame comes before its event and not with it.
        self.low.map(|low| low.saturating_add(1)).or(self.high)
    }
}

/// The frames and the packets of one length that went one way.
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

/// The offset that most pairs of a frame and a packet of one length agree on, whichever frame is which
/// packet's. Lengths that are rare come first: with them fewer pairs are those of others.
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

/// The stretch of sorted votes, no wider than that, in which there are most.
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
