//! Forks: a run to which something is done by hand is the run without, event for event, up to that
//! moment; and what is done does what it says.

use ringside::kernel::{EventIdx, Field, Probe, Verdict};
use ringside::replay::Replay;
use ringside::run::Run;
use sim::config::faults::{FAULTS, FIRST_PID};
use sim::rng::Rng;

use super::scenarios::{drawn, record};
use super::*;

/// Runs for each law.
const RUNS: u64 = 40;

/// All that a run tells of an event, without the numbers of its names, which count those told so far.
fn told(run: &Run, at: EventIdx) -> String {
    let event = run.event(at);
    let fields: Vec<_> = run.fields(at).collect();
    format!("{event:?} {fields:?}")
}

fn before(run: &Run, ns: u64) -> Vec<String> {
    let is_before = |at: &EventIdx| run.time(*at).0 < ns;
    run.indices()
        .take_while(is_before)
        .map(|at| told(run, at))
        .collect()
}

pub fn with(scenario: &Value, fault: &Value) -> Value {
    let mut fork = scenario.clone();
    fork["faults"] = json!([fault]);
    fork
}

fn needs_link(kind: &str) -> bool {
    let control = FAULTS.iter().find(|control| control.name == kind);
    control.unwrap().needs_link
}

/// Every kind in turn, at any moment of any run.
#[test]
fn up_to_its_moment_a_fork_is_its_parent() {
    let mut compared = 0;
    for (number, scenario) in drawn(RUNS).iter().enumerate() {
        let mut rng = Rng::new(number as u64 + 77);
        let parent = record(scenario).1;
        let is_link = number.is_multiple_of(2);
        let kinds: Vec<_> = FAULTS
            .iter()
            .filter(|fault| is_link || !fault.needs_link)
            .collect();
        let fault = kinds[(number / 2) % kinds.len()];
        let at = rng.below(20_000_000);
        let mut done = json!({"do": fault.name, "at_us": at / 1000, "at_ns": at % 1000});
        for argument in fault.arguments {
            done[argument.name] = json!(argument.usual);
        }
        if fault.name == "stop_task" {
            done["pid"] = json!(processes(&parent.run)[0]);
        }
        if fault.is_of_frame {
            done["sent"] = json!(rng.below(2) == 1);
        }
        let fork = record(&with(scenario, &done)).1;
        let was = before(&parent.run, at);
        compared += was.len();
        assert!(was == before(&fork.run, at), "{scenario} {done}");
    }
    assert!(compared > 100_000, "{compared} events compared");
}

/// The PIDs of a run's processes; the kernel's own threads are called after their CPU.
fn processes(run: &Run) -> Vec<u32> {
    let processes = run.comm.keys().filter(|&&pid| {
        let comm = run.comm(pid).unwrap_or("");
        pid.0 >= FIRST_PID && !comm.contains('/')
    });
    processes.map(|pid| pid.0).collect()
}

/// What is to be done when the run is over is not done.
#[test]
fn a_fork_in_which_nothing_is_done_is_its_parent() {
    for scenario in drawn(6) {
        let parent = record(&scenario).1;
        for kind in ["drop_frame", "steal_cpu"] {
            if needs_link(kind) && scenario["workload"] == "iperf" {
                continue;
            }
            let mut done = json!({"do": kind, "at_us": 20_000});
            if kind == "steal_cpu" {
                done["cpu"] = json!(0);
                done["us"] = json!(5);
            } else if parent.run.probe.iter().all(|&probe| probe != Probe::RxDma) {
                continue;
            }
            let fork = record(&with(&scenario, &done)).1;
            assert_eq!(fork.run.fingerprint(), parent.run.fingerprint(), "{done}");
        }
    }
}

/// Datagrams to one reader who keeps up with a slow sender.
pub fn datagrams() -> Value {
    json!({
        "machine": "recorder-e1000", "kernel": "6.1", "workload": "kperf-generator-udp",
        "settings": { "connections": 1, "message_bytes": 600, "peer": "via-eden-553" },
        "duration_us": 60_000, "seed": 7
    })
}

pub fn segments() -> Value {
    stream("6.1", &json!({"cpus": 2, "gro": false}), (0, 10), 1)
}

/// The arrival of the frame that came in as the so manieth, and its moment as a fault has it.
pub fn arrival(replay: &Replay, number: usize) -> (EventIdx, Value) {
    let run = &replay.run;
    let at = run
        .indices()
        .filter(|&at| run.probe[at.at()] == Probe::RxDma)
        .nth(number)
        .unwrap();
    let ns = run.time(at).0;
    (at, json!({"at_us": ns / 1000, "at_ns": ns % 1000}))
}

pub fn done(moment: &Value, what: &Value) -> Value {
    let mut done = moment.clone();
    for (name, value) in what.as_object().unwrap() {
        done[name] = value.clone();
    }
    done
}

/// Sequence numbers of what came in, in the order in which it did.
fn sequence(replay: &Replay) -> Vec<u32> {
    let mut arrived: Vec<(u64, u32)> = replay
        .journeys
        .packets
        .iter()
        .filter(|packet| packet.payload > 0)
        .filter_map(|packet| Some((packet.start.0, packet.seq?)))
        .collect();
    arrived.sort_by_key(|&(at, _)| at);
    arrived.into_iter().map(|(_, seq)| seq).collect()
}

#[test]
fn a_datagram_that_comes_twice_is_delivered_twice() {
    let (measured, parent) = record(&datagrams());
    let (_, moment) = arrival(&parent, 40);
    let fork = with(
        &datagrams(),
        &done(&moment, &json!({"do": "duplicate_frame"})),
    );
    let (twice, _) = record(&fork);
    assert_eq!(twice.frames_received, measured.frames_received + 1);
    assert_eq!(twice.delivered_bytes, measured.delivered_bytes + 600);
}

#[test]
fn a_datagram_that_is_lost_is_never_delivered() {
    let (measured, parent) = record(&datagrams());
    let (_, moment) = arrival(&parent, 40);
    let fork = with(&datagrams(), &done(&moment, &json!({"do": "drop_frame"})));
    let (lost, _) = record(&fork);
    assert_eq!(lost.frames_received, measured.frames_received - 1);
    assert_eq!(lost.delivered_bytes, measured.delivered_bytes - 600);
    assert_eq!(lost.lost_on_link, 1);
}

/// TCP takes a byte once: of the two segments one is delivered.
#[test]
fn a_segment_that_comes_twice_is_delivered_once() {
    let parent = record(&segments()).1;
    let (at, moment) = arrival(&parent, 200);
    let packet = parent.journeys.packet_of[at.at()];
    let seq = parent.journeys.packets[packet.at()].seq;
    let fork = with(
        &segments(),
        &done(&moment, &json!({"do": "duplicate_frame"})),
    );
    let fork = record(&fork).1;
    let ends: Vec<Verdict> = fork
        .journeys
        .packets
        .iter()
        .filter(|packet| packet.seq == seq)
        .map(|packet| packet.verdict)
        .collect();
    let delivered = ends
        .iter()
        .filter(|end| matches!(end, Verdict::Delivered { .. }));
    assert_eq!((ends.len(), delivered.count()), (2, 1), "{ends:?}");
}

#[test]
fn a_frame_that_is_reordered_comes_behind_as_many_as_are_said() {
    let parent = record(&segments()).1;
    let was = sequence(&parent);
    let (_, moment) = arrival(&parent, 200);
    let fork = with(
        &segments(),
        &done(&moment, &json!({"do": "reorder_frame", "behind": 3})),
    );
    let is = sequence(&record(&fork).1);
    let parted = was.iter().zip(&is).position(|(was, is)| was != is).unwrap();
    assert_eq!(is[parted..parted + 3], was[parted + 1..parted + 4]);
    assert_eq!(is[parted + 3], was[parted]);
}

#[test]
fn a_frame_that_is_delayed_comes_as_much_later_as_is_said() {
    let parent = record(&datagrams()).1;
    let (at, moment) = arrival(&parent, 40);
    let fork = with(
        &datagrams(),
        &done(&moment, &json!({"do": "delay_frame", "us": 3000})),
    );
    let fork = record(&fork).1;
    let due = parent.run.time(at).0 + 3_000_000;
    let is_there = |at: EventIdx| fork.run.probe[at.at()] == Probe::RxDma;
    let near = fork
        .run
        .indices()
        .filter(|&at| is_there(at))
        .filter(|&at| fork.run.time(at).0.abs_diff(due) < 20_000)
        .count();
    assert!(near > 0, "none at {due}");
}

/// What the watched host sends can be meant as well: the segment is sent again.
#[test]
fn a_segment_that_is_lost_on_its_way_out_is_sent_again() {
    let sender = stream("6.1", &json!({"cpus": 2, "watch": "sender"}), (0, 20), 1);
    let parent = record(&sender).1;
    let fork = with(
        &sender,
        &json!({"at_us": 5000, "do": "drop_frame", "sent": true}),
    );
    let (measured, fork) = record(&fork);
    // Data that begin before what was sent already.
    let again = |replay: &Replay| {
        let run = &replay.run;
        let is_sent = |at: &EventIdx| run.probe[at.at()] == Probe::TcpTransmitSkb;
        let sent = run.indices().filter(is_sent);
        let numbers = sent.filter_map(|at| run.field(at, Field::SeqNo));
        let mut reached = 0;
        let mut behind = 0;
        for seq in numbers {
            behind += u32::from(seq < reached);
            reached = reached.max(seq);
        }
        behind
    };
    assert_eq!(measured.lost_on_link, 1);
    assert!(again(&fork) > again(&parent), "{}", again(&fork));
}

/// The PID of whom a run shows reading, and when it does.
fn reads(run: &Run, pid: u32) -> Vec<u64> {
    run.indices()
        .filter(|&at| run.probe[at.at()] == Probe::SkbCopyDatagramIter)
        .filter(|&at| run.pid(at).0 == pid)
        .map(|at| run.time(at).0)
        .collect()
}

/// While a reader is stopped it reads nothing and its socket's queue fills; afterwards it goes on.
#[test]
fn a_reader_that_is_stopped_lets_its_queue_fill() {
    let parent = record(&datagrams()).1.run;
    let reader = (FIRST_PID..FIRST_PID + 10)
        .max_by_key(|&pid| reads(&parent, pid).len())
        .unwrap();
    let stop = json!({"at_us": 30_000, "do": "stop_task", "pid": reader, "us": 10_000});
    let fork = record(&with(&datagrams(), &stop)).1.run;
    let within = |run: &Run, from: u64, to: u64| {
        let all = reads(run, reader).into_iter();
        all.filter(|&at| from <= at && at < to).count()
    };
    // What was under way in the system call when the signal came ends.
    let (from, to) = (30_100_000, 40_000_000);
    assert!(within(&parent, from, to) > 10);
    assert_eq!(within(&fork, from, to), 0);
    assert!(within(&fork, to, 60_000_000) > within(&parent, to, 60_000_000));
}

/// When a process has a CPU, by its switches, in nanoseconds of a stretch.
fn has_cpu(run: &Run, pid: u32, from: u64, to: u64) -> u64 {
    let (mut since, mut sum) = (None, 0);
    let within = |from_ns: u64, to_ns: u64| to_ns.min(to).saturating_sub(from_ns.max(from));
    for at in run.indices() {
        if run.probe[at.at()] != Probe::SchedSwitch {
            continue;
        }
        let field = |wanted| run.fields(at).find(|&(field, _)| field == wanted);
        let now = run.time(at).0;
        if field(Field::PrevPid).is_some_and(|(_, other)| other == pid) {
            sum += since.take().map_or(0, |start| within(start, now));
        }
        if field(Field::NextPid).is_some_and(|(_, other)| other == pid) {
            since = Some(now);
        }
    }
    sum + since.map_or(0, |start| within(start, to))
}

/// `SIGSTOP` interrupts a process that computes, and one that waits to go on with it does not: neither first
/// ends what it is at.
#[test]
fn a_process_that_only_computes_is_stopped_at_once() {
    for hogs in [1, 3] {
        let settings = json!({"cpus": 1, "background_hogs": hogs});
        let mut scenario = segments();
        for (name, value) in settings.as_object().unwrap() {
            scenario["settings"][name] = value.clone();
        }
        scenario["duration_us"] = json!(60_000);
        let parent = record(&scenario).1.run;
        let mut all = processes(&parent);
        all.retain(|&pid| run_comm(&parent, pid) == "make");
        assert_eq!(all.len(), hogs);
        for hog in all {
            let stop = json!({"at_us": 10_000, "do": "stop_task", "pid": hog, "us": 30_000});
            let fork = record(&with(&scenario, &stop)).1.run;
            let (from, to) = (10_005_000, 40_000_000);
            assert!(has_cpu(&parent, hog, from, to) > 1_000_000, "{hogs} {hog}");
            // One that waited for its CPU sees the signal when it gets it.
            let has = has_cpu(&fork, hog, from, to);
            assert!(has < 10_000, "{hogs} {hog}: {has} ns");
            assert!(
                has_cpu(&fork, hog, to, 60_000_000) > 1_000_000,
                "{hogs} {hog}"
            );
        }
    }
}

fn run_comm(run: &Run, pid: u32) -> &str {
    let known = run.comm.keys().find(|known| known.0 == pid);
    known.and_then(|&known| run.comm(known)).unwrap_or("")
}

#[test]
fn from_a_moment_on_interrupts_go_where_they_are_pinned() {
    let pinned = json!({"at_us": 4000, "do": "pin_interrupts", "cpu": 1});
    let fork = record(&with(&segments(), &pinned)).1.run;
    let taken = |from: u64, to: u64| -> Vec<u16> {
        let at = fork
            .indices()
            .filter(|&at| fork.probe[at.at()] == Probe::TcpV4Rcv);
        let mut cpus: Vec<u16> = at
            .filter(|&at| (from..to).contains(&fork.time(at).0))
            .map(|at| fork.cpu[at.at()].0)
            .collect();
        cpus.sort_unstable();
        cpus.dedup();
        cpus
    };
    assert_eq!(taken(0, 4_000_000), [0]);
    assert_eq!(taken(5_000_000, 10_000_000), [1]);
}

#[test]
fn from_a_moment_on_the_ring_has_so_many_descriptors() {
    for descriptors in [8, 4096] {
        let ring = json!({"at_us": 4000, "do": "set_ring", "descriptors": descriptors});
        let fork = record(&with(&segments(), &ring)).1.run;
        let limits: Vec<_> = fork
            .indices()
            .filter(|&at| fork.probe[at.at()] == Probe::RxDma)
            .filter(|&at| fork.time(at).0 > 4_000_000)
            .map(|at| fork.field(at, Field::Limit))
            .collect();
        assert!(limits.len() > 100);
        assert!(limits.iter().all(|&limit| limit == Some(descriptors)));
    }
}

#[test]
fn a_process_that_is_not_there_cannot_be_stopped() {
    let catalogue = Catalogue::shipped().unwrap();
    let stop = json!({"at_us": 8000, "do": "stop_task", "pid": 77_000, "us": 6000});
    let scenario = with(&datagrams(), &stop).to_string();
    let scenario = Scenario::parse(&scenario, &catalogue).unwrap();
    let error = simulate(&scenario, &catalogue, false).unwrap_err();
    assert!(
        error.starts_with("faults.0.pid is 77000, must be"),
        "{error}"
    );
}
