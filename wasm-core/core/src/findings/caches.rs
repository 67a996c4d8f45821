//! Cache lines transferred from one CPU's cache to another's. Only a simulation reports them; in a recording only the
//! packets' changes of CPU are known, which `cpus` reports.

use std::collections::BTreeMap;

use super::facts::{Facts, share};
use super::{Finding, Kind, Severity, View, thresholds, words};
use crate::kernel::{EventIdx, Field, NameId, PacketId, Probe};

pub fn find(facts: &Facts) -> Vec<Finding> {
    crossing(facts)
        .into_iter()
        .chain(probe_cost(facts))
        .collect()
}

fn crossing(facts: &Facts) -> Option<Finding> {
    let (start, end) = (facts.run.start(), facts.run.end());
    let caches = &facts.machine.caches;
    let mut by_object: BTreeMap<u16, u64> = BTreeMap::new();
    let (mut lines, mut cycles) = (0, 0);
    for moved in caches.moved(start, end) {
        *by_object.entry(moved.object).or_default() += moved.lines;
        lines += moved.lines;
        cycles += moved.cycles;
    }
    let (&object_of_most, &most) = by_object.iter().max_by_key(|(_, lines)| **lines)?;
    let packets = facts.arrivals.len().max(1) as f64;
    let each = lines as f64 / packets;
    if !thresholds::LINES_A_PACKET.is_reached(each) {
        return None;
    }
    let name = caches.objects[usize::from(object_of_most)];
    let title = words::cache_lines(lines);
    let text = name.map_or_else(String::new, |name| facts.run.names.text(name).to_owned());
    let said = if facts.is_read {
        words::cache_lines_are
    } else {
        words::cache_lines_sent
    };
    let detail = said(text, share(most, lines), each, cycles as f64 / packets);
    let passes = facts.passes(Probe::CacheLineMove)?;
    // From the middle of the run, where caches are warm.
    let middle = EventIdx(u32::midpoint(passes.first.0, passes.last.0));
    let mut warm = facts.events_of(Probe::CacheLineMove);
    let shown = warm.find(|&event| {
        let object = || facts.run.field(event, Field::Object).map(NameId);
        middle <= event && object() == name
    });
    let shown = shown.unwrap_or(passes.last);
    let (from, to) = (facts.time(passes.first), facts.time(passes.last));
    let finding = Finding::new(Kind::CacheLines, Severity::Notice, title, detail).between(from, to);
    Some(
        finding
            .seen(facts.time(shown), facts.packet_of(shown))
            .on(View::Caches),
    )
}

/// The CPU time that probes cost.
fn probe_cost(facts: &Facts) -> Option<Finding> {
    let passes = facts.passes(Probe::ProbeCost)?;
    let (start, end) = (facts.run.start(), facts.run.end());
    let costs = facts.machine.probe_costs.between(start, end);
    let (nanos, probes) = costs.fold((0, 0), |(nanos, probes), (_, [more, count])| {
        (nanos + more, probes + count)
    });
    let part = share(nanos, facts.time_of_cpus());
    if !thresholds::PROBE_SHARE.is_reached(part) {
        return None;
    }
    let title = words::probe_cost(part);
    let detail = words::probe_cost_of(probes, share_of(nanos, probes));
    let (from, to) = (facts.time(passes.first), facts.time(passes.last));
    let finding = Finding::new(Kind::ProbeCost, Severity::Info, title, detail).between(from, to);
    Some(finding.seen(from, PacketId::NONE))
}

/// The mean, in whole nanoseconds.
const fn share_of(nanos: u64, count: u64) -> u64 {
    match nanos.checked_div(count) {
        Some(mean) => mean,
        None => 0,
    }
}
