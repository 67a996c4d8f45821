//! Sockets, locks and waiting, as whole simulations of small scenarios.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use expect_test::{Expect, expect};
use ringside::kernel::{CpuId, Field, Probe};
use ringside::run::Run;
use ringside::run::measured::Measured;
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::engine::{Simulated, Simulation, simulate};

const P4: &str = "p4-1.6";
const PII: &str = "pii-xeon-400-4way";
/// A scenario of so many µs, a tenth of them warm-up.
fn text(machine: &str, kernel: &str, workload: &str, settings: &str, us: u64) -> String {
    let warmup = us / 10;
    format!(
        r#"{{"machine":"{machine}","kernel":"{kernel}","workload":"{workload}","settings":{settings},
            "duration_us":{us},"warmup_us":{warmup},"seed":1}}"#
    )
}

/// The same without a warm-up: what happens once counts.
fn from_start(text: &str) -> String {
    let start = text.find(r#""warmup_us""#).unwrap();
    let end = start + text[start..].find(',').unwrap();
    format!("{}{}", &text[..start], &text[end + 1..])
}

fn simulated(text: &str, catalogue: &Catalogue, is_recording: bool) -> Simulated {
    let scenario = Scenario::parse(text, catalogue).unwrap();
    simulate(&scenario, catalogue, is_recording).unwrap()
}

fn measured(text: &str) -> Measured {
    simulated(text, &Catalogue::shipped().unwrap(), false).measured
}
fn recorded(text: &str) -> Run {
    let catalogue = Catalogue::shipped().unwrap();
    simulated(text, &catalogue, true).run.unwrap()
}

/// A workload called "own" with these roles and fields.
fn with_workload(fields: &str, roles: &str) -> Catalogue {
    let text = format!(
        r#"{{"name":"own","title":"","about":"","transport":"tcp","route":"loopback","sources":{{}},
            "server_port":5001,"connect_retry_us":100,"file_bytes":131072,"roles":[{roles}]{fields}}}"#
    );
    let mut catalogue = Catalogue::shipped().unwrap();
    catalogue.add_workload(serde_json::from_str(&text).unwrap());
    catalogue
}

/// Runs a scenario and looks at the world on the way.
fn audited(text: &str) -> Measured {
    let catalogue = Catalogue::shipped().unwrap();
    let scenario = Scenario::parse(text, &catalogue).unwrap();
    let mut simulation = Simulation::new(&scenario, &catalogue, false).unwrap();
    let mut is_over = false;
    while !is_over {
        is_over = simulation.advance(5000);
        let wrong = simulation.audit();
        assert!(wrong.is_empty(), "{text}:\n{}", wrong.join("\n"));
    }
    simulation.finish().measured
}

fn calls(measured: &Measured, name: &str) -> u64 {
    measured.calls.get(name).map_or(0, |call| call.calls)
}
fn function(measured: &Measured, name: &str) -> u64 {
    measured.functions.get(name).map_or(0, |time| time.calls)
}

// ---- connections ------------------------------------------------------------------------

#[test]
fn every_kernel_opens_and_closes_connections_and_none_hangs() {
    for kernel in ["2.2.14", "2.3.99", "2.4.20", "2.6.3", "6.1"] {
        for (machine, workload, settings, least) in [
            (P4, "connect-close-local", r#"{"clients":3}"#, 30),
            (P4, "connect-close", r#"{"clients":20}"#, 30),
            (
                P4,
                "connect-close-ports",
                r#"{"clients":5,"threads":30}"#,
                30,
            ),
            (PII, "connect-close-local", r#"{"cpus":4,"clients":8}"#, 20),
            (PII, "connect-close", r#"{"cpus":4,"clients":40}"#, 20),
            (
                PII,
                "web-files",
                r#"{"cpus":4,"clients":40,"threads":4}"#,
                5,
            ),
        ] {
            let measured = audited(&text(machine, kernel, workload, settings, 60_000));
            let done = measured.connections;
            assert!(done >= least, "{kernel} {workload} {settings}: {done}");
            assert_eq!(measured.connections_failed, 0, "{kernel} {workload}");
        }
    }
}

/// What TCP sends and gets for the first connection, in order.
fn check_handshake(workload: &str, expected: &Expect) {
    let run = recorded(&text(P4, "2.6.3", workload, r#"{"clients":1}"#, 3_000));
    let mut sockets = BTreeMap::new();
    let mut picture = String::new();
    for index in run.indices() {
        let event = run.event(index);
        if event.probe != Probe::TcpTransmitSkb && event.probe != Probe::TcpV4Rcv {
            continue;
        }
        let count = sockets.len();
        let socket = *sockets.entry(event.sk).or_insert(count);
        let field = |field| run.field(index, field).unwrap_or(0);
        let arrow = match event.probe {
            Probe::TcpTransmitSkb => "sends",
            _ => "gets ",
        };
        let _ = writeln!(
            picture,
            "{:7} {arrow} seq {} ack {}",
            ["client", "listens", "server"]
                .get(socket)
                .unwrap_or(&"later"),
            field(Field::SeqNo),
            field(Field::AckNo),
        );
        if picture.lines().count() == 8 {
            break;
        }
    }
    expected.assert_eq(&picture);
}

#[test]
fn a_handshake_is_a_syn_to_the_listener_and_two_answers() {
    check_handshake(
        "connect-close-local",
        &expect![[r#"
            client  sends seq 0 ack 0
            listens gets  seq 0 ack 0
            server  sends seq 0 ack 1
            client  gets  seq 0 ack 1
            server  gets  seq 1 ack 1
            server  sends seq 1 ack 1
            client  gets  seq 1 ack 1
            client  sends seq 1 ack 2
        "#]],
    );
}

/// Clients that connect once, to a server that never accepts.
const NOBODY_ACCEPTS: &str = r#"
    {"name":"client","side":"client","per":"connection",
     "once":[{"do":"socket"},{"do":"connect"},{"do":"sleep","us":100000000}]},
    {"name":"server","side":"server","per":"host","once":[{"do":"sleep","us":100000000}]}"#;

#[test]
fn a_full_accept_queue_drops_and_clients_give_up_at_their_time() {
    let fields = r#","listener":"host","listen_backlog":2,"connect_timeout_ms":50"#;
    let catalogue = with_workload(fields, NOBODY_ACCEPTS);
    let run = |us| {
        let text = text(P4, "2.6.3", "own", r#"{"clients":8}"#, us);
        simulated(&from_start(&text), &catalogue, false).measured
    };
    let before = run(49_000);
    assert_eq!(before.connections_failed, 0, "they wait");
    assert_eq!(before.dropped, 5, "three fit, as with Linux: backlog + 1");
    assert_eq!(run(60_000).connections_failed, 5);
}

#[test]
fn a_polling_server_yields_and_a_long_run_queue_slows_only_the_old_scheduler() {
    let rate = |kernel, threads| {
        let settings = format!(r#"{{"clients":4,"threads":{threads}}}"#);
        measured(&text(P4, kernel, "connect-close-ports", &settings, 200_000)).connections
    };
    let slowdown = |kernel| rate(kernel, 4) * 100 / rate(kernel, 120);
    let (old, new) = (slowdown("2.4.20"), slowdown("2.6.3"));
    assert!(old > new * 5 / 4, "2.4: {old} %, 2.6: {new} %");
}

#[test]
fn without_a_connection_accept_returns_and_the_script_goes_on_at_its_yield() {
    let roles = r#"{"name":"server","side":"server","per":"host","count":3,
        "once":[{"do":"socket"},{"do":"bind"},{"do":"listen"}],
        "forever":[{"do":"accept","wait":false},{"do":"close"},{"do":"yield"}]}"#;
    for kernel in ["2.2.14", "2.4.20", "2.6.3", "6.1"] {
        let text = text(P4, kernel, "own", r#"{"clients":1}"#, 10_000);
        let measured = simulated(&text, &with_workload("", roles), false).measured;
        assert_eq!(calls(&measured, "close"), 0, "{kernel}");
        let polls = calls(&measured, "accept");
        assert!(polls > 500, "{kernel}: {polls}");
        if kernel != "6.1" {
            assert!(
                measured.switches + 3 > polls,
                "{kernel}: each yield is a switch"
            );
        }
    }
}

// ---- locks --------------------------------------------------------------------------------

/// Spinning in per cent of all CPUs' time.
fn spinning(measured: &Measured) -> u64 {
    measured.spinning_fs * 100 / (measured.elapsed_fs * u64::from(measured.cpus))
}

#[test]
fn the_big_kernel_lock_lets_one_cpu_at_a_time_read_files() {
    let run = |kernel, cpus| {
        let settings = format!(r#"{{"cpus":{cpus},"threads":{cpus},"message_bytes":4096}}"#);
        measured(&text(PII, kernel, "fscache", &settings, 50_000))
    };
    let (one, four) = (run("2.2.14", 1), run("2.2.14", 4));
    assert_eq!(one.spinning_fs, 0);
    assert!(
        four.rounds < one.rounds * 5 / 4,
        "{} {}",
        one.rounds,
        four.rounds
    );
    assert!(spinning(&four) > 60, "{} %", spinning(&four));
    let (old, new) = (four, run("2.3.99", 4));
    assert!(
        new.rounds > old.rounds * 5 / 4,
        "{} {}",
        old.rounds,
        new.rounds
    );
}

#[test]
fn a_task_that_sleeps_lets_the_kernel_lock_go() {
    let settings = r#"{"cpus":4,"connections":12,"message_bytes":4}"#;
    let text = text(PII, "2.2.14", "netperf-rr", settings, 40_000);
    let measured = measured(&text);
    // With the lock held in recv nothing would ever be answered.
    assert!(measured.rounds > 12 * 5, "{}", measured.rounds);
    assert!(function(&measured, "lock_sock") > 0);
}

/// How many CPUs run softirqs at once, at most.
fn most_in_softirq(kernel: &str) -> usize {
    let settings = r#"{"cpus":4,"connections":16,"message_bytes":4}"#;
    let run = recorded(&text(PII, kernel, "netperf-rr", settings, 10_000));
    let (mut inside, mut most) = (Vec::<CpuId>::new(), 0);
    for index in run.indices() {
        let event = run.event(index);
        if event.probe == Probe::SoftirqEntry {
            inside.push(event.cpu);
            most = most.max(inside.len());
        } else if event.probe == Probe::SoftirqExit {
            inside.retain(|&cpu| cpu != event.cpu);
        }
    }
    most
}

#[test]
fn bottom_halves_run_on_one_cpu_and_softirqs_on_many() {
    assert_eq!(most_in_softirq("2.2.14"), 1);
    assert!(most_in_softirq("2.3.99") > 1);
}

/// Waits for each lock by name, in order of their number; each has begun, and ended later.
fn waits(run: &Run) -> BTreeMap<String, u32> {
    let mut waits = BTreeMap::new();
    let mut begun = BTreeMap::new();
    for index in run.indices() {
        let event = run.event(index);
        let lock = || run.field_name(index, Field::Lock).unwrap().to_owned();
        match event.probe {
            Probe::ContentionBegin => {
                let since = begun.insert((event.cpu, lock(), event.sk), event.time);
                assert_eq!(since, None, "it spins already");
            }
            Probe::ContentionEnd => {
                let since = begun.remove(&(event.cpu, lock(), event.sk)).unwrap();
                let waited = run.field(index, Field::Waited).unwrap();
                // Both times are cut off to ns.
                assert!(u64::from(waited).abs_diff(event.time.0 - since.0) <= 1);
                *waits.entry(lock()).or_insert(0) += 1;
            }
            _ => {}
        }
    }
    waits
}

#[test]
fn locks_are_waited_for_by_name_and_every_wait_ends() {
    let rr = r#"{"cpus":4,"connections":16,"message_bytes":4}"#;
    let stream = r#"{"cpus":2,"connections":1,"message_bytes":8192}"#;
    for (machine, kernel, workload, settings, names) in [
        (
            PII,
            "2.2.14",
            "netperf-rr",
            rr,
            ["kernel_lock", "global_bh_lock"],
        ),
        (PII, "2.3.99", "netperf-rr", rr, ["runqueue", "runqueue"]),
        (
            "xeon-3.2-dual",
            "2.6.3",
            "iperf",
            stream,
            ["slock", "slock"],
        ),
    ] {
        let run = recorded(&text(machine, kernel, workload, settings, 10_000));
        let waits = waits(&run);
        for name in names {
            assert!(waits.contains_key(name), "{kernel} {workload}: {waits:?}");
        }
    }
}

#[test]
fn contexts_add_up_to_no_more_than_the_time_there_was() {
    for (kernel, workload, settings) in [
        (
            "2.2.14",
            "netperf-rr",
            r#"{"cpus":4,"connections":16,"message_bytes":4}"#,
        ),
        ("2.2.14", "chat", r#"{"cpus":4,"clients":20}"#),
        ("2.3.99", "chat", r#"{"cpus":4,"clients":20}"#),
        (
            "2.4.20",
            "web-files",
            r#"{"cpus":4,"clients":60,"threads":4}"#,
        ),
    ] {
        let measured = measured(&text(PII, kernel, workload, settings, 30_000));
        // A step counts when it begins, a wait for a lock when it ends: half a millisecond.
        let step = 500_000_000_000;
        for (cpu, &busy) in measured.cpu_busy_fs.iter().enumerate() {
            assert!(
                busy <= measured.elapsed_fs + step,
                "{kernel} {workload} CPU {cpu}: {busy}"
            );
        }
    }
}

// ---- files and rooms ------------------------------------------------------------------------

#[test]
fn a_file_is_read_page_by_page_and_shared_by_all() {
    let read = |bytes, cpus, us| {
        let settings = format!(r#"{{"cpus":{cpus},"threads":{cpus},"message_bytes":{bytes}}}"#);
        measured(&text(PII, "2.3.99", "fscache", &settings, us))
    };
    for (bytes, pages) in [(512, 1), (4096, 1), (8192, 2), (16_384, 4)] {
        let measured = read(bytes, 1, 20_000);
        let (reads, copies) = (
            calls(&measured, "read"),
            function(&measured, "file_read_actor"),
        );
        assert!(
            copies.abs_diff(reads * pages) <= pages,
            "{bytes}: {reads} {copies}"
        );
    }
    // Every cache has the whole file after the warm-up, and nobody writes it.
    let measured = read(4096, 4, 300_000);
    let read = measured.functions["file_read_actor"];
    assert!(read.lines < read.calls, "{} in {}", read.lines, read.calls);
}

#[test]
fn what_is_said_in_a_room_is_heard_there_and_only_there() {
    let roles = r#"
        {"name":"says","side":"client","per":"connection","once":[{"do":"send","bytes":100}]},
        {"name":"hears","side":"client","per":"connection","forever":[{"do":"receive","bytes":4000}]},
        {"name":"server","side":"server","per":"connection",
         "forever":[{"do":"receive","bytes":100},{"do":"broadcast","bytes":100,"room":ROOM}]}"#;
    let run = |room: u32| {
        let fields = r#","established":true,"no_delay":true"#;
        let catalogue = with_workload(fields, &roles.replace("ROOM", &room.to_string()));
        let text = text(P4, "2.6.3", "own", r#"{"clients":5}"#, 20_000);
        let measured = simulated(&from_start(&text), &catalogue, false).measured;
        measured.tasks["hears"].delivered_bytes / 100
    };
    // Five connections are in rooms of 2, 2 and 1, of 3 and 2, or all in one.
    assert_eq!(run(2), 2 * 2 + 2 * 2 + 1);
    assert_eq!(run(3), 3 * 3 + 2 * 2);
    assert_eq!(run(0), 5 * 5);
}
