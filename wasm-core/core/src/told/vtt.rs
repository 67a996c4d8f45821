//! The captions of a film as `WebVTT` (<https://www.w3.org/TR/webvtt1/>), as the page saves them
//! (`web/caption/vtt.ts`): one cue for each caption while it is on screen.

use std::fmt::Write as _;

use super::Told;
use super::captions::captions;
use super::say::said;
use crate::english::say;
use crate::replay::Replay;

/// The captions of the whole film in English, as a file. Cues shorter than a millisecond are left out.
pub fn vtt(replay: &Replay, told: &Told, title: &str) -> String {
    let mut file = format!("WEBVTT {}", escaped(title)).trim_end().to_owned();
    file.push('\n');
    let shown = captions(told);
    let ends = shown.iter().skip(1).map(|next| next.from);
    for (one, to) in shown.iter().zip(ends.chain([told.pieces.length()])) {
        let (begins, ends) = (millis(one.from), millis(to));
        let said = said(replay, told, &told.beats[one.beat as usize]);
        let lines: Vec<String> = std::iter::once(&said.plain)
            .chain(&said.why)
            .map(|saying| escaped(&say(saying, replay)))
            .filter(|line| !line.is_empty())
            .collect();
        if begins < ends && !lines.is_empty() {
            let _ = writeln!(file, "\n{} --> {}", stamp(begins), stamp(ends));
            let _ = writeln!(file, "{}", lines.join("\n"));
        }
    }
    file
}

/// A single line of cue text (§4.2.2) without markup, line breaks or arrows.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let text = text.replace('>', "&gt;").replace('\0', " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn millis(seconds: f64) -> u64 {
    (seconds * 1000.0).round() as u64
}

/// `hh:mm:ss.mmm`; more than 99 hours have more digits.
fn stamp(millis: u64) -> String {
    let seconds = millis / 1000;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let (seconds, rest) = (seconds % 60, millis % 1000);
    format!("{hours:02}:{minutes:02}:{seconds:02}.{rest:03}")
}
