//! What is said of two runs: a sentence for what came out differently and for what explains it,
//! with the number of the one and of the other.

use super::{Comparison, Difference};
use crate::figures::{Of, Quantity};
use crate::kernel::{DropReason, Station};
use crate::saying::Saying;

sayings! {
    alike = "verdict.alike"(runs: Count);
    alike_single = "verdict.alike_single"();
    throughput_more = "verdict.throughput.more"(share: Share, before: Number, after: Number);
    throughput_less = "verdict.throughput.less"(share: Share, before: Number, after: Number);
    rate_more = "verdict.rate.more"(share: Share, before: Count, after: Count);
    rate_less = "verdict.rate.less"(share: Share, before: Count, after: Count);
    dropped_more = "verdict.dropped.more"(before: Share, after: Share);
    dropped_less = "verdict.dropped.less"(before: Share, after: Share);
    lost_elsewhere = "verdict.dropped.elsewhere"();
    busy_more = "verdict.busy.more"(before: Share, after: Share);
    busy_less = "verdict.busy.less"(before: Share, after: Share);
    work_more = "verdict.work.more"(before: Number, after: Number);
    work_less = "verdict.work.less"(before: Number, after: Number);
    work_same = "verdict.work.same"(after: Number);
    cost_more = "verdict.cost.more"(share: Share, before: Nanos, after: Nanos);
    cost_less = "verdict.cost.less"(share: Share, before: Nanos, after: Nanos);
    median_more = "verdict.median.more"(before: Nanos, after: Nanos);
    median_less = "verdict.median.less"(before: Nanos, after: Nanos);
    tail_more = "verdict.tail.more"(before: Nanos, after: Nanos);
    tail_less = "verdict.tail.less"(before: Nanos, after: Nanos);
    response_more = "verdict.response.more"(before: Nanos, after: Nanos);
    response_less = "verdict.response.less"(before: Nanos, after: Nanos);
    because_fetching = "verdict.because.fetching"(before: Nanos, after: Nanos, hops: Number, now: Number);
    because_fetching_alone = "verdict.because.fetching_alone"(before: Nanos, after: Nanos);
    because_merged = "verdict.because.merged"(before: Share, after: Share);
    because_probes = "verdict.because.probes"(before: Nanos, after: Nanos);
    because_round_trip = "verdict.because.round_trip"(before: Nanos, after: Nanos);
    because_lost_on_link = "verdict.because.lost_on_link"(before: Share, after: Share);
    because_shift = "verdict.because.shift"(cpu: Cpu, before: Share, after: Share);
    because_memory = "verdict.because.memory"(before: Nanos, after: Nanos);
    because_interrupts = "verdict.because.interrupts"(before: Nanos, after: Nanos, rate: Count, now: Count);
    because_interrupts_alike = "verdict.because.interrupts_alike"(before: Nanos, after: Nanos, rate: Count);
    because_lock = "verdict.because.lock"(lock: Name, before: Nanos, after: Nanos);
    because_bystander = "verdict.because.bystander"(task: Name, before: Nanos, after: Nanos);
    because_function = "verdict.because.function"(function: Name, before: Nanos, after: Nanos, calls: Number, now: Number);
    because_wait = "verdict.because.wait"(station: Station, before: Nanos, after: Nanos);
    because_response_wait = "verdict.because.response_wait"(station: Station, before: Nanos, after: Nanos);
    because_service = "verdict.because.service"(station: Station, before: Nanos, after: Nanos);
    because_dropped = "verdict.because.dropped"(reason: DropReason, before: Share, after: Share);
    because_payload = "verdict.because.payload"(before: Bytes, after: Bytes);
    because_retransmitted = "verdict.because.retransmitted"(before: Share, after: Share);
    only_in_first = "abreast.only.first"(packet: Name);
    only_in_second = "abreast.only.second"(packet: Name);
    other_cpu = "abreast.cpu"(packet: Name, station: Station, first: Cpu, second: Cpu);
    other_station = "abreast.station"(packet: Name, first: Station, second: Station);
    dropped_otherwise = "abreast.dropped.otherwise"(packet: Name, first: DropReason, second: DropReason);
    dropped_in_first = "abreast.dropped.first"(packet: Name, reason: DropReason);
    dropped_in_second = "abreast.dropped.second"(packet: Name, reason: DropReason);
    goes_on_in_first = "abreast.on.first"(packet: Name, station: Station);
    goes_on_in_second = "abreast.on.second"(packet: Name, station: Station);
    ends_otherwise = "abreast.end"(packet: Name);
    later_at = "abreast.later"(packet: Name, station: Station, by: Nanos);
    earlier_at = "abreast.earlier"(packet: Name, station: Station, by: Nanos);
    otherwise_timed = "abreast.time"(packet: Name, by: Nanos);
}

/// Two numbers of a saying.
struct Pair<T>(T, T);

fn nanos(one: &Difference) -> Pair<u64> {
    whole(one)
}

fn whole(one: &Difference) -> Pair<u64> {
    Pair(
        one.before.mean.round() as u64,
        one.after.mean.round() as u64,
    )
}

fn numbers(one: Option<&Difference>) -> Pair<f64> {
    one.map_or(Pair(0.0, 0.0), |one| Pair(one.before.mean, one.after.mean))
}

/// What came out differently.
pub(super) fn outcome(one: &Difference) -> Saying {
    let is_more = one.change.mean > 0.0;
    let said = |more: Saying, less: Saying| if is_more { more } else { less };
    let Pair(before, after) = numbers(Some(one));
    let Pair(first, second) = whole(one);
    let share = (one.change.mean / one.before.mean).abs();
    match one.quantity {
        Quantity::Throughput => {
            let (before, after) = (before / 1e6, after / 1e6);
            said(
                throughput_more(share, before, after),
                throughput_less(share, before, after),
            )
        }
        Quantity::PacketRate => said(
            rate_more(share, first, second),
            rate_less(share, first, second),
        ),
        Quantity::Dropped if one.of != Of::Run => lost_elsewhere(),
        Quantity::Dropped => said(dropped_more(before, after), dropped_less(before, after)),
        Quantity::Busy => said(busy_more(before, after), busy_less(before, after)),
        Quantity::CpuEach => said(
            cost_more(share, first, second),
            cost_less(share, first, second),
        ),
        Quantity::LatencyTail => said(tail_more(first, second), tail_less(first, second)),
        Quantity::ResponseMedian => {
            said(response_more(first, second), response_less(first, second))
        }
        _ => said(median_more(first, second), median_less(first, second)),
    }
}

/// Work that is within this part of what it was is as much as before.
const AS_MUCH: f64 = 0.05;

/// How much CPUs have to do, as so many that would be busy all the time.
pub(super) fn work([before, after]: [f64; 2]) -> Saying {
    if (after / before - 1.0).abs() <= AS_MUCH {
        work_same(after)
    } else if before < after {
        work_more(before, after)
    } else {
        work_less(before, after)
    }
}

/// Fewer changes of CPU for each packet are said as 0.
const SAYABLE_HOPS: f64 = 0.05;

pub(super) fn fetching(one: &Difference, hops: Option<&Difference>) -> Saying {
    let (Pair(before, after), Pair(hops, now)) = (nanos(one), numbers(hops));
    if hops.max(now) < SAYABLE_HOPS {
        return because_fetching_alone(before, after);
    }
    because_fetching(before, after, hops, now)
}

pub(super) fn memory(one: &Difference) -> Saying {
    let Pair(before, after) = nanos(one);
    because_memory(before, after)
}

pub(super) fn merged(one: &Difference) -> Saying {
    let Pair(before, after) = numbers(Some(one));
    because_merged(before, after)
}

pub(super) fn lost_on_link(one: &Difference) -> Saying {
    let Pair(before, after) = numbers(Some(one));
    because_lost_on_link(before, after)
}

pub(super) fn round_trip(one: &Difference) -> Saying {
    let Pair(before, after) = nanos(one);
    because_round_trip(before, after)
}

pub(super) fn shift(one: &Difference) -> Option<Saying> {
    let Pair(before, after) = numbers(Some(one));
    match one.of {
        Of::Cpu(cpu) => Some(because_shift(cpu, before, after)),
        _ => None,
    }
}

pub(super) fn probes(one: &Difference) -> Saying {
    let Pair(before, after) = nanos(one);
    because_probes(before, after)
}

pub(super) fn interrupts(one: &Difference, comparison: &Comparison) -> Saying {
    let rate = comparison.get(Quantity::InterruptRate, &Of::Run);
    let (Pair(before, after), Pair(rate, now)) = (nanos(one), numbers(rate));
    let (rate, now) = (rate.round() as u64, now.round() as u64);
    if rate == now {
        return because_interrupts_alike(before, after, rate);
    }
    because_interrupts(before, after, rate, now)
}

pub(super) fn lock(one: &Difference) -> Saying {
    let Pair(before, after) = nanos(one);
    because_lock(one.of.name(), before, after)
}

pub(super) fn bystander(one: &Difference) -> Saying {
    let Pair(before, after) = nanos(one);
    because_bystander(one.of.name(), before, after)
}

pub(super) fn function(one: &Difference, calls: Option<&Difference>) -> Saying {
    let (Pair(before, after), Pair(calls, now)) = (nanos(one), numbers(calls));
    because_function(one.of.name(), before, after, calls, now)
}

pub(super) fn wait(station: Station, one: &Difference) -> Saying {
    let Pair(before, after) = nanos(one);
    because_wait(station, before, after)
}

pub(super) fn response_wait(station: Station, one: &Difference) -> Saying {
    let Pair(before, after) = nanos(one);
    because_response_wait(station, before, after)
}

pub(super) fn service(station: Station, one: &Difference) -> Saying {
    let Pair(before, after) = nanos(one);
    because_service(station, before, after)
}

pub(super) fn dropped(reason: DropReason, one: &Difference) -> Saying {
    let Pair(before, after) = numbers(Some(one));
    because_dropped(reason, before, after)
}

pub(super) fn payload(one: &Difference) -> Saying {
    let Pair(before, after) = whole(one);
    because_payload(before, after)
}

pub(super) fn retransmitted(one: &Difference) -> Saying {
    let Pair(before, after) = numbers(Some(one));
    because_retransmitted(before, after)
}
