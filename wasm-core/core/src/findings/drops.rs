//! Dropped packets: by reason, and which queue was full.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Facts, share};
use super::{Finding, Kind, Severity, View, words};
use crate::journey::freeing_function;
use crate::kernel::{DropReason, EventIdx, Field, Nanos, PacketId, Probe, QueueKind, Verdict};
use crate::order;
use crate::replay::Queue;
use crate::saying::Saying;

/// The limit of reasons reported separately; the others are rare.
const REASONS: usize = 3;

pub fn find(facts: &Facts) -> Vec<Finding> {
    let mut by_reason: BTreeMap<DropReason, Vec<PacketId>> = BTreeMap::new();
    for id in facts.journeys.ids() {
        if let Verdict::Dropped { reason } = facts.journeys.packets[id.at()].verdict {
            by_reason.entry(reason).or_default().push(id);
        }
    }
    // Fragments of incomplete datagrams have a finding of their own.
    by_reason.remove(&DropReason::FragReasmTimeout);
    let mut all: Vec<_> = by_reason.into_iter().collect();
    order::sort_by_key(&mut all, |(reason, packets)| {
        (std::cmp::Reverse(packets.len()), *reason)
    });
    all.truncate(REASONS);
    let mut found: Vec<Finding> = all
        .into_iter()
        .map(|(reason, packets)| dropped(facts, reason, packets))
        .collect();
    found.extend(missed(facts));
    found
}

/// Frames without a descriptor that never became packets; a model reports them without an skb.
fn missed(facts: &Facts) -> Option<Finding> {
    let events = facts.events_of(Probe::RxMissed);
    let no_packet = |event: &EventIdx| !facts.packet_of(*event).is_some();
    let events: Vec<EventIdx> = events.filter(no_packet).collect();
    let (first, last) = (*events.first()?, *events.last()?);
    let number = |event: &EventIdx, field| facts.run.field(*event, field).map(u64::from);
    let frames = events
        .iter()
        .map(|event| number(event, Field::Packets).unwrap_or(1));
    let frames = frames.sum();
    let (from, to) = (facts.time(first), facts.time(last));
    let (place, queue) = facts.queue(|queue| queue.kind == QueueKind::RxRing)?;
    let detail = match number(&first, Field::Limit) {
        Some(limit) => words::full_queue(place, limit, limit, to.since(from)),
        None => queue_was(queue, place, from, to),
    };
    let title = words::dropped(frames, DropReason::RxRingFull);
    let finding = Finding::new(Kind::Drops, Severity::Problem, title, detail).between(from, to);
    Some(finding.on(View::Queues))
}

fn dropped(facts: &Facts, reason: DropReason, mut packets: Vec<PacketId>) -> Finding {
    let end = |id: &PacketId| facts.journeys.packets[id.at()].end;
    order::sort_by_key(&mut packets, |id| (end(id), *id));
    let (first, from) = (packets[0], end(&packets[0]));
    let to = packets.last().map_or(from, end);
    let count = packets.len() as u64;
    let full = full_queue(facts, first);
    let (of_all, span) = (
        share(count, facts.journeys.packets.len() as u64),
        to.since(from),
    );
    let place = (reason == DropReason::NotSpecified).then(|| freed_in(facts, &packets));
    let detail = match (full, place.flatten()) {
        (Some((place, queue)), _) => queue_was(queue, place, from, to),
        (None, Some((function, freed))) => {
            words::no_reason_in(count, of_all, span, function.to_owned(), freed)
        }
        (None, None) if reason == DropReason::Unrecognised => {
            words::unknown_reasons(count, of_all, span, spellings(facts, &packets))
        }
        (None, None) => words_of(reason)(count, of_all, span),
    };
    let severity = if reason.is_meant() {
        Severity::Notice
    } else {
        Severity::Problem
    };
    let view = if full.is_some() {
        View::Queues
    } else {
        View::Way
    };
    Finding::new(Kind::Drops, severity, words::dropped(count, reason), detail)
        .between(from, to)
        .seen(from, first)
        .on(view)
        .to_packets(packets)
}

/// The kernel function in which most of the packets were freed, and how many: `kfree_skb` names it since v6.3; before,
/// ftrace prints an address, which tells a reader nothing.
fn freed_in<'a>(facts: &'a Facts, packets: &[PacketId]) -> Option<(&'a str, u64)> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for &id in packets {
        let mut events = facts.journeys.events(id).iter().rev();
        let freed = events.find(|&&event| facts.run.probe[event.at()] == Probe::KfreeSkb);
        if let Some(function) = freed.and_then(|&event| freeing_function(&facts.run, event)) {
            *counts.entry(function).or_default() += 1;
        }
    }
    counts.into_iter().max_by_key(|&(_, count)| count)
}

/// What the kernel called the reasons of these drops, which Ringside does not know: the first few.
fn spellings(facts: &Facts, packets: &[PacketId]) -> String {
    let events = packets.iter().flat_map(|&id| facts.journeys.events(id));
    let freed = events.filter(|event| facts.run.probe[event.at()] == Probe::KfreeSkb);
    let names: BTreeSet<&str> = freed
        .filter_map(|&event| facts.run.field_name(event, Field::Name))
        .collect();
    let first: Vec<&str> = names.into_iter().take(REASONS).collect();
    first.join(", ")
}

/// The queue whose lack of room caused the drop, if that was the cause.
pub fn full_queue<'a>(facts: &'a Facts, packet: PacketId) -> Option<(u32, &'a Queue)> {
    facts.queue_of_stay(facts.journeys.lost_to_full_queue(packet)?)
}

/// The message about the queue's depth while packets were dropped.
fn queue_was(queue: &Queue, place: u32, from: Nanos, to: Nanos) -> Saying {
    // A packet that the queue drops itself has left it at that moment.
    let before = Nanos(from.0.saturating_sub(1));
    let depth = u64::from(queue.between(before, to).0);
    let (_, limit) = queue.at(from);
    let span = to.since(from);
    match (queue.unit, limit) {
        ("bytes", 0) => words::full_queue_held_bytes(place, depth, span),
        ("bytes", limit) if depth > u64::from(limit) => {
            words::full_queue_past(place, depth, u64::from(limit), span)
        }
        ("bytes", limit) => words::full_queue_bytes(place, depth, u64::from(limit), span),
        (_, 0) => words::full_queue_held(place, depth, span),
        (_, limit) => words::full_queue(place, depth, u64::from(limit), span),
    }
}

fn words_of(reason: DropReason) -> fn(u64, f64, u64) -> Saying {
    match reason {
        DropReason::NoSocket => words::nobody_listens,
        DropReason::NetfilterDrop => words::firewall,
        DropReason::Xdp => words::xdp,
        DropReason::QdiscCongested => words::codel,
        DropReason::NeighFailed
        | DropReason::NeighQueuefull
        | DropReason::NeighDead
        | DropReason::NeighCreatefail => words::no_neighbour,
        DropReason::IpOutnoroutes | DropReason::IpInnoroutes => words::no_route,
        DropReason::IpCsum | DropReason::TcpCsum | DropReason::UdpCsum => words::damaged,
        DropReason::RxRingFull => words::ring_had_no_room,
        DropReason::QueuePurge => words::closed_before_read,
        DropReason::NotSpecified => words::no_reason_given,
        DropReason::TcpOldData | DropReason::TcpOfomerge | DropReason::TcpOfoDrop => {
            words::already_there
        }
        _ => words::other_reason,
    }
}
