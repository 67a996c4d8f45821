//! Which beat's caption is on screen when, while film runs. The page's box, the captions it saves
//! and those of the command line all go by this list.
//!
//! A hop takes half a second and a sentence takes two to read, so not every beat is a caption: the
//! box shows the weightiest of late, and each long enough to be read. Of what comes too soon after
//! another the weightiest waits for it; what something weightier would push away is left out. What
//! is told for the first time weighs more than anything that is on screen. Never left out are the first
//! interrupt of a film, which says why the frame lay in the ring, and what is done to the run by hand.

use std::collections::VecDeque;

use crate::kernel::VerdictKind;

use super::Told;
use super::beats::{Beat, Like, What};

/// A caption stays for this much film whatever happens meanwhile, in seconds ...
pub const LEAST: f64 = 1.2;

/// ... and for this much unless something weightier does, or the eye goes over to another packet.
const READ: f64 = 1.7;

/// ... and so much where a packet is dropped for the first time, for whoever looks on.
const READ_DROP: f64 = 2.4;

/// A caption that comes on screen, to stay until the next one does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Caption {
    /// From this second of film on.
    pub from: f64,
    /// The beat that it tells of, by its place in [`Told::beats`].
    pub beat: u32,
}

/// A caption that comes within this much film of a weightier one is left out for it, in seconds.
const PUSHED: f64 = 0.6;

/// What weighs less than what stands waits this much film for its turn at most, in seconds, unless what
/// it tells still holds then, and for long enough to be read.
const LATE: f64 = 0.5;

/// What weighs so much is never left out for something that comes soon.
const NEEDED: u8 = 4;

/// A drop weighs so much, and what is done by hand: nothing takes their place before they have been read.
const DROP: u8 = 7;

/// How much it asks to be said whom the eye goes over to.
const CHANGE: u8 = 6;

/// All captions of a film, in order.
pub fn captions(told: &Told) -> Vec<Caption> {
    let candidates = candidates(told);
    let mut screen = Screen::default();
    for (at, &one) in candidates.iter().enumerate() {
        screen.catch_up(one.film);
        let news = one.news.filter(|like| !screen.read.contains(like));
        let one = Candidate { news, ..one };
        if !is_pushed(&one, &candidates[at + 1..]) {
            screen.offer(one);
        }
    }
    screen.catch_up(told.pieces.length());
    let shown = screen.shown.into_iter();
    shown.map(|(caption, _)| caption).collect()
}

/// Whether something weightier comes at the same moment, or soon.
fn is_pushed(one: &Candidate, ahead: &[Candidate]) -> bool {
    let mut soon = ahead
        .iter()
        .take_while(|next| next.film - one.film < PUSHED);
    soon.any(|next| {
        let is_at_once = next.film - one.film < 1e-6;
        let is_weightier = is_at_once && next.weight > one.weight;
        !one.changes_actor
            && !one.is_kept
            && (is_weightier || one.asks() < NEEDED && next.asks() > one.asks())
    })
}

/// A beat as what could be said.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    film: f64,
    beat: u32,
    weight: u8,
    /// The eye goes over to another packet here.
    changes_actor: bool,
    /// The film opens here.
    opens: bool,
    /// It is read whatever comes.
    is_kept: bool,
    /// What it tells that was not read yet since the film opened.
    news: Option<Like>,
    /// Up to this second of film it is so.
    holds: f64,
}

impl Candidate {
    /// Whether it takes the place of what has been read, and waits for that if it has to.
    const fn outdoes(&self, said: &Self) -> bool {
        self.changes_actor || self.is_kept || self.news.is_some() || self.weight > said.weight
    }

    /// How much it asks to be shown: whom the eye goes over to has to be said, though then
    /// whatever that packet does is worth more, and so has what is new.
    fn asks(&self) -> u8 {
        if self.changes_actor {
            CHANGE
        } else if self.news.is_some() {
            self.weight.max(NEEDED)
        } else {
            self.weight
        }
    }
}

fn candidates(told: &Told) -> Vec<Candidate> {
    let kept = told.first_interrupt();
    let beats = told.beats.iter().zip(0..);
    let candidate = |(beat, at): (&Beat, u32)| {
        let film = told.pieces.film_at(beat.time);
        let changes_actor = beat.what == What::Follows;
        Candidate {
            film,
            beat: at,
            weight: beat.weight,
            changes_actor,
            opens: changes_actor && is_opening(told, beat, film),
            is_kept: kept == Some(at) || matches!(beat.what, What::Intervenes(_)),
            news: beat.like,
            holds: told.pieces.film_at(beat.until),
        }
    };
    beats.map(candidate).collect()
}

fn is_opening(told: &Told, beat: &Beat, film: f64) -> bool {
    told.opens_with == Some(beat.packet) && (film - told.opens_at).abs() < 1e-6
}

/// The caption box while film runs.
#[derive(Default)]
struct Screen {
    shown: Vec<(Caption, Candidate)>,
    /// What was read since the film opened.
    read: Vec<Like>,
    /// What waits until the caption on screen has been there long enough, in order. Up to what is
    /// kept nothing is left out any more; behind that there is one at most.
    waits: VecDeque<Candidate>,
}

impl Screen {
    /// What waits is shown if it is time.
    fn catch_up(&mut self, film: f64) {
        while let (Some((last, said)), Some(&one)) = (self.shown.last(), self.waits.front()) {
            let due = last.from + stays(said, &one);
            if film < due {
                return;
            }
            self.waits.pop_front();
            self.show(one, due);
        }
    }

    fn offer(&mut self, one: Candidate) {
        let Some((last, said)) = self.shown.last() else {
            return self.show(one, one.film);
        };
        let kept = self.waits.iter().rposition(|waits| waits.is_kept);
        let ahead = kept.map_or(0, |place| place + 1);
        let (mut due, mut before) = (last.from, said);
        for next in self.waits.range(..ahead) {
            due += stays(before, next);
            before = next;
        }
        due += stays(before, &one);
        let is_late = due - one.film > LATE && one.holds < due + LEAST;
        let is_late = is_late && !one.outdoes(before);
        if one.opens || due <= one.film {
            self.waits.clear();
            self.show(one, one.film);
        } else if one.is_kept {
            // Whose interrupt it is has to be said first.
            self.waits.retain(|waits| waits.changes_actor);
            self.waits.push_back(one);
        } else if !is_late
            && self
                .waits
                .get(ahead)
                .is_none_or(|waits| one.asks() >= waits.asks())
        {
            self.waits.truncate(ahead);
            self.waits.push_back(one);
        }
    }

    fn show(&mut self, one: Candidate, from: f64) {
        if one.opens {
            self.read.clear();
        }
        self.read.extend(one.news);
        let beat = one.beat;
        self.shown.push((Caption { from, beat }, one));
    }
}

/// How long a caption stays on screen if another one asks for its place.
const fn stays(said: &Candidate, other: &Candidate) -> f64 {
    if matches!(said.news, Some(Like::Ends(VerdictKind::Dropped))) {
        READ_DROP
    } else if said.weight >= DROP {
        READ
    } else if other.outdoes(said) {
        LEAST
    } else {
        READ
    }
}
