//! Measures of a stretch of a run: layer times, throughput, drops, interrupts and
//! polls, queue depths, time by context.
//!
//! A time belongs to the stretch in which it ends, so adjoining stretches share
//! nothing and miss nothing. Times are whole nanoseconds; only means are not.

pub mod accounting;
mod distribution;
mod machine;
mod passages;
mod search;
mod served;
mod sums;
mod tcp;
#[cfg(test)]
mod tests;
mod transactions;

use crate::kernel::{CpuId, DropReason, Nanos, PacketId, Station, sum_of_nanos};
use crate::replay::{ContextTimes, Counters, RecordedTotals, Replay};

pub use distribution::Distribution;
pub use machine::{LockWait, MachineMeasures, ProbeCost};
pub use passages::{HOPS, Hop, Passages};
pub use search::{Pass, next_pass};
use served::Served;
pub use sums::Sums;
pub(crate) use tcp::{acknowledged, is_sent_again};
pub use transactions::{Transaction, median, transactions};

/// The measures of a stretch, both ends included.
#[derive(Debug, Clone, PartialEq)]
pub struct Measures {
    /// From when on.
    pub from: Nanos,
    /// Until when.
    pub to: Nanos,
    /// The 2005 toolkit's layer boundaries, then the stations; those without a time are left out.
    pub layers: Vec<LayerMeasure>,
    /// What the totals grew by.
    pub counters: Counters,
    /// Which of the totals the recording told.
    pub recorded: RecordedTotals,
    /// How many packets were dropped for which reason.
    pub drops: Vec<(DropReason, u64)>,
    /// Nanoseconds in each context, for each CPU of the run.
    pub time_by_context: Vec<(CpuId, ContextTimes)>,
    /// For each queue of the replay, in its order.
    pub queues: Vec<QueueMeasure>,
    /// What only a model knows.
    pub machine: MachineMeasures,
}

/// The times of one layer.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerMeasure {
    /// Which.
    pub layer: Layer,
    /// Its times.
    pub times: Distribution,
    /// How much of all of them a CPU worked on the packet, in nanoseconds.
    pub service: u64,
    /// How much of all of them the packet waited, in nanoseconds.
    pub wait: u64,
}

/// What a time is the time of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// From one probe of the 2005 toolkit to another.
    Hop(Hop),
    /// A stay at a station.
    Station(Station),
}

impl std::fmt::Display for Layer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Hop(Hop { from, to }) => write!(formatter, "{from} to {to}"),
            Self::Station(station) => station.fmt(formatter),
        }
    }
}

/// How full a queue was.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueueMeasure {
    /// Its largest depth.
    pub max: u32,
    /// Its depth on average over time.
    pub mean: f64,
}

/// Layer times packet by packet, as the 2005 report plots them.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerTimes {
    /// Between which probes.
    pub hop: Hop,
    /// Which packet.
    pub packet: Vec<u32>,
    /// How long, in nanoseconds.
    pub nanos: Vec<f64>,
}

impl Measures {
    /// The measures of what lies between two times, both included.
    pub fn of(replay: &Replay, from: Nanos, to: Nanos) -> Self {
        let mut layers = hops(replay, from, to);
        layers.extend(stations(replay, from, to));
        let sums = Sums::of(&replay.basis(), from, to);
        Self {
            from,
            to,
            layers,
            counters: sums.counters,
            recorded: sums.recorded,
            drops: sums.drops,
            time_by_context: sums.time_by_context,
            machine: sums.machine,
            queues: replay
                .queues
                .iter()
                .map(|queue| {
                    let (max, sum) = queue.between(from, to);
                    let mean = sum as f64 / to.since(from).max(1) as f64;
                    QueueMeasure { max, mean }
                })
                .collect(),
        }
    }
}

/// The layer times of these packets, one list for each hop that any of them made.
pub fn layer_times(replay: &Replay, packets: &[PacketId]) -> Vec<LayerTimes> {
    let mut all: Vec<LayerTimes> = HOPS
        .iter()
        .map(|&hop| LayerTimes {
            hop,
            packet: Vec::new(),
            nanos: Vec::new(),
        })
        .collect();
    for &packet in packets {
        for passages in Passages::of(replay, packet) {
            for times in &mut all {
                if let Some((from, to)) = passages.hop(times.hop) {
                    times.packet.push(packet.0);
                    times.nanos.push(to.since(from) as f64);
                }
            }
        }
    }
    all.retain(|times| !times.packet.is_empty());
    all
}

fn hops(replay: &Replay, from: Nanos, to: Nanos) -> Vec<LayerMeasure> {
    let (packets, is_wanted) = under_way(replay, from, to);
    let served = Served::of(replay, &is_wanted);
    let mut times = vec![Vec::new(); HOPS.len()];
    let mut service = vec![0; HOPS.len()];
    for packet in packets {
        for passages in Passages::of(replay, packet) {
            for (place, &hop) in HOPS.iter().enumerate() {
                if let Some((begin, end)) = passages.hop(hop)
                    && from <= end
                    && end <= to
                {
                    times[place].push(end.since(begin));
                    let served = served.between(replay, packet, passages.piece, begin, end);
                    service[place] = sum_of_nanos([service[place], served]);
                }
            }
        }
    }
    let layers = HOPS.iter().map(|&hop| Layer::Hop(hop));
    measured(layers.zip(times.into_iter().zip(service)))
}

/// The packets of which a hop may end between two times, and for every packet
/// whether one of these went on inside it.
fn under_way(replay: &Replay, from: Nanos, to: Nanos) -> (Vec<PacketId>, Vec<bool>) {
    let all = &replay.journeys.packets;
    let started = all.partition_point(|packet| packet.start <= to);
    let mut is_wanted = vec![false; all.len()];
    let mut found = Vec::new();
    for (place, packet) in all[..started].iter().enumerate() {
        let id = PacketId(place as u32);
        let chain = replay.journeys.goes_on_in(id);
        if packet.end >= from || chain.clone().any(|into| all[into.at()].end >= from) {
            found.push(id);
            is_wanted[place] = true;
            for into in chain {
                is_wanted[into.at()] = true;
            }
        }
    }
    (found, is_wanted)
}

fn stations(replay: &Replay, from: Nanos, to: Nanos) -> Vec<LayerMeasure> {
    let mut times = vec![Vec::new(); Station::ALL.len()];
    let mut service = vec![0; Station::ALL.len()];
    let journeys = &replay.journeys;
    for packet in journeys.ids() {
        let places = journeys.packets[packet.at()].stays.clone();
        for (place, stay) in places.zip(journeys.stays(packet)) {
            let is_within = from <= stay.leave && stay.leave <= to;
            if is_within && !journeys.is_refused(packet, place) {
                times[stay.station as usize].push(stay.duration());
                let service = &mut service[stay.station as usize];
                *service = sum_of_nanos([*service, stay.service]);
            }
        }
    }
    let layers = Station::ALL.iter().map(|&station| Layer::Station(station));
    measured(layers.zip(times.into_iter().zip(service)))
}

/// The layers that have a time.
fn measured(layers: impl Iterator<Item = (Layer, (Vec<u64>, u64))>) -> Vec<LayerMeasure> {
    layers
        .filter(|(_, (times, _))| !times.is_empty())
        .map(|(layer, (times, service))| LayerMeasure {
            layer,
            service,
            wait: sum_of_nanos(times.iter().copied()).saturating_sub(service),
            times: Distribution::of(times),
        })
        .collect()
}
