//! Queues near their limits, a socket's other queues besides the receive queue, and readers that keep up.

use super::drops::full_queue;
use super::facts::{Facts, distribution, median_of, share};
use super::{Finding, Kind, Severity, View, thresholds, words};
use crate::journey::Stay;
use crate::kernel::{PacketId, Probe, QueueKind, Station, Verdict};
use crate::replay::Queue;

pub fn find(facts: &Facts) -> Vec<Finding> {
    let mut found: Vec<Finding> = full(facts).into_iter().collect();
    found.extend(side_queue(
        facts,
        Kind::SocketBacklog,
        Station::SocketBacklog,
    ));
    found.extend(side_queue(facts, Kind::Prequeue, Station::Prequeue));
    found.extend(keeps_up(facts));
    found
}

/// The queue that came closest to its limit, unless it dropped packets.
fn full(facts: &Facts) -> Option<Finding> {
    let mut dropped_from = vec![false; facts.queues.len()];
    for (place, _) in facts.journeys.ids().filter_map(|id| full_queue(facts, id)) {
        dropped_from[place as usize] = true;
    }
    let fullest = |(place, queue): (usize, &Queue)| {
        let is_sender = matches!(queue.kind, QueueKind::WriteQueue | QueueKind::TxRing);
        let steps = (0..queue.at.len()).filter(|&step| queue.limit[step] > 0);
        let step = steps.max_by(|&a, &b| {
            let fill = |step: usize| f64::from(queue.depth[step]) / f64::from(queue.limit[step]);
            fill(a).total_cmp(&fill(b)).then(b.cmp(&a))
        })?;
        let fill = share(u64::from(queue.depth[step]), u64::from(queue.limit[step]));
        let is_told = dropped_from[place]
            || (queue.kind == QueueKind::RxRing && facts.count(Probe::RxMissed) > 0);
        // A sender fills its queues up to the limit: that is how it waits for the network.
        (!is_sender && !is_told && thresholds::NEARLY_FULL.is_reached(fill)).then_some((
            fill,
            place as u32,
            step,
        ))
    };
    let all = facts.queues.iter().enumerate().filter_map(fullest);
    let (fill, place, step) = all.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let queue = &facts.queues[place as usize];
    let (depth, limit) = (u64::from(queue.depth[step]), u64::from(queue.limit[step]));
    let title = words::nearly_full(place, fill);
    let detail = if queue.unit == "bytes" {
        words::nearly_full_bytes(depth, limit)
    } else {
        words::nearly_full_count(depth, limit)
    };
    let at = queue.at[step];
    let until = queue.at.get(step + 1).copied().unwrap_or(at);
    let arrived = facts
        .arrivals
        .iter()
        .find(|one| one.from <= at && one.to >= at);
    let packet = arrived.map(|one| one.packet);
    let finding = Finding::new(Kind::FullQueue, Severity::Notice, title, detail)
        .between(at, until)
        .seen(at, packet.unwrap_or(PacketId::NONE))
        .on(View::Queues);
    Some(finding.to_packets(packet))
}

/// Packets that waited in the socket's backlog or in the prequeue.
fn side_queue(facts: &Facts, kind: Kind, station: Station) -> Option<Finding> {
    let waited = |id: PacketId| {
        let mut stays = facts.journeys.stays(id).iter();
        let stay = stays.find(|stay| stay.station == station)?;
        Some((id, *stay))
    };
    let all: Vec<_> = facts.journeys.ids().filter_map(waited).collect();
    // A packet merged into one that waits there does not wait by itself.
    let joins = |(id, stay): &(PacketId, Stay)| {
        let verdict = facts.journeys.packets[id.at()].verdict;
        matches!(verdict, Verdict::Merged { .. }) && stay.duration() == 0
    };
    let alone: Vec<_> = all.iter().filter(|one| !joins(one)).copied().collect();
    let (packet, shown) = median_of(&alone, |(_, stay)| stay.duration())?;
    let times = distribution(alone.iter().map(|(_, stay)| stay.duration()));
    let count = all.len() as u64;
    let (title, detail) = if kind == Kind::Prequeue {
        (
            words::prequeue(count),
            words::prequeue_waits(times.median, times.max),
        )
    } else {
        (
            words::socket_backlog(count),
            words::socket_backlog_waits(times.median, times.max),
        )
    };
    let from = all.iter().map(|(_, stay)| stay.enter).min()?;
    let to = all.iter().map(|(_, stay)| stay.leave).max()?;
    let finding = Finding::new(kind, Severity::Info, title, detail)
        .between(from, to)
        .seen(shown.enter, packet)
        .on(View::Queues);
    Some(finding.to_packets(all.iter().map(|(id, _)| *id)))
}

/// A receive queue with a limit that stays nearly empty throughout.
fn keeps_up(facts: &Facts) -> Option<Finding> {
    let few = facts.is_read && thresholds::FEW_PACKETS.is_reached(facts.arrivals.len() as f64);
    let receive = |(_, queue): &(usize, &Queue)| queue.kind == QueueKind::ReceiveQueue;
    let all: Vec<_> = facts.queues.iter().enumerate().filter(receive).collect();
    let fill = |queue: &Queue| {
        let limit = queue
            .limit
            .iter()
            .copied()
            .filter(|&limit| limit > 0)
            .min()?;
        Some((share(u64::from(queue.max_depth()), u64::from(limit)), limit))
    };
    let (part, place, depth, limit) = all
        .iter()
        .filter_map(|(place, queue)| {
            let (part, limit) = fill(queue)?;
            Some((part, *place as u32, queue.max_depth(), limit))
        })
        .max_by(|a, b| a.0.total_cmp(&b.0))?;
    let is_every = all.iter().all(|(_, queue)| fill(queue).is_some());
    if !few || !is_every || depth == 0 || thresholds::NEARLY_EMPTY.is_reached(part) {
        return None;
    }
    let queue = &facts.queues[place as usize];
    let title = words::keeps_up(part);
    let (depth, limit) = (u64::from(depth), u64::from(limit));
    let detail = if queue.unit == "bytes" {
        words::keeps_up_bytes(place, depth, limit)
    } else {
        words::keeps_up_count(place, depth, limit)
    };
    let deepest = queue
        .depth
        .iter()
        .position(|&one| u64::from(one) == depth)?;
    let (from, to) = facts.stretch();
    let finding =
        Finding::new(Kind::ReaderKeepsUp, Severity::Info, title, detail).between(from, to);
    Some(
        finding
            .seen(queue.at[deepest], PacketId::NONE)
            .on(View::Queues),
    )
}
