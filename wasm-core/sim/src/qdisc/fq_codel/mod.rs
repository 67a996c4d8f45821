//! `fq_codel`: flows have queues of their own that take turns, and each queue is kept short by `CoDel`.
//!
//! Source: RFC 8290; `net/sched/sch_fq_codel.c` (v6.1).

mod parameters;

use std::collections::VecDeque;

use ringside::kernel::DropReason;

use super::codel::{Codel, Law};
use super::{Device, Discipline, Dropped, Kind, Queued, Skb, Verdicts};
use crate::simplification::Simplification;
use crate::time::SimTime;

pub use parameters::Parameters;

/// Flows in turn, each kept short.
pub const KIND: Kind = Kind {
    name: "fq_codel",
    start: |qdiscs, device| {
        let parameters = qdiscs.fq_codel.as_ref()?;
        Some(Box::new(FqCodel::new(parameters, device)))
    },
    check: |qdiscs| qdiscs.fq_codel.as_ref().map_or(Ok(()), Parameters::check),
    left_out: Simplification {
        about: "fq_codel",
        linux: "Filters may choose a packet's queue, and flows are hashed with a key that changes from boot to boot. CoDel's \
                times are in units of 1.024 us.",
        here: "A flow's number is hashed without a key, and times are exact.",
        seen: "The same flows share a queue in each run.",
    },
};

/// The discipline's state (`fq_codel_sched_data`).
#[derive(Debug)]
pub struct FqCodel {
    law: Law,
    /// Bytes that a flow may send in its turn (`quantum`): one frame of the device.
    quantum: i64,
    /// Maximum number of packets.
    limit: u32,
    /// Maximum memory in bytes.
    memory_limit: u64,
    /// Maximum number of packets that are dropped at once for lack of room.
    drop_batch: u32,
    /// Why `CoDel` drops a packet, and in which function.
    congested: (DropReason, String),
    /// Why a packet is dropped that there is no room for.
    overlimit: DropReason,
    /// The flows' queues, by their hash.
    flows: Vec<Flow>,
    /// Queues that were empty when a packet came: they are served first.
    new_flows: VecDeque<usize>,
    /// All other queues that have had packets lately.
    old_flows: VecDeque<usize>,
    packets: u32,
    bytes: u64,
    memory: u64,
}

/// The queue of one or several flows (`fq_codel_flow`).
#[derive(Debug, Default)]
struct Flow {
    packets: VecDeque<Queued>,
    /// Bytes in the queue.
    bytes: u64,
    /// Whether it is in one of the two lists.
    is_listed: bool,
    /// Bytes that it may still send in its turn.
    deficit: i64,
    codel: Codel,
}

/// What is in all queues.
struct Sum<'a> {
    packets: &'a mut u32,
    bytes: &'a mut u64,
    memory: &'a mut u64,
}

impl Flow {
    /// Takes the oldest packet.
    fn pop(&mut self, sum: &mut Sum<'_>) -> Option<Queued> {
        let packet = self.packets.pop_front()?;
        self.bytes -= u64::from(packet.bytes);
        *sum.packets -= 1;
        *sum.bytes -= u64::from(packet.bytes);
        *sum.memory -= u64::from(packet.memory);
        Some(packet)
    }
}

impl FqCodel {
    /// An empty one for a device.
    fn new(model: &Parameters, device: Device) -> Self {
        let frame = device.frame_bytes;
        Self {
            law: Law {
                target: SimTime::from_us(model.target_us),
                interval: SimTime::from_us(model.interval_us),
                mtu: frame,
                ecn: model.ecn,
                ce_threshold: model.ce_threshold_us.map(SimTime::from_us),
            },
            quantum: i64::from(frame),
            limit: model.limit_packets,
            memory_limit: u64::from(model.memory_limit_bytes),
            drop_batch: model.drop_batch_packets,
            congested: (model.congested_reason, model.congested_function.clone()),
            overlimit: model.overlimit_reason,
            flows: (0..model.flows).map(|_| Flow::default()).collect(),
            new_flows: VecDeque::new(),
            old_flows: VecDeque::new(),
            packets: 0,
            bytes: 0,
            memory: 0,
        }
    }

    /// The queue of a flow (`reciprocal_scale` of its hash).
    fn queue_of(&self, flow: u32) -> usize {
        // Knuth's multiplicative hash.
        let hash = u64::from(flow.wrapping_add(1).wrapping_mul(2_654_435_769));
        ((hash * self.flows.len() as u64) >> 32) as usize
    }

    /// `fq_codel_drop`: drops the oldest packets of the flow with most bytes, half of its queue or a batch.
    fn drop_from_fattest(&mut self) -> Vec<Dropped> {
        let mut fattest = 0;
        for index in 1..self.flows.len() {
            if self.flows[index].bytes > self.flows[fattest].bytes {
                fattest = index;
            }
        }
        let flow = &mut self.flows[fattest];
        let half = flow.bytes / 2;
        let mut sum = Sum {
            packets: &mut self.packets,
            bytes: &mut self.bytes,
            memory: &mut self.memory,
        };
        let (mut dropped, mut bytes) = (Vec::new(), 0);
        while let Some(packet) = flow.pop(&mut sum) {
            dropped.push(Dropped {
                skb: packet.skb,
                reason: self.overlimit,
            });
            bytes += u64::from(packet.bytes);
            if dropped.len() as u32 >= self.drop_batch || bytes >= half {
                break;
            }
        }
        flow.codel.note_dropped(dropped.len() as u32);
        dropped
    }

    /// The next packet of a flow's queue that `CoDel` does not drop.
    fn next_of(&mut self, index: usize, now: SimTime, verdicts: &mut Verdicts) -> Option<Queued> {
        let flow = &mut self.flows[index];
        let mut codel = flow.codel;
        let mut sum = Sum {
            packets: &mut self.packets,
            bytes: &mut self.bytes,
            memory: &mut self.memory,
        };
        let mut pull = || {
            let packet = flow.pop(&mut sum)?;
            Some((packet, *sum.bytes))
        };
        let next = codel.dequeue(&self.law, now, &mut pull, verdicts);
        self.flows[index].codel = codel;
        next
    }
}

impl Discipline for FqCodel {
    /// `fq_codel_enqueue`: appends a packet to its flow's queue.
    fn enqueue(&mut self, packet: Queued) -> Vec<Dropped> {
        let index = self.queue_of(packet.flow);
        let flow = &mut self.flows[index];
        flow.packets.push_back(packet);
        flow.bytes += u64::from(packet.bytes);
        if !flow.is_listed {
            flow.is_listed = true;
            flow.deficit = self.quantum;
            self.new_flows.push_back(index);
        }
        self.packets += 1;
        self.bytes += u64::from(packet.bytes);
        self.memory += u64::from(packet.memory);
        if self.packets <= self.limit && self.memory <= self.memory_limit {
            return Vec::new();
        }
        self.drop_from_fattest()
    }

    /// `fq_codel_dequeue`: the next packet of the flow whose turn it is.
    fn dequeue(&mut self, now: SimTime, verdicts: &mut Verdicts) -> Option<Skb> {
        loop {
            let is_new = !self.new_flows.is_empty();
            let list = if is_new {
                &mut self.new_flows
            } else {
                &mut self.old_flows
            };
            let index = list.pop_front()?;
            if self.flows[index].deficit <= 0 {
                self.flows[index].deficit += self.quantum;
                self.old_flows.push_back(index);
                continue;
            }
            if let Some(packet) = self.next_of(index, now, verdicts) {
                self.flows[index].deficit -= i64::from(packet.bytes);
                let list = if is_new {
                    &mut self.new_flows
                } else {
                    &mut self.old_flows
                };
                list.push_front(index);
                return Some(packet.skb);
            }
            // A new flow that is empty goes behind the old ones, lest it come back as new at once.
            if is_new && !self.old_flows.is_empty() {
                self.old_flows.push_back(index);
            } else {
                self.flows[index].is_listed = false;
            }
        }
    }

    fn len(&self) -> u32 {
        self.packets
    }

    fn limit(&self) -> u32 {
        self.limit
    }

    fn packets(&self) -> Box<dyn Iterator<Item = Skb> + '_> {
        let flows = self.flows.iter();
        Box::new(flows.flat_map(|flow| flow.packets.iter().map(|packet| packet.skb)))
    }

    fn congested(&self) -> Option<(DropReason, &str)> {
        let (reason, function) = &self.congested;
        Some((*reason, function))
    }
}

#[cfg(test)]
mod tests;
