//! The measures that are sums over a stretch: all but the times of layers and the depths of queues.

use std::collections::BTreeMap;

use super::MachineMeasures;
use crate::journey::Journeys;
use crate::kernel::{Context, CpuId, DropReason, Nanos, Verdict};
use crate::replay::{Basis, ContextTimes, Counters, RecordedTotals};

/// What was counted between two times, both included.
#[derive(Debug, Clone, PartialEq)]
pub struct Sums {
    /// From when on.
    pub from: Nanos,
    /// Until when.
    pub to: Nanos,
    /// What the totals grew by.
    pub counters: Counters,
    /// Which of the totals the recording told.
    pub recorded: RecordedTotals,
    /// How many packets were dropped for which reason.
    pub drops: Vec<(DropReason, u64)>,
    /// Nanoseconds in each context, for each CPU of the run.
    pub time_by_context: Vec<(CpuId, ContextTimes)>,
    /// What only a model knows.
    pub machine: MachineMeasures,
}

impl Sums {
    /// The sums of what lies between two times, both included.
    pub fn of(basis: &Basis<'_>, from: Nanos, to: Nanos) -> Self {
        let lanes = basis.lanes;
        let times = |lane| lanes.times(lane, from, to);
        Self {
            from,
            to,
            counters: basis.totals.at(to).since(basis.totals.before(from)),
            recorded: basis.totals.recorded,
            drops: drops(basis.journeys, from, to),
            time_by_context: lanes
                .lanes
                .iter()
                .map(|lane| (lane.cpu, times(lane)))
                .collect(),
            machine: MachineMeasures::of(basis, from, to),
        }
    }

    /// Nanoseconds in which CPUs were known to be at work, all CPUs together.
    pub fn busy(&self) -> u64 {
        let is_idle = |context| matches!(context, Context::Idle | Context::Unknown);
        let of_cpu = |(_, times): &(CpuId, ContextTimes)| {
            let all = Context::ALL.iter().zip(times);
            let at_work = all.filter(|&(&context, _)| !is_idle(context));
            at_work.map(|(_, nanos)| nanos).sum::<u64>()
        };
        self.time_by_context.iter().map(of_cpu).sum()
    }
}

fn drops(journeys: &Journeys, from: Nanos, to: Nanos) -> Vec<(DropReason, u64)> {
    let mut drops = BTreeMap::new();
    for packet in &journeys.packets {
        if let Verdict::Dropped { reason } = packet.verdict
            && from <= packet.end
            && packet.end <= to
        {
            *drops.entry(reason).or_insert(0) += 1;
        }
    }
    drops.into_iter().collect()
}
