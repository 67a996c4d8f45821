//! Reduces a graph to what can be distinguished in a number of pixel columns.

use super::{Kind, Level, Segment, Sender, Sequence};
use crate::kernel::Nanos;
use crate::order;

/// How many separate bars of a kind are drawn in one column.
const MOST_BARS: usize = 32;

/// An interval of time divided into columns.
#[derive(Debug, Clone, Copy)]
struct Columns {
    from: Nanos,
    to: Nanos,
    count: u64,
}

impl Columns {
    fn of(&self, at: Nanos) -> u64 {
        let length = u128::from(self.to.since(self.from).max(1));
        let since = u128::from(at.since(self.from));
        (since * u128::from(self.count) / length) as u64
    }

    fn has(&self, at: Nanos) -> bool {
        self.from <= at && at <= self.to
    }
}

impl Sequence {
    /// The part between two times, reduced to `columns`: consecutive bars in a column become one, and of a line's
    /// values in a column the first, least, largest and last are kept (Jugel et al. 2014, "M4"), as is the value at
    /// `from`.
    #[must_use]
    pub fn within(&self, from: Nanos, to: Nanos, columns: u32) -> Self {
        let columns = Columns {
            from,
            to,
            count: u64::from(columns.max(1)),
        };
        Self {
            ends: self.ends.clone(),
            segments: bars(&self.segments, columns),
            acked: line(&self.acked, columns),
            window: line(&self.window, columns),
            sacks: self.sacks_within(columns),
            sender: Sender {
                cwnd: line(&self.sender.cwnd, columns),
                ssthresh: line(&self.sender.ssthresh, columns),
                srtt: line(&self.sender.srtt, columns),
            },
            ..*self
        }
    }

    /// SACK blocks are repeated with each acknowledgement: a column shows each once.
    fn sacks_within(&self, columns: Columns) -> Vec<super::Sack> {
        let mut kept: Vec<super::Sack> = Vec::new();
        for &sack in self.sacks.iter().filter(|sack| columns.has(sack.at)) {
            let column = columns.of(sack.at);
            let mut here = kept
                .iter_mut()
                .rev()
                .take(MOST_BARS)
                .take_while(|other| columns.of(other.at) == column);
            match here.find(|other| other.from <= sack.to && sack.from <= other.to) {
                Some(other) => {
                    other.from = other.from.min(sack.from);
                    other.to = other.to.max(sack.to);
                }
                None => kept.push(sack),
            }
        }
        kept
    }
}

fn bars(segments: &[Segment], columns: Columns) -> Vec<Segment> {
    let mut kept: Vec<Segment> = Vec::new();
    // The last bar of each kind, and the number of bars of that kind in its column.
    let mut last: [Option<(usize, usize)>; 3] = [None; 3];
    for &segment in segments.iter().filter(|segment| columns.has(segment.at)) {
        let slot = match segment.kind {
            Kind::New => 0,
            Kind::Again => 1,
            Kind::Late => 2,
        };
        let column = columns.of(segment.at);
        let here = last[slot].filter(|&(at, _)| columns.of(kept[at].at) == column);
        if let Some((at, count)) = here {
            let bar = &mut kept[at];
            let touches = bar.from <= segment.to && segment.from <= bar.to;
            if touches || count >= MOST_BARS {
                bar.from = bar.from.min(segment.from);
                bar.to = bar.to.max(segment.to);
                bar.segments += 1;
                continue;
            }
        }
        last[slot] = Some((kept.len(), here.map_or(1, |(_, count)| count + 1)));
        kept.push(segment);
    }
    kept
}

fn line<T: Copy + Ord>(levels: &[Level<T>], columns: Columns) -> Vec<Level<T>> {
    let begin = levels.partition_point(|level| level.at < columns.from);
    let end = levels.partition_point(|level| level.at <= columns.to);
    let mut kept: Vec<Level<T>> = begin
        .checked_sub(1)
        .map(|at| levels[at])
        .into_iter()
        .collect();
    for here in levels[begin..end].chunk_by(|a, b| columns.of(a.at) == columns.of(b.at)) {
        let end = here.len() - 1;
        let least = (0..here.len())
            .min_by_key(|&at| here[at].value)
            .unwrap_or(0);
        let most = (0..here.len())
            .max_by_key(|&at| here[at].value)
            .unwrap_or(0);
        let mut stay = vec![0, least, most, end];
        order::sort(&mut stay);
        stay.dedup();
        kept.extend(stay.into_iter().map(|at| here[at]));
    }
    kept
}
