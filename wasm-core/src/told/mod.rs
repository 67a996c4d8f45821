//! Told time: a run as a film that can be followed with the eye.
//!
//! True time is unwatchable: a packet waits for milliseconds and then passes five layers in as
//! many microseconds. The told film gives each hop of the packet that is followed its own piece
//! of film, folds what is still, and dwells where something ends or changes hands. Nothing is
//! left out and nothing changes its order: film is a monotone function of the run's time, piece
//! by piece linear, so it runs backwards, seeks and links exactly.
//!
//! In reading order: `moves` collects what can be seen moving, `typical` chooses the journey the
//! film opens at, `actors` whom the eye follows, `cues` what the CPUs do about that packet, `pace`
//! lays out the film, `beats` lists what is worth a word, `say` says it.
//!
//! All of it is a pure function of the replay and of the packet that the viewer asked for.

mod actors;
pub mod beats;
mod cues;
mod moves;
mod pace;
#[cfg(not(target_family = "wasm"))]
mod picture;
mod say;
#[cfg(test)]
mod tests;
mod typical;
pub mod words;

use crate::kernel::{Nanos, PacketId};
use crate::replay::Replay;

pub use actors::Act;
pub use cues::{Cue, CueKind};
pub use pace::{Kind, Pieces};
#[cfg(not(target_family = "wasm"))]
pub use picture::picture;
pub use say::{Said, said};
pub use typical::typical;

/// The film opens this long before the first movement of its journey, in seconds.
pub const LEAD_IN: f64 = 0.5;

/// A run as film.
#[derive(Debug, Clone, Default)]
pub struct Told {
    /// How film and run go together, from the start of the run to its end.
    pub pieces: Pieces,
    /// Whom the eye follows, in order of time.
    pub acts: Vec<Act>,
    /// What the CPUs do about the packet that is followed, in order of time.
    pub cues: Vec<Cue>,
    /// The packet whose journey the film opens at; none in a run without packets.
    pub opens_with: Option<PacketId>,
    /// Where the film opens, in seconds of film.
    pub opens_at: f64,
}

impl Told {
    /// The film of a run. `focus` is the packet it opens at and keeps to until that packet's
    /// end; without one a typical journey is chosen.
    pub fn of(replay: &Replay, focus: Option<PacketId>) -> Self {
        let (run, journeys) = (&replay.run, &replay.journeys);
        let moves = moves::Moves::of(journeys);
        let chosen = focus.or_else(|| typical(journeys));
        let first = chosen.map(|packet| typical::beginning(journeys, packet));
        let acts = actors::acts(journeys, &moves, first, focus);
        let cues = cues::cues(run, journeys, &acts);
        let pieces = pace::pieces(run, journeys, &moves, &acts, &cues);
        let begins = first.map_or(run.start(), |packet| journeys.packets[packet.at()].start);
        let opens_at = (pieces.film_at(begins) - LEAD_IN).max(0.0);
        Self {
            pieces,
            acts,
            cues,
            opens_with: first,
            opens_at,
        }
    }

    /// Whether the eye is on a packet at a time of the run, as the one it leaves or goes over to.
    pub fn follows_at(&self, packet: PacketId, time: Nanos) -> bool {
        let after = self.acts.partition_point(|act| act.from <= time);
        let now = &self.acts[after.saturating_sub(1)..after];
        let is_new = now.first().is_some_and(|act| act.from == time);
        let from = after.saturating_sub(if is_new { 2 } else { 1 });
        self.acts[from..after]
            .iter()
            .any(|act| act.packet == Some(packet))
    }

    /// The packet that the eye follows at a time of the run; the later of two that meet.
    pub fn actor_at(&self, time: Nanos) -> Option<PacketId> {
        let after = self.acts.partition_point(|act| act.from <= time);
        after
            .checked_sub(1)
            .and_then(|place| self.acts[place].packet)
    }
}
