//! A run whose events were kept: the layer times of the 2005 toolkit and the listing of
//! one packet, with the same measures that serve recordings.

use std::collections::BTreeMap;
use std::rc::Rc;

use ringside::journey::{Journeys, PAYLOAD_FRAME};
use ringside::kernel::{EventIdx, Field, Nanos, PacketId, Pid, Probe, Verdict};
use ringside::measure::{Distribution, Hop, Layer, LayerMeasure, Measures, Passages, accounting};
use ringside::replay::Replay;
use ringside::run::Run;

/// Calls of a probe that the toolkit took for its calibration (Demter et al. 2005, section 4.4).
const CALIBRATION_CALLS: usize = 100;
/// The number of the packet in the study's listing.
const LISTED_PACKET: u32 = 31;

/// A run with its journeys and measures.
#[derive(Debug)]
pub(super) struct Recorded {
    replay: Replay,
    layers: Vec<LayerMeasure>,
}

/// A line of the toolkit's listing.
struct Line {
    time: Nanos,
    id: u8,
    packet: u32,
    thread: u32,
    frames: u32,
}

impl Recorded {
    pub(super) fn new(run: Run) -> Self {
        let journeys = Rc::new(Journeys::of(&run));
        let replay = Replay::new(Rc::new(run), journeys);
        let measures = Measures::of(&replay, replay.run.start(), replay.run.end());
        Self {
            layers: measures.layers,
            replay,
        }
    }

    pub(super) fn hop_us(&self, from: u8, to: u8) -> Result<f64, String> {
        Ok(self.hop(from, to)?.trimmed_mean / 1e3)
    }

    fn hop(&self, from: u8, to: u8) -> Result<Distribution, String> {
        let layer = Layer::Hop(Hop { from, to });
        let found = self.layers.iter().find(|other| other.layer == layer);
        let times = found.map(|layer| layer.times);
        times.ok_or_else(|| format!("no packet was seen at ids {from} and {to}"))
    }

    /// From a packet's first piece at one id to its last at another, in µs: the mean over the reads
    /// without the 5 % at each end. A read takes one packet.
    pub(super) fn packet_us(&self, from: u8, to: u8) -> Result<f64, String> {
        let hop = Hop { from, to };
        let reads = self.reads().into_keys();
        let pieces = reads.map(|read| accounting::pieces_of(&self.replay, read));
        let times: Vec<u64> = pieces
            .filter_map(|pieces| accounting::whole(&pieces, hop))
            .collect();
        if times.is_empty() {
            return Err(format!("no packet was seen at ids {from} and {to}"));
        }
        Ok(Distribution::of(times).trimmed_mean / 1e3)
    }

    pub(super) fn receive_us(&self) -> Result<f64, String> {
        let calibration = self.calibration_us().unwrap_or(0.0) * 1e3;
        let socket: Vec<u64> = self
            .reads()
            .values()
            .filter_map(|packets| accounting::of(&self.replay, packets[0]))
            .map(|time| time.less_other_layers)
            .collect();
        let packets = socket.len() as f64;
        if socket.is_empty() {
            return Err("no read was seen at ids 9 and 10".to_owned());
        }
        let mut nanos = Distribution::of(socket).trimmed_mean - calibration;
        for (from, to) in [(6, 7), (7, 8), (8, 9)] {
            let hop = self.hop(from, to)?;
            nanos += (hop.trimmed_mean - calibration) * hop.count as f64 / packets;
        }
        Ok(nanos / 1e3)
    }

    pub(super) fn service_us(&self) -> Result<f64, String> {
        let calibration = self.calibration_us().unwrap_or(0.0) * 1e3;
        let mut nanos = 0.0;
        for (from, to) in [(6, 7), (7, 8), (8, 9), (9, 10)] {
            let layer = Layer::Hop(Hop { from, to });
            let found = self.layers.iter().find(|other| other.layer == layer);
            let found =
                found.ok_or_else(|| format!("no packet was seen at ids {from} and {to}"))?;
            nanos += found.service as f64 - calibration * found.times.count as f64;
        }
        Ok(nanos / 1e3 / self.reads().len() as f64)
    }

    /// Events that it holds in memory.
    pub(super) fn events(&self) -> usize {
        self.replay.run.len()
    }

    fn probe_costs(&self) -> Result<Vec<u64>, String> {
        let run = &self.replay.run;
        let costs: Vec<u64> = run
            .indices()
            .filter(|index| run.probe[index.at()] == Probe::ProbeCost)
            .map(|index| u64::from(run.field(index, Field::Cost).unwrap_or(0)))
            .collect();
        if costs.is_empty() {
            return Err("no probe cost anything".to_owned());
        }
        Ok(costs)
    }

    pub(super) fn probe_us(&self) -> Result<f64, String> {
        Ok(Distribution::of(self.probe_costs()?).mean / 1e3)
    }

    pub(super) fn calibration_us(&self) -> Result<f64, String> {
        let mut costs = self.probe_costs()?;
        costs.truncate(CALIBRATION_CALLS);
        Ok(Distribution::of(costs).trimmed_mean / 1e3)
    }

    pub(super) fn tasks(&self) -> usize {
        let run = &self.replay.run;
        let is_kernel = |comm: &str| comm.starts_with("swapper") || comm.starts_with("ksoftirqd");
        let tasks = run.comm.keys().filter(|&&pid| pid != Pid::UNKNOWN);
        tasks
            .filter(|&&pid| run.comm(pid).is_some_and(|comm| !is_kernel(comm)))
            .count()
    }

    /// The packets that each read took, in the order of their start.
    fn reads(&self) -> BTreeMap<EventIdx, Vec<PacketId>> {
        let mut reads: BTreeMap<EventIdx, Vec<PacketId>> = BTreeMap::new();
        let journeys = &self.replay.journeys;
        for packet in journeys.ids() {
            if let Verdict::Delivered { read, .. } = journeys.packets[packet.at()].verdict {
                reads.entry(read).or_default().push(packet);
            }
        }
        reads
    }

    /// A value of the listing of the packet that the study shows: `line` counts from its
    /// first line, `gap` is in µs since the line before.
    pub(super) fn listing(&self, row: usize, column: &str) -> Result<f64, String> {
        let mut all: Vec<Line> = Vec::new();
        for (number, (&read, packets)) in self.reads().iter().enumerate() {
            all.extend(self.lines(read, packets, number as u32));
        }
        all.sort_by_key(|line| line.time);
        let is_listed = |line: &&Line| line.packet == LISTED_PACKET;
        let listed: Vec<&Line> = all.iter().filter(is_listed).collect();
        let missing = || format!("packet {LISTED_PACKET} has no line {row}");
        let line = listed.get(row).ok_or_else(missing)?;
        Ok(match column {
            "line" => {
                let place = |time| all.iter().position(|other| other.time >= time);
                let (first, own) = (place(listed[0].time), place(line.time));
                own.unwrap_or(0).saturating_sub(first.unwrap_or(0)) as f64
            }
            "id" => f64::from(line.id),
            "packet" => f64::from(line.packet),
            "thread" => f64::from(line.thread),
            "gap" => {
                let before = row.checked_sub(1).and_then(|row| listed.get(row));
                line.time.since(before.ok_or_else(missing)?.time) as f64 / 1e3
            }
            "frames" => f64::from(line.frames),
            _ => return Err(format!("the listing has no column {column}")),
        })
    }

    /// The lines that the toolkit would have printed of the packets of one read.
    fn lines(&self, read: EventIdx, packets: &[PacketId], number: u32) -> Vec<Line> {
        let journeys = &self.replay.journeys;
        let mark = packets
            .first()
            .and_then(|packet| journeys.packets[packet.at()].mark);
        let (thread, packet) = mark.map_or((1, number), |mark| (mark.thread, mark.packet));
        let mut lines = Vec::new();
        let mut offset = 0;
        for &id in packets {
            let row = &journeys.packets[id.at()];
            // A payload frame that a cut splits is counted on neither side.
            let (begin, end) = (offset, offset + row.payload);
            let frames = (end / PAYLOAD_FRAME).saturating_sub(begin.div_ceil(PAYLOAD_FRAME));
            offset = end;
            for passages in Passages::of(&self.replay, id) {
                let seen = (6..10).filter_map(|id| Some((id, passages.at(id)?)));
                lines.extend(seen.map(|(id, time)| Line {
                    time,
                    id,
                    packet,
                    thread,
                    frames,
                }));
            }
        }
        lines.push(Line {
            time: self.replay.run.time(read),
            id: 10,
            packet,
            thread,
            frames: offset / PAYLOAD_FRAME,
        });
        lines
    }
}
