//! Checks whether a trace's lines are in order of time and occur once. A kernel writes them so; concatenated,
//! reversed or duplicated files do not have that order, and their packets would be artefacts.

use super::says;
use crate::kernel::{EventIdx, Nanos};
use crate::ledger::Ledger;
use crate::order;
use crate::run::Run;

/// Nanoseconds: CPUs' clocks differ by less, so lines out of order by less are as recorded.
const CLOCKS: u64 = 1_000_000;
/// Duplicates are reported if more than one event in this many equals the one before it.
const ONE_IN: u64 = 10;
/// A file runs backwards if at least so many events stand above an earlier one, of which any file has a few, and more
/// than so many times as many as below one.
const LEAST_ABOVE: u64 = 4;
const TIMES_BELOW: u64 = 10;

/// Warns about lines out of order and duplicated lines.
pub(super) fn check(run: &Run, ledger: &mut Ledger) {
    if !is_in_order(run) {
        if is_backwards(run) {
            ledger.warn(says::backwards(run.len() as u64));
        } else if let (late @ 1.., by) = late(run) {
            ledger.warn(says::out_of_order(late, by));
        }
    }
    let repeated = repeated(run);
    if repeated * ONE_IN > run.len() as u64 {
        ledger.warn(says::repeated(repeated));
    }
}

/// Whether lines are in order of time.
fn is_in_order(run: &Run) -> bool {
    let (mut before, mut is_in_order) = (0, true);
    run.each(|index| {
        let line = run.line(index);
        is_in_order &= before <= line;
        before = line;
    });
    is_in_order
}

/// Whether lines run backwards in time: nearly all events stand above one that is earlier.
fn is_backwards(run: &Run) -> bool {
    let (mut above, mut below) = (0_u64, 0_u64);
    let mut before = None;
    run.each(|index| {
        let (time, line) = (run.time(index), run.line(index));
        if let Some((earlier, its_line)) = before.replace((time, line))
            && earlier < time
        {
            above += u64::from(line < its_line);
            below += u64::from(its_line < line);
        }
    });
    above >= LEAST_ABOVE && above > below * TIMES_BELOW && goes_back(run)
}

/// Whether nearly each line is earlier than the one before. Of a file that holds a recording twice, one is: each event
/// stands above the next one's first copy, and yet each recording goes forth.
fn goes_back(run: &Run) -> bool {
    let (mut back, mut forth) = (0_u64, 0_u64);
    for pair in in_file(run).windows(2) {
        let (before, time) = (run.time(pair[0]), run.time(pair[1]));
        back += u64::from(time < before);
        forth += u64::from(before < time);
    }
    back > forth * TIMES_BELOW
}

/// Whether the times of `perf script` are differences (`--deltatime`: `tools/perf/builtin-script.c`, v6.18, prints
/// the time since the previous line). Then the first is 0, and at least a tenth of the others are less than the one
/// before, whereas perf sorts its lines by time.
pub(super) fn are_differences(run: &Run) -> bool {
    let is_first = |&index: &EventIdx| run.line(index);
    let first = run.indices().min_by_key(is_first);
    if first.is_none_or(|first| run.time(first) != Nanos(0)) {
        return false;
    }
    let lines = in_file(run);
    let pairs = lines.windows(2);
    let back = pairs.filter(|pair| run.time(pair[1]) < run.time(pair[0]));
    back.count() as u64 * ONE_IN > run.len() as u64
}

/// The number of events on a later line than an event later in time by more than clocks differ, and the largest such
/// difference in nanoseconds.
fn late(run: &Run) -> (u64, u64) {
    let (mut count, mut most, mut latest) = (0, 0, Nanos(0));
    for index in in_file(run) {
        let time = run.time(index);
        latest = latest.max(time);
        let by = latest.since(time);
        if by > CLOCKS {
            (count, most) = (count + 1, by.max(most));
        }
    }
    (count, most)
}

/// The events in the order of their lines.
fn in_file(run: &Run) -> Vec<EventIdx> {
    let mut lines: Vec<EventIdx> = run.indices().collect();
    order::sort_by_key(&mut lines, |&index| (run.line(index), index));
    lines
}

/// How many events equal the one before them, apart from the line number.
fn repeated(run: &Run) -> u64 {
    let is_same = |one: EventIdx, other: EventIdx| {
        run.time(one) == run.time(other)
            && run.skb(one) == run.skb(other)
            && crate::kernel::Event {
                line: 0,
                ..run.event(one)
            } == crate::kernel::Event {
                line: 0,
                ..run.event(other)
            }
            && run.fields(one).eq(run.fields(other))
    };
    let mut count = 0;
    let mut before = None;
    run.each(|index| {
        count += u64::from(before.is_some_and(|before| is_same(before, index)));
        before = Some(index);
    });
    count
}
