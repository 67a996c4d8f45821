//! `ringside summarize [--json] FILE...`: what is in a trace, one object a file.

use std::collections::BTreeMap;
use std::io::{self, Write};

use ringside::english::say_of_file;
use ringside::import::Format;
use ringside::kernel::{Verdict, VerdictKind};
use ringside::opened::Opened;
use serde::Serialize;

use crate::options::PART;
use crate::{Failure, complain, input, options, output};

/// A summary as it is printed.
#[derive(Serialize)]
struct Summary {
    file: String,
    format: &'static str,
    lines: Lines,
    lost_events: u64,
    unknown_events: BTreeMap<String, u64>,
    skipped_events: BTreeMap<String, u64>,
    /// How many CPUs recorded something.
    cpus: usize,
    first_ns: u64,
    last_ns: u64,
    events: usize,
    journeys: BTreeMap<&'static str, usize>,
    drops: BTreeMap<&'static str, usize>,
    warnings: Vec<String>,
    /// Of the capture that `--wire` names.
    #[serde(skip_serializing_if = "Option::is_none")]
    wire: Option<Wire>,
}

/// How a capture was joined to the trace, in frames.
#[derive(Serialize)]
struct Wire {
    matched_in: u64,
    unmatched_in: u64,
    dropped_by_nic: u64,
    matched_out: u64,
    unmatched_out: u64,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Lines {
    total: u64,
    understood: u64,
    skipped: u64,
    unknown: u64,
    malformed: u64,
    lost_markers: u64,
    /// Outside the part of the file that `--cpu`, `--from` and `--to` name.
    left_out: u64,
}

/// Runs the command.
pub fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = options::read(arguments, &["--wire", PART], &["--json"])?;
    let excerpt = options.excerpt()?;
    let files = &options.files;
    if files.is_empty() {
        return Err(Failure::Usage("summarize what?".to_owned()));
    }
    if options.wire.is_some() && files.len() > 1 {
        return Err(Failure::Usage("a capture belongs to one trace".to_owned()));
    }
    let mut output = output::stdout(options.is_json);
    let mut is_complete = true;
    for file in files {
        match input::open_untold(file, options.wire, excerpt) {
            Ok(opened) => {
                let summary = summary(file, &opened);
                let result = if options.is_json {
                    print_json(&mut output, &summary)
                } else {
                    print_text(&mut output, &summary, &opened)
                };
                result.map_err(Failure::Output)?;
            }
            Err(error) => {
                complain(&error);
                is_complete = false;
            }
        }
    }
    if is_complete {
        Ok(())
    } else {
        Err(Failure::Import)
    }
}

fn summary(file: &str, opened: &Opened) -> Summary {
    let Opened {
        run,
        ledger,
        format,
        journeys: all,
        ..
    } = opened;
    let mut journeys = BTreeMap::from([("total", all.packets.len())]);
    for &kind in VerdictKind::ALL {
        journeys.insert(kind.name(), all.count(kind));
    }
    let mut drops = BTreeMap::new();
    for packet in &all.packets {
        if let Verdict::Dropped { reason } = packet.verdict {
            *drops.entry(reason.name()).or_default() += 1;
        }
    }
    let counts = |tallies: &BTreeMap<String, ringside::import::Tally>| {
        tallies
            .iter()
            .map(|(name, tally)| (name.clone(), tally.count))
            .collect()
    };
    Summary {
        file: file.to_owned(),
        format: format.map_or("simulation", Format::name),
        lines: Lines {
            total: ledger.total(),
            understood: ledger.understood,
            skipped: ledger.skipped_lines(),
            unknown: ledger.unknown_lines(),
            malformed: ledger.malformed,
            lost_markers: ledger.lost_markers,
            left_out: ledger.left_out,
        },
        lost_events: ledger.lost(),
        unknown_events: counts(&ledger.unknown),
        skipped_events: counts(&ledger.skipped),
        cpus: run.cpus().len(),
        first_ns: run.start().0,
        last_ns: run.end().0,
        events: run.len(),
        journeys,
        drops,
        warnings: ledger.warnings.iter().map(say_of_file).collect(),
        wire: opened.wire.as_ref().map(|wire| {
            let fit = &wire.attachment;
            Wire {
                matched_in: fit.matched_rx,
                unmatched_in: fit.unmatched_rx,
                dropped_by_nic: fit.dropped_by_nic,
                matched_out: fit.matched_tx,
                unmatched_out: fit.unmatched_tx,
                notes: fit.notes.iter().map(say_of_file).collect(),
            }
        }),
    }
}

fn print_json(output: &mut impl Write, summary: &Summary) -> io::Result<()> {
    serde_json::to_writer(&mut *output, summary)?;
    writeln!(output)
}

fn print_text(output: &mut impl Write, summary: &Summary, opened: &Opened) -> io::Result<()> {
    let lines = &summary.lines;
    let span = summary.last_ns.saturating_sub(summary.first_ns);
    writeln!(output, "{}: {}", summary.file, summary.format)?;
    writeln!(
        output,
        "  {} events on {} {} in {}.{:06} s",
        summary.events,
        summary.cpus,
        if summary.cpus == 1 { "CPU" } else { "CPUs" },
        span / 1_000_000_000,
        span / 1000 % 1_000_000
    )?;
    let lost = match summary.lost_events {
        0 if lines.lost_markers > 0 => "how many is not said".to_owned(),
        lost => format!("{lost} lost"),
    };
    writeln!(
        output,
        "  {} lines: {} understood, {} not needed, {} unknown, {} malformed, {} of lost events ({lost})",
        lines.total,
        lines.understood,
        lines.skipped,
        lines.unknown,
        lines.malformed,
        lines.lost_markers,
    )?;
    if lines.left_out > 0 {
        writeln!(output, "  {} lines left out, as was asked", lines.left_out)?;
    }
    write!(output, "  {} journeys:", summary.journeys["total"])?;
    for &kind in VerdictKind::ALL {
        write!(output, " {} {kind}", summary.journeys[kind.name()])?;
    }
    writeln!(output)?;
    if let Some(wire) = &summary.wire {
        writeln!(
            output,
            "  wire: {} of {} frames in matched, {} of {} out, {} dropped by the NIC",
            wire.matched_in,
            wire.matched_in + wire.unmatched_in + wire.dropped_by_nic,
            wire.matched_out,
            wire.matched_out + wire.unmatched_out,
            wire.dropped_by_nic
        )?;
        for note in &wire.notes {
            writeln!(output, "  wire: {note}")?;
        }
    }
    for (reason, count) in &summary.drops {
        writeln!(output, "  dropped: {reason} ({count})")?;
    }
    for (name, count) in &summary.unknown_events {
        writeln!(output, "  unknown: {name} ({count})")?;
    }
    for malformed in opened.ledger.malformed_kept.iter().take(10) {
        let line = &malformed.line;
        writeln!(
            output,
            "  line {}: {}: {}",
            line.number, malformed.why, line.text
        )?;
    }
    for warning in &summary.warnings {
        writeln!(output, "  warning: {warning}")?;
    }
    Ok(())
}
