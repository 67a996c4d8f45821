//! `ringside convert --to FORMAT [--wire PCAP] IN OUT`: any trace as kperf 2 (`traces/FORMAT.md`) or
//! as ftrace text, either of which reads back as the same run, or for other programs: Chrome trace
//! JSON, which Perfetto opens, and its frames as pcapng.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use ringside::export::{Unwritten, chrome_trace, ftrace, kperf2, pcapng};
use ringside::import::Ledger;
use ringside::opened::Opened;
use ringside::run::{Excerpt, Run};

use crate::{Failure, complain, input, options, output};

/// Writes a run as a file.
type Writer = fn(Read, &mut dyn Write) -> io::Result<()>;

/// The formats that are written.
const FORMATS: [(&str, Writer); 4] = [
    ("kperf2", |read, out| kperf2(read.run(), out)),
    ("ftrace", |read, out| ftrace(read.run(), out)),
    ("chrome", |read, out| {
        chrome_trace(&read.opened().replay, out)
    }),
    ("pcapng", |read, out| frames(&read.opened(), out)),
];

/// What was read. Its packets are put together only where the format or a capture asks for them.
enum Read {
    Run(Box<Run>),
    Opened(Box<Opened>),
}

impl Read {
    fn run(&self) -> &Run {
        match self {
            Self::Run(run) => run,
            Self::Opened(opened) => &opened.run,
        }
    }

    fn opened(self) -> Box<Opened> {
        match self {
            Self::Run(run) => Box::new(Opened::from(*run)),
            Self::Opened(opened) => opened,
        }
    }
}

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options::read(arguments, &["--to", "--wire"], &[])?;
    let (Some(format), [from, to]) = (options.value("--to"), &options.files[..]) else {
        return Err(Failure::Usage("convert what to what?".to_owned()));
    };
    let writer = FORMATS.iter().find(|(name, _)| *name == format);
    let Some((_, write)) = writer else {
        return Err(Failure::Usage(format!("no format \"{format}\"")));
    };
    // Before the trace is read, which may take long.
    if *to != "-" {
        may_be_written(to, from, options.wire)?;
    }
    let (read, ledger) = read(from, options.wire).map_err(|why| {
        complain(&why);
        Failure::Import
    })?;
    // What is not in the new file is said, as it is in the page.
    let left_out = ledger.unknown_lines() + ledger.malformed;
    if left_out > 0 {
        let (unknown, malformed) = (ledger.unknown_lines(), ledger.malformed);
        complain(&format!(
            "{from}: left out {unknown} lines with unknown events and {malformed} damaged lines"
        ));
    }
    if *to == "-" {
        let mut output = BufWriter::new(io::stdout().lock());
        return write(read, &mut output)
            .and_then(|()| output.flush())
            .map_err(Failure::Output);
    }
    whole::write_file(to, |output| write(read, output)).map_err(Failure::Output)
}

/// Refuses a name that promises a packed file, and that of what is read: it could be read whole and written without what is
/// not in its new form.
fn may_be_written(to: &str, from: &str, wire: Option<&str>) -> Result<(), Failure> {
    let capture = wire.map(|wire| (Path::new(wire), "capture"));
    let sources = [(Path::new(from), "trace")].into_iter().chain(capture);
    output::spare(to, sources)?;
    let Some(packed) = [".gz", ".zst"].into_iter().find(|end| to.ends_with(end)) else {
        return Ok(());
    };
    let why = format!("what is written is not packed: name it without {packed}, and pack it then");
    Err(Failure::Usage(why))
}

/// Reads a trace, with a capture of its link if one is named.
fn read(from: &str, wire: Option<&str>) -> Result<(Read, Ledger), String> {
    if wire.is_some() {
        let opened = Box::new(input::open(from, wire, Excerpt::default())?);
        let ledger = opened.ledger.clone();
        return Ok((Read::Opened(opened), ledger));
    }
    let imported = input::import(from, Excerpt::default())?;
    Ok((Read::Run(Box::new(imported.run)), imported.ledger))
}

/// Writes frames; the refusal of a recording of which none is known says what this command takes.
fn frames(opened: &Opened, out: &mut dyn Write) -> io::Result<()> {
    let why = match opened.wire {
        None => "name a capture of its link with --wire PCAP",
        Some(_) => "none of the capture's is found in it",
    };
    pcapng(opened, out).map_err(|error| match error {
        Unwritten::Refused(_) => io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("no frame of the link is known of this recording: {why}"),
        ),
        Unwritten::Failed(error) => error,
    })
}
