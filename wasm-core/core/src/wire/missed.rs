//! Determines which frames the NIC dropped: those that should have reached the kernel and did not.
//!
//! A ring is a FIFO. A frame was dropped if the kernel saw a later one, or polled the ring empty after the frame
//! arrived. At the end of a recording neither may hold; such a frame is "not observed", not dropped. With several
//! queues a later frame may have used another ring, so all must have been emptied.
//!
//! What a driver gives to an XDP program or to AF_XDP has had its descriptor, and no event in the stack. A poll that took
//! more frames than the kernel saw in it shows that there is such a way; then a frame that is not seen proves nothing.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

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
    /// them had arrived, and `captured` the times between which frames were captured.
    pub(super) fn new(
        run: &Run,
        dev: Option<NameId>,
        taken: &[Nanos],
        arrived: Option<Nanos>,
        captured: &RangeInclusive<Nanos>,
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
            // A driver with more to do reports its whole budget, however little it took.
            if field(Field::Work) < field(Field::Budget) {
                if let (Some(before), Some(work)) = (ring.last_poll, field(Field::Work))
                    && captured.contains(&before)
                    && captured.contains(&end)
                {
                    let until = |time: Nanos| taken.partition_point(|&one| one <= time);
                    if work as usize > until(end) - until(before) {
                        return Self::blind();
                    }
                }
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
