//! Which packet the camera follows, from the start of the run to its end.
//!
//! A packet is followed to its end, and until it is copied to its reader. Then comes the packet into which it was
//! merged, or the first one segmented from it, or else the next moving packet with enough movements ahead. A packet
//! that waits while many others move is left for one with movements ahead, so that the film shows where something
//! happens. If all others only arrive and wait as well, the camera stays. It stays, too, with a request that the film
//! is about, and comes back for its answer.

use crate::journey::Journeys;
use crate::kernel::{Nanos, PacketId, Verdict};
use crate::replay::Replay;

use super::moves::{Move, Moves};

/// From which time on a packet is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Act {
    /// The start.
    pub from: Nanos,
    /// The packet; `None` before the first one moves.
    pub packet: Option<PacketId>,
}

/// A waiting packet is left when more than this many movements of others occur, if another has enough movements
/// ahead.
pub const PATIENCE: usize = 14;

/// The number of movements before a packet's next long wait that makes it worth following. After a packet's end such
/// a packet is next, if any of the next [`HORIZON`] movements belongs to one.
const WAY_TO_GO: usize = 3;

/// How many movements ahead the next packet is searched for.
const HORIZON: usize = 48;

/// Which packet is followed when. `first` is followed from its start on. If it leads to `focus`, the packet that the
/// film is about, it is followed through all its waits; and so is then the answer to that.
pub fn acts(
    replay: &Replay,
    moves: &Moves,
    first: Option<PacketId>,
    focus: Option<PacketId>,
    answer: Option<PacketId>,
) -> Vec<Act> {
    let mut acts = Vec::new();
    let Some(first) = first else {
        return acts;
    };
    let journeys = &replay.journeys;
    let mut chain = Chain {
        replay,
        journeys,
        moves,
        is_patient: false,
        focus,
    };
    let start = |packet: PacketId| journeys.packets[packet.at()].start;
    let answer = answer.filter(|&answer| start(first) < start(answer));
    let (mut followed, mut place) = (None, 0);
    for packet in std::iter::once(first).chain(answer) {
        let begins = start(packet);
        chain.follow(followed, place, Some(begins), &mut acts);
        acts.retain(|act: &Act| act.from < begins);
        acts.push(Act {
            from: begins,
            packet: Some(packet),
        });
        chain.is_patient = focus.is_some();
        (followed, place) = (Some((packet, begins)), moves.from(begins));
    }
    chain.follow(followed, place, None, &mut acts);
    acts
}

struct Chain<'run> {
    replay: &'run Replay,
    journeys: &'run Journeys,
    moves: &'run Moves,
    /// The packet that the film is about and its successors are followed through all their waits.
    is_patient: bool,
    /// Of several pieces of a packet, the one to follow.
    focus: Option<PacketId>,
}

/// When a packet is left, and why.
struct Left {
    at: Nanos,
    why: Why,
}

/// Why a packet is left.
enum Why {
    /// It continues merged into this packet, or as this one segmented from it.
    GoesOnAs(PacketId),
    /// It waits until this time while many others move.
    Waits { until: Nanos },
    /// It has ended, or nothing more is known of it.
    Ended,
}

impl Chain<'_> {
    /// Appends the packets followed from a movement on, until a time.
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
                            // All others only wait, too.
                            place = self.moves.from(until).max(place);
                            current = Some((packet, until));
                            continue;
                        };
                        place = found;
                    }
                    // The answer is waited for: what others do meanwhile is not what the film is about.
                    Why::Ended if self.is_patient && until.is_some() => return,
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
            // Until its own first movement it cannot have waited too long.
            current = Some((next.packet, next.time));
            // Whichever packet is followed, the search continues after this moment.
            place = self.moves.after(one.time);
        }
    }

    /// When and why a packet followed since a time is left.
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
            let (at, why) = (last.max(self.copied(packet)), Why::Ended);
            return Left { at, why };
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
        let at = row.end.max(last).max(self.copied(packet));
        Left { at, why }
    }

    /// When a packet's copies to its reader from another CPU's cache are over; zero without one. Its end is the start
    /// of the last copy, and the picture shows that until then.
    fn copied(&self, packet: PacketId) -> Nanos {
        let Some(stay) = self.journeys.stays(packet).last() else {
            return Nanos(0);
        };
        let copies = &self.replay.machine.copies;
        let begun = [stay.enter, self.journeys.packets[packet.at()].end].into_iter();
        let over = begun.filter_map(|start| copies.fetching_until(packet, stay.cpu, start));
        over.max().unwrap_or(Nanos(0))
    }

    fn is_too_long(&self, from: Nanos, to: Nanos) -> bool {
        !self.is_patient && self.moves.is_more_between(PATIENCE, from, to)
    }

    /// The next movement, at or after `place`, of the packet to follow.
    fn next(&self, place: usize) -> Move {
        let ahead = &self.moves.all[place..self.moves.all.len().min(place + HORIZON)];
        let goes_on = ahead.iter().find(|one| self.has_way_to_go(one));
        *goes_on.unwrap_or(&ahead[0])
    }

    /// The first movement at or after `place` and before a time, of a packet with enough movements ahead.
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
