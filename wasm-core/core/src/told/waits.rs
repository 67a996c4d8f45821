//! Where the packet that is followed waits in a queue while the film folds: nothing of it moves, so nothing
//! else would say why. A fold says how much time passes, this says where, for how long and for what.

use crate::journey::Journeys;
use crate::kernel::{Nanos, PacketId, Station, Verdict};

/// A wait of the packet that is followed, told where film first folds in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// A little after the fold begins, so that it is told after what brought the packet here.
    pub time: Nanos,
    /// Who waits.
    pub packet: PacketId,
    /// In which stay, as a place in [`Journeys::stays`].
    pub stay: u32,
}

/// This part of a fold has passed when its wait is told.
const INTO_FOLD: u64 = 8;

impl Wait {
    /// The wait of a packet in which a fold from one time to another lies; none where it does not wait in
    /// a queue all the while, or will not be let in there.
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

/// Whether a packet at a station waits for something of this host; on a link it is under way.
pub(super) const fn is_wait(station: Station) -> bool {
    station.is_queue() && !matches!(station, Station::Wire | Station::WireSend)
}
