//! Which beat's caption is on screen when, while the film runs. The page's caption box, saved captions and the
//! command line's all use this list.
//!
//! A hop lasts half a second and a sentence takes two to read, so not every beat gets a caption: the weightiest
//! recent ones are shown, each long enough to be read. Of the beats too soon after another the weightiest waits; one
//! that a weightier beat would displace soon is left out. A subject told for the first time outweighs what is on
//! screen. Never left out are the first interrupt, which explains why the frame was in the ring, and interventions.

use std::collections::VecDeque;

use crate::kernel::VerdictKind;

use super::Told;
use super::beats::{Beat, Like, What};

/// Seconds of film that a caption stays in any case ...
pub const LEAST: f64 = 1.2;

/// ... that it stays unless a weightier beat occurs or the camera changes to another packet ...
const READ: f64 = 1.7;

/// ... and that the first drop's caption stays.
const READ_DROP: f64 = 2.4;

/// A caption, shown until the next one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Caption {
    /// Its start, in seconds of film.
    pub from: f64,
    /// Its beat, as an index into [`Told::beats`].
    pub beat: u32,
}

/// Seconds of film: a caption is left out if a weightier one follows sooner than this.
const PUSHED: f64 = 0.6;

/// Seconds of film that a caption lighter than the current one may wait at most, unless it still holds then for long
/// enough to be read.
const LATE: f64 = 0.5;

/// From this weight on a caption is not left out for one that follows soon.
const NEEDED: u8 = 4;

/// The weight of drops and interventions, which are not displaced before they have been read.
const DROP: u8 = 7;

/// The weight of naming the packet to which the camera changes.
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

/// Whether a weightier beat occurs at the same moment, or soon.
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

/// A beat that may become a caption.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    film: f64,
    beat: u32,
    weight: u8,
    /// The camera changes to another packet here.
    changes_actor: bool,
    /// The film begins here.
    opens: bool,
    /// It is shown in any case.
    is_kept: bool,
    /// Its subject, if not yet read since the film began.
    news: Option<Like>,
    /// Until when it holds, in seconds of film.
    holds: f64,
}

impl Candidate {
    /// Whether it replaces a caption that has been read, and waits for that if necessary.
    const fn outdoes(&self, said: &Self) -> bool {
        self.changes_actor || self.is_kept || self.news.is_some() || self.weight > said.weight
    }

    /// Its priority: a change of packet must be named, but after that the packet's own beats, and new subjects, take
    /// precedence.
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
    /// The subjects read since the film began.
    read: Vec<Like>,
    /// Captions that wait until the current one has been shown long enough, in order. None up to the last kept one is
    /// left out; after that there is at most one.
    waits: VecDeque<Candidate>,
}

impl Screen {
    /// Shows waiting captions whose time has come.
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
            // The packet of the interrupt must be named first.
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

/// Seconds of film that a caption stays before another one may replace it.
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
