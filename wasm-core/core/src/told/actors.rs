//! Whom the eye follows: one packet after the other, from the start of the run to its end.
//!
//! A packet is followed to its end. Then comes the one that took it in, or the first that was
//! cut from it, or else the next that moves and still has some way to go. A packet that waits
//! while many others move is left for one that has some way to go: the film goes where something
//! happens. While all others only come and wait as well, the eye stays where it is.

use crate::journey::Journeys;
use crate::kernel::{Nanos, PacketId, Verdict};

use super::moves::{Move, Moves};

/// From when on which packet is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Act {
    /// From when on.
    pub from: Nanos,
    /// Which packet; none before the first that moves.
    pub packet: Option<PacketId>,
}

/// A packet that waits through more movements of others than this is left for one with some way to go.
pub const PATIENCE: usize = 14;

/// Some way to go is at least so many movements until it waits too long to be followed. After one that
/// ended such a packet comes next, if any of the next [`HORIZON`] movements belongs to one.
const WAY_TO_GO: usize = 3;

/// How many movements ahead the next packet is looked for.
const HORIZON: usize = 48;

/// Who is followed when. `first` is followed from its start on, whoever was followed before; if
/// its story is that of a packet the viewer asked for, through all its waits.
pub fn acts(
    journeys: &Journeys,
    moves: &Moves,
    first: Option<PacketId>,
    focus: Option<PacketId>,
) -> Vec<Act> {
    let mut acts = Vec::new();
    let Some(first) = first else {
        return acts;
    };
    let begins = journeys.packets[first.at()].start;
    let mut chain = Chain {
        journeys,
        moves,
        is_patient: false,
        focus,
    };
    chain.follow(None, 0, Some(begins), &mut acts);
    acts.retain(|act: &Act| act.from < begins);
    acts.push(Act {
        from: begins,
        packet: Some(first),
    });
    chain.is_patient = focus.is_some();
    chain.follow(Some((first, begins)), moves.from(begins), None, &mut acts);
    acts
}

struct Chain<'run> {
    journeys: &'run Journeys,
    moves: &'run Moves,
    /// The packet that was asked for, and what became of it, is followed through all its waits.
    is_patient: bool,
    /// Of the pieces of one packet it is the one to follow.
    focus: Option<PacketId>,
}

/// When a packet is left.
struct Left {
    at: Nanos,
    why: Why,
}

/// Why a packet is left.
enum Why {
    /// It went on inside this one, or as this one that was cut from it.
    GoesOnAs(PacketId),
    /// It waits until then, while many others move.
    Waits { until: Nanos },
    /// It is at its end, or nothing is known of it from then on.
    Ended,
}

impl Chain<'_> {
    /// Appends who is followed from a movement on, until a time.
    fn follow(
        &mut self,
        current: Option<(PacketId, Nanos)>,
        from: usize,
        until: Option<Nanos>,
        acts: &mut Vec<Act>,
    ) {
        let (mut current, mut place) = (current, from);
        loop {
            if let Some((packet, since)) = current {
                let left = self.left(packet, since);
                place = self.moves.after(left.at).max(place);
                match left.why {
                    Why::GoesOnAs(next) => {
                        acts.push(Act {
                            from: left.at,
                            packet: Some(next),
                        });
                        current = Some((next, left.at));
                        continue;
                    }
                    Why::Waits { until } => {
                        let Some(found) = self.way_to_go(place, until) else {
                            // Nobody else does more than wait, too.
                            place = self.moves.from(until).max(place);
                            current = Some((packet, until));
                            continue;
                        };
                        place = found;
                    }
                    Why::Ended => {}
                }
            }
            let Some(one) = self.moves.all.get(place) else {
                return;
            };
            if until.is_some_and(|until| until <= one.time) {
                return;
            }
            self.is_patient = false;
            let next = self.next(place);
            acts.push(Act {
                from: one.time,
                packet: Some(next.packet),
            });
            // Until it moves itself it cannot have waited for too long.
            current = Some((next.packet, next.time));
            // Whoever is followed, the search goes on behind this moment.
            place = self.moves.after(one.time);
        }
    }

    /// When a packet that is followed since a time is left, and why.
    fn left(&self, packet: PacketId, since: Nanos) -> Left {
        let row = &self.journeys.packets[packet.at()];
        let is_cut_from_it =
            |piece: &PacketId| self.journeys.packets[piece.at()].cut_from == packet;
        let wanted = self.focus.filter(is_cut_from_it);
        let piece = wanted.or_else(|| self.journeys.cut_into(packet).first().copied());
        let cut_at = piece.map(|piece| self.journeys.packets[piece.at()].start);
        if let (Some(piece), Some(at)) = (piece, cut_at)
            && since < at
            && (at <= row.end || wanted.is_some())
        {
            let why = Why::GoesOnAs(piece);
            return Left { at, why };
        }
        let stays = self.journeys.stays(packet);
        let begun = stays
            .partition_point(|stay| stay.enter <= since)
            .max(1)
            .min(stays.len());
        let waits = |at, until| Left {
            at,
            why: Why::Waits { until },
        };
        let mut last = since;
        for stay in &stays[begun..] {
            if self.is_too_long(last, stay.enter) {
                return waits(last, stay.enter);
            }
            last = last.max(stay.enter);
        }
        if row.verdict == Verdict::Open {
            let why = Why::Ended;
            return Left { at: last, why };
        }
        if self.is_too_long(last, row.end) {
            return waits(last, row.end);
        }
        let why = match row.verdict {
            Verdict::Merged { into } if into.is_some() && into != packet => {
                let lives = self.journeys.packets[into.at()].end > row.end.max(last);
                if lives {
                    Why::GoesOnAs(into)
                } else {
                    Why::Ended
                }
            }
            _ => Why::Ended,
        };
        let at = row.end.max(last);
        Left { at, why }
    }

    fn is_too_long(&self, from: Nanos, to: Nanos) -> bool {
        !self.is_patient && self.moves.is_more_between(PATIENCE, from, to)
    }

    /// The movement, from one on, of the packet to follow.
    fn next(&self, place: usize) -> Move {
        let ahead = &self.moves.all[place..self.moves.all.len().min(place + HORIZON)];
        let goes_on = ahead.iter().find(|one| self.has_way_to_go(one));
        *goes_on.unwrap_or(&ahead[0])
    }

    /// The first movement, from one on and before a time, of a packet that has some way to go.
    fn way_to_go(&self, place: usize, until: Nanos) -> Option<usize> {
        let mut ahead = self.moves.all.get(place..self.moves.from(until))?.iter();
        Some(place + ahead.position(|one| self.has_way_to_go(one))?)
    }

    fn has_way_to_go(&self, one: &Move) -> bool {
        let stays = self.journeys.stays(one.packet);
        let ahead = &stays[stays.partition_point(|stay| stay.enter < one.time)..];
        let mut next = ahead.windows(2).take(WAY_TO_GO - 1);
        ahead.len() >= WAY_TO_GO && next.all(|pair| !self.is_too_long(pair[0].enter, pair[1].enter))
    }
}
