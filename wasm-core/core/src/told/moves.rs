//! Everything that can be seen moving: each packet's coming to a station and its end, in order
//! of time.

use crate::journey::Journeys;
use crate::kernel::{Nanos, PacketId, Verdict};
use crate::order;

/// One movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// When.
    pub time: Nanos,
    /// Whose.
    pub packet: PacketId,
    /// The stay that begins, as a place in [`Journeys::stays`]; [`Move::END`] where it ends.
    pub stay: u32,
}

impl Move {
    /// It goes nowhere: this is its end.
    pub const END: u32 = u32::MAX;
}

/// All movements of a run in order of time, and what is asked about them.
#[derive(Debug, Clone)]
pub struct Moves {
    /// In order of time, then by packet.
    pub all: Vec<Move>,
}

impl Moves {
    /// Collects them.
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

    /// The place of the first movement after a time.
    pub fn after(&self, time: Nanos) -> usize {
        self.all.partition_point(|one| one.time <= time)
    }

    /// The place of the first movement at a time or after it.
    pub fn from(&self, time: Nanos) -> usize {
        self.all.partition_point(|one| one.time < time)
    }

    /// Whether more than so many movements lie strictly between two times.
    pub fn is_more_between(&self, many: usize, from: Nanos, to: Nanos) -> bool {
        let past = self.all.get(self.after(from) + many);
        past.is_some_and(|one| one.time < to)
    }
}
