//! What is said of whom the eye goes over to: how long a packet it is, and whose. One that is still to come
//! is not said to be there, as a sentence speaks of what is seen.

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
        // Of whoever was followed before the film opens nothing has been seen.
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
            return match left {
                Some(left) => (left, short, Some(plain)),
                None => (plain, short, why.or(seen)),
            };
        }
        let plain = match self.replay.journeys.flow(row.flow) {
            // Nothing told how long it is.
            _ if bytes == 0 => say::follows_of_no_length(beat.packet),
            Some(Flow { .. }) => say::follows(beat.packet, bytes, row.flow.0),
            None => say::follows_bare(beat.packet, bytes),
        };
        let short = say::short_follows(beat.packet);
        match left {
            // Who is left comes first: a packet that waits is not left without a word.
            Some(left) => (left, short, Some(plain)),
            None => (plain, short, why),
        }
    }

    /// The same of a packet that is not on the stage yet.
    fn follows_once_it_comes(&self, packet: PacketId) -> Saying {
        let row = self.packet(packet);
        let bytes = u64::from(row.bytes);
        match self.replay.journeys.flow(row.flow) {
            _ if bytes == 0 => say::follows_next_of_no_length(packet),
            Some(Flow { .. }) => say::follows_next(packet, bytes, row.flow.0),
            None => say::follows_next_bare(packet, bytes),
        }
    }

    /// Where a packet waits on that is followed no longer, and for what.
    fn left_waiting(&self, packet: PacketId, time: Nanos) -> Option<Saying> {
        let row = self.packet(packet);
        let stays = self.replay.journeys.stays(packet);
        let here = stays.iter().rposition(|stay| stay.enter <= time)?;
        let is_queued = is_wait(stays[here].station);
        let waits = is_queued && (row.end > time || row.verdict == Verdict::Open);
        waits.then(|| self.wait_of(packet, row.stays.start + here as u32))
    }
}
