//! Each threshold from both sides: a finding is there as soon as a run reaches it, and not just below.
//!
//! The numbers stand here a second time, so that a threshold cannot change unseen.

use super::super::Severity;
use super::super::thresholds::{self, receiving_nanos, turn_nanos};
use super::super::version::Version;
use super::trace::{Trace, address, of_kernel};
use super::{Kind, Origin};

const MICROSECOND: u64 = 1_000;
const MILLISECOND: u64 = 1_000_000;

/// What must be found is, and what is just less is not.
#[track_caller]
fn fires(kind: Kind, below: &Trace, at: &Trace) {
    assert!(!below.has(kind), "{kind:?} below its threshold");
    assert!(at.has(kind), "{kind:?} at its threshold");
}

/// Every constant of the table: whoever adds one adds its test.
#[test]
fn no_threshold_is_without_its_test() {
    let names: Vec<&str> = thresholds::ALL.iter().map(|(name, _)| *name).collect();
    let tested = [
        "FEW_PACKETS",
        "MOST_OF_THE_WAY",
        "STILL_NANOS",
        "STILL_SHARE",
        "IMBALANCE_SHARE",
        "IMBALANCE_BUSY",
        "HELD_NANOS",
        "NEARLY_FULL",
        "NEARLY_EMPTY",
        "HAND_OVER_SHARE",
        "LINES_A_PACKET",
        "LOCK_SHARE",
        "PROBE_SHARE",
        "OPEN_SHARE",
        "MOSTLY_OPEN_SHARE",
    ];
    assert_eq!(names, tested);
}

/// Datagrams that spend a part of their way in the socket.
fn in_the_queue(packets: u64, waits: u64) -> Trace {
    let mut trace = Trace::default();
    for skb in 1..=packets {
        let came = skb * 10 * MICROSECOND;
        let queued = came + 1_000;
        trace
            .datagram(skb, 0, [came, queued, queued + waits])
            .event(queued, "softirq_exit", "cpu 0 ctx softirq pid 0 vec 3");
    }
    trace
}

#[test]
fn few_packets() {
    let kind = Kind::MostOfTheWay;
    fires(kind, &in_the_queue(7, 4_000), &in_the_queue(8, 4_000));
}

#[test]
fn most_of_the_way() {
    fires(
        Kind::MostOfTheWay,
        &in_the_queue(8, 990),
        &in_the_queue(8, 1_000),
    );
}

/// Two datagrams, and between them nothing; then one a microsecond for some time.
fn still(nanos: u64, then_micros: u64) -> Trace {
    let mut trace = Trace::default();
    trace.short(1, 0, 0);
    let again = MICROSECOND + nanos;
    for micro in 0..then_micros {
        trace.short(2 + micro, 0, again + micro * MICROSECOND);
    }
    trace
}

#[test]
fn still_nanos() {
    let kind = Kind::Stillness;
    fires(kind, &still(MILLISECOND - 1, 1), &still(MILLISECOND, 1));
}

#[test]
fn still_share() {
    let kind = Kind::Stillness;
    fires(kind, &still(MILLISECOND, 1_000), &still(MILLISECOND, 999));
}

/// A reader is woken on a CPU and runs later.
fn woken(mut trace: Trace, cpu: u16, nanos: u64) -> Trace {
    let wakes = "cpu 0 ctx softirq pid 0 comm b target_pid 534 target_cpu 1";
    trace
        .event(1_500, "sched_waking", wakes)
        .switch(1_500 + nanos, cpu, 700, 534)
        .datagram(1, cpu, [1_000, 1_400, 1_600 + nanos]);
    trace
}

/// A reader is put aside on a CPU and comes back later.
fn put_aside(mut trace: Trace, cpu: u16, nanos: u64) -> Trace {
    trace
        .switch(1_500, cpu, 534, 700)
        .switch(1_500 + nanos, cpu, 700, 534)
        .datagram(1, cpu, [1_000, 1_400, 1_600 + nanos]);
    trace
}

/// With more CPUs a task may go on for longer: `1 + log2(CPUs)` times the slice, from 8 CPUs on 4 times.
#[test]
fn a_reader_waits_for_longer_than_a_task_may_go_on() {
    let of_cpus = |cpu: u16, micros: u64| {
        let nanos = micros * MICROSECOND;
        let (less, whole) = (nanos - 1, nanos);
        let run = Trace::default;
        fires(
            Kind::LateWaking,
            &woken(run(), cpu, less),
            &woken(run(), cpu, whole),
        );
        fires(
            Kind::PreemptedReader,
            &put_aside(run(), cpu, less),
            &put_aside(run(), cpu, whole),
        );
    };
    of_cpus(0, 750);
    of_cpus(1, 1_500);
    of_cpus(2, 1_500);
    of_cpus(3, 2_250);
    of_cpus(7, 3_000);
    of_cpus(63, 3_000);
}

#[test]
fn how_long_a_task_may_go_on_is_the_kernel_s() {
    let turn = |version, cpus| turn_nanos(version, cpus).value as u64;
    assert_eq!(turn(Some(Version(6, 18, 0)), 4), 2_100_000);
    assert_eq!(turn(Some(Version(6, 1, 0)), 8), 3_000_000);
    assert_eq!(turn(Some(Version(2, 4, 20)), 2), 10_000_000);
    let run = || of_kernel("Linux 2.4.20");
    let (less, whole) = (10 * MILLISECOND - 1, 10 * MILLISECOND);
    fires(
        Kind::LateWaking,
        &woken(run(), 1, less),
        &woken(run(), 1, whole),
    );
}

/// One call of `net_rx_action` is bounded by two ticks, and not by the 2 ms of all softirqs in a row.
#[test]
fn one_softirq_runs_for_longer_than_net_rx_action_means_to() {
    let run = |kernel: Option<&str>, nanos| {
        let mut trace = kernel.map_or_else(Trace::default, of_kernel);
        trace.short(1, 0, 100).softirq(0, 2_000, 2_000 + nanos);
        trace
    };
    let of = |kernel, millis: u64| {
        let (kind, nanos) = (Kind::LongSoftirq, millis * MILLISECOND);
        fires(kind, &run(kernel, nanos - 1), &run(kernel, nanos));
    };
    of(None, 8);
    of(Some("4.19.0-27-amd64"), 2);
    of(Some("6.18.44-fc-v669"), 8);
    let limit = |version| receiving_nanos(Some(version)).value as u64;
    assert_eq!(limit(Version(4, 11, 12)), 8 * MILLISECOND);
    assert_eq!(limit(Version(4, 12, 0)), 2 * MILLISECOND);
    assert_eq!(limit(Version(5, 6, 19)), 2 * MILLISECOND);
    assert_eq!(limit(Version(5, 7, 0)), 8 * MILLISECOND);
    // A model tells all calls in a row as one softirq.
    let mut simulated = run(Some("Linux 6.1"), 9 * MILLISECOND);
    simulated.origin = Origin::Simulated;
    assert!(!simulated.has(Kind::LongSoftirq));
}

/// Two CPUs whose softirqs run for so long, while a third sends for 10 µs.
fn softirqs(first: u64, second: u64) -> Trace {
    let sent = |skb| {
        format!(
            "cpu 2 ctx kernel pid 7 skb {} len 92 dev eth0",
            address(skb)
        )
    };
    let mut trace = Trace::default();
    trace
        .event(0, "net_dev_queue", &sent(1))
        .softirq(0, 100, 100 + first)
        .softirq(1, 100, 100 + second)
        .event(10_000, "net_dev_queue", &sent(2));
    trace
}

#[test]
fn imbalance_share() {
    let kind = Kind::Imbalance;
    fires(kind, &softirqs(3_999, 1_000), &softirqs(4_000, 1_000));
}

/// Without the end of a softirq nobody knows how long it ran.
#[test]
fn imbalance_needs_ends() {
    let mut trace = softirqs(4_000, 1_000);
    trace
        .lines
        .retain(|(_, line)| !line.contains("softirq_exit"));
    let found = trace.findings();
    assert!(found.iter().all(|one| one.kind != Kind::Imbalance));
}

/// A CPU that is busy so for half of the time has little left for processes.
#[test]
fn imbalance_busy() {
    let is_notice = |nanos| {
        let found = softirqs(nanos, 10).findings();
        let found = found.iter().find(|one| one.kind == Kind::Imbalance);
        found.map(|one| one.severity == Severity::Notice)
    };
    assert_eq!(is_notice(4_999), Some(false));
    assert_eq!(is_notice(5_000), Some(true));
}

#[test]
fn nearly_full() {
    let backlog = |depth: u64| {
        let mut trace = Trace::default();
        let put = format!(
            "cpu 0 ctx softirq pid 0 skb {} len 92 target_cpu 0 depth {depth} limit 1000",
            address(1)
        );
        trace.arrival(1, 0).event(10, "enqueue_to_backlog", &put);
        trace
    };
    fires(Kind::FullQueue, &backlog(899), &backlog(900));
}

/// The reader keeps up as long as less than a tenth of the limit is used.
#[test]
fn nearly_empty() {
    let queue = |bytes: u64| {
        let mut trace = in_the_queue(8, 1_000);
        for (at, line) in &mut trace.lines {
            let held = if *at < 12_000 { bytes } else { 0 };
            if line.contains("__udp_enqueue_schedule_skb") {
                line.extend([" rmem ", &held.to_string(), " rcvbuf 100000"]);
            }
        }
        trace
    };
    fires(Kind::ReaderKeepsUp, &queue(10_000), &queue(9_999));
}

#[test]
fn hand_over_share() {
    let one_of = |packets: u64| {
        let mut trace = Trace::default();
        trace.short(1, 1, 0);
        for skb in 2..=packets {
            trace.short(skb, 0, skb * 2 * MICROSECOND);
        }
        trace
    };
    fires(Kind::HandOver, &one_of(21), &one_of(20));
}

#[test]
fn lines_a_packet() {
    let moved = |lines: u64| {
        let mut trace = in_the_queue(8, 1_000);
        let of = format!("cpu 0 from_cpu 1 lines {lines} cycles 800 object skb");
        trace.event(100, "cache_line_move", &of);
        trace
    };
    fires(Kind::CacheLines, &moved(7), &moved(8));
}

/// A run of one CPU that lasts 100 µs.
fn for_100_micros(nanos: u64, probe: &str, rest: &str) -> Trace {
    let mut trace = Trace::default();
    trace
        .short(1, 0, 0)
        .event(nanos, probe, rest)
        .short(2, 0, 99 * MICROSECOND);
    trace
}

#[test]
fn lock_share() {
    let waited = |nanos: u64| {
        let rest = format!("cpu 0 lock sock waited {nanos}");
        let mut trace = for_100_micros(5_000 + nanos, "contention_end", &rest);
        trace.event(5_000, "contention_begin", "cpu 0 lock sock from_cpu 0");
        trace
    };
    fires(Kind::LockWait, &waited(999), &waited(1_000));
}

#[test]
fn probe_share() {
    let cost = |nanos: u64| for_100_micros(5_000, "probe_cost", &format!("cpu 0 cost {nanos}"));
    fires(Kind::ProbeCost, &cost(999), &cost(1_000));
}

#[test]
fn open_share() {
    let one_of = |packets: u64| {
        let mut trace = Trace::default();
        trace.arrival(1, 0);
        for skb in 2..=packets {
            trace.short(skb, 0, skb * 2 * MICROSECOND);
        }
        trace
    };
    fires(Kind::OpenJourneys, &one_of(21), &one_of(20));
}

#[test]
fn mostly_open_share() {
    let is_a_problem = |open: u64| {
        let mut trace = Trace::default();
        for skb in 1..=open {
            trace.arrival(skb, skb * 2 * MICROSECOND);
        }
        for skb in open + 1..=20 {
            trace.short(skb, 0, skb * 2 * MICROSECOND);
        }
        let found = trace.findings();
        let one = found.iter().find(|one| one.kind == Kind::OpenJourneys);
        one.unwrap().severity == Severity::Problem
    };
    assert_eq!([9, 10].map(is_a_problem), [false, true]);
}
