//! `ringside convert --to FORMAT IN OUT`: any trace as kperf 2 (`traces/FORMAT.md`) or
//! as ftrace text, either of which reads back as the same run, or for other programs: Chrome trace
//! JSON, which Perfetto opens, and its frames as pcapng.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use ringside::export::{chrome_trace, ftrace, kperf2, pcapng};
use ringside::opened::Opened;
use ringside::run::{Excerpt, Run};

use crate::{Failure, complain, input, output, whole};

/// Writes a run as a file.
type Writer = fn(Run, &mut dyn Write) -> io::Result<()>;

/// The formats that are written.
const FORMATS: [(&str, Writer); 4] = [
    ("kperf2", |run, out| kperf2(&run, out)),
    ("ftrace", |run, out| ftrace(&run, out)),
    ("chrome", |run, out| {
        chrome_trace(&Opened::from(run).replay, out)
    }),
    ("pcapng", |run, out| pcapng(&Opened::from(run), out)),
];

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (["--to", format, from, to] | [from, to, "--to", format]) = words[..] else {
        return Err(Failure::Usage("convert what to what?".to_owned()));
    };
    let writer = FORMATS.iter().find(|(name, _)| *name == format);
    let Some((_, write)) = writer else {
        return Err(Failure::Usage(format!("no format \"{format}\"")));
    };
    let imported = input::import(from, Excerpt::default()).map_err(|why| {
        complain(&why);
        Failure::Import
    })?;
    // What is not in the new file is said, as it is in the page.
    let ledger = &imported.ledger;
    let left_out = ledger.unknown_lines() + ledger.malformed;
    if left_out > 0 {
        let (unknown, malformed) = (ledger.unknown_lines(), ledger.malformed);
        complain(&format!(
            "{from}: left out {unknown} lines with unknown events and {malformed} damaged lines"
        ));
    }
    if to == "-" {
        let mut output = BufWriter::new(io::stdout().lock());
        return write(imported.run, &mut output)
            .and_then(|()| output.flush())
            .map_err(Failure::Output);
    }
    // It was read whole, and could be written: without what is not in its new form.
    if output::is_same(Path::new(from), Path::new(to)) {
        let why = format!("{to} is the trace itself: choose another name");
        return Err(Failure::Usage(why));
    }
    whole::write_file(to, |output| write(imported.run, output))
}
