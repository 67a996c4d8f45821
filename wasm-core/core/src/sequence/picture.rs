//! A time-sequence graph as text.

use std::fmt::Write as _;

use super::{Kind, Level, Sequence};
use crate::kernel::Nanos;
use crate::order;

/// The graph's items, one a line, by time since `start` in microseconds.
pub fn picture(graph: &Sequence, start: Nanos) -> String {
    let mut lines: Vec<(Nanos, String)> = Vec::new();
    for segment in &graph.segments {
        let mut line = format!("data    {}..{}", segment.from, segment.to);
        if segment.segments > 1 {
            let _ = write!(line, " in {} segments", segment.segments);
        }
        if segment.kind != Kind::New {
            let _ = write!(line, " {}", segment.kind.name());
        }
        lines.push((segment.at, line));
    }
    for sack in &graph.sacks {
        lines.push((sack.at, format!("sack    {}..{}", sack.from, sack.to)));
    }
    levels(&mut lines, "ack", &graph.acked);
    levels(&mut lines, "window", &graph.window);
    levels(&mut lines, "cwnd", &graph.sender.cwnd);
    levels(&mut lines, "ssthresh", &graph.sender.ssthresh);
    levels(&mut lines, "srtt us", &graph.sender.srtt);
    order::sort_by_key(&mut lines, |(at, _)| *at);
    let ends: Vec<&str> = graph.ends.iter().map(|end| end.name()).collect();
    let mut text = if ends.is_empty() {
        "no sequence numbers\n".to_owned()
    } else {
        format!(
            "from the {} of {}; 0 is {}\n",
            graph.end.name(),
            ends.join(", "),
            graph.first
        )
    };
    for (at, line) in lines {
        let micros = at.since(start) as f64 / 1e3;
        let _ = writeln!(text, "{micros:>12.3}  {line}");
    }
    text
}

/// The changes of a value.
fn levels<T: Copy + PartialEq + std::fmt::Display>(
    lines: &mut Vec<(Nanos, String)>,
    what: &str,
    levels: &[Level<T>],
) {
    let mut before = None;
    for level in levels {
        if before.replace(level.value) != Some(level.value) {
            lines.push((level.at, format!("{what:<7} {}", level.value)));
        }
    }
}
