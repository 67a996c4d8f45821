//! `ringside told [--vtt] [--wire PCAP] FILE|--scenario SCENARIO [--packet N]`: the first half minute of
//! the told film as a text, or all its captions as `WebVTT`, the same as the page saves.

use std::io::Write;

use ringside::kernel::PacketId;
use ringside::opened::Opened;
use ringside::run::Excerpt;
use ringside::told::{Told, picture, vtt};
use sim::engine::simulate;

use crate::options::{Options, PART};
use crate::runs::NO_PART;
use crate::{Failure, complain, data, input, journeys, options, output};

/// So much film is told, in seconds.
const SECONDS: f64 = 30.0;

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options::read(
        arguments,
        &["--wire", "--data", "--packet", "--scenario", PART],
        &["--vtt"],
    )?;
    let (name, opened) = open(&options)?;
    let count = opened.journeys.packets.len();
    let packet = match options.value("--packet").map(journeys::number) {
        None => None,
        Some(Ok(id)) if (id as usize) < count => Some(PacketId(id)),
        Some(_) => {
            let why = format!("--packet needs the number of a packet: {name} has {count}");
            return Err(Failure::Usage(why));
        }
    };
    let told = Told::of(&opened.replay, packet);
    let text = if options.has("--vtt") {
        vtt(&opened.replay, &told, name)
    } else {
        picture(&opened.replay, &told, SECONDS)
    };
    output::stdout(false)
        .write_all(text.as_bytes())
        .map_err(Failure::Output)
}

/// The one run that is named, and its name: a file, or a scenario.
fn open<'a>(options: &Options<'a>) -> Result<(&'a str, Opened), Failure> {
    let fail = |error: String| {
        complain(&error);
        Failure::Import
    };
    match (options.files.as_slice(), options.value("--scenario")) {
        ([file], None) if options.data.is_some() => {
            let why = format!("{file}: it is a trace; --data goes with --scenario");
            Err(Failure::Usage(why))
        }
        ([file], None) => Ok((
            file,
            input::open(file, options.wire, options.excerpt()?).map_err(fail)?,
        )),
        ([], Some(name)) => {
            let fail = |why: String| fail(format!("{name}: {why}"));
            if options.excerpt()? != Excerpt::default() {
                return Err(Failure::Usage(format!("{name}: {NO_PART}")));
            }
            if options.wire.is_some() {
                let why = format!("{name}: it is a scenario; --wire goes with a trace");
                return Err(Failure::Usage(why));
            }
            let catalogue = data::catalogue(options.data).map_err(fail)?;
            let scenario = data::scenario(name, &catalogue).map_err(fail)?;
            let simulated = simulate(&scenario, &catalogue, true).map_err(fail)?;
            let recorded = simulated
                .run
                .ok_or_else(|| fail("nothing was recorded".to_owned()))?;
            Ok((name, Opened::from(recorded)))
        }
        _ => Err(Failure::Usage(
            "told of which one file, or which --scenario?".to_owned(),
        )),
    }
}
