//! A model's depths between two tellings: events say how deep a queue is when something
//! comes, and who stays there says when something leaves.

use std::collections::{BTreeMap, BTreeSet};

use crate::kernel::QueueKind;

use super::{DepthStep, QueueKey, Steps};

/// Everything that was told of some queues, in order of time.
pub(super) type Told = BTreeMap<(QueueKind, QueueKey), Vec<DepthStep>>;

/// Replaces the steps of queues of which a depth was told with the packets that came: from
/// each telling on, every packet that leaves makes the queue less deep.
pub(super) fn drain(
    exact: &mut Steps,
    told: &Told,
    in_packets: &BTreeSet<(QueueKind, QueueKey)>,
    occupancy: &Steps,
) {
    for (whose, told) in told {
        let Some(stays) = occupancy.queues.get(whose) else {
            continue;
        };
        exact.queues.remove(whose);
        let mut stays = stays.iter().peekable();
        let (mut staying, mut depth, mut limit) = (0_u32, 0_u32, 0);
        let mut told = told.iter().peekable();
        loop {
            let next_told = told.peek().map(|step| step.0);
            let next_stay = stays.peek().map(|step| step.0);
            let (is_told, time) = match (next_told, next_stay) {
                (None, None) => break,
                (Some(time), None) => (true, time),
                (None, Some(time)) => (false, time),
                // Who came is among those that stay when the depth is told.
                (Some(told), Some(stay)) => (told < stay, told.min(stay)),
            };
            if is_told {
                (depth, limit) = told.next().map_or((0, 0), |step| (step.1, step.2));
            } else {
                let now = stays.next().map_or(0, |step| step.1);
                let left = staying.saturating_sub(now);
                staying = now;
                if left == 0 {
                    continue;
                }
                depth = match whose.0.unit() {
                    // How many bytes one packet takes along is not told.
                    "bytes" if !in_packets.contains(whose) => {
                        if now > 0 {
                            depth
                        } else {
                            0
                        }
                    }
                    _ => depth.saturating_sub(left),
                };
            }
            exact.set(whose.0, whose.1, time, depth, limit);
        }
    }
}
