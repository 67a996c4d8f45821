//! Locks for which CPUs spun. Only a simulation names them; a recording's contention events have no name for a lock
//! and are not reported.

use super::facts::{Facts, share};
use super::{Finding, Kind, Severity, View, thresholds, words};
use crate::kernel::{EventIdx, Field, Nanos, Probe, sum_of_nanos};

pub fn find(facts: &Facts) -> Vec<Finding> {
    waits(facts).into_iter().collect()
}

fn waits(facts: &Facts) -> Option<Finding> {
    let (start, end) = (facts.run.start(), facts.run.end());
    let locks = || facts.machine.locks.between(start, end);
    let all = sum_of_nanos(locks().map(|(_, [_, nanos])| nanos));
    let (name, [count, nanos]) = locks().max_by_key(|(_, [_, nanos])| *nanos)?;
    let part = share(all, facts.time_of_cpus());
    if !thresholds::LOCK_SHARE.is_reached(part) {
        return None;
    }
    let passes = facts.passes(Probe::ContentionEnd)?;
    let waited = |event: EventIdx| {
        let waited = facts.run.field(event, Field::Waited).unwrap_or(0);
        (u64::from(waited), event)
    };
    let ends = facts.events_of(Probe::ContentionEnd);
    let (longest, event) = ends
        .map(waited)
        .max_by_key(|(nanos, event)| (*nanos, std::cmp::Reverse(*event)))?;
    let title = words::lock_wait(part);
    let detail = words::lock_waits(name.to_owned(), count, share(nanos, all), longest);
    let begin = Nanos(facts.time(event).0.saturating_sub(longest));
    let finding = Finding::new(Kind::LockWait, Severity::Notice, title, detail)
        .between(facts.time(passes.first), facts.time(passes.last));
    Some(finding.seen(begin, facts.packet_of(event)).on(View::Locks))
}
