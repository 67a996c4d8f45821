//! The journeys as a whole: their duration, the queue where packets wait most, the longest wait.

use super::facts::{Facts, distribution, median_of, share};
use super::{Finding, Kind, Severity, View, thresholds, words};
use crate::journey::{Stay, Wait};
use crate::kernel::{Nanos, PacketId, Station, Verdict, sum_of_nanos};
use crate::saying::Saying;

pub fn find(facts: &Facts) -> Vec<Finding> {
    let found = [
        typical_journey(facts),
        longest_wait(facts),
        most_of_the_way(facts),
        loopback(facts),
    ];
    found.into_iter().flatten().collect()
}

/// The messages about the typical duration and about all durations.
type Title = fn(u64) -> Saying;
type Detail = fn(u64, u64, u64, u64, u64) -> Saying;

/// The median duration of the arrived packets, and a typical one of them to show. That one is chosen also by its
/// stations and pieces, so its own duration may differ.
fn typical_journey(facts: &Facts) -> Option<Finding> {
    let arrived = |packet| {
        let place = facts
            .arrivals
            .binary_search_by_key(&packet, |one| one.packet);
        place.ok().map(|place| facts.arrivals[place])
    };
    // The film opens with the same packet. If most packets are dropped, none that arrives is typical.
    let typical = facts.journeys.typical().and_then(arrived)?;
    let times = distribution(facts.arrivals.iter().map(|one| one.nanos()));
    let first = facts.arrivals.first()?;
    let (title, detail): (Title, Detail) = if facts.is_read {
        (words::typical_read, words::journeys_read)
    } else {
        (words::typical_sent, words::journeys_sent)
    };
    let title = title(times.median);
    let detail = detail(
        times.count,
        times.min,
        times.max,
        first.nanos(),
        typical.nanos(),
    );
    let finding = Finding::new(Kind::TypicalJourney, Severity::Info, title, detail)
        .between(typical.from, typical.to)
        .to_packets([typical.packet, first.packet]);
    Some(finding.seen(typical.from, typical.packet))
}

fn longest_wait(facts: &Facts) -> Option<Finding> {
    let wait = *facts.journeys.longest_waits(1).first()?;
    let stay = wait.stay(&facts.journeys);
    let packet = &facts.journeys.packets[wait.packet.at()];
    let usual = usual_wait(facts, wait, stay.station);
    let whole = packet.end.since(facts.journeys.set_out(wait.packet));
    let title = words::longest_wait(wait.nanos, stay.station);
    let detail = waits_for(stay.station)(wait.packet, share(wait.nanos, whole), usual);
    let begin = Nanos(stay.leave.0 - wait.nanos);
    let view = if stay.station.is_queue() {
        View::Queues
    } else {
        View::Scheduler
    };
    let finding = Finding::new(Kind::LongestWait, Severity::Notice, title, detail)
        .between(begin, stay.leave)
        .to_packets([wait.packet]);
    Some(finding.seen(begin, wait.packet).on(view))
}

/// The median wait at a station, in nanoseconds: of the packets that both findings tell of. Where none of these ever
/// waits, of all whose data arrived: what goes on in another packet, or the other way on this host.
fn usual_wait(facts: &Facts, longest: Wait, station: Station) -> u64 {
    let of_arrivals = waits_at(facts, station, facts.arrivals.iter().map(|one| one.packet));
    let journeys = &facts.journeys;
    let waits = if of_arrivals.is_empty() {
        let arrived = journeys.ids().filter(|&id| journeys.has_arrived(id));
        waits_at(facts, station, arrived)
    } else {
        of_arrivals
    };
    let times = distribution(waits.iter().map(|(_, stay)| stay.wait()));
    if times.count > 0 {
        times.median
    } else {
        longest.nanos
    }
}

/// Those of some packets that wait at a station, each with its longest stay there: a packet waits once, however many
/// pieces of it a recording distinguishes.
fn waits_at<'a>(
    facts: &'a Facts,
    station: Station,
    packets: impl Iterator<Item = PacketId>,
) -> Vec<(PacketId, &'a Stay)> {
    let longest = |packet: PacketId| {
        let stays = facts.journeys.stays(packet).iter();
        let there = stays.filter(|stay| stay.station == station && stay.wait() > 0);
        Some((packet, there.max_by_key(|stay| stay.wait())?))
    };
    packets.filter_map(longest).collect()
}

/// The message about what a packet waits for at a station.
fn waits_for(station: Station) -> fn(PacketId, f64, u64) -> Saying {
    match station {
        Station::Wire => words::waits_on_wire,
        Station::RxRing => words::waits_for_poll,
        Station::Gro => words::waits_in_gro,
        Station::Backlog => words::waits_in_backlog,
        Station::Reassembly => words::waits_for_fragments,
        Station::SocketBacklog => words::waits_for_socket,
        Station::Prequeue => words::waits_in_prequeue,
        Station::OutOfOrder => words::waits_for_gap,
        Station::ReceiveQueue => words::waits_for_reader,
        Station::WriteQueue => words::waits_for_window,
        Station::Qdisc => words::waits_in_qdisc,
        Station::TxRing | Station::WireSend => words::waits_for_nic,
        _ => words::waits_for_cpu,
    }
}

/// The queue in which the arrived packets together spend most of their time.
fn most_of_the_way(facts: &Facts) -> Option<Finding> {
    if !thresholds::FEW_PACKETS.is_reached(facts.arrivals.len() as f64) {
        return None;
    }
    // Pieces of a packet are under way concurrently, so stays are added up instead of journeys.
    let mut waited = vec![0_u64; Station::ALL.len()];
    let (mut whole, mut worked) = (0, 0);
    for arrival in &facts.arrivals {
        for stay in facts.journeys.stays(arrival.packet) {
            if stay.enter < arrival.to {
                let waited = &mut waited[stay.station as usize];
                *waited = sum_of_nanos([*waited, stay.wait()]);
                whole = sum_of_nanos([whole, stay.duration()]);
                worked = sum_of_nanos([worked, stay.service]);
            }
        }
    }
    let queues = Station::ALL.iter().filter(|station| station.is_queue());
    let most = *queues.max_by_key(|&&station| waited[station as usize])?;
    let part = share(waited[most as usize], whole).min(1.0);
    if !thresholds::MOST_OF_THE_WAY.is_reached(part) {
        return None;
    }
    let arrived = facts.arrivals.iter().map(|one| one.packet);
    let waits = waits_at(facts, most, arrived);
    let (packet, stay) = median_of(&waits, |(_, stay)| stay.wait())?;
    let title = words::most_of_the_way(part, most);
    let detail = words::where_the_time_goes(stay.wait(), share(worked, whole));
    let (from, to) = facts.stretch();
    let finding = Finding::new(Kind::MostOfTheWay, Severity::Info, title, detail)
        .between(from, to)
        .to_packets(waits.iter().map(|(packet, _)| *packet));
    Some(finding.seen(stay.enter, packet).on(View::Queues))
}

/// Packets that are sent and received again on the same host, and end there in any way.
fn loopback(facts: &Facts) -> Option<Finding> {
    let both: Vec<PacketId> = facts
        .journeys
        .ids()
        .filter(|&packet| facts.journeys.comes_back(packet) && ends_here(facts, packet))
        .collect();
    if !thresholds::FEW_PACKETS.is_reached(both.len() as f64) {
        return None;
    }
    let turns: Vec<_> = both
        .iter()
        .filter_map(|&packet| Some((packet, turn(facts.journeys.behind_driver(packet))?)))
        .collect();
    let (packet, (moment, _)) = median_of(&turns, |(_, (_, nanos))| nanos)?;
    let nanos = distribution(turns.iter().map(|&(_, (_, nanos))| nanos));
    let title = words::loopback(both.len() as u64);
    let detail = words::loopback_turn(nanos.median, nanos.max);
    let rows = both.iter().map(|id| &facts.journeys.packets[id.at()]);
    let from = rows.clone().map(|row| row.start).min()?;
    let to = rows.map(|row| row.end).max()?;
    let finding = Finding::new(Kind::Loopback, Severity::Info, title, detail)
        .between(from, to)
        .to_packets(both);
    Some(finding.seen(moment, packet))
}

/// Whether a packet, or the one it was merged into, has ended without being transmitted by a NIC.
fn ends_here(facts: &Facts, packet: PacketId) -> bool {
    let last = facts.journeys.goes_on_in(packet).last().unwrap_or(packet);
    let verdict = facts.journeys.packets[last.at()].verdict;
    !matches!(verdict, Verdict::Open | Verdict::Transmitted)
}

/// When a packet reached the sending device before it was received again, and how long that took in nanoseconds; of its
/// stays from the device on.
fn turn(behind: &[Stay]) -> Option<(Nanos, u64)> {
    let up = behind
        .iter()
        .position(|stay| stay.station == Station::NetCore)?;
    let down = behind[..up]
        .iter()
        .rfind(|stay| stay.station == Station::DriverSend)?;
    Some((down.enter, behind[up].enter.since(down.enter)))
}
