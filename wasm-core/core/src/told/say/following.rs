//! What is said when the camera changes to a packet: its length and flow. A packet that has not appeared yet is
//! announced as such.

use crate::journey::{Flow, Packet};
use crate::kernel::{Nanos, PacketId, Verdict};
use crate::saying::Saying;

use super::super::beats::Beat;
use super::super::waits::is_wait;
use super::super::words as say;
use super::{Teller, Telling};

impl Teller<'_> {
    pub(super) fn follows(&self, beat: &Beat) -> Telling {
        let row = self.packet(beat.packet);
        let merged = |packet: &Packet| packet.verdict == Verdict::Merged { into: beat.packet };
        let before = self.told.acts.partition_point(|act| act.from < beat.time);
        let last = before
            .checked_sub(1)
            .and_then(|at| self.told.acts[at].packet);
        if last.is_some_and(|last| merged(self.packet(last))) {
            let short = say::short_goes_on(beat.packet);
            return (say::goes_on(beat.packet), short, None);
        }
        let bytes = u64::from(row.bytes);
        if let Some(last) = last.filter(|&last| row.cut_from == last) {
            let pieces = self.replay.journeys.cut_into(last).len() as u64;
            let plain = say::follows_piece(last, pieces, beat.packet, bytes);
            return (plain, say::short_goes_on(beat.packet), None);
        }
        let piece = self.replay.journeys.piece(beat.packet);
        let why = piece.map(|piece| say::why_pieces(u64::from(piece.of)));
        // Packets followed before the opening have not been shown.
        let opens = self.told.opens_with == Some(beat.packet)
            && (self.told.pieces.film_at(beat.time) - self.told.opens_at).abs() < 1e-6;
        let left = last
            .filter(|_| !opens)
            .and_then(|last| self.left_waiting(last, beat.time));
        if beat.time < row.start {
            let first = self.replay.journeys.stays(beat.packet).first();
            let seen = first.map(|stay| say::why_first_seen(stay.station));
            let plain = self.follows_once_it_comes(beat.packet);
            let short = say::short_comes(beat.packet);
            return (plain, short, left.or(why).or(seen));
        }
        let plain = match self.replay.journeys.flow(row.flow) {
            // The length is unknown.
            _ if bytes == 0 => say::follows_of_no_length(beat.packet),
            Some(Flow { .. }) => say::follows(beat.packet, bytes, row.flow.0),
            None => say::follows_bare(beat.packet, bytes),
        };
        // The packet that the picture shows comes first; why it is no longer the other one explains it.
        (plain, say::short_follows(beat.packet), left.or(why))
    }

    /// The same for a packet that has not appeared yet.
    fn follows_once_it_comes(&self, packet: PacketId) -> Saying {
        let row = self.packet(packet);
        let bytes = u64::from(row.bytes);
        match self.replay.journeys.flow(row.flow) {
            _ if bytes == 0 => say::follows_next_of_no_length(packet),
            Some(Flow { .. }) => say::follows_next(packet, bytes, row.flow.0),
            None => say::follows_next_bare(packet, bytes),
        }
    }

    /// Where and for what a packet that is no longer followed waits.
    fn left_waiting(&self, packet: PacketId, time: Nanos) -> Option<Saying> {
        let row = self.packet(packet);
        let stays = self.replay.journeys.stays(packet);
        let here = stays.iter().rposition(|stay| stay.enter <= time)?;
        let is_queued = is_wait(stays[here].station);
        let waits = is_queued && (row.end > time || row.verdict == Verdict::Open);
        waits.then(|| self.wait_of(packet, row.stays.start + here as u32))
    }
}
