//! A copy to a reader that waits for another cache.

use crate::kernel::Nanos;
use crate::replay::Replay;

use super::moves::Move;

/// Film for a copy whose bytes come from another cache: what crosses is to be seen to cross.
const COPY: f64 = 1.2;

/// A copy of a packet to its reader that waits for lines of another cache.
#[derive(Debug, Clone, Copy)]
pub struct Copying {
    /// When it begins.
    pub from: Nanos,
    /// When the last line is there.
    pub until: Nanos,
}

impl Copying {
    /// The copy that begins with a movement; none unless the packet comes to its reader by it.
    pub fn of(replay: &Replay, one: &Move) -> Option<Self> {
        let stay = replay.journeys.stays.get(one.stay as usize)?;
        let copies = &replay.machine.copies;
        let until = copies.fetched(one.packet, stay.cpu, stay.enter)?.until;
        (stay.enter < until).then_some(Self {
            from: stay.enter,
            until,
        })
    }

    /// Film for a part of it, in seconds: true to scale.
    pub fn film(&self, nanos: u64) -> f64 {
        COPY * nanos as f64 / self.until.since(self.from) as f64
    }
}
