//! What the recording could not show, so that a missing event is not taken as proof of absence.

use super::facts::{Facts, share};
use super::{Finding, Kind, Severity, thresholds, words};
use crate::kernel::{PacketId, Probe, Verdict};

pub fn find(facts: &Facts) -> Vec<Finding> {
    let found = [
        lost(facts),
        open(facts),
        no_cpu(facts),
        no_wire(facts),
        no_scheduler(facts),
    ];
    let (from, to) = (facts.run.start(), facts.run.end());
    let found = found.into_iter().flatten();
    found
        .map(|one| {
            if one.to == one.from {
                one.between(from, to)
            } else {
                one
            }
        })
        .collect()
}

fn lost(facts: &Facts) -> Option<Finding> {
    let ledger = &facts.opened.ledger;
    let markers = ledger.lost_markers.max(facts.count(Probe::LostEvents));
    // The buffer's header reports losses too.
    let places = markers + u64::from(ledger.overwritten > 0);
    if places == 0 {
        return None;
    }
    let title = match ledger.lost() {
        0 => words::lost_uncounted(),
        lost => words::lost_events(lost),
    };
    let detail = words::lost_at(places);
    let finding = Finding::new(Kind::LostEvents, Severity::Problem, title, detail);
    let Some(passes) = facts.passes(Probe::LostEvents) else {
        return Some(finding);
    };
    Some(finding.between(facts.time(passes.first), facts.time(passes.last)))
}

/// Journeys without an end although the recording continues long enough.
fn open(facts: &Facts) -> Option<Finding> {
    let is_open = |id: &PacketId| facts.journeys.packets[id.at()].verdict == Verdict::Open;
    let open: Vec<PacketId> = facts.journeys.ids().filter(is_open).collect();
    let all = facts.journeys.packets.len() as u64;
    let part = share(open.len() as u64, all);
    if !thresholds::OPEN_SHARE.is_reached(part) {
        return None;
    }
    let packet = |id: &PacketId| &facts.journeys.packets[id.at()];
    let first = *open.first()?;
    let title = words::open(open.len() as u64);
    // Of a simulation nothing is untold: what it ends with is still under way.
    let is_untold = facts.is_recorded();
    let severity = if is_untold && thresholds::MOSTLY_OPEN_SHARE.is_reached(part) {
        Severity::Problem
    } else {
        Severity::Info
    };
    let finding = Finding::new(Kind::OpenJourneys, severity, title, words::open_of(all))
        .between(
            packet(&first).start,
            open.iter().map(|id| packet(id).end).max()?,
        )
        .seen(packet(&first).end, first);
    Some(finding.to_packets(open))
}

fn no_cpu(facts: &Facts) -> Option<Finding> {
    let is_known = !facts.lanes.lanes.is_empty() || facts.run.is_empty();
    (!is_known).then(|| {
        Finding::new(
            Kind::NoCpu,
            Severity::Info,
            words::no_cpu(),
            words::no_cpu_so(),
        )
    })
}

fn no_wire(facts: &Facts) -> Option<Finding> {
    let has_wire = facts.count(Probe::WireRx) + facts.count(Probe::WireTx) > 0;
    let has_device = facts.polls.iter().any(|poll| poll.work > 0);
    let is_missing = facts.is_recorded() && has_device && !has_wire;
    is_missing.then(|| {
        Finding::new(
            Kind::NoWire,
            Severity::Info,
            words::no_wire(),
            words::no_wire_so(),
        )
    })
}

fn no_scheduler(facts: &Facts) -> Option<Finding> {
    let is_missing = facts.is_recorded() && facts.is_read && facts.count(Probe::SchedSwitch) == 0;
    is_missing.then(|| {
        Finding::new(
            Kind::NoScheduler,
            Severity::Info,
            words::no_scheduler(),
            words::no_scheduler_so(),
        )
    })
}
