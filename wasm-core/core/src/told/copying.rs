//! A copy to a reader that waits for another CPU's cache.

use crate::kernel::Nanos;
use crate::replay::Replay;

use super::moves::Move;

/// Seconds of film for a copy from another CPU's cache, so that the transfer is visible.
const COPY: f64 = 1.2;

/// A copy of a packet to its reader that waits for cache lines of another CPU.
#[derive(Debug, Clone, Copy)]
pub struct Copying {
    /// When it begins.
    pub from: Nanos,
    /// When the last line has been transferred.
    pub until: Nanos,
}

impl Copying {
    /// The copy that begins with a movement; `None` unless the movement brings the packet to its reader.
    pub fn of(replay: &Replay, one: &Move) -> Option<Self> {
        let stay = replay.journeys.stays.get(one.stay as usize)?;
        let copies = &replay.machine.copies;
        let until = copies.fetching_until(one.packet, stay.cpu, stay.enter)?;
        (stay.enter < until).then_some(Self {
            from: stay.enter,
            until,
        })
    }

    /// Seconds of film for a part of it, proportional to its nanoseconds.
    pub fn film(&self, nanos: u64) -> f64 {
        COPY * nanos as f64 / self.until.since(self.from) as f64
    }
}
