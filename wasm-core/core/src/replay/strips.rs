//! Lanes and queues between two times, thinned out to the columns of a screen: the
//! time line's rows and the strips of recent past.

use crate::kernel::{Context, Nanos, Pid};

use super::{Lane, Queue, Replay};

/// A CPU's lane as steps: from each time on, what it did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Strip {
    /// When.
    pub from: Vec<Nanos>,
    /// In which context.
    pub context: Vec<Context>,
    /// For which task.
    pub pid: Vec<Pid>,
}

/// A queue's depth as steps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Depths {
    /// When.
    pub from: Vec<Nanos>,
    /// How deep at most until the next step.
    pub depth: Vec<u32>,
}

impl Replay {
    /// What a CPU did between two times. As long as there are fewer segments than
    /// `columns` they are exact; else each column shows what took most of it.
    pub fn strip(&self, lane: &Lane, from: Nanos, to: Nanos, columns: u32) -> Strip {
        let mut strip = Strip::default();
        let first = lane.at(from);
        let last = lane.at(to);
        if last - first < columns as usize {
            for segment in first..=last {
                strip.push(lane.from[segment].max(from), lane, segment);
            }
            return strip;
        }
        let mut segment = first;
        for column in 0..columns {
            let (begin, end) = column_bounds(from, to, column, columns);
            let mut shares = [0; Context::ALL.len()];
            let mut longest = [(0, segment); Context::ALL.len()];
            loop {
                let until = self.lanes.until(lane, segment);
                let share = until.min(end).since(lane.from[segment].max(begin));
                let context = lane.context[segment] as usize;
                shares[context] += share;
                if share > longest[context].0 {
                    longest[context] = (share, segment);
                }
                if until >= end || segment + 1 >= lane.from.len() {
                    break;
                }
                segment += 1;
            }
            let most = (0..shares.len()).max_by_key(|&context| shares[context]);
            if let Some(context) = most.filter(|&context| shares[context] > 0) {
                strip.push(begin, lane, longest[context].1);
            }
        }
        strip
    }

    /// How deep a queue was between two times, exact or as the largest depth of each column.
    pub fn depths(&self, queue: &Queue, from: Nanos, to: Nanos, columns: u32) -> Depths {
        let mut depths = Depths::default();
        let Some(last) = queue.step_at(to) else {
            return depths;
        };
        let first = queue.step_at(from).unwrap_or(0);
        if last - first < columns as usize {
            for step in first..=last {
                depths.push(queue.at[step].max(from), queue.depth[step]);
            }
            return depths;
        }
        let mut step = first;
        for column in 0..columns {
            let (begin, end) = column_bounds(from, to, column, columns);
            let mut deepest = queue.depth[step];
            while step < last && queue.at[step + 1] < end {
                step += 1;
                deepest = deepest.max(queue.depth[step]);
            }
            depths.push(begin, deepest);
        }
        depths
    }
}

/// Where a column of the screen begins and ends in time.
pub fn column_bounds(from: Nanos, to: Nanos, column: u32, columns: u32) -> (Nanos, Nanos) {
    let span = u128::from(to.since(from));
    let at = |column: u32| {
        Nanos(from.0 + (span * u128::from(column) / u128::from(columns.max(1))) as u64)
    };
    (at(column), at(column + 1))
}

impl Strip {
    fn push(&mut self, from: Nanos, lane: &Lane, segment: usize) {
        let doing = (lane.context[segment], lane.pid[segment]);
        let last = self.context.last().copied().zip(self.pid.last().copied());
        if last != Some(doing) {
            self.from.push(from);
            self.context.push(doing.0);
            self.pid.push(doing.1);
        }
    }
}

impl Depths {
    fn push(&mut self, from: Nanos, depth: u32) {
        if self.depth.last() != Some(&depth) {
            self.from.push(from);
            self.depth.push(depth);
        }
    }
}
