//! The native command line: reads files, hands their bytes to the library, prints.
//! One file a command. Exit status: 0, 1 for a file that cannot be imported, 2 for
//! wrong use.

mod beside;
mod compare;
mod convert;
mod data;
mod findings;
mod frame;
mod input;
mod journeys;
mod moment;
mod options;
mod output;
mod packetdrill;
mod parameters;
mod profile;
mod reproduce;
mod runs;
mod simulate;
mod summarize;
mod told;

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

const USAGE: &str = "usage: ringside summarize [--json] [--wire PCAP] FILE...
       ringside journeys [--json] [--wire PCAP] FILE [--packet N]
       ringside frame --at TIME [--json] [--wire PCAP] FILE
       ringside findings [--json] [--wire PCAP] FILE...
       ringside told [--vtt] [--wire PCAP] FILE [--packet N]
       ringside told [--vtt] [--data FOLDER] --scenario SCENARIO [--packet N]
       ringside compare [--data FOLDER] [--seeds N | --packets] [--json] BEFORE AFTER
       ringside profile [--data FOLDER] [--folded [--of WHAT] | --json] RUN [AFTER]
       ringside convert --to kperf2|ftrace|chrome|pcapng [--wire PCAP] IN OUT
       ringside simulate [--data FOLDER] [--to OUT] SCENARIO
       ringside reproduce [--data FOLDER] [--json] [ID...]
       ringside parameters [--data FOLDER] [--json] [kernels/6.1...]
       ringside measure-host [--base MACHINE] [--name NAME] [--anyway] [FILE]
       ringside check-host [--machine FILE] [--json] [--predict | --measure] [--all] [LOAD...]
       ringside sweep --vary SETTING=RANGE [--seeds RANGE] --out FOLDER SCENARIO
       ringside packetdrill [--data FOLDER] [--kernel KERNEL] [--to OUT] SCRIPT...

chrome is Chrome trace JSON, which Perfetto opens; pcapng has the frames, their headers composed: of a
recording those of the capture that --wire names.
FILE is a trace, plain, .gz or .zst. Wherever a file is read, - is standard input; where one is
written by convert, standard output.
Of a trace that is too large each command that takes one, but convert, opens a part where these
options name one: --cpu N, --from TIME, --to TIME.
PCAP is a capture of the link beside the trace, pcap or pcapng.
SCENARIO is the name of a shipped scenario or a file; OUT gets its run as kperf 2.
BEFORE and AFTER are scenarios, each run with N seeds (6), or traces.
RUN is one of either; beside AFTER its profile is held against that one's.
ID is an entry of the published numbers (ba.fig5) or the beginning of several (ba); all of them
without any.
SCRIPT is in packetdrill's grammar; it meets the TCP of KERNEL (6.1), and the first difference of
each is printed.
measure-host, check-host and sweep say more of themselves after --help.
FOLDER has machines/, kernels/ or workloads/ with .json files like those of wasm-core/data: they
take the place of those of their names, or stand beside them.
TIME is in nanoseconds on the trace's clock, or has one of s, ms, us and ns behind the number.
--at takes it after a + as well, since the first event; --from and --to do not.";

/// Why a command did not do all it was asked.
enum Failure {
    /// It was called wrongly.
    Usage(String),
    /// One or more files could not be imported; said already.
    Import,
    /// The output could not be written.
    Output(std::io::Error),
    /// A program beside this one failed and has said why.
    Beside(u8),
}

fn main() -> ExitCode {
    let words = std::env::args_os().skip(1).map(OsString::into_string);
    let arguments: Vec<String> = match words.collect() {
        Ok(arguments) => arguments,
        Err(word) => {
            complain(&format!(
                "\"{}\" is not UTF-8: give what such a file holds to standard input, and - as its name",
                word.display()
            ));
            return ExitCode::from(2);
        }
    };
    // Where a file would be called so it is named as ./--help.
    let asks = |word: &String| matches!(word.as_str(), "-h" | "--help");
    let is_asked =
        arguments.iter().any(asks) && !arguments.first().is_some_and(|word| is_beside(word));
    if is_asked || arguments.first().is_none_or(|word| word == "help") {
        return match writeln!(std::io::stdout(), "{USAGE}") {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => ended_by(&error),
        };
    }
    let result = match arguments.split_first() {
        Some((command, rest)) if command == "summarize" => summarize::run(rest),
        Some((command, rest)) if command == "journeys" => journeys::run(rest),
        Some((command, rest)) if command == "frame" => frame::run(rest),
        Some((command, rest)) if command == "findings" => findings::run(rest),
        Some((command, rest)) if command == "told" => told::run(rest),
        Some((command, rest)) if command == "compare" => compare::run(rest),
        Some((command, rest)) if command == "convert" => convert::run(rest),
        Some((command, rest)) if command == "simulate" => simulate::run(rest),
        Some((command, rest)) if command == "reproduce" => reproduce::run(rest),
        Some((command, rest)) if command == "profile" => profile::run(rest),
        Some((command, rest)) if command == "parameters" => parameters::run(rest),
        Some((command, rest)) if is_beside(command) => beside::run(command, rest),
        Some((command, rest)) if command == "packetdrill" => packetdrill::run(rest),
        Some((command, _)) => Err(Failure::Usage(format!("no command \"{command}\""))),
        // Answered above.
        None => Ok(()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Import) => ExitCode::from(1),
        Err(Failure::Beside(status)) => ExitCode::from(status),
        Err(Failure::Output(error)) => ended_by(&error),
        Err(Failure::Usage(why)) => {
            let command = arguments.first().map_or("", String::as_str);
            complain(&format!("{why}\n{}try: ringside help", usage_of(command)));
            ExitCode::from(2)
        }
    }
}

/// Whether a program beside this one has the command, and words of its own on it.
fn is_beside(command: &str) -> bool {
    beside::COMMANDS.contains(&command)
}

/// The lines that say how a command is called; none for what is no command.
fn usage_of(command: &str) -> String {
    let form = format!("ringside {command} ");
    let forms = USAGE
        .lines()
        .map(|line| line.trim_start_matches("usage: ").trim_start());
    forms
        .filter(|line| line.starts_with(&form))
        .fold(String::new(), |usage, line| usage + "usage: " + line + "\n")
}

/// The status after output that could not be written; who has closed the pipe has read enough.
fn ended_by(error: &std::io::Error) -> ExitCode {
    if error.kind() == std::io::ErrorKind::BrokenPipe {
        return ExitCode::SUCCESS;
    }
    complain(&format!("cannot write: {error}"));
    ExitCode::from(1)
}

/// Says what went wrong on standard error. Where that cannot be written there is nobody to tell so, and
/// neither the work nor the exit status depends on it.
fn complain(text: &str) {
    let text = in_its_line(
        text,
        std::env::args_os().filter_map(|word| word.into_string().ok()),
    );
    let _ = writeln!(std::io::stderr(), "ringside: {}", output::plain(&text));
}

/// What is said, with the line breaks of a name that was given replaced: what comes behind one would look like a line of ours.
fn in_its_line(text: &str, given: impl Iterator<Item = String>) -> String {
    given
        .filter(|word| word.contains('\n'))
        .fold(text.to_owned(), |text, word| {
            text.replace(&word, &word.replace('\n', "_"))
        })
}
