//! `pfifo_fast`: one queue, first in, first out.
//!
//! Source: `net/sched/sch_generic.c: pfifo_fast_enqueue` (v2.6.3, v6.1).

use std::collections::VecDeque;

use ringside::kernel::DropReason;

use super::{Discipline, Dropped, Kind, Queued, Skb, Verdicts};
use crate::simplification::Simplification;
use crate::time::SimTime;

/// The discipline that each device of each kernel begins with.
pub const KIND: Kind = Kind {
    name: "pfifo_fast",
    start: |_, device| Some(Box::new(PfifoFast::new(device.queue_packets))),
    check: |_| Ok(()),
    left_out: Simplification {
        about: "pfifo_fast",
        linux: "Has three queues, by a packet's priority.",
        here: "Has packets of one priority, and so one queue.",
        seen: "No packet overtakes another.",
    },
};

/// The discipline's state.
#[derive(Debug)]
pub struct PfifoFast {
    packets: VecDeque<Skb>,
    /// Maximum number of packets (`tx_queue_len`).
    limit: u32,
}

impl PfifoFast {
    /// An empty one of at most `limit` packets.
    pub const fn new(limit: u32) -> Self {
        Self {
            packets: VecDeque::new(),
            limit,
        }
    }
}

impl Discipline for PfifoFast {
    fn enqueue(&mut self, packet: Queued) -> Vec<Dropped> {
        let skb = packet.skb;
        if self.len() < self.limit {
            self.packets.push_back(skb);
            return Vec::new();
        }
        let reason = DropReason::QdiscDrop;
        vec![Dropped { skb, reason }]
    }

    fn dequeue(&mut self, _: SimTime, _: &mut Verdicts) -> Option<Skb> {
        self.packets.pop_front()
    }

    fn len(&self) -> u32 {
        self.packets.len() as u32
    }

    fn limit(&self) -> u32 {
        self.limit
    }

    fn packets(&self) -> Box<dyn Iterator<Item = Skb> + '_> {
        Box::new(self.packets.iter().copied())
    }
}
