//! `ringside told FILE [--packet N]`: the first half minute of the told film, as a text.

use std::io::{self, Write};

use ringside::kernel::PacketId;
use ringside::told::{Told, picture};

use crate::{Failure, complain, input, options};

/// So much film is told, in seconds.
const SECONDS: f64 = 30.0;

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options::read(arguments, Some("--packet"))?;
    let [file] = options.files.as_slice() else {
        return Err(Failure::Usage("told of which one file?".to_owned()));
    };
    let opened = input::open(file, options.wire).map_err(|error| {
        complain(&error);
        Failure::Import
    })?;
    let count = opened.journeys.packets.len();
    let packet = match options.value.map(str::parse::<u32>) {
        None => None,
        Some(Ok(id)) if (id as usize) < count => Some(PacketId(id)),
        Some(_) => {
            let why = format!("--packet needs the number of a packet: {file} has {count}");
            return Err(Failure::Usage(why));
        }
    };
    let told = Told::of(&opened.replay, packet);
    let text = picture(&opened.replay, &told, SECONDS);
    io::stdout()
        .lock()
        .write_all(text.as_bytes())
        .map_err(Failure::Output)
}
