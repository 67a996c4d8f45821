//! What became of the packets: how many were read, how long they took, where they waited, which
//! were lost.

use std::collections::BTreeMap;

use super::{Figures, Of, Quantity};
use crate::kernel::{
    Direction, DropReason, EventIdx, Field, Nanos, PacketId, Probe, Station, Verdict, VerdictKind,
};
use crate::measure::{Distribution, Sums};
use crate::replay::Basis;

/// Frames that found no descriptor in the NIC's ring between two times and were never packets.
fn missed(basis: &Basis<'_>, from: Nanos, to: Nanos) -> u64 {
    let run = basis.run;
    let is_missed = |index: &EventIdx| {
        let is_no_packet = !basis.journeys.packet_of[index.at()].is_some();
        run.probe[index.at()] == Probe::RxMissed && is_no_packet
    };
    let frames = |index: EventIdx| run.field(index, Field::Packets).map_or(1, u64::from);
    run.within(from, to).filter(is_missed).map(frames).sum()
}

/// Packets that came in over the link between two times, those included for which the NIC had no
/// descriptor; where there is no link, all that set out.
pub(super) fn packets(basis: &Basis<'_>, from: Nanos, to: Nanos) -> u64 {
    let within = basis.journeys.packets.iter();
    let within = within.filter(|packet| from <= packet.start && packet.start <= to);
    let count = |direction| {
        let its = within
            .clone()
            .filter(|packet| packet.direction == direction);
        its.count() as u64
    };
    match count(Direction::Receive) {
        0 => count(Direction::Transmit),
        received => received + missed(basis, from, to),
    }
}

pub(super) fn add(figures: &mut Figures, basis: &Basis<'_>, counted: &Sums, packets: u64) {
    let seconds = counted.to.since(counted.from) as f64 / 1e9;
    let each = |count: u64| count as f64 / packets as f64;
    let counters = &counted.counters;
    if counters.delivered > 0 {
        figures.push(
            Quantity::PacketRate,
            Of::Run,
            counters.delivered as f64 / seconds,
        );
    }
    if counters.bytes_delivered > 0 {
        let bits = counters.bytes_delivered as f64 * 8.0;
        figures.push(Quantity::Throughput, Of::Run, bits / seconds);
    }
    figures.push(Quantity::Merged, Of::Run, each(counters.merged));
    figures.push(Quantity::HopsEach, Of::Run, each(counters.cross_cpu));
    latencies(figures, basis, counted);
    drops(figures, basis, counted, packets);
    let run = basis.run;
    let sent_again = |index: &EventIdx| run.probe[index.at()] == Probe::TcpRetransmitSkb;
    let within = run.within(counted.from, counted.to);
    let mut all = within.filter(sent_again).peekable();
    let first = all.peek().copied();
    let seen = first.map(|index| (basis.journeys.packet_of[index.at()], run.time(index)));
    let seen = seen.filter(|(packet, _)| packet.is_some());
    let again = each(all.count() as u64);
    figures.see(Quantity::Retransmitted, Of::Run, again, seen);
}

/// Times of the packets that were read, as a whole and by station.
fn latencies(figures: &mut Figures, basis: &Basis<'_>, counted: &Sums) {
    let journeys = basis.journeys;
    let mut times: Vec<(u64, PacketId)> = Vec::new();
    let (mut payload, mut frames) = (0, 0);
    let mut stays: BTreeMap<Station, [u64; 2]> = BTreeMap::new();
    let mut longest: BTreeMap<Station, (u64, PacketId, Nanos)> = BTreeMap::new();
    for id in journeys.ids() {
        let packet = &journeys.packets[id.at()];
        let is_within = counted.from <= packet.end && packet.end <= counted.to;
        if packet.verdict.kind() != VerdictKind::Delivered || !is_within {
            continue;
        }
        times.push((packet.end.since(packet.start), id));
        if packet.payload > 0 {
            payload += u64::from(packet.payload);
            frames += u64::from(packet.parts.max(1));
        }
        for stay in journeys.stays(id) {
            let service = stay.service.min(stay.duration());
            let wait = stay.duration() - service;
            let sums = stays.entry(stay.station).or_default();
            *sums = [sums[0] + wait, sums[1] + service];
            let most = longest.entry(stay.station).or_insert((0, id, stay.enter));
            if wait > most.0 {
                *most = (wait, id, stay.enter);
            }
        }
    }
    if times.is_empty() {
        return;
    }
    if frames > 0 {
        let each = payload as f64 / frames as f64;
        figures.push(Quantity::PayloadEach, Of::Run, each);
    }
    let all = Distribution::of(times.iter().map(|&(nanos, _)| nanos).collect());
    let seen = |nanos: u64| {
        let at = times.iter().find(|&&(time, _)| time == nanos)?.1;
        Some((at, journeys.packets[at.at()].start))
    };
    let (median, tail) = (seen(all.median), seen(all.p99));
    figures.see(Quantity::LatencyMedian, Of::Run, all.median as f64, median);
    figures.see(Quantity::LatencyTail, Of::Run, all.p99 as f64, tail);
    figures.push(Quantity::LatencyMean, Of::Run, all.mean);
    figures.tell(Quantity::WaitEach);
    figures.tell(Quantity::ServiceEach);
    let mean = |sum: u64| sum as f64 / times.len() as f64;
    for (station, [wait, service]) in stays {
        let of = || Of::Station(station);
        let seen = longest.get(&station).map(|&(_, id, at)| (id, at));
        if wait > 0 {
            figures.see(Quantity::WaitEach, of(), mean(wait), seen);
        }
        if service > 0 {
            figures.push(Quantity::ServiceEach, of(), mean(service));
        }
    }
}

fn drops(figures: &mut Figures, basis: &Basis<'_>, counted: &Sums, packets: u64) {
    let mut by_reason: BTreeMap<DropReason, u64> = counted.drops.iter().copied().collect();
    let missed = missed(basis, counted.from, counted.to);
    if missed > 0 {
        *by_reason.entry(DropReason::RxRingFull).or_default() += missed;
    }
    let share = |count: u64| count as f64 / packets as f64;
    figures.tell(Quantity::Dropped);
    figures.push(Quantity::Dropped, Of::Run, share(by_reason.values().sum()));
    for (reason, count) in by_reason {
        let first = basis.journeys.ids().find(|id| {
            let packet = &basis.journeys.packets[id.at()];
            packet.verdict == Verdict::Dropped { reason }
                && (counted.from..=counted.to).contains(&packet.end)
        });
        let seen = first.map(|id| (id, basis.journeys.packets[id.at()].end));
        figures.see(Quantity::Dropped, Of::Reason(reason), share(count), seen);
    }
}
