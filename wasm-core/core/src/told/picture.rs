//! The film as text, for the command line and golden files.

use std::fmt::Write as _;

use super::captions::captions;
use super::say::said;
use super::{Kind, Told};
use crate::english::say;
use crate::order;
use crate::replay::Replay;

/// The story from the opening for some seconds of film. Each beat is a line with the second of film, the time since
/// the start of the run in microseconds, the packet and the sentence; `>` marks those shown as captions. Folds have
/// lines of their own.
pub fn picture(replay: &Replay, told: &Told, seconds: f64) -> String {
    let pieces = &told.pieces;
    let captions = captions(told);
    let until = told.opens_at + seconds;
    let mut lines: Vec<(f64, String)> = Vec::new();
    for (at, beat) in told.beats.iter().enumerate() {
        let film = pieces.film_at(beat.time);
        if film < told.opens_at || until < film {
            continue;
        }
        let said = said(replay, told, beat);
        let caption = captions.iter().find(|one| one.beat == at as u32);
        let mark = if caption.is_some() { '>' } else { ' ' };
        let time = replay.since_start(beat.time) / 1000.0;
        let whose = if beat.packet.is_some() {
            format!("#{}", beat.packet.0)
        } else {
            "by hand".to_owned()
        };
        let mut line = format!(
            "{mark} {:7.2} s {time:14.3} µs  {whose:<6}",
            film - told.opens_at,
        );
        if let Some(late) = caption.filter(|one| one.from - film > 0.005) {
            let _ = write!(line, " (read from {:.2} s)", late.from - told.opens_at);
        }
        for saying in std::iter::once(&said.plain).chain(&said.why) {
            let inferred = if saying.is_inferred {
                " (inferred)"
            } else {
                ""
            };
            // Some drop reasons have no sentence.
            let text = say(saying, replay);
            if !text.is_empty() {
                let _ = write!(line, " {text}{inferred}");
            }
        }
        let _ = write!(line, " [{}]", say(&said.kernel, replay));
        lines.push((film, line));
    }
    for (at, kind) in pieces.kind.iter().enumerate() {
        let film = pieces.film[at];
        if *kind == Kind::Fold && told.opens_at <= film && film <= until {
            let passed = pieces.time[at + 1].since(pieces.time[at]) as f64 / 1000.0;
            lines.push((
                film,
                format!("  {:7.2} s  …  {passed:.3} µs folded", film - told.opens_at),
            ));
        }
    }
    order::sort_by(&mut lines, |a, b| a.0.total_cmp(&b.0));
    let mut text = match told.opens_with {
        Some(packet) => format!(
            "opens with #{} at {:.1} s of a film of {:.1} s\n",
            packet.0,
            told.opens_at,
            pieces.length()
        ),
        None => "no packet to follow\n".to_owned(),
    };
    for (_, line) in lines {
        let _ = writeln!(text, "{line}");
    }
    text
}
