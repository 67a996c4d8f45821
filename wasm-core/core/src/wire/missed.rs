//! Determines which frames the NIC dropped: those that should have reached the kernel and did not.
//!
//! A ring is a FIFO. A frame was dropped if the kernel saw a later one, or polled the ring empty after the frame
//! arrived. At the end of a recording neither may hold; such a frame is "not observed", not dropped. With several
//! queues a later frame may have used another ring, so all must have been emptied.

use std::collections::BTreeMap;

use crate::kernel::{Field, NameId, Nanos, Probe};
use crate::run::Run;

/// The time up to which every received frame must have been seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RingWatch {
    until: Option<Nanos>,
}

/// The polls of one ring.
#[derive(Debug, Clone, Copy, Default)]
struct Ring {
    last_poll: Option<Nanos>,
    /// A poll that took less than its budget found the ring empty at this time or later.
    emptied: Option<Nanos>,
}

impl RingWatch {
    /// `taken` are the times at which the kernel took frames, ascending; `arrived` is the time at which the last of
    /// them had arrived.
    pub(super) fn new(
        run: &Run,
        dev: Option<NameId>,
        taken: &[Nanos],
        arrived: Option<Nanos>,
    ) -> Self {
        let mut rings: BTreeMap<Option<u32>, Ring> = BTreeMap::new();
        let mut taken_last = None;
        for index in run
            .indices()
            .filter(|index| run.probe[index.at()] == Probe::NapiPoll)
        {
            let field = |field| run.field(index, field);
            if let (Some(dev), Some(found)) = (dev, field(Field::Dev))
                && dev.0 != found
            {
                continue;
            }
            let end = run.time(index);
            let ring = rings.entry(field(Field::Napi)).or_default();
            if field(Field::Work) < field(Field::Budget) {
                // This poll began after the previous one had ended, and found the ring empty after taking its last
                // frame.
                let count = taken.partition_point(|&time| time <= end);
                taken_last = count.checked_sub(1).map(|place| taken[place]);
                ring.emptied = ring.emptied.max(ring.last_poll);
            }
            ring.last_poll = Some(end);
        }
        let emptied = rings.values().map(|ring| ring.emptied).min().flatten();
        let until = match rings.len() {
            0 => arrived,
            1 => emptied.max(taken_last).max(arrived),
            _ => emptied,
        };
        Self { until }
    }

    /// Proves nothing: the kernel saw frames that could not be matched unambiguously.
    pub(super) const fn blind() -> Self {
        Self { until: None }
    }

    /// Whether a frame that arrived at `time` and was not seen must have been dropped.
    pub(super) fn proves(self, time: Nanos) -> bool {
        self.until.is_some_and(|until| time <= until)
    }
}
