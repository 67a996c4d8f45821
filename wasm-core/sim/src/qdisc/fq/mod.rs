//! `fq`: each socket's packets are a flow, flows take turns, and a flow waits until its next packet is to leave.
//!
//! Source: `net/sched/sch_fq.c` (v6.1, v6.18).

mod parameters;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ringside::kernel::DropReason;

use super::{Device, Discipline, Dropped, Kind, Queued, Skb, Verdicts};
use crate::simplification::Simplification;
use crate::time::SimTime;

pub use parameters::Parameters;

/// Flows in turn, each at its pace.
pub const KIND: Kind = Kind {
    name: "fq",
    start: |qdiscs, device| {
        let parameters = qdiscs.fq.clone()?;
        Some(Box::new(Fq::new(parameters, device)))
    },
    check: |qdiscs| qdiscs.fq.as_ref().map_or(Ok(()), Parameters::check),
    left_out: Simplification {
        about: "fq",
        linux: "Has bands by priority, a largest rate of all flows (maxrate) and marks by ECN, and forgets flows that \
                are idle for seconds. Since 6.7 a packet that finds nothing to wait for goes past the flows.",
        here: "Has packets of one priority, and each packet goes through its flow.",
        seen: "Of a current kernel, a flow that finds the queue empty uses up its turn with what it sends.",
    },
};

/// The discipline's state (`fq_sched_data`).
#[derive(Debug)]
pub struct Fq {
    parameters: Parameters,
    /// Bytes that a flow may send in its turn.
    quantum: i64,
    /// Bytes that a flow may send in its first turn.
    initial_quantum: i64,
    flows: BTreeMap<u32, Flow>,
    /// Flows that had no packet when one came: they are served first.
    new_flows: VecDeque<u32>,
    /// All other flows that have had packets lately.
    old_flows: VecDeque<u32>,
    /// Flows whose next packet is not to leave yet, by its departure (`delayed`).
    throttled: BTreeSet<(SimTime, u32)>,
    packets: u32,
}

/// The packets of a socket (`fq_flow`).
#[derive(Debug)]
struct Flow {
    /// By departure; those of one moment in the order in which they came.
    packets: VecDeque<Waiting>,
    /// Bytes that it may still send in its turn.
    credit: i64,
    /// Since when it has been in no list; `None`: it is in one, or throttled (`age`).
    detached: Option<SimTime>,
}

/// A packet with its departure (`fq_skb_cb`).
#[derive(Debug, Clone, Copy)]
struct Waiting {
    skb: Skb,
    bytes: u32,
    departs: SimTime,
}

impl Flow {
    /// When its next packet is to leave.
    fn departs(&self) -> Option<SimTime> {
        self.packets.front().map(|packet| packet.departs)
    }

    /// `flow_queue_add`
    fn add(&mut self, packet: Waiting) {
        let place = self
            .packets
            .partition_point(|before| before.departs <= packet.departs);
        self.packets.insert(place, packet);
    }
}

impl Fq {
    /// An empty one for a device.
    fn new(parameters: Parameters, device: Device) -> Self {
        let frames = |count: u32| i64::from(count) * i64::from(device.frame_bytes);
        Self {
            quantum: frames(parameters.quantum_frames),
            initial_quantum: frames(parameters.initial_quantum_frames),
            parameters,
            flows: BTreeMap::new(),
            new_flows: VecDeque::new(),
            old_flows: VecDeque::new(),
            throttled: BTreeSet::new(),
            packets: 0,
        }
    }

    /// `fq_check_throttled`: flows whose next packet may leave now take turns again.
    fn check_throttled(&mut self, now: SimTime) {
        while let Some(&(departs, flow)) = self.throttled.first()
            && departs <= now
        {
            self.throttled.pop_first();
            self.old_flows.push_back(flow);
        }
    }

    /// The departures of the next packets of all flows that take turns.
    fn departures(&self) -> impl Iterator<Item = SimTime> {
        let listed = self.new_flows.iter().chain(&self.old_flows);
        listed.filter_map(|flow| self.flows[flow].departs())
    }
}

impl Discipline for Fq {
    /// `fq_enqueue`: adds a packet to its flow.
    fn enqueue(&mut self, packet: Queued) -> Vec<Dropped> {
        let (now, skb, id) = (packet.at, packet.skb, packet.flow);
        let own = &self.parameters;
        let refuse = |reason: DropReason| vec![Dropped { skb, reason }];
        if self.packets >= own.limit_packets {
            return refuse(own.limit_reason);
        }
        if packet.departs > now + SimTime::from_us(own.horizon_us) {
            return refuse(own.horizon_reason);
        }
        let flow = self.flows.entry(id).or_insert_with(|| Flow {
            packets: VecDeque::new(),
            credit: self.initial_quantum,
            detached: Some(now),
        });
        if flow.packets.len() as u32 >= own.flow_limit_packets {
            return refuse(own.flow_limit_reason);
        }
        if let Some(since) = flow.detached.take() {
            self.new_flows.push_back(id);
            if now.since(since) > SimTime::from_ms(own.flow_refill_delay_ms) {
                flow.credit = flow.credit.max(self.quantum);
            }
        }
        flow.add(Waiting {
            skb,
            bytes: packet.bytes,
            departs: packet.departs.max(now),
        });
        self.packets += 1;
        Vec::new()
    }

    /// `fq_dequeue`: the next packet of the flow whose turn it is and whose packet may leave.
    fn dequeue(&mut self, now: SimTime, _: &mut Verdicts) -> Option<Skb> {
        self.check_throttled(now);
        loop {
            let is_new = !self.new_flows.is_empty();
            let list = if is_new {
                &mut self.new_flows
            } else {
                &mut self.old_flows
            };
            let id = *list.front()?;
            let flow = self.flows.get_mut(&id)?;
            if flow.credit <= 0 {
                flow.credit += self.quantum;
                list.pop_front();
                self.old_flows.push_back(id);
                continue;
            }
            match flow.departs() {
                Some(departs) if departs > now => {
                    list.pop_front();
                    self.throttled.insert((departs, id));
                }
                Some(_) => {
                    let packet = flow.packets.pop_front()?;
                    flow.credit -= i64::from(packet.bytes);
                    self.packets -= 1;
                    return Some(packet.skb);
                }
                None => {
                    list.pop_front();
                    // A new flow that is empty goes behind the old ones, lest it come back as new at once.
                    if is_new && !self.old_flows.is_empty() {
                        self.old_flows.push_back(id);
                    } else {
                        flow.detached = Some(now);
                    }
                }
            }
        }
    }

    fn len(&self) -> u32 {
        self.packets
    }

    fn limit(&self) -> u32 {
        self.parameters.limit_packets
    }

    fn packets(&self) -> Box<dyn Iterator<Item = Skb> + '_> {
        let flows = self.flows.values();
        Box::new(flows.flat_map(|flow| flow.packets.iter().map(|packet| packet.skb)))
    }

    fn is_ready(&self, now: SimTime) -> bool {
        let delayed = self.throttled.first().map(|&(departs, _)| departs);
        delayed
            .into_iter()
            .chain(self.departures())
            .any(|departs| departs <= now)
    }

    fn watchdog(&self) -> Option<SimTime> {
        let delayed = self.throttled.first().map(|&(departs, _)| departs);
        let next = delayed.into_iter().chain(self.departures()).min()?;
        Some(next + SimTime::from_us(self.parameters.timer_slack_us))
    }

    fn paces(&self) -> bool {
        true
    }

    fn can_bypass(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
