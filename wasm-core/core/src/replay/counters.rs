//! Running totals: each is a list of moments at which it grew.

use std::collections::BTreeSet;

use crate::journey::{Journeys, Packet};
use crate::kernel::field::NET_RX;
use crate::kernel::{Direction, EventIdx, Field, Nanos, PacketId, Probe, Station, VerdictKind};
use crate::order;
use crate::run::{Nesting, Run};

/// When something was counted and how much.
type Increments = Vec<(Nanos, u64)>;

/// A total that only grows.
#[derive(Debug, Clone, Default)]
pub struct Total {
    at: Vec<Nanos>,
    sum: Vec<u64>,
}

impl Total {
    /// A total of these increments, in any order.
    fn of(mut increments: Increments) -> Self {
        order::sort(&mut increments);
        let mut sum = 0;
        Self {
            at: increments.iter().map(|&(at, _)| at).collect(),
            sum: increments
                .iter()
                .map(|&(_, by)| {
                    sum += by;
                    sum
                })
                .collect(),
        }
    }

    /// The total at a time, that moment included.
    pub fn at(&self, time: Nanos) -> u64 {
        match self.at.partition_point(|&at| at <= time) {
            0 => 0,
            after => self.sum[after - 1],
        }
    }

    /// The total just before a time.
    pub fn before(&self, time: Nanos) -> u64 {
        match self.at.partition_point(|&at| at < time) {
            0 => 0,
            after => self.sum[after - 1],
        }
    }
}

/// Every running total of a run.
#[derive(Debug, Clone)]
pub struct Totals {
    by_verdict: Vec<Total>,
    bytes_delivered: Total,
    unsized_delivered: Total,
    interrupts: Total,
    polls: Total,
    frames_polled: Total,
    cross_cpu: Total,
    cache_handovers: Total,
    arrived: Total,
    /// Which of the totals can be read off the recording.
    pub recorded: RecordedTotals,
}

/// Which totals can be read off the recording; for the others a total of 0 means nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedTotals {
    /// Hard interrupts.
    pub interrupts: bool,
    /// Polls of network devices.
    pub polls: bool,
    /// Frames that drivers took from their NICs.
    pub frames: bool,
}

/// The totals at one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets read by a process.
    pub delivered: u64,
    /// Packets that went on inside another.
    pub merged: u64,
    /// Packets dropped.
    pub dropped: u64,
    /// Packets handed to the NIC.
    pub transmitted: u64,
    /// Packets that the stack consumed itself.
    pub consumed: u64,
    /// Payload bytes that processes read, as far as the payload was recorded. Data
    /// that still wait in a socket at the end came over the link and are not counted.
    pub bytes_delivered: u64,
    /// Packets read of which the payload was not recorded.
    pub unsized_delivered: u64,
    /// Hard interrupts of network devices; all, where the recording cannot tell which those are.
    pub interrupts: u64,
    /// Polls of network devices.
    pub polls: u64,
    /// Frames that drivers took from their NICs, in polls or in the interrupt.
    pub frames_polled: u64,
    /// Hops of a packet from one CPU to another.
    pub cross_cpu: u64,
    /// Events of a packet on another CPU than its event before: its cache lines must have moved. Inferred.
    pub cache_handovers: u64,
    /// Packets that have begun their journey.
    pub arrived: u64,
}

impl Counters {
    /// What each total grew by since an earlier moment.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            delivered: self.delivered - earlier.delivered,
            merged: self.merged - earlier.merged,
            dropped: self.dropped - earlier.dropped,
            transmitted: self.transmitted - earlier.transmitted,
            consumed: self.consumed - earlier.consumed,
            bytes_delivered: self.bytes_delivered - earlier.bytes_delivered,
            unsized_delivered: self.unsized_delivered - earlier.unsized_delivered,
            interrupts: self.interrupts - earlier.interrupts,
            polls: self.polls - earlier.polls,
            frames_polled: self.frames_polled - earlier.frames_polled,
            cross_cpu: self.cross_cpu - earlier.cross_cpu,
            cache_handovers: self.cache_handovers - earlier.cache_handovers,
            arrived: self.arrived - earlier.arrived,
        }
    }
}

impl Totals {
    /// Reads every total off the run, its journeys and its polls of network devices.
    pub fn of(run: &Run, journeys: &Journeys, polls: &[EventIdx]) -> Self {
        let by_verdict = VerdictKind::ALL
            .iter()
            .map(|&kind| {
                let ends = journeys.packets.iter().filter(|p| p.verdict.kind() == kind);
                Total::of(ends.map(|packet| (packet.end, 1)).collect())
            })
            .collect();
        let has_polls = !polls.is_empty();
        let work = |poll: &EventIdx| u64::from(run.field(*poll, Field::Work).unwrap_or(0));
        let polls = polls.iter().map(|poll| (run.time(*poll), work(poll)));
        let frames = if has_polls {
            polls.clone().collect()
        } else {
            taken(journeys)
        };
        let recorded = RecordedTotals {
            interrupts: run.probe.contains(&Probe::IrqHandlerEntry),
            polls: has_polls,
            frames: !frames.is_empty(),
        };
        let of_kind = |kind| {
            let packets = journeys.packets.iter();
            packets.filter(move |packet| packet.verdict.kind() == kind)
        };
        // Of a segment that was read in part the rest is dropped with its socket.
        let read = of_kind(VerdictKind::Delivered).chain(of_kind(VerdictKind::Dropped));
        let bytes = read.filter(|packet| packet.read > 0);
        let bytes = bytes.map(|packet| (packet.end, u64::from(packet.read)));
        let no_payload = |packet: &&Packet| packet.payload == 0;
        let unsized_ends = of_kind(VerdictKind::Delivered).filter(no_payload);
        let unsized_ends = unsized_ends.map(|packet| (packet.end, 1));
        let starts = journeys.packets.iter().map(|packet| (packet.start, 1));
        Self {
            by_verdict,
            bytes_delivered: Total::of(bytes.collect()),
            unsized_delivered: Total::of(unsized_ends.collect()),
            interrupts: Total::of(interrupts(run)),
            polls: Total::of(polls.map(|(at, _)| (at, 1)).collect()),
            frames_polled: Total::of(frames),
            cross_cpu: Total::of(cross_cpu(journeys)),
            cache_handovers: Total::of(cache_handovers(run, journeys)),
            arrived: Total::of(starts.collect()),
            recorded,
        }
    }

    /// The totals at a time, that moment included.
    pub fn at(&self, time: Nanos) -> Counters {
        self.read(|total| total.at(time))
    }

    /// The totals just before a time.
    pub fn before(&self, time: Nanos) -> Counters {
        self.read(|total| total.before(time))
    }

    fn read(&self, value: impl Fn(&Total) -> u64) -> Counters {
        let verdict = |kind: VerdictKind| value(&self.by_verdict[kind as usize]);
        Counters {
            delivered: verdict(VerdictKind::Delivered),
            merged: verdict(VerdictKind::Merged),
            dropped: verdict(VerdictKind::Dropped),
            transmitted: verdict(VerdictKind::Transmitted),
            consumed: verdict(VerdictKind::Consumed),
            bytes_delivered: value(&self.bytes_delivered),
            unsized_delivered: value(&self.unsized_delivered),
            interrupts: value(&self.interrupts),
            polls: value(&self.polls),
            frames_polled: value(&self.frames_polled),
            cross_cpu: value(&self.cross_cpu),
            cache_handovers: value(&self.cache_handovers),
            arrived: value(&self.arrived),
        }
    }
}

/// Frames that a driver took, where no poll was recorded: each received packet once, when its
/// first stay past the ring and the link begins.
fn taken(journeys: &Journeys) -> Increments {
    let received = journeys.ids().filter(|&id| {
        let packet = &journeys.packets[id.at()];
        packet.direction == Direction::Receive
    });
    let first = received.filter_map(|id| {
        let mut stays = journeys.stays(id).iter();
        let taken = stays.find(|stay| !matches!(stay.station, Station::Wire | Station::RxRing));
        // A 2005 record begins above the driver, on no CPU.
        taken.filter(|stay| stay.cpu.is_known())
    });
    first.map(|stay| (stay.enter, 1)).collect()
}

/// A device's interrupt number is one whose handler scheduled NAPI or raised NET_RX.
fn interrupts(run: &Run) -> Increments {
    let mut nesting: Vec<Nesting> = Vec::new();
    let mut entries: Vec<(Nanos, u32)> = Vec::new();
    let mut of_devices = BTreeSet::new();
    run.each(|index| {
        let cpu = run.cpu[index.at()];
        if !cpu.is_known() {
            return;
        }
        let place = usize::from(cpu.0);
        if place >= nesting.len() {
            nesting.resize(place + 1, Nesting::default());
        }
        nesting[place].pass(run, index);
        let Some(irq) = nesting[place].hardirq else {
            return;
        };
        match run.probe[index.at()] {
            Probe::IrqHandlerEntry => entries.push((run.time(index), irq)),
            Probe::NapiSchedule | Probe::DriverIrq => {
                of_devices.insert(irq);
            }
            Probe::SoftirqRaise if run.field(index, Field::Vec) == Some(NET_RX) => {
                of_devices.insert(irq);
            }
            _ => {}
        }
    });
    entries
        .into_iter()
        .filter(|(_, irq)| of_devices.is_empty() || of_devices.contains(irq))
        .map(|(at, _)| (at, 1))
        .collect()
}

/// Stays of a packet's piece on another known CPU than the stay before.
fn cross_cpu(journeys: &Journeys) -> Increments {
    let mut found = Vec::new();
    journeys.each(|packet| {
        let stays = journeys.stays(packet);
        for pair in stays.windows(2) {
            if pair[0].hands_over_to(&pair[1]) {
                found.push((pair[1].enter, 1));
            }
        }
    });
    found
}

/// Events of a packet on another known CPU than the event before.
fn cache_handovers(run: &Run, journeys: &Journeys) -> Increments {
    let mut found = Vec::new();
    journeys.each(|packet| {
        let known = |packet: PacketId| {
            journeys
                .events(packet)
                .iter()
                .map(|&event| (run.time(event), run.cpu[event.at()]))
                .filter(|(_, cpu)| cpu.is_known())
        };
        for (before, after) in known(packet).zip(known(packet).skip(1)) {
            if before.1 != after.1 {
                found.push((after.0, 1));
            }
        }
    });
    found
}
