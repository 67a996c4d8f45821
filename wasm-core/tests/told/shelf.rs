//! Every shipped recording and scenario, told: something moves within a second, enough can be
//! followed, and nothing stands still for long.

use std::fmt::Write as _;
use std::fs;
use std::iter;
use std::path::Path;

use ringside::import::Import;
use ringside::kernel::{Nanos, PacketId, Station, Verdict};
use ringside::measure::{median, transactions};
use ringside::opened::{Opened, Part};
use ringside::told::beats::{Beat, Like, What};
use ringside::told::captions::{LEAST, captions};
use ringside::told::{FADES, Told, plays};

use crate::shipped;

/// So many films of a recording are told, each for another packet.
const FILMS: usize = 16;

/// A recording with its capture of the link, as the page opens them.
pub fn recording(name: &str) -> Opened {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../traces")
        .join(name);
    let part = |name: &str| {
        let mut import = Import::new();
        import.push(&fs::read(folder.join(name)).ok()?);
        Some(Part {
            name: name.to_owned(),
            input: import.finish_any().unwrap(),
            clock_offset: None,
        })
    };
    let parts = ["trace.txt.gz", "wire.pcap.gz"];
    Opened::together(parts.into_iter().filter_map(part).collect()).unwrap()
}

/// A shipped scenario, simulated.
pub fn scenario(name: &str) -> Opened {
    let mut all = shipped::all();
    let simulated = all.find(|one| one.shipped.name == name).unwrap();
    simulated.opened()
}

fn recordings() -> Vec<(String, Opened)> {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("../traces");
    let mut folders: Vec<_> = fs::read_dir(traces)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|folder| folder.join("recording.json").exists())
        .collect();
    folders.sort();
    folders
        .iter()
        .map(|folder| {
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            let opened = recording(&name);
            (name, opened)
        })
        .collect()
}

fn scenarios() -> impl Iterator<Item = (String, Opened)> {
    shipped::all().map(|simulated| (simulated.shipped.name.clone(), simulated.opened()))
}

fn check(name: &str, opened: &Opened, wrong: &mut String) {
    let told = Told::of(&opened.replay, None);
    let plays = plays(&opened.replay, &told);
    let mut say = |what: String| writeln!(wrong, "{name}: {what}").unwrap();
    if plays.first >= 1.0 {
        say(format!("moves after {:.2} s", plays.first));
    }
    // A run with fewer hops in all is told in full.
    if plays.hops_in_ten < 8.min(plays.hops_left) {
        say(format!("{} hops in 10 s", plays.hops_in_ten));
    }
    if plays.still > 1.5 {
        say(format!("nothing moves for {:.2} s", plays.still));
    }
    // Where the packet that is followed waits, a fold is as long as it takes to read that.
    if plays.longest_fold > 1.2 {
        say(format!("a fold of {:.2} s", plays.longest_fold));
    }
    if let Some(odd) = plays
        .own_hops
        .iter()
        .find(|hop| !(0.3999..=0.8001).contains(*hop))
    {
        say(format!(
            "a hop of the packet that is followed takes {odd:.2} s"
        ));
    }
    if let Some(odd) = hurried(&told) {
        say(format!("the caption at {odd:.2} s is gone too soon"));
    }
    if told.actor_at(opening(opened, &told)) != told.opens_with {
        say("it opens on another packet than its own".to_owned());
    }
    assert!(plays.length.is_finite());
}

/// The first caption that is on screen for less time than it takes to read it; what the film
/// opens with cuts off what came before, which nobody sees who presses play.
fn hurried(told: &Told) -> Option<f64> {
    let shown = captions(told);
    let mut pairs = shown.windows(2);
    let odd = pairs.find(|pair| {
        let cut_off = (pair[1].from - told.opens_at).abs() < 1e-6;
        !cut_off && pair[1].from - pair[0].from < LEAST - 1e-6
    })?;
    Some(odd[0].from)
}

/// The time of the run at which the film opens.
fn opening(opened: &Opened, told: &Told) -> Nanos {
    let after = told.pieces.time_at(told.opens_at).round() as u64;
    Nanos(opened.run.start().0 + after)
}

#[test]
fn whoever_the_eye_goes_over_to_is_named_while_it_follows() {
    let mut unnamed = String::new();
    for (name, opened) in recordings().into_iter().chain(scenarios()) {
        let told = Told::of(&opened.replay, None);
        let shown = captions(&told);
        let film = |time| told.pieces.film_at(time);
        let follows = told.beats.iter().filter(|beat| beat.what == What::Follows);
        let follows: Vec<_> = follows.collect();
        for pair in follows.windows(2) {
            let (from, to) = (film(pair[0].time), film(pair[1].time));
            // In less time there is no room for a caption after the one before.
            let is_named = to - from < 2.0 * LEAST
                || shown.iter().any(|one| {
                    let beat = &told.beats[one.beat as usize];
                    let tells = beat.what == What::Follows || beat.weight >= 6;
                    let is_here = from <= one.from && one.from < to;
                    // A drop is worth more, whosever it is.
                    let is_it = tells && beat.packet == pair[0].packet || beat.weight == 7;
                    is_here && is_it
                });
            if !is_named {
                writeln!(unnamed, "{name}: {} from {from:.2} s", pair[0].packet.0).unwrap();
            }
        }
    }
    assert!(unnamed.is_empty(), "\n{unnamed}");
}

#[test]
fn what_has_ended_fades_in_film_for_as_long_as_it_lingers_on_the_page() {
    let film = include_str!("../../../web/session/film.ts");
    let lingers = format!("const LINGER_SECONDS = {FADES};");
    assert!(
        film.contains(&lingers),
        "web/session/film.ts lacks `{lingers}`"
    );
}

/// Who plays a film for the first time learns from the first interrupt why the frame lay in the
/// ring, and nothing takes its sentence away.
#[test]
fn the_first_interrupt_is_always_read() {
    let mut unread = String::new();
    for (name, opened) in recordings() {
        let every = opened.journeys.packets.len() / FILMS + 1;
        let packets = opened.journeys.ids().step_by(every).map(Some);
        for focus in iter::once(None).chain(packets) {
            let told = Told::of(&opened.replay, focus);
            let Some(first) = told.first_interrupt() else {
                continue;
            };
            if !captions(&told).iter().any(|one| one.beat == first) {
                let beat = &told.beats[first as usize];
                let film = told.pieces.film_at(beat.time) - told.opens_at;
                writeln!(
                    unread,
                    "{name}, {focus:?}: of {:?} at {film:.2} s",
                    beat.packet
                )
                .unwrap();
            }
        }
    }
    assert!(unread.is_empty(), "\n{unread}");
}

/// Whether a beat is a step that no other beat tells of: that it lay in a ring is told when it
/// leaves, and how a packet ends is told with the packet that it goes into.
const fn is_a_step(beat: &Beat) -> bool {
    match beat.like {
        Some(Like::Comes(station)) => !matches!(station, Station::RxRing | Station::TxRing),
        Some(Like::Cue(_)) => true,
        Some(Like::Ends(_)) | None => false,
    }
}

/// What the film tells for the first time is read while it is seen: who has never heard of a
/// softirq reads every step of the first journey.
#[test]
fn every_new_step_is_read() {
    let mut unread = String::new();
    for (name, opened) in recordings().into_iter().chain(scenarios()) {
        let told = Told::of(&opened.replay, None);
        let shown = captions(&told);
        let film = |time| told.pieces.film_at(time);
        let opens = told.opens_at..told.opens_at + 60.0;
        let likes = told
            .beats
            .iter()
            .filter(|beat| opens.contains(&film(beat.time)));
        let mut steps = Vec::new();
        for beat in likes.filter(|beat| is_a_step(beat)) {
            if steps.contains(&beat.like) {
                continue;
            }
            steps.push(beat.like);
            let read = shown.iter().filter(|one| told.opens_at <= one.from);
            let mut read = read.map(|one| &told.beats[one.beat as usize]);
            // Of what a packet does at one moment the last is enough.
            let is_it = |read: &Beat| {
                read.like == beat.like || (read.time, read.packet) == (beat.time, beat.packet)
            };
            if !read.any(is_it) {
                let after = film(beat.time) - told.opens_at;
                writeln!(unread, "{name}: {beat:?} at {after:.2} s").unwrap();
            }
        }
    }
    assert!(unread.is_empty(), "\n{unread}");
}

#[test]
fn every_run_on_the_shelf_moves_at_once_and_can_be_followed() {
    let mut wrong = String::new();
    for (name, opened) in recordings().into_iter().chain(scenarios()) {
        check(&name, &opened, &mut wrong);
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn a_packet_that_was_asked_for_is_followed_to_its_end() {
    for (name, opened) in recordings() {
        let last = opened.journeys.packets.len() as u32 - 1;
        for packet in [0, last / 2, last].map(PacketId) {
            let told = Told::of(&opened.replay, Some(packet));
            let row = &opened.journeys.packets[packet.at()];
            let first = told.opens_with.unwrap();
            let is_cut_from = |whole| opened.journeys.comes_from(packet).any(|from| from == whole);
            assert!(
                first == packet || is_cut_from(first),
                "{name}: {packet:?} begins with {first:?}, another piece"
            );
            assert_eq!(
                told.actor_at(opened.journeys.packets[first.at()].start),
                Some(first),
                "{name}"
            );
            let is_itself =
                first == packet && told.acts.iter().any(|act| act.packet == Some(packet));
            let goes_into_it = told
                .acts
                .iter()
                .any(|act| act.packet == Some(packet) && row.start <= act.from);
            assert!(
                is_itself || goes_into_it,
                "{name}: {packet:?} is never followed"
            );
        }
    }
}

/// Most packets of these runs are of uploads; what somebody waits for is a request and its answer.
#[test]
fn beside_uploads_a_request_is_followed_and_then_its_answer() {
    for name in [
        "today-bloat-fifo",
        "today-bloat-fq-codel",
        "today-bloat-fq",
        "today-bloat-ecn",
    ] {
        let opened = scenario(name);
        let all = transactions(&opened.run, &opened.journeys);
        let one = median(&all).unwrap();
        let told = Told::of(&opened.replay, None);
        assert_eq!(told.opens_with, Some(one.request), "{name}");
        let row = |packet: PacketId| &opened.journeys.packets[packet.at()];
        let left = opened.journeys.given_to_nic(one.request);
        let waits = Nanos(one.asked.0.midpoint(left.0));
        assert_eq!(told.actor_at(waits), Some(one.request), "{name}");
        let is_out = Nanos(row(one.answer).start.0 - 1);
        assert_eq!(told.actor_at(is_out), Some(one.request), "{name}");
        assert_eq!(
            told.actor_at(row(one.answer).start),
            Some(one.answer),
            "{name}"
        );
        let just_before = Nanos(one.answered.0 - 1);
        assert_eq!(told.actor_at(just_before), Some(one.answer), "{name}");
    }
}

/// Where many packets come only to wait, the eye does not go over to each of them: whom it leaves has moved
/// under it, six times of seven.
#[test]
fn the_eye_goes_over_to_those_that_go_on() {
    let mut restless = String::new();
    for (name, opened) in recordings().into_iter().chain(scenarios()) {
        let (told, journeys) = (Told::of(&opened.replay, None), &opened.journeys);
        let opens = opening(&opened, &told);
        let acts = told.acts.iter().filter(|act| opens <= act.from);
        let acts: Vec<_> = acts
            .filter_map(|act| Some((act.packet?, act.from)))
            .collect();
        let is_in_vain = |pair: &&[(PacketId, Nanos)]| {
            let [(packet, from), (_, to)] = pair[..] else {
                return false;
            };
            let row = &journeys.packets[packet.at()];
            // What others merge into stands while they come; of what is open nothing more is known.
            let stands = row.parts > 1 || row.verdict == Verdict::Open;
            let mut stays = journeys.stays(packet).iter();
            let moves = row.end <= to || stays.any(|stay| from < stay.enter && stay.enter <= to);
            !stands && !moves
        };
        let in_vain = acts.windows(2).filter(is_in_vain).count();
        if in_vain > 1 + acts.len() / 7 {
            writeln!(restless, "{name}: {in_vain} of {}", acts.len()).unwrap();
        }
    }
    assert!(restless.is_empty(), "\n{restless}");
}
