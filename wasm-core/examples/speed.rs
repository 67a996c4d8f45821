//! How long the core takes here, outside of a browser; `npm run bench` sets it beside the
//! browser's.
//!
//! `cargo run --release --example speed -- FILE [SEEKS]`: for a file and for seeks in it.
//! Prints one JSON object with seconds.
//!
//! `cargo run --release --example speed -- told TRACES`: how each recording of the shelf and each
//! shipped scenario plays as told film. Prints a line of JSON a run, with seconds of film.
//!
//! `cargo run --release --example speed -- sim [SCENARIO]`: for a simulation, by name or as a
//! file. Prints lines of a name and a number.
#![allow(clippy::print_stdout, reason = "a command line speaks to its user")]
#![allow(clippy::disallowed_methods, reason = "it measures, the core does not")]

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::time::Instant;

use ringside::english::say_of_file;
use ringside::findings::findings;
use ringside::import::Import;
use ringside::journey::Journeys;
use ringside::kernel::Nanos;
use ringside::opened::{Opened, Part};
use ringside::told::{Told, plays};
use serde_json::json;
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::engine::{Simulated, Simulation, simulate};

/// As much as a browser's stream hands out at once, about.
const CHUNK: usize = 1 << 16;

/// What is simulated when nothing is named.
const SCENARIO: &str = "ba-fig5-uni";
/// Payload of a full segment on Ethernet with the timestamp option (RFC 7323), in bytes: the
/// unit of data packets, as ns-3's side of the bench counts them.
const SEGMENT: u64 = 1448;
/// Events of the recorded run that is measured, about.
const EVENTS: u64 = 1_000_000;
/// Wall time that a measurement should take at least, in seconds.
const LONG_ENOUGH: f64 = 1.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which file?")?;
    if path == "sim" {
        return simulation(arguments.next().as_deref().unwrap_or(SCENARIO));
    }
    if path == "told" {
        return told(&arguments.next().ok_or("which folder?")?);
    }
    let seeks: u64 = arguments.next().map_or(Ok(0), |text| text.parse())?;
    import(&path, seeks)
}

fn import(path: &str, seeks: u64) -> Result<(), Box<dyn Error>> {
    let bytes = fs::read(path)?;

    let began = Instant::now();
    let newlines = memchr::memchr_iter(b'\n', &bytes).count();
    let counting = began.elapsed();

    let began = Instant::now();
    let mut import = Import::new();
    for chunk in bytes.chunks(CHUNK) {
        import.push(chunk);
    }
    let imported = import
        .finish()
        .map_err(|error| say_of_file(&error.said()))?;
    let importing = began.elapsed();
    let opened = Opened::from(imported);
    let opening = began.elapsed();

    let began = Instant::now();
    let found = black_box(findings(&opened)).len();
    let finding = began.elapsed();

    let (start, end) = (opened.run.start(), opened.run.end());
    let mut chance = 1_u64;
    let mut frames = Vec::new();
    let mut in_flight = Vec::new();
    for _ in 0..seeks {
        // A linear congruential generator: the same times in every run.
        chance = chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let time = Nanos(start.0 + (chance >> 16) % end.since(start).max(1));
        let began = Instant::now();
        let frame = black_box(opened.replay.at(time, 0));
        frames.push(began.elapsed().as_secs_f64());
        in_flight.push(frame.packets.packet.len());
    }
    let answer = json!({
        "bytes": bytes.len(),
        "newlines": newlines,
        "counting": counting.as_secs_f64(),
        "importing": importing.as_secs_f64(),
        "opening": opening.as_secs_f64(),
        "finding": finding.as_secs_f64(),
        "findings": found,
        "lines": opened.ledger.total(),
        "understood": opened.ledger.understood,
        "events": opened.run.len(),
        "packets": opened.journeys.packets.len(),
        "bytesOfEvents": opened.run.event_bytes(),
        "bytesOfTexts": opened.run.memory_bytes() - opened.run.event_bytes(),
        "bytesOfJourneys": bytes_of(&opened.journeys),
        "frames": frames,
        "inFlight": in_flight,
    });
    println!("{answer}");
    Ok(())
}

/// Bytes of memory that the tables of the journeys take.
fn bytes_of(journeys: &Journeys) -> usize {
    size_of_val(journeys.packets.as_slice())
        + size_of_val(journeys.stays.as_slice())
        + size_of_val(journeys.events.as_slice())
        + size_of_val(journeys.packet_of.as_slice())
}

/// Every run of the shelf, told.
fn told(traces: &str) -> Result<(), Box<dyn Error>> {
    let mut folders: Vec<_> = fs::read_dir(traces)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, std::io::Error>>()?;
    folders.retain(|folder| folder.join("recording.json").exists());
    folders.sort();
    for folder in folders {
        let about: serde_json::Value =
            serde_json::from_slice(&fs::read(folder.join("recording.json"))?)?;
        let offset = about["clock"]["wire_minus_trace_s"].as_f64();
        let files = about["files"].as_array().ok_or("no files")?;
        let part = |name: &serde_json::Value| -> Result<Part, Box<dyn Error>> {
            let name = name.as_str().ok_or("a file without a name")?;
            let mut import = Import::new();
            import.push(&fs::read(folder.join(name))?);
            let input = import.finish_any();
            Ok(Part {
                name: name.to_owned(),
                input: input.map_err(|error| say_of_file(&error.said()))?,
                clock_offset: offset.map(|seconds| (seconds * 1e9) as i64),
            })
        };
        let parts = files.iter().map(part).collect::<Result<_, _>>()?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let opened = Opened::together(parts).map_err(|error| say_of_file(&error.said()))?;
        tell(&name, &opened);
    }
    let catalogue = Catalogue::shipped()?;
    for shipped in catalogue.scenarios() {
        let run = simulate(&shipped.scenario, &catalogue, true)?.run;
        tell(
            &shipped.name,
            &Opened::from(run.ok_or("nothing was recorded")?),
        );
    }
    Ok(())
}

fn tell(name: &str, opened: &Opened) {
    let film = Told::of(&opened.replay, None);
    let plays = plays(&opened.replay, &film);
    let answer = json!({
        "name": name,
        "moves": plays.first,
        "hops": plays.hops_in_ten,
        "left": plays.hops_left,
        "still": plays.still,
        "length": plays.length,
    });
    println!("{answer}");
}

/// A simulated event is one thing that the engine does at a time of its own: a step of a
/// kernel path, a piece of user code, or an event of its queue (a timer, a frame that arrives,
/// an interrupt, a lock that is released). ns-3's count is of the same kind: the events that
/// its scheduler ran. A recording holds about half as many events, those of the vocabulary.
fn simulation(name: &str) -> Result<(), Box<dyn Error>> {
    let catalogue = Catalogue::shipped()?;
    let mut scenario = match catalogue.scenario(name) {
        Some(shipped) => shipped.scenario.clone(),
        None => Scenario::parse(&fs::read_to_string(name)?, &catalogue)?,
    };
    scenario.warmup_us = None;
    let (mut taken, mut plain) = timed(&scenario, &catalogue, false)?;
    while taken < LONG_ENOUGH {
        scenario.duration_us *= 2;
        (taken, plain) = timed(&scenario, &catalogue, false)?;
    }
    let measured = plain.measured;
    let packets = measured.delivered_bytes / SEGMENT;
    say("sim_seconds", measured.elapsed_fs as f64 / 1e15);
    say("sim_wall_seconds", taken);
    say("sim_packets_per_second", packets as f64 / taken);
    say("sim_events_per_second", measured.steps as f64 / taken);
    say(
        "sim_events_per_packet",
        measured.steps as f64 / packets as f64,
    );

    scenario.duration_us = scenario.duration_us * EVENTS / measured.events.max(1);
    let (plain, _) = timed(&scenario, &catalogue, false)?;
    let (recorded, simulated) = timed(&scenario, &catalogue, true)?;
    let run = simulated.run.ok_or("nothing was recorded")?;
    let steps = simulated.measured.steps as f64;
    say("sim_recorded_events_per_second", steps / recorded);
    say("sim_recorded_of_plain", plain / recorded);
    say("run_events", run.len() as f64);
    say("run_seconds", scenario.duration_us as f64 / 1e6);
    say(
        "run_bytes_per_event",
        run.memory_bytes() as f64 / run.len() as f64,
    );
    Ok(())
}

fn say(what: &str, number: f64) {
    println!("{what} {number}");
}

/// Seconds of wall time from the first event to the last, with the run put together if one is
/// recorded, and what comes out. The hosts and their sockets are there before.
fn timed(
    scenario: &Scenario,
    catalogue: &Catalogue,
    is_recording: bool,
) -> Result<(f64, Simulated), Box<dyn Error>> {
    let mut simulation = Simulation::new(scenario, catalogue, is_recording)?;
    let began = Instant::now();
    while !simulation.advance(1 << 40) {}
    let simulated = simulation.finish();
    Ok((began.elapsed().as_secs_f64(), simulated))
}
