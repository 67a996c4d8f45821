//! Two runs packet by packet: which packet of the one is which of the other, and where their ways
//! part. Both are laid on one clock, which counts from the start of each.
//!
//! A packet is told by its flow and by what it carries there: the sequence number of its first byte
//! counted from the flow's first, the marker of the kperf generator, its place in its datagram. Of
//! packets that carry the same (retransmissions, ACKs, datagrams without a marker) the first is the
//! first; one of which too little is known is told by those before it. Flows are the same whose ends
//! are; of those that are left, the ones that have most in common, in the order in which they begin,
//! so that two recordings can be compared whose clients had other ports.

mod likes;
mod said;

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use self::likes::likes;
use crate::journey::{Flow, Journeys, Packet, Stay};
use crate::kernel::{CpuId, Direction, Nanos, Origin, PacketId, Station, Verdict};
use crate::opened::Opened;
use crate::order;

/// What has to be known of a run to lay it beside another; serialisable, because runs live apart.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Routes {
    /// The start on the run's own clock.
    start: u64,
    /// Its own clock is the simulation's: that of all simulations.
    is_simulated: bool,
    flows: Vec<Ends>,
    packets: Vec<Route>,
}

/// A flow's ends: protocol, addresses, ports; as [`Flow`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Ends {
    protocol: u8,
    addresses: [Option<IpAddr>; 2],
    ports: [u16; 2],
}

/// The way of a packet. Row `i` is packet `i`.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Route {
    /// Place in [`Routes::flows`].
    flow: Option<u32>,
    cargo: Cargo,
    /// Nanoseconds from the run's start.
    start: i64,
    end: i64,
    ending: Ending,
    stops: Vec<Stop>,
}

/// What tells a packet from others of its flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Cargo {
    is_sent: bool,
    /// First byte of its TCP payload, counted from the flow's first.
    byte: Option<u32>,
    has_payload: bool,
    /// Thread and number of the kperf generator's marker.
    mark: Option<(u32, u32)>,
    /// First byte of its datagram that it carries.
    fragment: Option<u32>,
    is_cut: bool,
}

/// How a packet ended: the glossary's indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Ending {
    verdict: u8,
    reason: Option<u8>,
}

/// A stay, without when it ended.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Stop {
    station: u8,
    cpu: u16,
    enter: i64,
}

type Place = (Station, CpuId);

/// Where two runs part at a packet.
#[derive(Debug, Clone, PartialEq)]
pub struct Parting {
    /// When it is first to be seen, in the run that shows it first: nanoseconds from the start of A.
    pub at: i64,
    /// The packet in each run; none where it is in the other alone.
    pub packets: [Option<PacketId>; 2],
    /// What is different.
    pub kind: PartingKind,
}

/// In what two runs part at a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartingKind {
    /// It goes the same way at another time.
    Time,
    /// It comes to a station on another CPU.
    Cpu,
    /// It goes elsewhere.
    Station,
    /// It ends otherwise, or where it goes on in the other run.
    End,
    /// It is in one of both alone.
    Missing,
}

impl PartingKind {
    /// Its name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Cpu => "cpu",
            Self::Station => "station",
            Self::End => "end",
            Self::Missing => "missing",
        }
    }
}

/// Two runs beside each other.
#[derive(Debug, Clone)]
pub struct Abreast {
    runs: [Routes; 2],
    /// How many nanoseconds the second run starts after the first, on their common clock.
    pub shift: i64,
    /// For each packet of each run its like in the other.
    pub likes: [Vec<PacketId>; 2],
    /// The first moment at which anything differs, be it only the time; none where all is the same.
    pub first: Option<Parting>,
    /// The packets whose ways are not the same, by time; other times alone do not count.
    pub partings: Vec<Parting>,
}

impl Routes {
    /// The routes of a run.
    pub fn of(opened: &Opened) -> Self {
        let journeys = &opened.journeys;
        let start = opened.run.start();
        let since = |at: Nanos| at.since(start) as i64;
        let mut firsts: Vec<Option<u32>> = vec![None; journeys.flows.len()];
        for packet in &journeys.packets {
            if let Some(first) = firsts.get_mut(packet.flow.0 as usize) {
                *first = first.or(packet.seq);
            }
        }
        let route = |(id, packet): (PacketId, &Packet)| Route {
            flow: firsts.get(packet.flow.0 as usize).map(|_| packet.flow.0),
            cargo: Cargo::of(packet, &firsts),
            start: since(packet.start),
            end: since(packet.end),
            ending: Ending::of(packet.verdict),
            stops: stops(journeys, id, |stay| since(stay.enter)),
        };
        Self {
            start: start.0,
            is_simulated: opened.run.origin == Origin::Simulated,
            flows: journeys.flows.iter().map(Ends::of).collect(),
            packets: journeys.ids().zip(&journeys.packets).map(route).collect(),
        }
    }

    /// Has everything happen so much later.
    fn move_by(&mut self, shift: i64) {
        for route in &mut self.packets {
            route.start += shift;
            route.end += shift;
            for stop in &mut route.stops {
                stop.enter += shift;
            }
        }
    }

    fn of_packet(&self, packet: PacketId) -> &Route {
        &self.packets[packet.at()]
    }
}

fn stops(journeys: &Journeys, packet: PacketId, enter: impl Fn(&Stay) -> i64) -> Vec<Stop> {
    let stop = |stay: &Stay| Stop {
        station: stay.station as u8,
        cpu: stay.cpu.0,
        enter: enter(stay),
    };
    journeys.stays(packet).iter().map(stop).collect()
}

impl Ends {
    const fn of(flow: &Flow) -> Self {
        Self {
            protocol: flow.protocol,
            addresses: [flow.source, flow.destination],
            ports: [flow.source_port, flow.destination_port],
        }
    }
}

impl Cargo {
    fn of(packet: &Packet, firsts: &[Option<u32>]) -> Self {
        let first = firsts.get(packet.flow.0 as usize).copied().flatten();
        Self {
            is_sent: packet.direction == Direction::Transmit,
            byte: packet
                .seq
                .map(|seq| seq.wrapping_sub(first.unwrap_or_default())),
            has_payload: packet.payload > 0,
            mark: packet.mark.map(|mark| (mark.thread, mark.packet)),
            fragment: packet.fragment.map(|fragment| fragment.from),
            is_cut: packet.cut_from.is_some(),
        }
    }
}

impl Route {
    /// Whether something tells it from packets of other flows and places.
    const fn is_known(&self) -> bool {
        self.flow.is_some() || self.cargo.byte.is_some() || self.cargo.mark.is_some()
    }
}

impl Ending {
    const fn of(verdict: Verdict) -> Self {
        Self {
            verdict: verdict.kind() as u8,
            reason: match verdict {
                Verdict::Dropped { reason } => Some(reason as u8),
                _ => None,
            },
        }
    }
}

impl Abreast {
    /// Lays a run beside another.
    pub fn of(runs: [Routes; 2]) -> Self {
        let mut runs = runs;
        let likes = likes(&runs);
        let shift = shift(&runs, &likes[0]);
        runs[1].move_by(shift);
        let mut partings = Vec::new();
        let mut first: Option<Parting> = None;
        let mut note = |parting: Parting| {
            if first.as_ref().is_none_or(|first| parting.at < first.at) {
                first = Some(parting.clone());
            }
            if parting.kind != PartingKind::Time {
                partings.push(parting);
            }
        };
        for (here, &there) in likes[0].iter().enumerate() {
            let here = PacketId(here as u32);
            if there.is_some() {
                let pair = [runs[0].of_packet(here), runs[1].of_packet(there)];
                for (at, kind) in parting(pair) {
                    note(Parting {
                        at,
                        packets: [Some(here), Some(there)],
                        kind,
                    });
                }
            } else {
                let at = runs[0].of_packet(here).start;
                note(Parting {
                    at,
                    packets: [Some(here), None],
                    kind: PartingKind::Missing,
                });
            }
        }
        for (there, _) in likes[1]
            .iter()
            .enumerate()
            .filter(|(_, like)| !like.is_some())
        {
            let there = PacketId(there as u32);
            let at = runs[1].of_packet(there).start;
            note(Parting {
                at,
                packets: [None, Some(there)],
                kind: PartingKind::Missing,
            });
        }
        order::sort_by_key(&mut partings, |parting| (parting.at, parting.packets));
        Self {
            runs,
            shift,
            likes,
            first,
            partings,
        }
    }
}

impl Stop {
    fn place(&self) -> Option<Place> {
        Some((Station::from_index(self.station)?, CpuId(self.cpu)))
    }

    const fn is_at(&self, other: &Self) -> bool {
        self.station == other.station && self.cpu == other.cpu
    }
}

/// How many stops two routes have in common before they part.
fn common(a: &Route, b: &Route) -> usize {
    let both = a.stops.iter().zip(&b.stops);
    both.take_while(|(here, there)| here.is_at(there)).count()
}

/// The first station of a common way that two packets do not come to at the same time, with both times;
/// of their ends where it is those.
fn other_time(a: &Route, b: &Route) -> Option<(Option<Place>, i64, i64)> {
    let mut both = a.stops.iter().zip(&b.stops);
    let moved = both.find(|(here, there)| here.enter != there.enter);
    moved
        .map(|(here, there)| (here.place(), here.enter, there.enter))
        .or((a.end != b.end).then_some((None, a.end, b.end)))
}

/// When two packets that are the same first go at other times, and when their ways part, if they do.
fn parting([a, b]: [&Route; 2]) -> impl Iterator<Item = (i64, PartingKind)> {
    let way = way_parting(a, b);
    let moved = other_time(a, b).map(|(_, here, there)| (here.min(there), PartingKind::Time));
    let is_first = |(at, _): &(i64, PartingKind)| way.is_none_or(|(parted, _)| *at < parted);
    moved.filter(is_first).into_iter().chain(way)
}

fn way_parting(a: &Route, b: &Route) -> Option<(i64, PartingKind)> {
    let at = common(a, b);
    let end = |route: &Route| route.stops.get(at).map_or(route.end, |stop| stop.enter);
    let when = end(a).min(end(b));
    match (a.stops.get(at), b.stops.get(at)) {
        (Some(here), Some(there)) if here.station == there.station => {
            Some((when, PartingKind::Cpu))
        }
        (Some(_), Some(_)) => Some((when, PartingKind::Station)),
        (None, None) if a.ending == b.ending => None,
        _ => Some((when, PartingKind::End)),
    }
}

/// By how much later the second run starts. Simulations have one clock; of anything else the first
/// packet that both have comes at one moment.
fn shift([first, second]: &[Routes; 2], likes: &[PacketId]) -> i64 {
    if first.is_simulated && second.is_simulated {
        return second.start as i64 - first.start as i64;
    }
    let mut pairs = first.packets.iter().zip(likes);
    let pair = pairs.find(|(_, like)| like.is_some());
    pair.map_or(0, |(here, &there)| {
        here.start - second.of_packet(there).start
    })
}
