//! The film of a run: its time stretched and folded so that a viewer can follow it.
//!
//! Real time cannot be watched: a packet waits for milliseconds and then passes five layers in as many microseconds.
//! The film gives each hop of the followed packet its own length, folds intervals in which nothing happens, and
//! pauses where something ends or changes CPU. Nothing is left out or reordered: film time is a monotone, piecewise
//! linear function of the run's time, so playing backwards, seeking and links are exact.
//!
//! In reading order: `moves` collects all movements, `actors` chooses the followed packet, `cues` what CPUs do about
//! it, `pace` lays out the film, `waits` finds folded waits of that packet, `beats` lists what is worth a sentence,
//! `captions` which of that is shown, `say` says it.
//!
//! All of it is a pure function of the replay and of the packet that the viewer asked for.

mod actors;
pub mod beats;
pub mod captions;
mod copying;
mod cues;
mod dwell;
mod gro;
mod moves;
mod nics;
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
use crate::measure::{self, Transaction};
use crate::replay::Replay;

use moves::{Move, Moves};
use nics::Nics;

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

/// Seconds of film before the first movement of the opening journey.
pub const LEAD_IN: f64 = 0.9;

/// Seconds of film in which an ended packet fades out (`web/session/film.ts`).
pub const FADES: f64 = 0.5;

/// What the films of a run share, whichever packet is followed.
#[derive(Debug)]
pub struct Material {
    moves: Moves,
    events: cues::Events,
    interventions: Vec<Intervention>,
    transactions: Vec<Transaction>,
    has_gro: bool,
    nics: Nics,
}

impl Material {
    /// Collects it from a replay.
    pub fn of(replay: &Replay) -> Self {
        Self {
            moves: Moves::of(&replay.journeys),
            events: cues::Events::of(&replay.run),
            interventions: interventions(&replay.run),
            transactions: measure::transactions(&replay.run, &replay.journeys),
            has_gro: gro::is_seen(&replay.run),
            nics: Nics::of(&replay.run),
        }
    }

    /// The request that a film opens with if nobody asks for another packet: on a host that mostly sends the one whose
    /// answer took the median time. Somebody waits for that, and for none of what else is sent.
    fn request(&self, journeys: &Journeys) -> Option<PacketId> {
        let median = measure::median(&self.transactions)?;
        journeys.mostly_sends().then_some(median.request)
    }

    /// The answer to a request.
    fn answer_to(&self, request: PacketId) -> Option<PacketId> {
        let mut all = self.transactions.iter();
        Some(all.find(|one| one.request == request)?.answer)
    }
}

/// A run as film.
#[derive(Debug, Clone, Default)]
pub struct Told {
    /// The map between film and time of the run, from its start to its end.
    pub pieces: Pieces,
    /// Which packet is followed from when on, in order of time.
    pub acts: Vec<Act>,
    /// What CPUs do about the followed packet, in order of time.
    pub cues: Vec<Cue>,
    /// Waits of the followed packet during folds, in order of time.
    pub waits: Vec<Wait>,
    /// The interventions in a simulated run, in order of time.
    pub interventions: Vec<Intervention>,
    /// The events worth a sentence, in order of time.
    pub beats: Vec<Beat>,
    /// The packet with whose journey the film opens; `None` in a run without packets.
    pub opens_with: Option<PacketId>,
    /// Where the film opens, in seconds of film.
    pub opens_at: f64,
    /// Whether the run shows that GRO is switched on.
    pub has_gro: bool,
    /// The devices that are NICs, as far as the run shows.
    nics: Nics,
}

impl Told {
    /// The film of a run. With `focus` it opens with that packet and follows it to its end, and where that is a request,
    /// then its answer. Otherwise it does so with a request of a host that mostly sends; in any other run it opens with a
    /// typical journey.
    pub fn of(replay: &Replay, focus: Option<PacketId>) -> Self {
        Self::from(&Material::of(replay), replay, focus)
    }

    /// The same, with the material already collected.
    pub fn from(material: &Material, replay: &Replay, focus: Option<PacketId>) -> Self {
        let (run, journeys) = (&replay.run, &replay.journeys);
        let Material { moves, events, .. } = material;
        let focus = focus.or_else(|| material.request(journeys));
        let answer = focus.and_then(|packet| material.answer_to(packet));
        let first = match focus {
            Some(packet) => Some(origin(replay, packet)),
            None => journeys.typical().map(|packet| beginning(replay, packet)),
        };
        let mut acts = actors::acts(replay, moves, first, focus, answer);
        let mut cues = cues::cues(run, journeys, events, &acts);
        let begins = first.map_or(run.start(), |packet| journeys.packets[packet.at()].start);
        let (pieces, mut waits) = pace::pieces(replay, moves, &acts, &cues, begins);
        let before = &moves.all[..moves.from(begins)];
        let last_end = before.iter().rfind(|one| one.stay == Move::END);
        let cleared = last_end.map_or(0.0, |one| pieces.film_at(one.time) + FADES);
        let (opening, opens_at) = opening(run.start(), begins, &pieces, cleared);
        // From the opening until the opening packet starts, only that packet is followed.
        let is_before = |from: Nanos| from < opening || begins <= from;
        acts.retain(|act| is_before(act.from));
        cues.retain(|cue| is_before(cue.time));
        waits.retain(|wait| is_before(wait.time));
        if let Some(act) = acts.iter_mut().find(|act| act.from == begins) {
            act.from = opening;
        }
        // A packet that is left and followed again next counts as followed throughout.
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
            has_gro: material.has_gro,
            nics: material.nics.clone(),
        };
        told.beats = beats::beats(run, journeys, moves, &told);
        told
    }

    /// Whether a packet is followed at a time of the run, or just left then; `after` is the number of acts begun by
    /// that time.
    fn follows(&self, packet: PacketId, time: Nanos, after: usize) -> bool {
        let now = &self.acts[after.saturating_sub(1)..after];
        let is_new = now.first().is_some_and(|act| act.from == time);
        let from = after.saturating_sub(if is_new { 2 } else { 1 });
        self.acts[from..after]
            .iter()
            .any(|act| act.packet == Some(packet))
    }

    /// The cues about a packet during one of its stays, given as an index into [`Journeys::stays`].
    fn cues_in(&self, journeys: &Journeys, at: u32) -> impl Iterator<Item = &Cue> + Clone {
        let stay = &journeys.stays[at as usize];
        let (enter, leave) = (stay.enter, stay.leave);
        let first = self.cues.partition_point(|cue| cue.time < enter);
        let during = self.cues[first..].iter();
        during
            .take_while(move |cue| cue.time <= leave)
            .filter(move |cue| cue.stay == at)
    }

    /// The first interrupt told from the opening on, as an index into `beats`.
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

    /// The packet followed at a time of the run; where two acts meet, the later one.
    pub fn actor_at(&self, time: Nanos) -> Option<PacketId> {
        let after = self.acts.partition_point(|act| act.from <= time);
        after
            .checked_sub(1)
            .and_then(|place| self.acts[place].packet)
    }
}

/// When the film opens, in time of the run and in seconds of film: shortly before the opening journey begins, but not
/// before ended packets have faded (`cleared`, seconds of film). If the film pauses then, directly after the pause.
fn opening(start: Nanos, begins: Nanos, pieces: &Pieces, cleared: f64) -> (Nanos, f64) {
    let comes = pieces.film_at(begins);
    let film = (comes - LEAD_IN).max(cleared).min(comes).max(0.0);
    let after = pieces.time_at(film) as u64 + u64::from(film > 0.0);
    let opening = Nanos(start.0 + after).min(begins);
    (opening, pieces.film_at(opening))
}

/// The packet from which a packet was segmented, or itself: a requested packet is followed on its own path, not on
/// that of another piece with which it will be reassembled.
fn origin(replay: &Replay, packet: PacketId) -> PacketId {
    let journeys = &replay.journeys;
    journeys.comes_from(packet).last().unwrap_or(packet)
}

/// The packet with which a packet's story begins: the one from which it was segmented, or the first of all that were
/// merged into it.
fn beginning(replay: &Replay, packet: PacketId) -> PacketId {
    let first = origin(replay, packet);
    let parts = replay.growth.parts_of(first);
    parts.min().map_or(first, |part| part.min(first))
}
