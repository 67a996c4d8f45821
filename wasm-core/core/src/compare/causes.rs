//! What explains a difference: the mechanisms whose own figures changed with it, each by the part
//! of the difference that it makes up.
//!
//! - CPU time for each packet is taken apart into fetching lines, waiting for locks, hardware interrupts and
//!   processes that have nothing to do with packets; what is left, into functions of the kernel.
//! - The time that packets take is taken apart into their waits and their work at each station; the time until
//!   an answer comes, into the waits of requests and answers on this host.
//! - Drops are taken apart by reason.
//! - Throughput changes with what a packet carries, with what is lost, with how long a round trip takes
//!   where no CPU of the slower side is the bottleneck, with what a packet costs if one is, and else with
//!   what packets wait for.

use super::verdict::Said;
use super::{Comparison, Difference, words};
use crate::figures::{Of, Quantity};
use crate::kernel::Context;
use crate::order;
use crate::saying::Saying;

/// A CPU that is busy for this part of its time is the bottleneck.
const SATURATED: f64 = 0.95;
/// What makes up less than this part of a difference does not explain it.
const LEAST: f64 = 0.1;
/// Where packets wait is what came of it as often as why: of equals what it costs comes first.
const OF_WAITS: f64 = 0.5;
/// From this part on what the mechanisms leave is put down to functions.
const UNEXPLAINED: f64 = 0.3;

/// Something that explains a part of a difference.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cause {
    /// How it is said, with its evidence.
    pub said: Said,
    /// How much of a run's outcome it makes up.
    pub weight: f64,
}

/// What explains these outcomes, the weightiest first, each mechanism once.
pub(super) fn causes(comparison: &Comparison, outcomes: &[&Difference]) -> Vec<Cause> {
    let mut found: Vec<Cause> = outcomes
        .iter()
        .flat_map(|outcome| of_outcome(comparison, outcome))
        .collect();
    order::sort_by(&mut found, |one, other| other.weight.total_cmp(&one.weight));
    let mut kept: Vec<Cause> = Vec::new();
    for cause in found {
        let is_new = kept
            .iter()
            .all(|one| one.said.quantity != cause.said.quantity || one.said.of != cause.said.of);
        if is_new {
            kept.push(cause);
        }
    }
    kept
}

fn of_outcome(comparison: &Comparison, outcome: &Difference) -> Vec<Cause> {
    let weight = outcome.part().abs();
    match outcome.quantity {
        Quantity::CpuEach | Quantity::Busy => of_cpu_time(comparison),
        Quantity::Dropped => of_drops(comparison, 1.0),
        Quantity::ResponseMedian => of_response(comparison, outcome, weight),
        Quantity::Throughput | Quantity::PacketRate => of_throughput(comparison, outcome, weight),
        _ => of_latency(comparison, weight),
    }
}

fn of_cpu_time(comparison: &Comparison) -> Vec<Cause> {
    let Some(total) = comparison.sure(Quantity::CpuEach) else {
        return Vec::new();
    };
    let weight = total.part().abs();
    let mut found = Vec::new();
    let fetching = comparison.get(Quantity::FetchEach, &Of::Run);
    let memory = comparison.get(Quantity::MemoryEach, &Of::Run);
    let hardirq = comparison.get(Quantity::CpuEach, &Of::Context(Context::Hardirq));
    let hops = comparison.get(Quantity::HopsEach, &Of::Run);
    let probes = comparison.get(Quantity::ProbesEach, &Of::Run);
    let mechanisms = [
        probes.map(|one| (one, words::probes(one))),
        fetching.map(|one| (one, words::fetching(one, hops))),
        memory.map(|one| (one, words::memory(one))),
        hardirq.map(|one| (one, words::interrupts(one, comparison))),
    ];
    let locks = comparison.parts(Quantity::LockEach);
    let locks = locks.map(|one| (one, words::lock(one)));
    let mut explained = 0.0;
    let bystanders = comparison.parts(Quantity::BystandersEach);
    let bystanders = bystanders.map(|one| (one, words::bystander(one)));
    let all = mechanisms.into_iter().flatten().chain(locks);
    for (one, saying) in all.chain(bystanders) {
        if let Some(cause) = part_of(total, one, saying, weight) {
            explained += one.change.mean;
            found.push(cause);
        }
    }
    let left = (total.change.mean - explained) / total.change.mean;
    if left >= UNEXPLAINED {
        // What goes on inside another packet makes the rest of the way once.
        let merged = comparison.sure(Quantity::Merged);
        let is_against = |one: &&Difference| (one.change.mean > 0.0) != (total.change.mean > 0.0);
        if let Some(merged) = merged.filter(is_against) {
            found.push(cause(merged, words::merged(merged), weight * left.min(1.0)));
        }
        for one in comparison.parts(Quantity::FunctionEach) {
            let calls = comparison.get(Quantity::CallsEach, &one.of);
            found.extend(part_of(total, one, words::function(one, calls), weight));
        }
    }
    found
}

fn of_latency(comparison: &Comparison, weight: f64) -> Vec<Cause> {
    let Some(total) = comparison.sure(Quantity::LatencyMean) else {
        return Vec::new();
    };
    let waits = comparison.parts_by(Quantity::WaitEach, Of::station);
    let waits = waits.map(|(station, one)| (one, words::wait(station, one)));
    let services = comparison.parts_by(Quantity::ServiceEach, Of::station);
    let services = services.map(|(station, one)| (one, words::service(station, one)));
    waits
        .chain(services)
        .filter_map(|(one, saying)| part_of(total, one, saying, weight * OF_WAITS))
        .collect()
}

/// Waits of requests and their answers on this host.
fn of_response(comparison: &Comparison, total: &Difference, weight: f64) -> Vec<Cause> {
    let waits = comparison.parts_by(Quantity::ResponseWait, Of::station);
    waits
        .filter_map(|(station, one)| {
            let saying = words::response_wait(station, one);
            part_of(total, one, saying, weight * OF_WAITS)
        })
        .collect()
}

/// Reasons for which more or fewer are dropped; one can take the place of another.
fn of_drops(comparison: &Comparison, weight: f64) -> Vec<Cause> {
    let reasons = comparison.parts_by(Quantity::Dropped, Of::reason);
    reasons
        .filter(|(_, one)| !one.is_noise())
        .map(|(reason, one)| {
            let weight = weight * one.part().abs().min(1.0);
            cause(one, words::dropped(reason, one), weight)
        })
        .collect()
}

fn of_throughput(comparison: &Comparison, total: &Difference, weight: f64) -> Vec<Cause> {
    let mut found = Vec::new();
    // Bits a second are frames a second times what each carries.
    let logarithm = |one: &Difference| (one.after.mean / one.before.mean).ln();
    if let Some(payload) = comparison.sure(Quantity::PayloadEach) {
        let part = logarithm(payload) / logarithm(total);
        if part >= LEAST {
            let saying = words::payload(payload);
            found.push(cause(payload, saying, weight * part.min(1.0)));
        }
    }
    // What is lost has to come again, and TCP slows down for it.
    let is_against = |one: &&Difference| (one.change.mean > 0.0) != (total.change.mean > 0.0);
    let against = |quantity| comparison.sure(quantity).filter(is_against);
    if let Some(lost) = against(Quantity::LostOnLink) {
        found.push(cause(lost, words::lost_on_link(lost), weight));
    }
    if let Some(again) = against(Quantity::Retransmitted) {
        found.push(cause(again, words::retransmitted(again), weight));
    }
    found.extend(of_round_trip(comparison, total, weight));
    // Of a window one frame in a thousand is enough.
    let dropped = comparison
        .get(Quantity::Dropped, &Of::Run)
        .filter(is_against);
    if let Some(dropped) = dropped.filter(|one| !one.change.is_noise()) {
        for (reason, one) in comparison.parts_by(Quantity::Dropped, Of::reason) {
            found.extend(part_of(dropped, one, words::dropped(reason, one), weight));
        }
    }
    let is_full = |one: &Difference| one.before.mean.max(one.after.mean) >= SATURATED;
    let is_saturated = comparison.parts(Quantity::Busy).any(is_full);
    // Work that goes to another CPU.
    let shifts = comparison
        .parts(Quantity::Busy)
        .filter(|one| !one.is_noise());
    let shifts = shifts.filter(|one| one.part().abs() >= LEAST);
    if let Some(one) = shifts.max_by(|one, other| one.part().abs().total_cmp(&other.part().abs())) {
        let part = one.part().abs();
        found.extend(words::shift(one).map(|saying| cause(one, saying, weight * part * OF_WAITS)));
    }
    if is_saturated && against(Quantity::CpuEach).is_some() {
        found.extend(of_cpu_time(comparison));
    } else if against(Quantity::LatencyMean).is_some() {
        found.extend(of_latency(comparison, weight));
    }
    found
}

/// A window goes out once a round trip: what is in flight over the time until it is acknowledged. Where a
/// CPU of the slower side is the bottleneck, a longer round trip is what came of that.
fn of_round_trip(comparison: &Comparison, total: &Difference, weight: f64) -> Option<Cause> {
    let round_trip = comparison.sure(Quantity::RoundTrip)?;
    let slower = |one: &Difference| {
        let sides = (one.before.mean, one.after.mean);
        if total.change.mean < 0.0 {
            sides.1
        } else {
            sides.0
        }
    };
    let mut cpus = comparison.parts(Quantity::Busy);
    if cpus.any(|one| slower(one) >= SATURATED) {
        return None;
    }
    let logarithm = |one: &Difference| (one.after.mean / one.before.mean).ln();
    let part = -logarithm(round_trip) / logarithm(total);
    let saying = words::round_trip(round_trip);
    (part >= LEAST).then(|| cause(round_trip, saying, weight * part.min(1.0)))
}

/// A part of a total as a cause of the total's change: it changed beyond noise, the same way, and
/// by enough of it.
fn part_of(total: &Difference, one: &Difference, saying: Saying, weight: f64) -> Option<Cause> {
    let part = one.change.mean / total.change.mean;
    let is_one = !one.change.is_noise() && part >= LEAST;
    is_one.then(|| cause(one, saying, weight * part.min(1.0)))
}

fn cause(one: &Difference, saying: Saying, weight: f64) -> Cause {
    Cause {
        said: Said {
            saying,
            quantity: one.quantity,
            of: one.of.clone(),
        },
        weight,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Estimate;
    use super::*;
    use crate::kernel::{DropReason, Station};

    fn differs(quantity: Quantity, of: Of, before: f64, after: f64) -> Difference {
        let sure = |mean| Estimate {
            mean,
            half_width: Some(0.0),
        };
        Difference {
            quantity,
            of,
            before: sure(before),
            after: sure(after),
            change: sure(after - before),
        }
    }

    /// Figures read from a file may be of any part; a function is no station and no reason.
    #[test]
    fn a_part_of_another_kind_explains_nothing() {
        let odd = || Of::Function("ip_rcv".to_owned());
        let comparison = Comparison {
            differences: vec![
                differs(Quantity::LatencyMean, Of::Run, 100.0, 200.0),
                differs(Quantity::LatencyMedian, Of::Run, 100.0, 200.0),
                differs(Quantity::WaitEach, odd(), 50.0, 150.0),
                differs(Quantity::WaitEach, Of::Station(Station::Qdisc), 50.0, 150.0),
                differs(Quantity::ServiceEach, odd(), 50.0, 150.0),
                differs(Quantity::Dropped, Of::Run, 0.1, 0.5),
                differs(Quantity::Dropped, odd(), 0.1, 0.5),
                differs(
                    Quantity::Dropped,
                    Of::Reason(DropReason::NoSocket),
                    0.1,
                    0.5,
                ),
            ],
            runs: [2, 2],
            cpus: [0, 0],
        };
        let mut causes: Vec<Of> = comparison
            .verdict()
            .causes
            .into_iter()
            .map(|said| said.of)
            .collect();
        order::sort(&mut causes);
        assert_eq!(
            causes,
            [
                Of::Reason(DropReason::NoSocket),
                Of::Station(Station::Qdisc)
            ]
        );
    }
}
