//! Which frames the NIC dropped: those that the kernel had to see and did not.
//!
//! A ring is first in, first out. A frame was dropped when the kernel saw a later
//! one, or when it polled the ring empty after the frame had come. At the end of a
//! recording neither may be so; such a frame is "not observed", not dropped. With
//! several queues a later frame may have come by another ring, so that all must
//! have been emptied.

use std::collections::BTreeMap;

use crate::kernel::{Field, NameId, Nanos, Probe};
use crate::run::Run;

/// Up to when every frame that came must have been seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RingWatch {
    until: Option<Nanos>,
}

/// The polls of one ring.
#[derive(Debug, Clone, Copy, Default)]
struct Ring {
    last_poll: Option<Nanos>,
    /// It was found empty at this time or later, by a poll that took less than it could.
    emptied: Option<Nanos>,
}

impl RingWatch {
    /// `taken` are the times at which the kernel took frames out, ascending; `arrived`
    /// is when the last of them had come.
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
                // It began after the ring's last poll had ended, and found the ring empty
                // after it had taken its last frame.
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

    /// Nothing is proven: the kernel saw frames that are told apart from none of the capture's.
    pub(super) const fn blind() -> Self {
        Self { until: None }
    }

    /// Whether a frame that came at `time` and was not seen must have been dropped.
    pub(super) fn proves(self, time: Nanos) -> bool {
        self.until.is_some_and(|until| time <= until)
    }
}
