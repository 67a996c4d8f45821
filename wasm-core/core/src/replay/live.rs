//! Which packets are in flight at a time: an index whose cost is in proportion to what it finds.
//!
//! Packets are sorted by start, so those that have started are a prefix. A tournament tree holds
//! the maxima of their ends, and a subtree whose latest end has passed is skipped. A packet that
//! stays open for the whole run costs one row; checkpoints would have to be read from somewhere on.

use crate::journey::Journeys;
use crate::kernel::{Nanos, PacketId};

/// The starts and ends of all packets.
#[derive(Debug, Clone)]
pub struct Live {
    start: Vec<Nanos>,
    /// The tree: node `i` has the children `2 i` and `2 i + 1`; packet `p` is leaf `leaves + p`.
    latest_end: Vec<Nanos>,
    leaves: usize,
}

impl Live {
    /// Builds the index; journeys are sorted by start.
    pub fn of(journeys: &Journeys) -> Self {
        let leaves = journeys.packets.len().next_power_of_two();
        let mut latest_end = vec![Nanos::default(); 2 * leaves];
        for (place, packet) in journeys.packets.iter().enumerate() {
            latest_end[leaves + place] = packet.end;
        }
        for node in (1..leaves).rev() {
            latest_end[node] = latest_end[2 * node].max(latest_end[2 * node + 1]);
        }
        Self {
            start: journeys.packets.iter().map(|packet| packet.start).collect(),
            latest_end,
            leaves,
        }
    }

    /// The packets that have started at `time` and ended less than `linger` before
    /// it or not at all, ascending.
    pub fn at(&self, time: Nanos, linger: u64) -> Vec<PacketId> {
        let started = self.start.partition_point(|&start| start <= time);
        let mut found = Vec::new();
        let mut stack = vec![(1, 0, self.leaves)];
        while let Some((node, first, width)) = stack.pop() {
            let is_over = self.latest_end[node].0.saturating_add(linger) <= time.0;
            if first >= started || is_over {
                continue;
            }
            if width == 1 {
                found.push(PacketId(first as u32));
            } else {
                stack.push((2 * node + 1, first + width / 2, width / 2));
                stack.push((2 * node, first, width / 2));
            }
        }
        found
    }
}
