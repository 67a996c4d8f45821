//! Told time: a run as a film that can be followed with the eye.
//!
//! Real time is unwatchable: a packet waits for milliseconds and then passes five layers
//! in as many microseconds. The told film gives each hop of the followed packet its own
//! piece of film, folds stretches in which nothing happens, and dwells where something
//! ends or changes hands. Nothing is left out or reordered: film is a monotone, piecewise
//! linear function of the time of the run, so it runs backwards, seeks and links exactly.
//!
//! In reading order: `moves` collects what can be seen moving, `actors` whom the eye follows,
//! `cues` what the CPUs do about that packet, `pace` lays out the film, `waits` says where it folds a wait
//! of that packet, `beats` lists what is worth a word, `captions` what of it is read, `say` says it.
//!
//! All of it is a pure function of the replay and of the packet that the viewer asked for.

mod actors;
pub mod beats;
pub mod captions;
mod copying;
mod cues;
mod dwell;
mod moves;
mod pace;
#[cfg(not(target_family = "wasm"))]
mod picture;
mod pieces;
#[cfg(not(target_family = "wasm"))]
mod plays;
mod say;
#[cfg(test)]
mod tests;
#[cfg(not(target_family = "wasm"))]
mod vtt;
mod waits;
pub mod words;

use crate::intervention::{Intervention, interventions};
use crate::journey::Journeys;
use crate::kernel::{Nanos, PacketId};
use crate::replay::Replay;

use moves::{Move, Moves};

pub use actors::Act;
pub use beats::{Beat, What};
pub use cues::{Cue, CueKind};
#[cfg(not(target_family = "wasm"))]
pub use picture::picture;
pub use pieces::{Kind, Pieces};
#[cfg(not(target_family = "wasm"))]
pub use plays::{Plays, plays};
pub use say::{Said, said};
#[cfg(not(target_family = "wasm"))]
pub use vtt::vtt;
pub use waits::Wait;

/// The film opens this long before the first movement of its journey, in seconds.
pub const LEAD_IN: f64 = 0.9;

/// What has ended fades from the stage for this long (`web/session/film.ts`), in seconds.
pub const FADES: f64 = 0.5;

/// What there is to tell about a run, whichever packet is followed.
#[derive(Debug)]
pub struct Material {
    moves: Moves,
    events: cues::Events,
    interventions: Vec<Intervention>,
}

impl Material {
    /// Collects it.
    pub fn of(replay: &Replay) -> Self {
        Self {
            moves: Moves::of(&replay.journeys),
            events: cues::Events::of(&replay.run),
            interventions: interventions(&replay.run),
        }
    }
}

/// A run as film.
#[derive(Debug, Clone, Default)]
pub struct Told {
    /// The map between film and time of the run, from its start to its end.
    pub pieces: Pieces,
    /// Which packet is followed from when on, in order of time.
    pub acts: Vec<Act>,
    /// What the CPUs do about the packet that is followed, in order of time.
    pub cues: Vec<Cue>,
    /// Where the packet that is followed waits while film folds, in order of time.
    pub waits: Vec<Wait>,
    /// The interventions in a simulated run, in order of time.
    pub interventions: Vec<Intervention>,
    /// What happens and is told in words, in order of time.
    pub beats: Vec<Beat>,
    /// The packet whose journey the film opens at; none in a run without packets.
    pub opens_with: Option<PacketId>,
    /// Where the film opens, in seconds of film.
    pub opens_at: f64,
}

impl Told {
    /// The film of a run. `focus` is the packet it opens at and keeps to until that packet's
    /// end; without one a typical journey is chosen.
    pub fn of(replay: &Replay, focus: Option<PacketId>) -> Self {
        Self::from(&Material::of(replay), replay, focus)
    }

    /// The same, where what there is to tell of the run has been collected.
    pub fn from(material: &Material, replay: &Replay, focus: Option<PacketId>) -> Self {
        let (run, journeys) = (&replay.run, &replay.journeys);
        let Material { moves, events, .. } = material;
        let first = match focus {
            Some(packet) => Some(origin(replay, packet)),
            None => journeys.typical().map(|packet| beginning(replay, packet)),
        };
        let mut acts = actors::acts(journeys, moves, first, focus);
        let mut cues = cues::cues(run, journeys, events, &acts);
        let begins = first.map_or(run.start(), |packet| journeys.packets[packet.at()].start);
        let (pieces, mut waits) = pace::pieces(replay, moves, &acts, &cues, begins);
        let before = &moves.all[..moves.from(begins)];
        let last_end = before.iter().rfind(|one| one.stay == Move::END);
        let cleared = last_end.map_or(0.0, |one| pieces.film_at(one.time) + FADES);
        let (opening, opens_at) = opening(run.start(), begins, &pieces, cleared);
        // From where the film opens on the eye is on the packet it opens with, and on no other.
        let is_before = |from: Nanos| from < opening || begins <= from;
        acts.retain(|act| is_before(act.from));
        cues.retain(|cue| is_before(cue.time));
        waits.retain(|wait| is_before(wait.time));
        if let Some(act) = acts.iter_mut().find(|act| act.from == begins) {
            act.from = opening;
        }
        // A packet that is left and then followed again counts as followed all the time.
        acts.dedup_by(|act, last| act.packet == last.packet && act.from != opening);
        let mut told = Self {
            pieces,
            acts,
            cues,
            waits,
            interventions: material.interventions.clone(),
            beats: Vec::new(),
            opens_with: first,
            opens_at,
        };
        told.beats = beats::beats(run, journeys, moves, &told);
        told
    }

    /// Whether the eye is on a packet at a time of the run, as the one it leaves or goes over to;
    /// `after` is how many actors it has followed by then.
    fn follows(&self, packet: PacketId, time: Nanos, after: usize) -> bool {
        let now = &self.acts[after.saturating_sub(1)..after];
        let is_new = now.first().is_some_and(|act| act.from == time);
        let from = after.saturating_sub(if is_new { 2 } else { 1 });
        self.acts[from..after]
            .iter()
            .any(|act| act.packet == Some(packet))
    }

    /// What the CPUs do about a packet during one of its stays, a place in [`Journeys::stays`].
    fn cues_in(&self, journeys: &Journeys, at: u32) -> impl Iterator<Item = &Cue> + Clone {
        let stay = &journeys.stays[at as usize];
        let (enter, leave) = (stay.enter, stay.leave);
        let first = self.cues.partition_point(|cue| cue.time < enter);
        let during = self.cues[first..].iter();
        during
            .take_while(move |cue| cue.time <= leave)
            .filter(move |cue| cue.stay == at)
    }

    /// The first interrupt that is told from where the film opens, as a place in its beats.
    pub fn first_interrupt(&self) -> Option<u32> {
        let is_interrupt = |beat: &Beat| match beat.what {
            What::Cue(cue) => self.cues[cue as usize].kind == CueKind::Interrupt,
            What::Intervenes(_) | What::Follows | What::Comes(_) | What::Waits(_) | What::Ends => {
                false
            }
        };
        let opens = |beat: &Beat| self.opens_at <= self.pieces.film_at(beat.time);
        let first = self
            .beats
            .iter()
            .position(|beat| is_interrupt(beat) && opens(beat));
        first.map(|place| place as u32)
    }

    /// The packet that the eye follows at a time of the run; the later of two that meet.
    pub fn actor_at(&self, time: Nanos) -> Option<PacketId> {
        let after = self.acts.partition_point(|act| act.from <= time);
        after
            .checked_sub(1)
            .and_then(|place| self.acts[place].packet)
    }
}

/// When the film of a run opens, in time of the run and in seconds of film: a little before the
/// journey that it opens with begins, and not before what ended last has been `cleared` away.
/// Where the film dwells on something then, right after it.
fn opening(start: Nanos, begins: Nanos, pieces: &Pieces, cleared: f64) -> (Nanos, f64) {
    let comes = pieces.film_at(begins);
    let film = (comes - LEAD_IN).max(cleared).min(comes).max(0.0);
    let after = pieces.time_at(film) as u64 + u64::from(film > 0.0);
    let opening = Nanos(start.0 + after).min(begins);
    (opening, pieces.film_at(opening))
}

/// The packet that a packet was cut from, or itself: whom a viewer asks for is followed on its own
/// way, and not on that of another piece that waits to become one with it.
fn origin(replay: &Replay, packet: PacketId) -> PacketId {
    let journeys = &replay.journeys;
    journeys.comes_from(packet).last().unwrap_or(packet)
}

/// The packet at which the story of a packet begins: the one it was cut from, or of all that
/// merged into it the one that came first.
fn beginning(replay: &Replay, packet: PacketId) -> PacketId {
    let first = origin(replay, packet);
    let parts = replay.growth.parts_of(first);
    parts.min().map_or(first, |part| part.min(first))
}
