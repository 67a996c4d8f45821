//! The film time that everything gets: from movements, acts and cues to the pieces of the film.
//!
//! Between two moments with events the run's time is linear in film, so each moment begins a piece. A movement of the
//! followed packet gets a hop's length of film, others get less, several at once get more, and an interval without
//! events is folded.

use crate::journey::{Journeys, Stay};
use crate::kernel::{Nanos, PacketId};
use crate::replay::Replay;

use super::actors::Act;
use super::copying::Copying;
use super::cues::Cue;
use super::dwell::{Look, Place, dwell_at};
use super::moves::{Move, Moves};
use super::pieces::{Kind, Pieces};
use super::waits::Wait;

/// Film for a hop of the followed packet; all lengths here are in seconds of film.
pub const HOP: f64 = 0.6;
/// The same if cues were told during the wait before it.
const HOP_AFTER_CUE: f64 = 0.45;
/// Film for the first movement of the opening journey: its packet is named before that, and ended packets have faded.
const FIRST: f64 = STILL;
/// Film for a hop of another packet.
const OTHER: f64 = 0.25;
/// The additional film for each further packet that moves at the same moment ...
const EACH_MORE: f64 = 0.08;
/// ... up to this.
const MANY: f64 = 0.6;
/// The limit of film for all movements of others between two of the followed packet.
const OTHERS_AT_MOST: f64 = 3.6;
/// Film for a cue about the packet.
const CUE: f64 = 0.4;
/// The limit of film for a hop with the fold before it.
const HOP_WITH_FOLD: f64 = 0.8;
/// Film for the part of a folded interval that follows the fold.
const AFTER_FOLD: f64 = 0.2;
/// The shortest film of a fold ...
const FOLD: f64 = 0.3;
/// ... its growth with each power of ten ...
const FOLD_DECADE: f64 = 0.05;
/// ... and its limit. With the following movement it stays within [`STILL`].
pub const LONGEST_FOLD: f64 = 0.5;
/// The film of a fold during a wait of the followed packet: time to read where, how long and for what it waits.
pub const FOLDED_WAIT: f64 = 1.1;
/// An interval is folded if it is at least this many times the usual stay.
const FOLD_FROM: u64 = 12;
/// The limit of film between two movements.
pub const STILL: f64 = 1.4;
/// The least film that a piece has.
const A_MOMENT: f64 = 0.01;
/// The same kind of pause again within this much film is shortened to this part.
const AGAIN_WITHIN: f64 = 4.0;
const AGAIN_PART: f64 = 0.4;

/// Lays out the film, and finds the waits that it folds. `begins` is when the opening journey begins.
pub fn pieces(
    replay: &Replay,
    moves: &Moves,
    acts: &[Act],
    cues: &[Cue],
    begins: Nanos,
) -> (Pieces, Vec<Wait>) {
    let (run, journeys) = (&*replay.run, &*replay.journeys);
    let rule = usual_stay(journeys);
    let mut film = Film::new(run.start(), rule);
    let (mut at_move, mut at_cue, mut at_act) = (0, 0, 0);
    loop {
        let next_move = moves.all.get(at_move).map(|one| one.time);
        let next_cue = cues.get(at_cue).map(|cue| cue.time);
        let Some(time) = [next_move, next_cue].into_iter().flatten().min() else {
            break;
        };
        let moving = take_while(&moves.all, &mut at_move, |one| one.time == time);
        let told = take_while(cues, &mut at_cue, |cue| cue.time == time);
        let before = actor_before(acts, &mut at_act, time);
        let now = acts.get(at_act).filter(|act| act.from == time);
        let is_actor = |packet: PacketId| {
            before == Some(packet) || now.is_some_and(|act| act.packet == Some(packet))
        };
        let waits = before.and_then(|packet| Wait::in_fold(journeys, packet, film.reached, time));
        film.pass(&Moment {
            time,
            waits,
            moving,
            told,
            is_actor_s: moving.iter().any(|one| is_actor(one.packet)),
            is_first: time == begins,
        });
        let followed = || moving.iter().filter(|one| is_actor(one.packet));
        let news = |film: &mut Film| {
            let new = |one: &Move| film.is_new(Place::of(journeys, one)).map(Place::reading);
            followed().filter_map(new).reduce(f64::max)
        };
        let reading = (begins <= time).then(|| news(&mut film)).flatten();
        let look = dwell_at(journeys, moving, told, &is_actor);
        film.dwell(time, look);
        if let Some(reading) = reading {
            film.read(time, reading - look.map_or(0.0, |(_, length)| length));
        }
        film.copying = followed()
            .find_map(|one| Copying::of(replay, one))
            .or(film.copying);
    }
    let waits = std::mem::take(&mut film.waits);
    (film.finish(run.end()), waits)
}

/// The median stay of a packet at stations that process it, in nanoseconds.
fn usual_stay(journeys: &Journeys) -> u64 {
    let worked = |is_strict: bool| {
        let stays = journeys.stays.iter();
        stays
            .filter(|stay| !(is_strict && stay.station.is_queue()))
            .map(Stay::duration)
            .filter(|&nanos| nanos > 0)
            .collect::<Vec<u64>>()
    };
    let mut all = worked(true);
    if all.is_empty() {
        all = worked(false);
    }
    if all.is_empty() {
        return 1000;
    }
    let middle = all.len() / 2;
    *all.select_nth_unstable(middle).1
}

fn take_while<'a, T>(all: &'a [T], at: &mut usize, holds: impl Fn(&T) -> bool) -> &'a [T] {
    let from = *at;
    while all.get(*at).is_some_and(&holds) {
        *at += 1;
    }
    &all[from..*at]
}

/// The packet followed just before a time. `at` advances to the first act from then on.
fn actor_before(acts: &[Act], at: &mut usize, time: Nanos) -> Option<PacketId> {
    while acts.get(*at).is_some_and(|act| act.from < time) {
        *at += 1;
    }
    at.checked_sub(1).and_then(|last| acts[last].packet)
}

/// A moment with events.
struct Moment<'run> {
    time: Nanos,
    /// The wait of the followed packet, past or still going on, if time is folded up to here.
    waits: Option<Wait>,
    moving: &'run [Move],
    told: &'run [Cue],
    /// Whether the followed packet is among those that move.
    is_actor_s: bool,
    /// Whether the opening journey begins.
    is_first: bool,
}

/// The film under construction.
struct Film {
    /// The usual stay in nanoseconds.
    rule: u64,
    /// For each piece its start, length in seconds of film, and kind.
    time: Vec<Nanos>,
    length: Vec<f64>,
    kind: Vec<Kind>,
    /// The time of the run up to which the film is laid out.
    reached: Nanos,
    /// Seconds of film up to the piece before a packet's last movement.
    settled: f64,
    /// The first piece after the last movement of any packet; and after the last of the followed one or cue.
    since_move: usize,
    since_told: usize,
    last_looks: [f64; 5],
    /// Places of followed packets that have been explained since the film opened.
    known: Vec<Place>,
    has_cue: bool,
    /// The piece that gives time to read about the last movement's place, if it was a new one.
    reading: Option<usize>,
    /// The last copy of a followed packet to its reader.
    copying: Option<Copying>,
    /// Folded waits of followed packets, each once.
    waits: Vec<Wait>,
}

impl Film {
    fn new(start: Nanos, rule: u64) -> Self {
        Self {
            rule,
            time: Vec::new(),
            length: Vec::new(),
            kind: Vec::new(),
            reached: start,
            settled: 0.0,
            since_move: 0,
            since_told: 0,
            last_looks: [f64::NEG_INFINITY; 5],
            known: Vec::new(),
            has_cue: false,
            reading: None,
            copying: None,
            waits: Vec::new(),
        }
    }

    fn push(&mut self, time: Nanos, length: f64, kind: Kind) {
        self.time.push(time);
        self.length.push(length);
        self.kind.push(kind);
    }

    /// Lays out the interval up to a moment.
    fn pass(&mut self, moment: &Moment<'_>) {
        let copying = self.copying.filter(|copy| self.reached < copy.until);
        if let Some(copy) = copying.filter(|copy| copy.until < moment.time) {
            let left = copy.until.since(self.reached);
            self.push(self.reached, copy.film(left), Kind::Moving);
            self.reached = copy.until;
        }
        let gap = moment.time.since(self.reached);
        // Events during a copy do not shorten it.
        let copied = copying
            .filter(|copy| self.reached < copy.until)
            .map_or(0.0, |copy| copy.film(gap));
        let is_cue = moment.moving.is_empty();
        if gap > 0 {
            let more = moment.moving.len().saturating_sub(1) as f64;
            let length = match (moment.is_actor_s, is_cue) {
                _ if moment.is_first => FIRST,
                (true, _) if self.has_cue => HOP_AFTER_CUE,
                (true, _) => HOP,
                (false, true) => CUE,
                (false, false) => (OTHER + EACH_MORE * more).min(MANY),
            };
            let fold_from = self.rule.saturating_mul(FOLD_FROM);
            if fold_from < gap && copied == 0.0 {
                let decades = (gap as f64 / fold_from as f64).log10();
                let wait = moment.waits.filter(|_| !moment.is_first);
                let wait = wait.filter(|wait| !self.waits.iter().any(|one| one.stay == wait.stay));
                let fold = match wait {
                    Some(_) => FOLDED_WAIT,
                    None => (FOLD + FOLD_DECADE * decades).min(LONGEST_FOLD),
                };
                self.waits.extend(wait);
                let rest = if moment.is_first {
                    FIRST - fold
                } else if is_cue {
                    AFTER_FOLD
                } else {
                    length.min(HOP_WITH_FOLD - fold).max(AFTER_FOLD)
                };
                self.push(self.reached, fold, Kind::Fold);
                let last = self.rule.max(1);
                self.push(Nanos(moment.time.0 - last), rest, Kind::Moving);
            } else {
                self.push(self.reached, length.max(copied), Kind::Moving);
            }
            self.reached = moment.time;
        }
        if moment.is_actor_s || !moment.told.is_empty() {
            self.hurry_others();
        }
        if !is_cue {
            self.end_stillness();
        }
        self.has_cue = if moment.is_actor_s {
            false
        } else {
            self.has_cue || !moment.told.is_empty()
        };
    }

    /// Shortens the movements of others during a wait of the followed packet if they took too long.
    fn hurry_others(&mut self) {
        let from = self.since_told.min(self.length.len());
        let last = self.length.len().saturating_sub(1).max(from);
        let sum: f64 = self.length[from..last].iter().sum();
        if sum > OTHERS_AT_MOST {
            for length in &mut self.length[from..last] {
                *length *= OTHERS_AT_MOST / sum;
            }
        }
        self.since_told = self.length.len();
    }

    /// A packet moves: limits the film since the previous movement to [`STILL`].
    fn end_stillness(&mut self) {
        let from = self.since_move.min(self.length.len());
        let mut sum: f64 = self.length[from..].iter().sum();
        // The pause for reading is shortened first, down to a minimum.
        if let Some(reading) = self.reading.take().map(|at| &mut self.length[at]) {
            let less = (sum - STILL).clamp(0.0, *reading - A_MOMENT);
            *reading -= less;
            sum -= less;
        }
        if sum > STILL {
            for length in &mut self.length[from..] {
                *length *= STILL / sum;
            }
        }
        self.settled += sum.min(STILL);
        self.since_move = self.length.len();
    }

    /// Pauses the film at a moment.
    fn dwell(&mut self, time: Nanos, look: Option<(Look, f64)>) {
        let Some((look, length)) = look else {
            return;
        };
        let last = &mut self.last_looks[look as usize];
        let is_again = self.settled - *last < AGAIN_WITHIN;
        *last = self.settled;
        let length = if is_again {
            length * AGAIN_PART
        } else {
            length
        };
        self.stand(time, length);
    }

    /// Pauses the film for a length. A pause for the followed packet is not shortened later.
    fn stand(&mut self, time: Nanos, length: f64) {
        let is_followed_s = self.since_told == self.length.len();
        self.push(time, length, Kind::Dwell);
        if is_followed_s {
            self.since_told = self.length.len();
        }
    }

    /// Returns the place if it is explained for the first time, and marks it as known.
    fn is_new(&mut self, place: Place) -> Option<Place> {
        let is_new = !self.known.contains(&place);
        if is_new {
            self.known.push(place);
        }
        is_new.then_some(place)
    }

    /// Extends a pause until a new place can have been read about.
    fn read(&mut self, time: Nanos, length: f64) {
        if A_MOMENT < length {
            self.reading = Some(self.length.len());
            self.stand(time, length);
        }
    }

    fn finish(mut self, end: Nanos) -> Pieces {
        if self.reached < end || self.length.is_empty() {
            self.push(self.reached, FOLD, Kind::Fold);
        }
        let mut at = 0.0;
        let mut film = Vec::with_capacity(self.length.len() + 1);
        for length in &self.length {
            film.push(at);
            at += length;
        }
        film.push(at);
        self.time.push(end.max(self.reached));
        Pieces {
            film,
            time: self.time,
            kind: self.kind,
        }
    }
}
