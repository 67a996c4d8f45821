//! Copies of packets' bytes into the buffers of processes, and how long a CPU waited for cache
//! lines in each.
//!
//! A copy begins where its packet passes `skb_copy_datagram_iter` (`..._iovec` in old kernels)
//! and ends at the next event of its task that is not about the lines copied from and to. Those
//! that came to its CPU meanwhile were waited for, at the price that their events give. What interrupted it
//! is neither fetching nor copying.

use std::collections::BTreeMap;

use crate::journey::Journeys;
use crate::kernel::{Context, CpuId, Event, EventIdx, Field, Nanos, PacketId, Pid, Probe};
use crate::run::Run;

use super::{MachineColumns, Moment};

/// The copies of a run.
#[derive(Debug, Clone, Default)]
pub struct Copies {
    /// Clock of the CPUs in kHz, that turns cycles into time; 0 where nothing says so.
    pub clock_khz: u64,
    /// In the order in which they began.
    by_cpu: BTreeMap<CpuId, Vec<Copied>>,
}

#[derive(Debug, Clone)]
struct Copied {
    packet: PacketId,
    pid: Pid,
    start: Nanos,
    end: Option<Nanos>,
    /// The first and the last event of what interrupted it.
    interrupted: Option<(Nanos, Nanos)>,
    from: CpuId,
    moved: [u32; 2],
    filled: [u32; 2],
}

/// The copy that each CPU began last; CPUs that have copied nothing have none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CopyColumns {
    /// Which CPU.
    pub cpu: Vec<u16>,
    /// The packet whose bytes it copies.
    pub packet: Vec<u32>,
    /// When it began.
    pub start: Vec<f64>,
    /// When it is over.
    pub end: Vec<f64>,
    /// How long it was interrupted, in nanoseconds.
    pub interrupted: Vec<f64>,
    /// From whose cache lines came; [`CpuId::UNKNOWN`] if from none.
    pub from: Vec<u16>,
    /// Lines from other caches, in the whole copy.
    pub moved_lines: Vec<u32>,
    /// Their price.
    pub moved_cycles: Vec<u32>,
    /// Lines from memory.
    pub filled_lines: Vec<u32>,
    /// Their price.
    pub filled_cycles: Vec<u32>,
}

/// What a copy waited for from other caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fetched {
    /// From whose cache the last lines of the first copy came.
    pub from: CpuId,
    /// How many lines, of the packet's bytes and of the buffer they go to.
    pub lines: u64,
    /// Their price in cycles.
    pub cycles: u64,
}

impl Copies {
    /// The clock of the machine as the run tells it, in kHz; zero where it does not.
    pub fn clock_khz(run: &Run) -> u64 {
        let clock = run.metadata.get("clock_khz");
        clock.and_then(|khz| khz.trim().parse().ok()).unwrap_or(0)
    }

    /// Reads the copies of a model off its events; a recording has none, as it sees no line.
    pub(super) fn of(run: &Run, journeys: &Journeys) -> Self {
        if !run.probe.iter().any(|&probe| is_cache(probe)) {
            return Self::default();
        }
        let mut found = Self {
            clock_khz: Self::clock_khz(run),
            by_cpu: BTreeMap::new(),
        };
        let begins = begins(run, journeys);
        let mut open: BTreeMap<CpuId, Copied> = BTreeMap::new();
        for index in run.indices() {
            let event = run.event(index);
            let copy = open.get_mut(&event.cpu);
            if copy.is_some_and(|copy| copy.pass(run, index, &event)) {
                found.close(event.cpu, open.remove(&event.cpu), event.time);
            }
            if let Some(&packet) = begins.get(&index) {
                found.close(event.cpu, open.remove(&event.cpu), event.time);
                open.insert(event.cpu, Copied::new(packet, &event));
            }
        }
        // What is not over when the run ends is over then.
        for (cpu, copy) in open {
            found.close(cpu, Some(copy), run.end());
        }
        found
    }

    fn close(&mut self, cpu: CpuId, copy: Option<Copied>, time: Nanos) {
        if let Some(copy) = copy {
            let end = Some(time);
            self.by_cpu
                .entry(cpu)
                .or_default()
                .push(Copied { end, ..copy });
        }
    }

    /// When the copy of a packet is over that a CPU began at `start`; none if it fetches nothing from other caches.
    pub fn fetching_until(&self, packet: PacketId, cpu: CpuId, start: Nanos) -> Option<Nanos> {
        let copy = self.fetching(packet, cpu, [start, start]).next()?;
        Some(copy.end.unwrap_or(copy.start))
    }

    /// What the copies of a packet that a CPU began from one time to another fetched from other caches; none if nothing.
    /// A reader may take a packet in parts.
    pub fn fetched(&self, packet: PacketId, cpu: CpuId, begun: [Nanos; 2]) -> Option<Fetched> {
        let parts = self.fetching(packet, cpu, begun).map(|copy| {
            let [lines, cycles] = copy.moved.map(u64::from);
            let from = copy.from;
            Fetched {
                from,
                lines,
                cycles,
            }
        });
        parts.reduce(|all, part| Fetched {
            lines: all.lines + part.lines,
            cycles: all.cycles + part.cycles,
            ..all
        })
    }

    /// The copies of a packet that a CPU began from one time to another and that fetch lines from other caches.
    fn fetching(
        &self,
        packet: PacketId,
        cpu: CpuId,
        [from, to]: [Nanos; 2],
    ) -> impl Iterator<Item = &Copied> {
        let copies = self.by_cpu.get(&cpu).map_or(&[][..], Vec::as_slice);
        let first = copies.partition_point(|copy| copy.start < from);
        let begun = copies[first..]
            .iter()
            .take_while(move |copy| copy.start <= to);
        begun.filter(move |copy| copy.packet == packet && copy.moved[0] > 0)
    }

    pub(super) fn add_to(&self, columns: &mut MachineColumns, moment: Moment) {
        let columns = &mut columns.copies;
        for (cpu, copies) in &self.by_cpu {
            let begun = copies.partition_point(|copy| copy.start <= moment.time);
            let Some(copy) = begun.checked_sub(1).map(|last| &copies[last]) else {
                continue;
            };
            let interrupted = copy.interrupted.map_or(0, |(from, to)| to.since(from));
            columns.cpu.push(cpu.0);
            columns.packet.push(copy.packet.0);
            columns.start.push(moment.since_start(copy.start));
            columns
                .end
                .push(moment.since_start(copy.end.unwrap_or(copy.start)));
            columns.interrupted.push(interrupted as f64);
            columns.from.push(copy.from.0);
            columns.moved_lines.push(copy.moved[0]);
            columns.moved_cycles.push(copy.moved[1]);
            columns.filled_lines.push(copy.filled[0]);
            columns.filled_cycles.push(copy.filled[1]);
        }
    }
}

impl Copied {
    const fn new(packet: PacketId, event: &Event) -> Self {
        Self {
            packet,
            pid: event.pid,
            start: event.time,
            end: None,
            interrupted: None,
            from: CpuId::UNKNOWN,
            moved: [0; 2],
            filled: [0; 2],
        }
    }

    /// Takes in what happens on its CPU; true when that ends it.
    fn pass(&mut self, run: &Run, index: EventIdx, event: &Event) -> bool {
        match event.context {
            Context::Hardirq | Context::Softirq | Context::Nmi => {
                let from = self.interrupted.map_or(event.time, |(from, _)| from);
                self.interrupted = Some((from, event.time));
                return false;
            }
            // An eviction is told by no one who runs.
            Context::Unknown => return false,
            Context::Idle | Context::User | Context::Kernel | Context::Spinning => {}
        }
        if !is_cache(event.probe) || event.pid != self.pid {
            return true;
        }
        // The next step of its task may pass no probe before it touches what it needs.
        if !matches!(run.field_name(index, Field::Object), Some("data" | "user")) {
            return event.time > self.start;
        }
        let number = |field| run.field(index, field).unwrap_or(0);
        let paid = [number(Field::Lines), number(Field::Cycles)];
        let sum = match event.probe {
            Probe::CacheLineMove => &mut self.moved,
            Probe::CacheLineFill => &mut self.filled,
            _ => return false,
        };
        for (sum, more) in sum.iter_mut().zip(paid) {
            *sum = sum.saturating_add(more);
        }
        if event.probe == Probe::CacheLineMove {
            self.from = CpuId(number(Field::FromCpu) as u16);
        }
        false
    }
}

/// The events with which copies begin, and whose bytes are copied.
fn begins(run: &Run, journeys: &Journeys) -> BTreeMap<EventIdx, PacketId> {
    let is_copy = |probe| {
        matches!(
            probe,
            Probe::SkbCopyDatagramIter | Probe::SkbCopyDatagramIovec
        )
    };
    journeys
        .ids()
        .flat_map(|packet| {
            journeys
                .events(packet)
                .iter()
                .map(move |&event| (event, packet))
        })
        .filter(|(event, _)| is_copy(run.probe[event.at()]))
        .collect()
}

const fn is_cache(probe: Probe) -> bool {
    matches!(
        probe,
        Probe::CacheLineFill | Probe::CacheLineMove | Probe::CacheLineEvict | Probe::CacheLineState
    )
}
