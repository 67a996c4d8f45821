//! Waits of the followed packet during folds. Nothing of it moves then, so nothing else would explain the fold: a
//! wait says where, how long and for what.

use crate::journey::Journeys;
use crate::kernel::{Nanos, PacketId, Station, Verdict};

/// A wait of the followed packet, told at the first fold in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// Shortly after the start of the fold, so that it is told after the packet's arrival.
    pub time: Nanos,
    /// The waiting packet.
    pub packet: PacketId,
    /// Its stay, as an index into [`Journeys::stays`].
    pub stay: u32,
}

/// The wait is told when the fold has passed by one part in this many.
const INTO_FOLD: u64 = 8;

impl Wait {
    /// The wait of a packet that contains a fold from one time to another; `None` unless it waits in a queue
    /// throughout and is not dropped by that queue.
    pub(super) fn in_fold(
        journeys: &Journeys,
        packet: PacketId,
        from: Nanos,
        to: Nanos,
    ) -> Option<Self> {
        let row = &journeys.packets[packet.at()];
        let stays = journeys.stays(packet);
        let here = stays
            .partition_point(|stay| stay.enter <= from)
            .checked_sub(1)?;
        let is_over = row.verdict != Verdict::Open && row.end <= from;
        let stay = row.stays.start + here as u32;
        let waits = is_wait(stays[here].station) && to <= stays[here].leave.max(row.end);
        let is_told = waits && !is_over && !journeys.is_refused(packet, stay);
        is_told.then(|| Self {
            time: Nanos(from.0 + to.since(from) / INTO_FOLD),
            packet,
            stay,
        })
    }
}

/// Whether a packet at a station waits for something on this host; on a link it is in transit.
pub(super) const fn is_wait(station: Station) -> bool {
    station.is_queue() && !matches!(station, Station::Wire | Station::WireSend)
}
