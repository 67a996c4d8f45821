//! `ringside findings [--json] [--wire PCAP] FILE...`: what happened in each file, the most
//! telling first.

use std::collections::BTreeMap;
use std::io::{self, Write};

use ringside::english::say;
use ringside::findings::{Finding, findings};
use ringside::opened::Opened;
use ringside::saying::{Saying, Value};
use serde::Serialize;

use crate::options::PART;
use crate::{Failure, complain, input, options, output};

/// A file as `--json` prints it, one object a line.
#[derive(Serialize)]
struct FileRow<'a> {
    file: &'a str,
    findings: Vec<Row>,
}

/// A finding. Times are nanoseconds since the file's first event.
#[derive(Serialize)]
struct Row {
    kind: &'static str,
    severity: &'static str,
    title: SayingRow,
    detail: SayingRow,
    from_ns: u64,
    to_ns: u64,
    moment_ns: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    packet: Option<u32>,
    packets: Vec<u32>,
    view: &'static str,
}

/// What is said: for people in English, for programs as a code with values.
#[derive(Serialize)]
struct SayingRow {
    text: String,
    code: &'static str,
    values: BTreeMap<&'static str, serde_json::Value>,
    is_inferred: bool,
}

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options::read(arguments, &["--wire", PART], &["--json"])?;
    if options.files.is_empty() {
        return Err(Failure::Usage("findings of which files?".to_owned()));
    }
    if options.wire.is_some() && options.files.len() > 1 {
        let why = "a capture belongs to one trace; name one file with --wire";
        return Err(Failure::Usage(why.to_owned()));
    }
    let mut is_whole = true;
    for file in &options.files {
        match input::open(file, options.wire, options.excerpt()?) {
            Ok(opened) => print(file, &opened, options.is_json).map_err(Failure::Output)?,
            Err(error) => {
                complain(&error);
                is_whole = false;
            }
        }
    }
    if is_whole {
        Ok(())
    } else {
        Err(Failure::Import)
    }
}

fn print(file: &str, opened: &Opened, is_json: bool) -> io::Result<()> {
    let mut output = io::BufWriter::new(output::stdout(is_json));
    let found = findings(opened);
    if is_json {
        let findings = found.iter().map(|one| row(opened, one)).collect();
        serde_json::to_writer(&mut output, &FileRow { file, findings })?;
        writeln!(output)?;
    } else {
        writeln!(output, "{file}: {} findings", found.len())?;
        for (number, one) in (1..).zip(&found) {
            let moment = one.moment.since(opened.run.start()) as f64 / 1e9;
            let say = |saying| say(saying, &opened.replay);
            let mark = match one.severity.name() {
                "problem" => "!",
                "notice" => "*",
                _ => " ",
            };
            writeln!(output, "{number:>4} {mark} {}", say(&one.title))?;
            let detail = say(&one.detail);
            let inferred = if one.title.is_inferred || one.detail.is_inferred {
                " (inferred)"
            } else {
                ""
            };
            writeln!(output, "       {detail}{inferred}")?;
            write!(output, "       {} at +{moment:.6} s", one.kind)?;
            if one.packet.is_some() {
                write!(output, ", packet {}", one.packet.0)?;
            }
            writeln!(output)?;
        }
    }
    output.flush()
}

fn row(opened: &Opened, one: &Finding) -> Row {
    let since = |time: ringside::kernel::Nanos| time.since(opened.run.start());
    Row {
        kind: one.kind.name(),
        severity: one.severity.name(),
        title: saying_row(opened, &one.title),
        detail: saying_row(opened, &one.detail),
        from_ns: since(one.from),
        to_ns: since(one.to),
        moment_ns: since(one.moment),
        packet: one.packet.is_some().then_some(one.packet.0),
        packets: one.packets.iter().map(|packet| packet.0).collect(),
        view: one.view.name(),
    }
}

fn saying_row(opened: &Opened, saying: &Saying) -> SayingRow {
    let value = |value: &Value| match (value, value.number()) {
        (Value::Station(station), _) => station.name().into(),
        (Value::DropReason(reason), _) => reason.name().into(),
        (Value::Probe(probe), _) => probe.name().into(),
        (Value::Name(name), _) => name.as_str().into(),
        (Value::Unread(why), _) => (*why).into(),
        (Value::Said(part), _) => say(part, &opened.replay).into(),
        (Value::Number(number) | Value::Share(number), _) => (*number).into(),
        // All the others are whole.
        (_, number) => (number.unwrap_or_default() as u64).into(),
    };
    SayingRow {
        text: say(saying, &opened.replay),
        code: saying.code,
        values: saying
            .values
            .iter()
            .map(|(name, one)| (*name, value(one)))
            .collect(),
        is_inferred: saying.is_inferred,
    }
}
