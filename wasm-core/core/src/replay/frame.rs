//! A frame: the state of everything at one moment, as columns of plain numbers
//! that cross to the page as they are.
//!
//! Times are nanoseconds since the start of the run, words are indices into
//! their lists, and "none" is the largest value of a column's type.

use std::collections::BTreeMap;

use crate::kernel::{CpuId, Nanos, PacketId, Verdict};

use super::counters::Counters;
use super::machine::MachineColumns;
use super::{NO_QUEUE, Replay};

/// No packet, group or task in a column of 32 bits.
pub const NONE: u32 = u32::MAX;
/// No word in a column of bytes.
pub const NO_WORD: u8 = u8::MAX;

/// The state at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Frame {
    /// The time of the frame in ns since the start of the run.
    pub time: f64,
    /// Packets in flight, and those that ended within the linger.
    pub packets: PacketColumns,
    /// Each CPU of the run.
    pub cpus: CpuColumns,
    /// The depth of each queue, in the order of [`Replay::queues`].
    pub queue_depth: Vec<u32>,
    /// The limit of each queue; 0 where it is not known.
    pub queue_limit: Vec<u32>,
    /// Totals from the start of the run.
    pub counters: Counters,
    /// What only a model knows; empty in a recording.
    pub machine: MachineColumns,
}

/// One entry for each packet, or for each piece of one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PacketColumns {
    /// Which packet.
    pub packet: Vec<u32>,
    /// Which piece of it.
    pub piece: Vec<u32>,
    /// Its station.
    pub station: Vec<u8>,
    /// The CPU that it is on.
    pub cpu: Vec<u16>,
    /// The context that brought it there.
    pub context: Vec<u8>,
    /// When it came to this station, in ns since the start of the run.
    pub since: Vec<f64>,
    /// The earliest time at which it could leave: in a socket's queue, since when its reader has had the CPU.
    pub ready: Vec<f64>,
    /// When it leaves it, or when it ended.
    pub until: Vec<f64>,
    /// Where it goes next, or [`NO_WORD`].
    pub next_station: Vec<u8>,
    /// The CPU of that station.
    pub next_cpu: Vec<u16>,
    /// The CPU beside which it is drawn: a socket's queue has one
    /// place, and a backlog is drawn with the CPU that empties it.
    pub place_cpu: Vec<u16>,
    /// The CPU beside which it will be drawn at its next station.
    pub next_place_cpu: Vec<u16>,
    /// The queue in which it is, or [`NO_QUEUE`](super::NO_QUEUE).
    pub queue: Vec<u32>,
    /// The queue into which it goes next.
    pub next_queue: Vec<u32>,
    /// 1 while the CPU works on it, 0 while it waits.
    pub is_served: Vec<u8>,
    /// Bytes so far.
    pub bytes: Vec<u32>,
    /// Frames of the link that it holds so far.
    pub parts: Vec<u32>,
    /// The datagram that it is a fragment of, or [`NONE`].
    pub group: Vec<u32>,
    /// Its first byte in that datagram.
    pub group_from: Vec<u32>,
    /// One past its last.
    pub group_to: Vec<u32>,
    /// Bytes of the datagram; 0 while unknown.
    pub group_bytes: Vec<u32>,
    /// The packet that it is a piece of, or [`NONE`]: the packet that it was
    /// cut from, the one it will be reassembled into, or, where a record tells
    /// several pieces of one packet apart, the packet itself (without a group).
    pub piece_of: Vec<u32>,
    /// Which piece it is, from 1; 0 for none.
    pub piece_number: Vec<u16>,
    /// How many there are.
    pub piece_count: Vec<u16>,
    /// How it ended, once it has; [`NO_WORD`] before.
    pub verdict: Vec<u8>,
    /// Why it was dropped, once it was; [`NO_WORD`] else.
    pub drop_reason: Vec<u8>,
    /// The packet it merged into, once it has; [`NONE`] else.
    pub merged_into: Vec<u32>,
}

/// One entry for each CPU of the run, in its order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CpuColumns {
    /// What it does.
    pub context: Vec<u8>,
    /// The softirq's vector or the interrupt's number, or [`NONE`].
    pub detail: Vec<u32>,
    /// The current task, or [`NONE`].
    pub pid: Vec<u32>,
    /// Since when it does this.
    pub since: Vec<f64>,
    /// The packet it works on, or [`NONE`].
    pub packet: Vec<u32>,
}

impl Replay {
    /// The state at `time`, with what ended less than `linger` nanoseconds before it.
    /// A pure function: no frame knows of another.
    pub fn at(&self, time: Nanos, linger: u64) -> Frame {
        let mut frame = Frame {
            time: self.since_start(time),
            counters: self.totals.at(time),
            machine: self.machine.at(&self.run, time, linger),
            ..Frame::default()
        };
        let works: Vec<(CpuId, u32)> = self
            .journeys
            .work
            .iter()
            .map(|work| (work.cpu, work.at(time).0))
            .collect();
        for packet in self.live.at(time, linger) {
            self.add_packet(&mut frame.packets, packet, time, &works);
        }
        self.add_cpus(&mut frame.cpus, time);
        for queue in &self.queues {
            let (depth, limit) = queue.at(time);
            frame.queue_depth.push(depth);
            frame.queue_limit.push(limit);
        }
        frame
    }

    /// Nanoseconds since the start of the run, exact for 104 days.
    pub fn since_start(&self, time: Nanos) -> f64 {
        time.since(self.run.start()) as f64
    }

    /// One row for each piece of the packet that is under way; one for all once it has ended.
    fn add_packet(
        &self,
        columns: &mut PacketColumns,
        id: PacketId,
        time: Nanos,
        works: &[(CpuId, u32)],
    ) {
        let packet = &self.journeys.packets[id.at()];
        let stays = self.journeys.stays(id);
        let begun = stays.partition_point(|stay| stay.enter <= time);
        let Some(pieces) = self.pieces.get(&id) else {
            if begun > 0 {
                self.add_row(columns, id, begun - 1, begun, time, works);
            }
            return;
        };
        if packet.end <= time {
            let last = (0..begun).max_by_key(|&at| (stays[at].leave, stays[at].enter, at));
            if let Some(last) = last {
                self.add_row(columns, id, last, stays.len(), time, works);
            }
            return;
        }
        let latest: BTreeMap<u32, usize> = (0..begun).map(|at| (stays[at].piece, at)).collect();
        let in_column = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        let count = in_column(pieces.len());
        for (number, piece) in (1..).zip(pieces) {
            let Some(&current) = latest.get(piece) else {
                continue;
            };
            let next = stays[current].next(current).unwrap_or(stays.len());
            let is_over = next == stays.len() && stays[current].leave <= time;
            if !is_over {
                self.add_row(columns, id, current, next, time, works);
                let last = columns.packet.len() - 1;
                columns.piece_of[last] = id.0;
                columns.piece_number[last] = in_column(number);
                columns.piece_count[last] = count;
            }
        }
    }

    fn add_row(
        &self,
        columns: &mut PacketColumns,
        id: PacketId,
        current: usize,
        next: usize,
        time: Nanos,
        works: &[(CpuId, u32)],
    ) {
        let packet = &self.journeys.packets[id.at()];
        let stays = self.journeys.stays(id);
        let stay = &stays[current];
        let place = packet.stays.start + current as u32;
        let first = packet.stays.start as usize;
        let next_at = next;
        let next = stays.get(next);
        let until = next.map_or(packet.end.max(stay.leave), |next| next.enter);
        let (bytes, parts) = self.growth.at(&self.journeys, id, time);
        let ended = (packet.end <= time).then_some(packet.verdict);

        columns.packet.push(id.0);
        columns.piece.push(stay.piece);
        columns.station.push(stay.station as u8);
        columns.cpu.push(stay.cpu.0);
        columns.context.push(stay.context as u8);
        columns.since.push(self.since_start(stay.enter));
        let ready = self.given.ready(&self.run, stay, next);
        columns.ready.push(self.since_start(ready));
        columns.until.push(self.since_start(until));
        columns
            .next_station
            .push(next.map_or(NO_WORD, |next| next.station as u8));
        columns
            .next_cpu
            .push(next.map_or(CpuId::UNKNOWN.0, |next| next.cpu.0));
        let places = &self.places;
        columns.place_cpu.push(places.cpu(stays, first, current).0);
        columns
            .next_place_cpu
            .push(next.map_or(CpuId::UNKNOWN.0, |_| places.cpu(stays, first, next_at).0));
        columns.queue.push(places.queue(first + current));
        columns
            .next_queue
            .push(next.map_or(NO_QUEUE, |_| places.queue(first + next_at)));
        let piece = self.journeys.piece(id);
        columns
            .piece_of
            .push(piece.map_or(NONE, |piece| piece.whole.0));
        columns
            .piece_number
            .push(piece.map_or(0, |piece| piece.number));
        columns.piece_count.push(piece.map_or(0, |piece| piece.of));
        // A record without CPUs tells no waiting but that in queues.
        let is_served = if stay.cpu.is_known() {
            works.contains(&(stay.cpu, place))
        } else {
            !stay.station.is_queue() && ended.is_none()
        };
        columns.is_served.push(u8::from(is_served));
        columns.bytes.push(bytes);
        columns.parts.push(parts);
        let group = packet.fragment.map(|fragment| {
            let bytes = self.journeys.groups[fragment.group.0 as usize].bytes;
            (fragment.group.0, fragment.from, fragment.to, bytes)
        });
        let (group, from, to, group_bytes) = group.unwrap_or((NONE, 0, 0, 0));
        columns.group.push(group);
        columns.group_from.push(from);
        columns.group_to.push(to);
        columns.group_bytes.push(group_bytes);
        columns
            .verdict
            .push(ended.map_or(NO_WORD, |verdict| verdict.kind() as u8));
        let (reason, into) = match ended {
            Some(Verdict::Dropped { reason }) => (reason as u8, NONE),
            Some(Verdict::Merged { into }) => (NO_WORD, into.0),
            _ => (NO_WORD, NONE),
        };
        columns.drop_reason.push(reason);
        columns.merged_into.push(into);
    }

    fn add_cpus(&self, columns: &mut CpuColumns, time: Nanos) {
        for (lane, work) in self.lanes.lanes.iter().zip(&self.journeys.work) {
            let segment = lane.at(time);
            let doing = lane.doing(segment);
            columns.context.push(doing.context as u8);
            columns.detail.push(doing.detail);
            columns.pid.push(doing.pid.0);
            columns.since.push(self.since_start(lane.from[segment]));
            columns.packet.push(work.at(time).1.0);
        }
    }
}
