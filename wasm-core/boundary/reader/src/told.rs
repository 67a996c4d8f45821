//! The told film as the page gets it (`web/core/told.ts`).

use serde::Serialize;
use tsify::Tsify;

use super::columns::Columns;
use boundary_saying::SayingView;
use ringside::journey::Journeys;
use ringside::kernel::PacketId;
use ringside::replay::{NONE, Replay};
use ringside::told::captions::captions;
use ringside::told::{Material, Said, Told, said};

/// A film with its beats, kept from one question about it to the next.
#[derive(Debug)]
pub struct Telling {
    material: Material,
    focus: Option<PacketId>,
    told: Told,
}

impl Telling {
    /// Tells a run.
    pub fn of(replay: &Replay, focus: Option<PacketId>) -> Self {
        let material = Material::of(replay);
        let told = Told::from(&material, replay, focus);
        Self {
            material,
            focus,
            told,
        }
    }

    /// Tells the same run with a focus.
    pub fn turn_to(&mut self, replay: &Replay, focus: Option<PacketId>) {
        if self.focus != focus {
            self.told = Told::from(&self.material, replay, focus);
            self.focus = focus;
        }
    }

    /// The packet that the film opens with and where, the pieces' columns, the actors', the beats',
    /// the captions'.
    pub fn packed(&self, replay: &Replay) -> Vec<f64> {
        let Told {
            pieces,
            acts,
            beats,
            opens_with,
            opens_at,
            ..
        } = &self.told;
        let column = |value: &dyn Fn(usize) -> f64, length: usize| -> Vec<f64> {
            (0..length).map(value).collect()
        };
        let captions = captions(&self.told);
        let packet = |packet: Option<PacketId>| f64::from(packet.map_or(NONE, |packet| packet.0));
        Columns::default()
            .push(&[packet(*opens_with)])
            .push(&[*opens_at])
            .push(&pieces.film)
            .push(&column(
                &|at| replay.since_start(pieces.time[at]),
                pieces.time.len(),
            ))
            .push(&column(
                &|at| f64::from(pieces.kind[at] as u8),
                pieces.kind.len(),
            ))
            .push(&column(&|at| pieces.film_at(acts[at].from), acts.len()))
            .push(&column(&|at| packet(acts[at].packet), acts.len()))
            .push(&column(&|at| pieces.film_at(beats[at].time), beats.len()))
            .push(&column(
                &|at| replay.since_start(beats[at].time),
                beats.len(),
            ))
            .push(&column(&|at| f64::from(beats[at].packet.0), beats.len()))
            .push(&column(&|at| captions[at].from, captions.len()))
            .push(&column(&|at| f64::from(captions[at].beat), captions.len()))
            .into_array()
    }

    /// What some beats say.
    pub fn said(&self, replay: &Replay, from: u32, count: u32) -> Vec<SaidView> {
        let beats = self
            .told
            .beats
            .iter()
            .skip(from as usize)
            .take(count as usize);
        beats
            .map(|beat| SaidView::of(&said(replay, &self.told, beat), &replay.journeys))
            .collect()
    }
}

/// What a beat says, at three levels, and why.
#[derive(Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(hashmap_as_object)]
pub struct SaidView {
    short: SayingView,
    plain: SayingView,
    kernel: SayingView,
    why: Option<SayingView>,
    is_said_short: bool,
}

impl SaidView {
    fn of(said: &Said, journeys: &Journeys) -> Self {
        let view = |saying| SayingView::of(saying, journeys);
        Self {
            short: view(&said.short),
            plain: view(&said.plain),
            kernel: view(&said.kernel),
            why: said.why.as_ref().map(view),
            is_said_short: said.is_said_short,
        }
    }
}
