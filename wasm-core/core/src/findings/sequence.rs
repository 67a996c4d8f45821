//! The order in which data arrives: gaps, reordering, retransmissions, refusals.

use std::collections::BTreeMap;

use super::facts::{Facts, distribution};
use super::{Finding, Kind, Severity, View, words};
use crate::journey::{FlowId, Stay};
use crate::kernel::protocol::UDP;
use crate::kernel::{Direction, EventIdx, PacketId, Probe, Station, Verdict};
use crate::measure::is_sent_again;
use crate::order;

pub fn find(facts: &Facts) -> Vec<Finding> {
    let found = [
        out_of_order(facts),
        reordering(facts),
        retransmissions(facts),
        seen_again(facts),
        refusals(facts),
    ];
    found.into_iter().flatten().collect()
}

/// Segments that waited in TCP's out-of-order queue.
fn out_of_order(facts: &Facts) -> Option<Finding> {
    let waited = |id: PacketId| {
        let mut stays = facts.journeys.stays(id).iter();
        let stay: &Stay = stays.find(|stay| stay.station == Station::OutOfOrder)?;
        Some((id, *stay))
    };
    let all: Vec<_> = facts.journeys.ids().filter_map(waited).collect();
    let times = distribution(all.iter().map(|(_, stay)| stay.duration()));
    let (packet, shown) = *all.first()?;
    let title = words::out_of_order(all.len() as u64);
    let detail = words::gap_filled_after(times.median, times.max);
    let to = all.iter().map(|(_, stay)| stay.leave).max()?;
    let finding = Finding::new(Kind::OutOfOrder, Severity::Notice, title, detail)
        .between(shown.enter, to)
        .seen(shown.enter, packet)
        .on(View::Queues);
    Some(finding.to_packets(all.iter().map(|(id, _)| *id)))
}

/// Numbered packets read after one with a higher number, by flow.
fn reordering(facts: &Facts) -> Option<Finding> {
    if !facts.is_read {
        return None;
    }
    let journeys = &facts.journeys;
    let mut by_end: Vec<_> = facts
        .arrivals
        .iter()
        .map(|one| (one.to, one.packet))
        .collect();
    order::sort(&mut by_end);
    let mut highest: BTreeMap<(FlowId, u32), u32> = BTreeMap::new();
    let mut late = Vec::new();
    for (_, id) in by_end {
        let packet = &journeys.packets[id.at()];
        let flow = journeys.flows.get(packet.flow.0 as usize);
        // TCP delivers in order; its out-of-order queue has a finding of its own.
        let Some(mark) = packet
            .mark
            .filter(|_| flow.is_some_and(|flow| flow.protocol == UDP))
        else {
            continue;
        };
        let highest = highest
            .entry((packet.flow, mark.thread))
            .or_insert(mark.packet);
        if mark.packet < *highest {
            late.push(id);
        }
        *highest = mark.packet.max(*highest);
    }
    let first = *late.first()?;
    let end = |id: PacketId| journeys.packets[id.at()].end;
    let title = words::reordering(late.len() as u64);
    let detail = words::reordering_of(facts.arrivals.len() as u64);
    let finding = Finding::new(Kind::Reordering, Severity::Notice, title, detail)
        .between(end(first), end(*late.last()?))
        .seen(journeys.packets[first.at()].start, first);
    Some(finding.to_packets(late))
}

/// Segments that this host retransmitted.
fn retransmissions(facts: &Facts) -> Option<Finding> {
    let is_sent = |event: &EventIdx| is_sent_again(&facts.run, *event);
    let events: Vec<EventIdx> = facts
        .events_of(Probe::TcpRetransmitSkb)
        .filter(is_sent)
        .collect();
    let (first, last) = (*events.first()?, *events.last()?);
    let sent = facts.count(Probe::TcpTransmitSkb);
    let title = words::retransmissions(events.len() as u64);
    // Without kprobes the number of sent segments is unknown.
    let detail = match sent {
        0 => words::retransmissions_of_unseen(),
        sent => words::retransmissions_of(sent),
    };
    let (from, to) = (facts.time(first), facts.time(last));
    let finding = Finding::new(Kind::Retransmissions, Severity::Notice, title, detail)
        .between(from, to)
        .seen(from, facts.packet_of(first));
    let packets = events.into_iter().map(|event| facts.packet_of(event));
    Some(finding.to_packets(packets))
}

/// The start sequence numbers of the segments of a TCP flow that a receiver saw.
#[derive(Debug, Default)]
struct Seen {
    /// In sequence order from the first, each with its packet.
    starts: Vec<(u32, PacketId)>,
}

impl Seen {
    /// Adds a segment. Returns the earlier packet with the same start, if there is one.
    fn note(&mut self, seq: u32, packet: PacketId) -> Option<PacketId> {
        // Sequence numbers wrap: they are compared by their difference (RFC 9293 section 3.4).
        let is_before = |other: u32| (other.wrapping_sub(seq) as i32) < 0;
        match self.starts.last() {
            Some(&(last, _)) if !is_before(last) => {
                let place = self.starts.partition_point(|&(other, _)| is_before(other));
                if self.starts[place].0 == seq {
                    return Some(self.starts[place].1);
                }
                self.starts.insert(place, (seq, packet));
            }
            _ => self.starts.push((seq, packet)),
        }
        None
    }
}

/// Received segments whose bytes had been received before: retransmissions of the sender.
fn seen_again(facts: &Facts) -> Option<Finding> {
    let journeys = &facts.journeys;
    let mut flows: BTreeMap<FlowId, Seen> = BTreeMap::new();
    let mut again = Vec::new();
    for id in journeys.ids() {
        let packet = &journeys.packets[id.at()];
        let is_data = packet.direction == Direction::Receive && packet.payload > 0;
        let (Some(seq), true) = (packet.seq, is_data && packet.flow != FlowId::NONE) else {
            continue;
        };
        let seen = flows.entry(packet.flow).or_default();
        again.extend(seen.note(seq, id).map(|first| (first, id)));
    }
    let &(first, shown) = again.first()?;
    let packet = |id: PacketId| &journeys.packets[id.at()];
    let dropped = |(first, _): &&(PacketId, PacketId)| {
        matches!(packet(*first).verdict, Verdict::Dropped { .. })
    };
    let dropped = again.iter().filter(dropped).count() as u64;
    let gaps = again
        .iter()
        .map(|&(first, id)| packet(id).start.since(packet(first).start));
    let gaps = distribution(gaps);
    // No event on this host reports the retransmission; it follows from the sequence numbers.
    let title = words::seen_again(again.len() as u64).inferred();
    let detail = words::seen_again_after(gaps.median, dropped);
    let last = again.last().map_or(shown, |&(_, id)| id);
    let finding = Finding::new(Kind::Retransmissions, Severity::Notice, title, detail)
        .between(packet(first).start, packet(last).start)
        .seen(packet(shown).start, shown);
    Some(finding.to_packets(again.iter().map(|&(_, id)| id)))
}

/// ICMP errors and TCP resets that this host sent.
fn refusals(facts: &Facts) -> Option<Finding> {
    let (errors, resets) = (
        facts.count(Probe::IcmpSend),
        facts.count(Probe::TcpSendReset),
    );
    let passes: Vec<_> = [Probe::IcmpSend, Probe::TcpSendReset]
        .into_iter()
        .filter_map(|probe| facts.passes(probe))
        .collect();
    let first = passes.iter().map(|passes| passes.first).min()?;
    let last = passes.iter().map(|passes| passes.last).max()?;
    let title = words::refusals(errors + resets);
    let detail = words::refusals_are(errors, resets);
    let (from, to) = (facts.time(first), facts.time(last));
    let finding = Finding::new(Kind::Refusals, Severity::Info, title, detail).between(from, to);
    let answered = facts.packet_of(first);
    let packet = if answered.is_some() {
        answered
    } else {
        // The packet that this CPU processed just before is the refused one.
        let before = (0..first.0).rev().take(64).map(EventIdx);
        let same_cpu = |event: &EventIdx| facts.run.cpu[event.at()] == facts.run.cpu[first.at()];
        let mut packets = before.filter(same_cpu).map(|event| facts.packet_of(event));
        packets
            .find(|packet| packet.is_some())
            .unwrap_or(PacketId::NONE)
    };
    Some(finding.seen(from, packet))
}
