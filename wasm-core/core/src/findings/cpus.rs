//! The CPUs that packets were on: changes of CPU, steering, a single CPU for all, imbalance.

use std::collections::BTreeMap;

use super::facts::{Facts, distribution, median_of, share};
use super::{Finding, Kind, Severity, View, thresholds, words};
use crate::kernel::{Context, CpuId, Nanos, PacketId, Probe, Station, sum_of_nanos};
use crate::order;

pub fn find(facts: &Facts) -> Vec<Finding> {
    let found = [
        hand_over(facts),
        steering(facts),
        one_cpu(facts),
        imbalance(facts),
    ];
    found.into_iter().flatten().collect()
}

/// A packet's change from one CPU to another.
#[derive(Debug, Clone, Copy)]
struct HandOver {
    packet: PacketId,
    from: (CpuId, Station),
    to: (CpuId, Station),
    at: Nanos,
    /// Nanoseconds that it waited between the two.
    waited: u64,
}

/// A packet's changes of CPU.
fn hand_overs<'a>(
    facts: &'a Facts<'_>,
    packet: PacketId,
) -> impl Iterator<Item = HandOver> + use<'a> {
    let pairs = facts.journeys.stays(packet).windows(2);
    let is_change = |pair: &&[crate::journey::Stay]| pair[0].hands_over_to(&pair[1]);
    pairs.filter(is_change).map(move |pair| HandOver {
        packet,
        from: (pair[0].cpu, pair[0].station),
        to: (pair[1].cpu, pair[1].station),
        at: pair[1].enter,
        waited: pair[0].wait(),
    })
}

/// Packets that change CPU, and where that happens most.
fn hand_over(facts: &Facts) -> Option<Finding> {
    let mut changed = Vec::new();
    let mut by_place: BTreeMap<_, Vec<HandOver>> = BTreeMap::new();
    for arrival in &facts.arrivals {
        let mut any = false;
        for one in hand_overs(facts, arrival.packet) {
            by_place
                .entry((one.from.1, one.to.1))
                .or_default()
                .push(one);
            any = true;
        }
        if any {
            changed.push(*arrival);
        }
    }
    let part = share(changed.len() as u64, facts.arrivals.len() as u64);
    if !thresholds::HAND_OVER_SHARE.is_reached(part) {
        return None;
    }
    let most = by_place.values().max_by_key(|places| places.len())?;
    let shown = median_of(most, |one| one.waited)?;
    let mut pairs: BTreeMap<(CpuId, CpuId), u64> = BTreeMap::new();
    for one in most {
        *pairs.entry((one.from.0, one.to.0)).or_default() += 1;
    }
    let title = if changed.len() == facts.arrivals.len() {
        words::every_packet_changes(changed.len() as u64)
    } else {
        words::packets_change(part)
    };
    // With a single pair of CPUs the sentence can name them.
    let detail = if let (1, Some(&(from, to))) = (pairs.len(), pairs.keys().next()) {
        words::from_cpu_to_cpu(from, to, shown.from.1, shown.waited)
    } else {
        words::between_cpus(pairs.len() as u64, shown.from.1, shown.waited)
    };
    // Only a model shows that cache lines move with the packet; for a recording it is inferred.
    let detail = if facts.is_recorded() {
        detail.inferred()
    } else {
        detail
    };
    let finding = Finding::new(Kind::HandOver, Severity::Info, title, detail)
        .between(
            changed.first()?.from,
            changed.iter().map(|one| one.to).max()?,
        )
        .seen(Nanos(shown.at.0.saturating_sub(shown.waited)), shown.packet);
    Some(finding.to_packets(changed.iter().map(|one| one.packet)))
}

/// Packets that one CPU put on another's backlog (RPS).
fn steering(facts: &Facts) -> Option<Finding> {
    let mut all = Vec::new();
    for id in facts.journeys.ids() {
        let mut steered = hand_overs(facts, id);
        all.extend(steered.find(|one| one.from.1 == Station::Backlog));
    }
    // Before RPS every driver passed packets up through a backlog, which is not steering.
    let is_steered = facts.count(Probe::RpsTriggerSoftirq) > 0;
    if !is_steered || !thresholds::FEW_PACKETS.is_reached(all.len() as f64) {
        return None;
    }
    let shown = median_of(&all, |one| one.waited)?;
    let times = distribution(all.iter().map(|one| one.waited));
    let mut cpus: Vec<CpuId> = all.iter().map(|one| one.to.0).collect();
    order::sort(&mut cpus);
    cpus.dedup();
    let title = words::steering(all.len() as u64, cpus.len() as u64);
    let detail = words::steering_waits(
        times.median,
        times.max,
        facts.count(Probe::RpsTriggerSoftirq),
    );
    let at = all.iter().map(|one| one.at);
    let (from, to) = (at.clone().min()?, at.max()?);
    let finding = Finding::new(Kind::Steering, Severity::Info, title, detail)
        .between(from, to)
        .seen(Nanos(shown.at.0.saturating_sub(shown.waited)), shown.packet);
    Some(finding.to_packets(all.iter().map(|one| one.packet)))
}

/// All packets on one CPU although others run too.
fn one_cpu(facts: &Facts) -> Option<Finding> {
    let lanes = facts.lanes.lanes.len();
    if lanes < 2
        || !thresholds::FEW_PACKETS.is_reached(facts.arrivals.len() as f64)
        || !facts.is_read
    {
        return None;
    }
    let stays = facts
        .arrivals
        .iter()
        .flat_map(|one| facts.journeys.stays(one.packet));
    let mut cpus: Vec<CpuId> = stays.map(|stay| stay.cpu).collect();
    order::sort(&mut cpus);
    cpus.dedup();
    let [cpu] = cpus[..] else {
        return None;
    };
    if !cpu.is_known() {
        return None;
    }
    let title = words::one_cpu(cpu);
    let detail = words::one_cpu_of(facts.arrivals.len() as u64, lanes as u64 - 1);
    let first = facts.arrivals.first()?;
    let to = facts.arrivals.iter().map(|one| one.to).max()?;
    let finding = Finding::new(Kind::OneCpu, Severity::Info, title, detail)
        .between(first.from, to)
        .seen(first.from, first.packet)
        .on(View::Scheduler);
    Some(finding.to_packets(facts.arrivals.iter().map(|one| one.packet)))
}

/// The distribution of interrupts and softirqs over the CPUs while packets move; `None` where no end of one is recorded,
/// as then the last thing seen on a CPU seems to last.
fn imbalance(facts: &Facts) -> Option<Finding> {
    if facts.count(Probe::SoftirqExit) + facts.count(Probe::IrqHandlerExit) == 0 {
        return None;
    }
    let (from, to) = facts.stretch();
    let interrupted = |lane| {
        let times = facts.lanes.times(lane, from, to);
        times[Context::Softirq as usize] + times[Context::Hardirq as usize]
    };
    let lanes = &facts.lanes.lanes;
    let all: Vec<u64> = lanes.iter().map(interrupted).collect();
    let (busiest, &most) = all.iter().enumerate().max_by_key(|(_, nanos)| **nanos)?;
    let part = share(most, sum_of_nanos(all.iter().copied()));
    let busy = share(most, to.since(from)).min(1.0);
    if lanes.len() < 2 || !thresholds::IMBALANCE_SHARE.is_reached(part) {
        return None;
    }
    let is_busy = thresholds::IMBALANCE_BUSY.is_reached(busy);
    let severity = if is_busy {
        Severity::Notice
    } else {
        Severity::Info
    };
    let title = words::imbalance(lanes[busiest].cpu, part);
    let detail = words::imbalance_busy(busy, lanes.len() as u64 - 1);
    let finding = Finding::new(Kind::Imbalance, severity, title, detail).between(from, to);
    Some(finding.on(View::Scheduler))
}
