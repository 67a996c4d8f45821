//! Pauses of the film: a look at what deserves one, and time to read what is told for the first time.

use crate::journey::Journeys;
use crate::kernel::{PacketId, Station, Verdict};

use super::cues::{Cue, CueKind};
use super::moves::Move;

/// Seconds of film for looking at a drop, a merge, a change of CPU.
const DROP: f64 = 0.6;
const MERGE: f64 = 0.3;
const WHOLE: f64 = 0.6;
const CROSSING: f64 = 0.4;
const PREEMPTION: f64 = 0.9;
/// Seconds of film to read about a station that the followed packet visits for the first time.
const NEW: f64 = 0.65;
/// The same for the first drop, whose reason takes a longer sentence.
const NEW_DROP: f64 = 1.3;

/// What a pause is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Drop,
    Merge,
    Whole,
    Crossing,
    Preemption,
}

/// The longest pause deserved at a moment.
pub(super) fn dwell_at(
    journeys: &Journeys,
    moving: &[Move],
    told: &[Cue],
    is_actor: &impl Fn(PacketId) -> bool,
) -> Option<(Look, f64)> {
    let looks = moving.iter().filter_map(|one| {
        let row = &journeys.packets[one.packet.at()];
        if one.stay == Move::END {
            return match row.verdict {
                Verdict::Dropped { .. } => Some((Look::Drop, DROP)),
                Verdict::Merged { into } if is_actor(one.packet) || is_actor(into) => {
                    Some((Look::Merge, MERGE))
                }
                _ => None,
            };
        }
        let stay = &journeys.stays[one.stay as usize];
        let before = journeys.before(one.packet, one.stay);
        let before = before.filter(|_| is_actor(one.packet))?;
        if before.becomes_whole_in(stay) {
            Some((Look::Whole, WHOLE))
        } else {
            before
                .hands_over_to(stay)
                .then_some((Look::Crossing, CROSSING))
        }
    });
    let pushed = told.iter().filter(|cue| cue.kind == CueKind::Preempted);
    looks
        .chain(pushed.map(|_| (Look::Preemption, PREEMPTION)))
        .max_by(|a, b| a.1.total_cmp(&b.1))
}

/// Where a followed packet arrives, as far as that is explained only once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Station(Station),
    /// A queue, or the kernel, drops it.
    Dropped,
    /// Any other end.
    Ended,
}

impl Place {
    pub(super) fn of(journeys: &Journeys, one: &Move) -> Self {
        let verdict = journeys.packets[one.packet.at()].verdict;
        match journeys.stays.get(one.stay as usize) {
            Some(stay) => Self::Station(stay.station),
            None if matches!(verdict, Verdict::Dropped { .. }) => Self::Dropped,
            None => Self::Ended,
        }
    }

    /// Seconds of film to read the explanation.
    pub(super) const fn reading(self) -> f64 {
        match self {
            Self::Dropped => NEW_DROP,
            Self::Station(_) | Self::Ended => NEW,
        }
    }
}
