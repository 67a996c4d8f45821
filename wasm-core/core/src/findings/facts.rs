//! What several findings need, collected in one pass over the events of a run and one over its packets.

use std::ops::Deref;

use super::version::Version;
use crate::kernel::{CpuId, EventIdx, Field, Nanos, Origin, PacketId, Pid, Probe, Verdict};
use crate::measure::Distribution;
use crate::opened::Opened;
use crate::order;
use crate::replay::{Queue, Replay};

/// A run with the collected facts.
pub struct Facts<'a> {
    pub opened: &'a Opened,
    /// The kernel's version, if the run names it.
    pub kernel: Option<Version>,
    /// The packets that arrived where they were sent and that the run is mostly about, in order of their start.
    pub arrivals: Vec<Arrival>,
    /// Whether these were read by a process; otherwise they were given to the NIC.
    pub is_read: bool,
    /// For each probe the number of its events, the first and the last.
    passes: Vec<Passes>,
    /// The polls of network devices, in order.
    pub polls: Vec<Poll>,
}

/// A packet that arrived by itself.
#[derive(Debug, Clone, Copy)]
pub struct Arrival {
    pub packet: PacketId,
    /// When it started, before it was split.
    pub from: Nanos,
    /// When it was read, or given to the NIC.
    pub to: Nanos,
}

impl Arrival {
    /// Nanoseconds under way.
    pub const fn nanos(self) -> u64 {
        self.to.since(self.from)
    }
}

/// The number of events of a probe, the first and the last.
#[derive(Debug, Clone, Copy)]
pub struct Passes {
    pub count: u64,
    pub first: EventIdx,
    pub last: EventIdx,
}

impl Passes {
    const NONE: Self = Self {
        count: 0,
        first: EventIdx(0),
        last: EventIdx(0),
    };
}

/// One poll of a network device.
#[derive(Debug, Clone, Copy)]
pub struct Poll {
    pub event: EventIdx,
    /// Frames taken.
    pub work: u32,
    /// Its budget in frames; 0 if not recorded.
    pub budget: u32,
    /// The task that it interrupted, or `ksoftirqd`.
    pub pid: Pid,
}

impl Deref for Facts<'_> {
    type Target = Replay;

    fn deref(&self) -> &Replay {
        &self.opened.replay
    }
}

impl<'a> Facts<'a> {
    pub fn of(opened: &'a Opened) -> Self {
        let run = &opened.run;
        let mut passes = vec![Passes::NONE; Probe::ALL.len()];
        for index in run.indices() {
            let probe = run.probe[index.at()];
            let one = &mut passes[probe as usize];
            if one.count == 0 {
                one.first = index;
            }
            one.count += 1;
            one.last = index;
        }
        let (arrivals, is_read) = arrivals(opened);
        Self {
            opened,
            kernel: Version::of(run),
            arrivals,
            is_read,
            passes,
            polls: opened
                .replay
                .polls
                .iter()
                .map(|&at| poll(opened, at))
                .collect(),
        }
    }

    /// The number of events of a probe.
    pub fn count(&self, probe: Probe) -> u64 {
        self.passes[probe as usize].count
    }

    /// The first and last event of a probe; `None` without any.
    pub fn passes(&self, probe: Probe) -> Option<Passes> {
        let passes = self.passes[probe as usize];
        (passes.count > 0).then_some(passes)
    }

    /// The events at which a probe was passed, in order.
    pub fn events_of(&self, probe: Probe) -> impl Iterator<Item = EventIdx> {
        let passes = self.passes(probe);
        let events = passes.map(|passes| (passes.first.0..=passes.last.0).map(EventIdx));
        let run = &self.run;
        let events = events.into_iter().flatten();
        events.filter(move |event| run.probe[event.at()] == probe)
    }

    /// The packet of the first event with one between two times, the second excluded; or `NONE`.
    pub fn first_packet(&self, from: Nanos, to: Nanos) -> PacketId {
        let (from, to) = (self.run.first_at(from), self.run.first_at(to));
        let events = (from.0..to.0).map(EventIdx);
        let mut packets = events.map(|event| self.packet_of(event));
        let first = packets.find(|packet| packet.is_some());
        first.unwrap_or(PacketId::NONE)
    }

    /// When an event was.
    pub fn time(&self, event: EventIdx) -> Nanos {
        self.run.time(event)
    }

    /// Whether it was recorded, not simulated.
    pub fn is_recorded(&self) -> bool {
        self.run.origin == Origin::Recorded
    }

    /// The number of CPUs, as far as the run shows: they are numbered from 0, and one that does nothing is not recorded.
    pub fn cpus(&self) -> usize {
        let last = self.lanes.lanes.last();
        last.map_or(1, |lane| usize::from(lane.cpu.0) + 1)
    }

    /// The duration of the run times its number of CPUs, in nanoseconds.
    pub fn time_of_cpus(&self) -> u64 {
        let time = self.run.end().since(self.run.start());
        time.saturating_mul(self.lanes.lanes.len().max(1) as u64)
    }

    /// From the first movement of a packet to the last.
    pub fn stretch(&self) -> (Nanos, Nanos) {
        let packets = &self.journeys.packets;
        let from = packets.first().map_or(self.run.start(), |one| one.start);
        let to = packets.iter().map(|one| one.end).max();
        (from, to.unwrap_or_else(|| self.run.end()).max(from))
    }

    /// The first queue for which `fits` holds, with its index.
    pub fn queue(&self, fits: impl Fn(&Queue) -> bool) -> Option<(u32, &Queue)> {
        let place = self.queues.iter().position(fits)?;
        Some((place as u32, &self.queues[place]))
    }

    /// The packet an event is about, or none.
    pub fn packet_of(&self, event: EventIdx) -> PacketId {
        let packets = &self.journeys.packet_of;
        packets.get(event.at()).copied().unwrap_or(PacketId::NONE)
    }

    /// The CPU that an event names, if it is known.
    pub fn cpu(&self, event: EventIdx) -> Option<CpuId> {
        Some(self.run.cpu[event.at()]).filter(|cpu| cpu.is_known())
    }
}

/// The lower median item by `nanos`; `None` if there are none.
pub fn median_of<T: Copy>(items: &[T], nanos: impl Fn(T) -> u64) -> Option<T> {
    let mut sorted: Vec<(u64, usize)> = (0..items.len()).map(|at| (nanos(items[at]), at)).collect();
    order::sort(&mut sorted);
    let (_, at) = sorted.get((items.len().checked_sub(1)?) / 2)?;
    Some(items[*at])
}

/// The distribution of these durations.
pub fn distribution(times: impl Iterator<Item = u64>) -> Distribution {
    Distribution::of(times.collect())
}

/// `part / whole`, 0 if `whole` is 0.
pub fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

fn poll(opened: &Opened, event: EventIdx) -> Poll {
    let run = &opened.run;
    let number = |field| run.field(event, field).unwrap_or(0);
    Poll {
        event,
        work: number(Field::Work),
        budget: number(Field::Budget),
        pid: run.pid(event),
    }
}

/// The packets that were read and `true`; on a host that mostly sends, and where none was read, those given to the NIC.
fn arrivals(opened: &Opened) -> (Vec<Arrival>, bool) {
    let journeys = &opened.journeys;
    let read = |packet: PacketId| {
        let one = &journeys.packets[packet.at()];
        let is_read = matches!(one.verdict, Verdict::Delivered { .. });
        is_read.then_some(Arrival {
            packet,
            from: journeys.set_out(packet),
            to: one.end,
        })
    };
    if !journeys.mostly_sends() {
        let all: Vec<Arrival> = journeys.ids().filter_map(read).collect();
        if !all.is_empty() {
            return (all, true);
        }
    }
    let sent = |packet: PacketId| {
        let one = &journeys.packets[packet.at()];
        if one.verdict != Verdict::Transmitted {
            return None;
        }
        let first = journeys.comes_from(packet).last().unwrap_or(packet);
        Some(Arrival {
            packet,
            from: journeys.packets[first.at()].start.min(one.start),
            to: journeys.given_to_nic(packet),
        })
    };
    (journeys.ids().filter_map(sent).collect(), false)
}
