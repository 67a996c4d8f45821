//! Packets merged on receiving: reassembly, GRO, coalescing; and pieces that a recording distinguishes.

use std::collections::BTreeMap;

use super::facts::{Facts, distribution, median_of};
use super::{Finding, Kind, Severity, View, thresholds, words};
use crate::journey::GroupId;
use crate::kernel::{DropReason, Nanos, PacketId, Probe, Station, Verdict};

pub fn find(facts: &Facts) -> Vec<Finding> {
    let mut found = fragments(facts);
    found.extend(gro(facts));
    found.extend(coalescing(facts));
    found.extend(pieces(facts));
    found
}

/// The received fragments of one datagram.
#[derive(Debug, Default, Clone)]
struct Datagram {
    fragments: Vec<PacketId>,
    /// When the first fragment entered reassembly, and the last.
    first: Option<Nanos>,
    last: Nanos,
    timed_out: Option<Nanos>,
}

impl Datagram {
    const fn nanos(&self) -> u64 {
        match self.first {
            Some(first) => self.last.since(first),
            None => 0,
        }
    }
}

fn fragments(facts: &Facts) -> Vec<Finding> {
    let mut datagrams: BTreeMap<GroupId, Datagram> = BTreeMap::new();
    for id in facts.journeys.ids() {
        let packet = &facts.journeys.packets[id.at()];
        let Some(fragment) = packet.fragment else {
            continue;
        };
        let mut stays = facts.journeys.stays(id).iter();
        let Some(stay) = stays.find(|stay| stay.station == Station::Reassembly) else {
            continue;
        };
        let datagram = datagrams.entry(fragment.group).or_default();
        datagram.fragments.push(id);
        datagram.first.get_or_insert(stay.enter);
        datagram.last = datagram.last.max(stay.enter);
        let gone = Verdict::Dropped {
            reason: DropReason::FragReasmTimeout,
        };
        if packet.verdict == gone {
            datagram.timed_out.get_or_insert(packet.end);
        }
    }
    let is_whole = |group: &GroupId| facts.journeys.groups[group.0 as usize].whole.is_some();
    let (whole, broken): (Vec<_>, Vec<_>) = datagrams
        .into_iter()
        .partition(|(group, _)| is_whole(group));
    let whole: Vec<Datagram> = whole.into_iter().map(|(_, datagram)| datagram).collect();
    let broken: Vec<Datagram> = broken
        .into_iter()
        .map(|(_, datagram)| datagram)
        .filter(|datagram| datagram.timed_out.is_some())
        .collect();
    [reassembled(whole), incomplete(&broken)]
        .into_iter()
        .flatten()
        .collect()
}

fn reassembled(mut whole: Vec<Datagram>) -> Option<Finding> {
    let pieces: usize = whole.iter().map(|one| one.fragments.len()).sum();
    let times = distribution(whole.iter().map(Datagram::nanos));
    let places: Vec<usize> = (0..whole.len()).collect();
    let shown = median_of(&places, |at| whole[at].nanos())?;
    let title = words::reassembled(whole.len() as u64, pieces as u64);
    let detail = words::whole_after(times.median, times.max);
    let to = whole.iter().map(|one| one.last).max()?;
    let from = whole.iter().filter_map(|one| one.first).min()?;
    let shown = whole.swap_remove(shown);
    let finding = Finding::new(Kind::Reassembly, Severity::Info, title, detail)
        .between(from, to)
        .seen(shown.first?, *shown.fragments.first()?);
    Some(finding.to_packets(shown.fragments))
}

fn incomplete(broken: &[Datagram]) -> Option<Finding> {
    let first = broken.iter().min_by_key(|one| one.timed_out)?;
    let waited = broken
        .iter()
        .filter_map(|one| Some(one.timed_out?.since(one.first?)));
    let waited = distribution(waited);
    let came: usize = broken.iter().map(|one| one.fragments.len()).sum();
    let title = words::never_whole(broken.len() as u64);
    let detail = words::gave_up_after(came as u64, waited.median);
    let from = broken.iter().filter_map(|one| one.first).min()?;
    let to = broken.iter().filter_map(|one| one.timed_out).max()?;
    let finding = Finding::new(Kind::IncompleteDatagrams, Severity::Problem, title, detail)
        .between(from, to)
        .seen(first.timed_out?, *first.fragments.first()?)
        .on(View::Queues);
    Some(finding.to_packets(broken.iter().flat_map(|one| one.fragments.iter().copied())))
}

fn gro(facts: &Facts) -> Option<Finding> {
    let journeys = &facts.journeys;
    let merged = |&id: &PacketId| {
        let packet = &journeys.packets[id.at()];
        let last = journeys.stays(id).last().map(|stay| stay.station);
        matches!(packet.verdict, Verdict::Merged { .. })
            && packet.fragment.is_none()
            && last == Some(Station::Gro)
    };
    let merged: Vec<PacketId> = journeys.ids().filter(merged).collect();
    // Until when a head took in frames within GRO: what joins it later, in a queue of TCP, is none of them.
    let mut grown: BTreeMap<PacketId, Nanos> = BTreeMap::new();
    for &id in &merged {
        let Some(head) = journeys.goes_on_in(id).next() else {
            continue;
        };
        let until = grown.entry(head).or_insert(Nanos(0));
        *until = journeys.packets[id.at()].end.max(*until);
    }
    let sizes = grown.iter().map(|(&head, &until)| {
        let (bytes, frames) = facts.growth.at(journeys, head, until);
        (frames, std::cmp::Reverse(head), bytes)
    });
    let (largest_frames, std::cmp::Reverse(largest), bytes) = sizes.max()?;
    let heads: Vec<PacketId> = grown.into_keys().collect();
    let frames = merged.len() + heads.len();
    let title = words::gro(frames as u64, heads.len() as u64);
    let detail = words::gro_largest(largest, u64::from(largest_frames), u64::from(bytes));
    let enters = |id: PacketId| {
        let mut stays = journeys.stays(id).iter();
        stays
            .find(|stay| stay.station == Station::Gro)
            .map_or(journeys.packets[id.at()].start, |stay| stay.enter)
    };
    let from = journeys.packets[merged.first()?.at()].start;
    let to = merged
        .iter()
        .map(|id| journeys.packets[id.at()].end)
        .max()?;
    let finding = Finding::new(Kind::Gro, Severity::Info, title, detail)
        .between(from, to)
        .seen(enters(largest), largest);
    Some(finding.to_packets(heads))
}

/// Segments that TCP coalesced into the previous one in the receive queue.
fn coalescing(facts: &Facts) -> Option<Finding> {
    let passes = facts.passes(Probe::TcpTryCoalesce)?;
    let queued = facts.count(Probe::TcpQueueRcv);
    if !thresholds::FEW_PACKETS.is_reached(passes.count as f64) || queued < passes.count {
        return None;
    }
    let title = words::coalescing(passes.count.min(queued));
    let detail = words::coalescing_of(queued);
    let (from, to) = (facts.time(passes.first), facts.time(passes.last));
    let finding = Finding::new(Kind::Coalescing, Severity::Info, title, detail).between(from, to);
    Some(
        finding
            .seen(from, facts.packet_of(passes.first))
            .on(View::Queues),
    )
}

/// Packets of a recording that distinguishes their pieces (the 2005 toolkit's).
fn pieces(facts: &Facts) -> Option<Finding> {
    let in_pieces = |id: &PacketId| facts.has_pieces(*id);
    let all: Vec<PacketId> = facts.journeys.ids().filter(in_pieces).collect();
    let first = *all.first()?;
    let gap = |&id: &PacketId| {
        let stays = facts.journeys.stays(id);
        let second = stays.iter().find(|stay| stay.piece != stays[0].piece)?;
        Some((id, second.enter.since(stays[0].enter)))
    };
    let gaps: Vec<_> = all.iter().filter_map(gap).collect();
    let (shown, nanos) = median_of(&gaps, |(_, nanos)| nanos).unwrap_or((first, 0));
    let start = |id: PacketId| facts.journeys.packets[id.at()].start;
    let title = words::pieces(all.len() as u64);
    let finding = Finding::new(
        Kind::Pieces,
        Severity::Info,
        title,
        words::pieces_apart(nanos),
    )
    .between(start(first), facts.journeys.packets[all.last()?.at()].end)
    .seen(start(shown), shown);
    Some(finding.to_packets(all))
}
