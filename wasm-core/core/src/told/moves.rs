//! All movements: each packet's arrivals at stations and its end, in order of time.

use crate::journey::Journeys;
use crate::kernel::{Nanos, PacketId, Verdict};
use crate::order;

/// One movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// When.
    pub time: Nanos,
    /// The moving packet.
    pub packet: PacketId,
    /// The stay that begins, as an index into [`Journeys::stays`]; [`Move::END`] for the packet's end.
    pub stay: u32,
}

impl Move {
    /// The value of `stay` for a packet's end.
    pub const END: u32 = u32::MAX;
}

/// All movements of a run in order of time, with queries.
#[derive(Debug, Clone)]
pub struct Moves {
    /// In order of time, then by packet.
    pub all: Vec<Move>,
}

impl Moves {
    /// Collects them from the journeys.
    pub fn of(journeys: &Journeys) -> Self {
        let mut all = Vec::with_capacity(journeys.stays.len() + journeys.packets.len());
        for packet in journeys.ids() {
            let row = &journeys.packets[packet.at()];
            all.extend(
                (row.stays.start..row.stays.end)
                    .zip(journeys.stays(packet))
                    .map(|(stay, at)| Move {
                        time: at.enter,
                        packet,
                        stay,
                    }),
            );
            if row.verdict != Verdict::Open && !row.stays.is_empty() {
                all.push(Move {
                    time: row.end,
                    packet,
                    stay: Move::END,
                });
            }
        }
        order::sort(&mut all);
        Self { all }
    }

    /// The index of the first movement after a time.
    pub fn after(&self, time: Nanos) -> usize {
        self.all.partition_point(|one| one.time <= time)
    }

    /// The index of the first movement at or after a time.
    pub fn from(&self, time: Nanos) -> usize {
        self.all.partition_point(|one| one.time < time)
    }

    /// Whether more than `many` movements lie strictly between two times.
    pub fn is_more_between(&self, many: usize, from: Nanos, to: Nanos) -> bool {
        let past = self.all.get(self.after(from) + many);
        past.is_some_and(|one| one.time < to)
    }
}
