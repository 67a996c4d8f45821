//! Frames that a capture contains several times: from a mirror port that sees both ends of a link, or two captures
//! written into one file.
//!
//! A copy has the same bytes as a frame just before it, including the IP id (RFC 791 section 3.1: a retransmission
//! has another). It is not a copy if the kernel saw a packet for it, as for frames that the network itself
//! duplicated; that is decided by the caller, who knows the run.

use std::collections::BTreeMap;

use super::frame::Frame;

/// Nanoseconds by which a mirror port's copy is later at most.
const NEAR: u64 = 100_000;

/// Frames that occur more often than this in a row are sent so, not copied.
const MOST: usize = 4;

/// Whether each frame looks like a copy of an earlier one. The frames must be in order of time.
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

/// Without an IP id only equal times identify copies, as IPv6 acknowledgements may have equal bytes.
fn is_near(last: &Frame, frame: &Frame) -> bool {
    let has_id = frame.ip.is_some_and(|ip| ip.id.is_some_and(|id| id != 0));
    let between = frame.time.0.abs_diff(last.time.0);
    between == 0 || has_id && between <= NEAR
}
