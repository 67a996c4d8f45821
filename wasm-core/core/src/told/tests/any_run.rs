//! Properties of any run at all, sensible or not, told from any of its packets.

use std::rc::Rc;

use proptest::prelude::*;

use crate::journey::Journeys;
use crate::kernel::PacketId;
use crate::replay::Replay;
use crate::replay::tests::any_run::any_run;
use crate::run::Run;
use crate::told::pace::{FOLDED_WAIT, STILL};
use crate::told::{Kind, Told};

fn replay(run: Run) -> Replay {
    let journeys = Rc::new(Journeys::of(&run));
    Replay::new(Rc::new(run), journeys)
}

fn told(replay: &Replay, focus: Option<usize>) -> Told {
    let count = replay.journeys.packets.len();
    let focus = focus
        .filter(|_| count > 0)
        .map(|at| PacketId((at % count) as u32));
    Told::of(replay, focus)
}

proptest! {
    #[test]
    fn film_covers_the_run_and_never_goes_back(run in any_run(), focus in prop::option::of(0usize..100)) {
        let replay = replay(run);
        let Told { pieces, opens_at, .. } = told(&replay, focus);
        let (start, end) = (replay.run.start(), replay.run.end());
        prop_assert_eq!(pieces.film.len(), pieces.kind.len() + 1);
        prop_assert_eq!(pieces.time.len(), pieces.film.len());
        prop_assert_eq!((pieces.time[0], *pieces.time.last().unwrap()), (start, end));
        prop_assert!(pieces.film[0].abs() < 1e-12);
        prop_assert!(pieces.film.is_sorted_by(|a, b| a < b));
        prop_assert!(pieces.time.is_sorted());
        for (at, kind) in pieces.kind.iter().enumerate() {
            let stands = pieces.time[at] == pieces.time[at + 1];
            prop_assert!(stands == (*kind == Kind::Dwell) || start == end, "piece {} is {:?}", at, kind);
            let length = pieces.film[at + 1] - pieces.film[at];
            prop_assert!(*kind != Kind::Fold || length <= FOLDED_WAIT + 1e-9);
        }
        prop_assert!((0.0..=pieces.length()).contains(&opens_at));
    }

    #[test]
    fn film_and_time_undo_each_other(run in any_run(), shares in prop::collection::vec(0.0f64..=1.0, 1..20)) {
        let replay = replay(run);
        let Told { pieces, .. } = told(&replay, None);
        for time in replay.run.times() {
            let since = time.since(replay.run.start()) as f64;
            let back = pieces.time_at(pieces.film_at(time));
            prop_assert!((back - since).abs() < 0.001, "{} came back as {}", since, back);
        }
        let mut last = f64::NEG_INFINITY;
        let mut films: Vec<f64> = shares.iter().map(|share| share * pieces.length()).collect();
        films.sort_by(f64::total_cmp);
        for film in films {
            let time = pieces.time_at(film);
            prop_assert!(last <= time);
            last = time;
        }
    }

    #[test]
    fn the_eye_has_one_packet_at_a_time_and_packets_never_stand_still_for_long(run in any_run(), focus in prop::option::of(0usize..100)) {
        let replay = replay(run);
        let Told { pieces, acts, cues, .. } = told(&replay, focus);
        prop_assert!(acts.is_sorted_by(|a, b| a.from <= b.from));
        prop_assert!(cues.is_sorted());
        let moves = crate::told::moves::Moves::of(&replay.journeys);
        let films: Vec<f64> = moves.all.iter().map(|one| pieces.film_at(one.time)).collect();
        for pair in films.windows(2) {
            prop_assert!(pair[1] - pair[0] <= STILL + 1e-9);
        }
    }
}
