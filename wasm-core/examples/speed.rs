//! `cargo run --release --example speed -- FILE [SEEKS]`: how long the core takes here,
//! outside of a browser, for a file and for seeks in it. Prints one JSON object with
//! seconds; `npm run bench` sets them beside the browser's.
#![allow(clippy::print_stdout, reason = "a command line speaks to its user")]
#![allow(clippy::disallowed_methods, reason = "it measures, the core does not")]

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::time::Instant;

use ringside::import::Import;
use ringside::kernel::Nanos;
use ringside::opened::Opened;
use serde_json::json;

/// As much as a browser's stream hands out at once, about.
const CHUNK: usize = 1 << 16;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which file?")?;
    let seeks: u64 = arguments.next().map_or(Ok(0), |text| text.parse())?;
    let bytes = fs::read(path)?;

    let began = Instant::now();
    let newlines = memchr::memchr_iter(b'\n', &bytes).count();
    let counting = began.elapsed();

    let began = Instant::now();
    let mut import = Import::new();
    for chunk in bytes.chunks(CHUNK) {
        import.push(chunk);
    }
    let imported = import.finish()?;
    let importing = began.elapsed();
    let opened = Opened::from(imported);
    let opening = began.elapsed();

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
        "lines": opened.ledger.total(),
        "understood": opened.ledger.understood,
        "events": opened.run.len(),
        "packets": opened.journeys.packets.len(),
        "frames": frames,
        "inFlight": in_flight,
    });
    println!("{answer}");
    Ok(())
}
