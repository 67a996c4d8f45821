//! What became of the packets: how many were read, how long they took, where they waited, which
//! were lost.

use std::collections::BTreeMap;

use super::{Figures, Of, Quantity};
use crate::kernel::{
    Direction, DropReason, EventIdx, Field, Nanos, PacketId, Probe, Station, Verdict, VerdictKind,
};
use crate::measure::{Distribution, Sums, is_sent_again};
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

/// Packets that came in between two times, those included that this host had sent itself and those for which the NIC had no
/// descriptor; on a host that mostly sends, and where none came in, all that set out.
pub(super) fn packets(basis: &Basis<'_>, from: Nanos, to: Nanos, sends: bool) -> u64 {
    let journeys = basis.journeys;
    let came_in = |&id: &PacketId| {
        journeys.packets[id.at()].direction == Direction::Receive || journeys.comes_back(id)
    };
    let came_in = if sends {
        0
    } else {
        begun(basis, from, to).filter(came_in).count() as u64
    };
    if came_in > 0 {
        return came_in + missed(basis, from, to);
    }
    let set_out = |id: &PacketId| journeys.packets[id.at()].direction == Direction::Transmit;
    begun(basis, from, to).filter(set_out).count() as u64
}

/// The packets whose journeys begin between two times.
fn begun<'a>(basis: &Basis<'a>, from: Nanos, to: Nanos) -> impl Iterator<Item = PacketId> + 'a {
    let journeys = basis.journeys;
    journeys
        .ids()
        .filter(move |id| (from..=to).contains(&journeys.packets[id.at()].start))
}

pub(super) fn add(
    figures: &mut Figures,
    basis: &Basis<'_>,
    counted: &Sums,
    packets: u64,
    sends: bool,
) {
    let seconds = counted.to.since(counted.from) as f64 / 1e9;
    let each = |count: u64| count as f64 / packets as f64;
    let counters = &counted.counters;
    let arrivals = arrivals(basis, counted, sends);
    let (arrived, payload) = if sends {
        let payload = |one: &Arrival| u64::from(basis.journeys.packets[one.packet.at()].payload);
        (arrivals.len() as u64, arrivals.iter().map(payload).sum())
    } else {
        (counters.delivered, counters.bytes_delivered)
    };
    if arrived > 0 {
        figures.push(Quantity::PacketRate, Of::Run, arrived as f64 / seconds);
    }
    if payload > 0 {
        let bits = payload as f64 * 8.0;
        figures.push(Quantity::Throughput, Of::Run, bits / seconds);
    }
    figures.push(Quantity::Merged, Of::Run, each(counters.merged));
    figures.push(Quantity::HopsEach, Of::Run, each(counters.cross_cpu));
    latencies(figures, basis, &arrivals);
    drops(figures, basis, counted);
    let run = basis.run;
    let sent_again = |index: &EventIdx| is_sent_again(run, *index);
    let within = run.within(counted.from, counted.to);
    let mut all = within.filter(sent_again).peekable();
    let first = all.peek().copied();
    let seen = first.map(|index| (basis.journeys.packet_of[index.at()], run.time(index)));
    let seen = seen.filter(|(packet, _)| packet.is_some());
    let again = each(all.count() as u64);
    figures.see(Quantity::Retransmitted, Of::Run, again, seen);
}

/// A packet that came where it was sent: a process read it or, on a host that mostly sends, the NIC took it.
struct Arrival {
    packet: PacketId,
    to: Nanos,
}

/// Those that arrived between the two times.
fn arrivals(basis: &Basis<'_>, counted: &Sums, sends: bool) -> Vec<Arrival> {
    let journeys = basis.journeys;
    let kind = if sends {
        VerdictKind::Transmitted
    } else {
        VerdictKind::Delivered
    };
    let its = journeys
        .ids()
        .filter(|id| journeys.packets[id.at()].verdict.kind() == kind);
    let arrival = |packet: PacketId| Arrival {
        packet,
        to: match kind {
            VerdictKind::Transmitted => journeys.given_to_nic(packet),
            _ => journeys.packets[packet.at()].end,
        },
    };
    its.map(arrival)
        .filter(|one| counted.from <= one.to && one.to <= counted.to)
        .collect()
}

/// Times of the packets that arrived, as a whole and by station.
fn latencies(figures: &mut Figures, basis: &Basis<'_>, arrivals: &[Arrival]) {
    let journeys = basis.journeys;
    let mut times: Vec<(u64, PacketId)> = Vec::new();
    let (mut payload, mut frames) = (0, 0);
    let mut stays: BTreeMap<Station, [u64; 2]> = BTreeMap::new();
    let mut longest: BTreeMap<Station, (u64, PacketId, Nanos)> = BTreeMap::new();
    for &Arrival { packet: id, to } in arrivals {
        let packet = &journeys.packets[id.at()];
        times.push((to.since(journeys.set_out(id)), id));
        if packet.payload > 0 {
            payload += u64::from(packet.payload);
            frames += u64::from(packet.parts.max(1));
        }
        for stay in journeys.stays(id).iter().filter(|stay| stay.enter < to) {
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
        Some((at, journeys.set_out(at)))
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

fn drops(figures: &mut Figures, basis: &Basis<'_>, counted: &Sums) {
    let mut by_reason: BTreeMap<DropReason, u64> = counted.drops.iter().copied().collect();
    let missed = missed(basis, counted.from, counted.to);
    if missed > 0 {
        *by_reason.entry(DropReason::RxRingFull).or_default() += missed;
    }
    // Of all: a queue refuses what goes out as well as what comes in.
    let all = begun(basis, counted.from, counted.to).count() as u64 + missed;
    let share = |count: u64| count as f64 / all as f64;
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
