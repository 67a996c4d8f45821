//! Frames that a capture holds more often than once: a mirror port that sees a link's both ends, two captures
//! written into one file.
//!
//! A copy has the bytes of a frame just before it, its IP id among them (RFC 791 section 3.1: what a sender repeats has
//! another). It is none if the kernel saw a packet for it, as of frames that the network really doubled; that is for
//! who knows the run to say.

use std::collections::BTreeMap;

use super::frame::Frame;

/// By so much a mirror's copy comes later, in nanoseconds.
const NEAR: u64 = 100_000;

/// A frame that comes more often than so in a row is what its sender sends, over and over.
const MOST: usize = 4;

/// Whether each frame looks like a copy of one before it. The frames are in the order of time.
pub(super) fn copies(frames: &[Frame]) -> Vec<bool> {
    let mut is_copy = vec![false; frames.len()];
    let mut alike: BTreeMap<(u64, u32, u32), Vec<usize>> = BTreeMap::new();
    let mut close = |group: &[usize]| {
        if let [_, copies @ ..] = group
            && group.len() <= MOST
        {
            for &place in copies {
                is_copy[place] = true;
            }
        }
    };
    for (place, frame) in frames.iter().enumerate() {
        let key = (frame.content, frame.length, frame.captured);
        let group = alike.entry(key).or_default();
        let last = group.last().map(|&last| &frames[last]);
        if !last.is_some_and(|last| is_near(last, frame)) {
            close(group);
            group.clear();
        }
        group.push(place);
    }
    for group in alike.values() {
        close(group);
    }
    is_copy
}

/// Without an IP id nothing but the time tells frames of the same bytes apart, as acknowledgements of IPv6 may be.
fn is_near(last: &Frame, frame: &Frame) -> bool {
    let has_id = frame.ip.is_some_and(|ip| ip.id.is_some_and(|id| id != 0));
    let between = frame.time.0.abs_diff(last.time.0);
    between == 0 || has_id && between <= NEAR
}
