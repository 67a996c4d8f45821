//! The machine file of a made-up host, and of the host that the tests run on.

use sim::config::catalogue::Catalogue;
use sim::config::source::Standing;

use super::*;
use crate::code::Row;
use crate::copies::{Hot, Way};
use crate::cpus::Topology;
use crate::lines::Shared;
use crate::noise::{Kind, Noise};
use crate::turns::PATIENCE;

fn ns(median: f64) -> Estimate {
    Estimate {
        median,
        low: median * 0.99,
        high: median * 1.01,
        spread: 0.0,
        turns: 201,
        is_alone: true,
    }
}

/// 4 CPUs of 2 GHz: a cycle is half a nanosecond.
fn host() -> Host {
    let hot = Hot {
        kib: Some(ns(10.0)),
        start: Some(ns(4.0)),
    };
    Host {
        topology: Topology {
            model: "Made Up \"9\"".to_owned(),
            cpus: vec![0, 1, 2, 3],
            cores: 2,
            threads_per_core: 2,
            siblings: 2,
            caches: vec![(32, 2), (512, 2), (8192, 4)],
            instructions: Some((32, 8)),
            line_bytes: 64,
            available_kib: None,
            is_virtual: false,
            polls_idle: None,
            kernel: "6.1".to_owned(),
        },
        cycle: ns(0.5),
        reads: vec![
            (16, ns(2.0)),
            (1024, ns(10.0)),
            (4096, ns(20.0)),
            (65_536, ns(90.0)),
        ],
        writes: vec![(16, ns(2.0)), (65_536, ns(95.0))],
        streams: vec![
            (16, ns(2.0)),
            (1024, ns(2.5)),
            (4096, ns(3.0)),
            (65_536, ns(8.0)),
        ],
        stored: vec![
            (16, ns(2.0)),
            (1024, ns(4.5)),
            (4096, ns(5.0)),
            (65_536, ns(9.0)),
        ],
        beyond_first: Some((128, ns(40.0), ns(60.0))),
        copies: [Way::FromUser, Way::ToUser]
            .into_iter()
            .flat_map(|way| [(way, true, hot), (way, false, hot)])
            .collect(),
        checksum: ns(30.0),
        locked: ns(9.0),
        ways: vec![((0, 1), ns(20.0)), ((0, 2), ns(50.0)), ((0, 3), ns(60.0))],
        shared: Some(Shared {
            read_changed: Some(ns(55.0)),
            take_changed: Some(ns(65.0)),
            upgrade: Some(ns(40.0)),
        }),
        was_moved: false,
        handed: Some((256, ns(1.5))),
        // Of half a nanosecond each: 5540 cycles for 1385 lines.
        row: Some(Row {
            alone: ns(28_628.0),
            fetched: ns(2770.0),
        }),
        calls: vec![
            (Call::WakeUp, ns(10_000.0)),
            (Call::Waking, ns(5000.0)),
            (Call::Interrupt, ns(1050.0)),
            (Call::SystemCall, ns(163.0)),
            (Call::PacketBuffer, ns(3520.0)),
            (Call::Switch, ns(6449.0)),
        ],
        noise: Some(Noise {
            tick: Some(ns(35_000.0)),
            kinds: vec![Kind {
                per_second: 1250.3,
                ns: 611.6,
            }],
        }),
    }
}

fn file(host: &Host, name: &str, base: &str) -> MachineFile {
    let shipped = Catalogue::shipped().unwrap();
    machine_file(host, name, shipped.machine(base).unwrap())
}

fn read(file: &MachineFile, name: &str) -> Catalogue {
    let own = (format!("machines/{name}.json"), file.text.clone());
    Catalogue::with(&[own]).unwrap()
}

#[test]
fn times_are_written_as_cycles_and_the_catalogue_takes_them() {
    let file = file(&host(), "made-up", "current-server");
    assert_eq!(file.doubts, []);
    let catalogue = read(&file, "made-up");
    let machine = catalogue.machine("made-up").unwrap();
    assert_eq!(
        (
            machine.processors.cores,
            machine.processors.threads_per_core
        ),
        (2, 2)
    );
    assert_eq!(machine.processors.clock_khz, 2_000_000);
    assert_eq!(machine.processors.locked_cycles, 18);
    // 1050 ns there and back, less 50 for the way of the pair in the middle.
    assert_eq!(machine.processors.ipi_ns, 1000);
    // Two cycles an instruction, but for the four of each of the five lines of code that are fetched on the way.
    assert_eq!(machine.processors.core_permille, 1994);
    // To another CPU by a pipe in 10,000 ns, of which one on the same CPU takes 6449.
    assert_eq!(machine.processors.halted_ipi_ns, 3551);
    assert_eq!(machine.processors.halted_send_ns, 5000);
    assert_eq!(machine.processors.timer_exits_ns, 35_000);
    let noise = &machine.processors.noise;
    let noise: Vec<_> = noise.iter().map(|one| (one.per_second, one.ns)).collect();
    assert_eq!(noise, [(1250, 612)]);
    let cache = machine.cache.as_ref().unwrap();
    assert_eq!(cache.transfer_stream_cycles, Some(3));
    assert_eq!(cache.kib, 512);
    // A KiB takes 80 cycles longer read and 120 written, half of which for its source and half for its destination.
    let data = cache.data.unwrap();
    assert_eq!((data.kib, data.cycles_per_kib), (32, 50));
    let code = cache.instructions.unwrap();
    assert_eq!((code.kib, code.ways, code.line_cycles), (32, 8, 4));
    // A region of 4 MiB still costs less than halfway from 2.5 to 8 ns.
    assert_eq!(cache.shared_kib, 4096);
    assert_eq!(cache.shared_read_cycles, 20);
    // A cycle more read, five written: three on average.
    assert_eq!(cache.shared_stream_cycles, 3);
    assert_eq!(cache.memory_read_cycles, 180);
    assert_eq!(cache.transfer_read_cycles, 110);
    assert_eq!(cache.stream_read_cycles, 12);
    assert_eq!(machine.copy.movsd_aligned.cycles_per_kib, 20);
    assert!(machine.copy.movsd_unaligned.is_none());
}

#[test]
fn each_parameter_says_whether_it_was_measured_or_taken_over() {
    let file = file(&host(), "made-up", "current-server");
    let catalogue = read(&file, "made-up");
    let parameters = catalogue.parameters("machines/made-up");
    let base = catalogue.parameters("machines/current-server");
    for parameter in parameters {
        // What the base alone speaks of keeps the base's word.
        if base.contains(parameter) {
            continue;
        }
        let is_measured = [Standing::Measured, Standing::Derived]
            .contains(&parameter.source.standing)
            && parameter.source.derived_from.is_empty();
        let is_taken = parameter.source.text.starts_with("taken over ")
            && !parameter.source.derived_from.is_empty();
        assert!(is_measured != is_taken, "{parameter:?}");
    }
    // The base is guessed, and what is taken over is worth no more.
    let group = parameters.iter().find(|one| one.path == "processors");
    assert_eq!(group.unwrap().worth.standing, Standing::Guessed);
}

/// The parameters that are doubted of a host that is changed.
fn doubted(change: fn(&mut Host)) -> Vec<&'static str> {
    let mut host = host();
    change(&mut host);
    let doubts = file(&host, "made-up", "current-server").doubts;
    doubts.into_iter().map(|doubt| doubt.path).collect()
}

/// A measured call.
fn call(host: &mut Host, which: Call) -> &mut Estimate {
    let mut calls = host.calls.iter_mut();
    &mut calls.find(|(call, _)| *call == which).unwrap().1
}

#[test]
fn what_is_too_uncertain_is_named() {
    assert_eq!(doubted(|_| ()), [""; 0]);
    assert_eq!(
        doubted(|host| host.locked.high = 20.0),
        ["processors.locked_cycles"]
    );
    let buffer = |host: &mut Host| call(host, Call::PacketBuffer).high = 6000.0;
    assert_eq!(doubted(buffer), ["processors.core_permille"]);
    let fetched = |host: &mut Host| host.row.as_mut().unwrap().fetched.high = 5000.0;
    assert_eq!(doubted(fetched), ["cache.instructions.line_cycles"]);
    let tick = |host: &mut Host| {
        let noise = host.noise.as_mut().unwrap();
        noise.tick.as_mut().unwrap().high = 60_000.0;
    };
    assert_eq!(doubted(tick), ["processors.timer_exits_ns"]);
}

#[test]
fn a_price_that_a_moved_cpu_or_too_large_a_cache_spoiled_is_named() {
    let moved = doubted(|host| host.was_moved = true);
    assert_eq!(moved, ["cache.transfer_read_cycles"]);
    let large = doubted(|host| host.topology.caches[2].0 = 40_960);
    assert_eq!(
        large,
        ["cache.memory_read_cycles", "cache.memory_write_cycles"]
    );
}

#[test]
fn a_price_of_an_instruction_beside_a_neighbour_is_named() {
    let dear = ["processors.core_permille"];
    let buffer = |host: &mut Host| call(host, Call::PacketBuffer).is_alone = false;
    assert_eq!(doubted(buffer), dear);
    let row = |host: &mut Host| host.row.as_mut().unwrap().fetched.is_alone = false;
    assert_eq!(doubted(row), dear);
    assert_eq!(doubted(|host| host.locked.is_alone = false), [""; 0]);
}

#[test]
fn what_was_measured_beside_a_neighbour_says_so() {
    let text = |is_alone: bool| {
        let mut host = host();
        host.locked.is_alone = is_alone;
        file(&host, "made-up", "current-server").text
    };
    let says = "18.0 cycles (95 % 17.8 to 18.2, 201 turns beside a neighbour)";
    assert!(text(false).contains(says), "{}", text(false));
    assert!(!text(true).contains("beside a neighbour"));
}

#[test]
fn the_price_of_an_instruction_stands_with_its_interval() {
    let text = file(&host(), "made-up", "current-server").text;
    let says = "1994 cycles for a thousand instructions (95 % 1974 to 2014, 201 turns)";
    assert!(text.contains(says), "{text}");
    let says = "4.0 cycles (95 % 4.0 to 4.0, 201 turns)";
    assert!(text.contains(says), "{text}");
}

#[test]
fn lines_that_are_handed_over_in_no_time_that_can_be_told_take_a_cycle() {
    let mut host = host();
    // Two threads of one core, which a virtual machine shows as two cores.
    host.shared = Some(Shared {
        read_changed: Some(ns(2.0)),
        take_changed: Some(ns(-0.1)),
        upgrade: Some(ns(0.0)),
    });
    let file = file(&host, "made-up", "current-server");
    assert_eq!(file.doubts, []);
    let catalogue = read(&file, "made-up");
    let cache = catalogue.machine("made-up").unwrap().cache.as_ref();
    assert_eq!(cache.map(|cache| cache.transfer_write_cycles), Some(1));
}

#[test]
fn one_cpu_has_no_other_to_take_lines_from() {
    let mut host = host();
    host.topology.cpus = vec![0];
    (host.topology.cores, host.topology.threads_per_core) = (1, 1);
    (host.ways, host.shared, host.handed) = (Vec::new(), None, None);
    host.calls = Vec::new();
    let file = file(&host, "single", "via-eden-553");
    assert!(file.text.contains(", 1 CPU (machine), as measured"));
    let catalogue = read(&file, "single");
    let (own, base) = (
        catalogue.machine("single"),
        catalogue.machine("via-eden-553"),
    );
    let lines = |machine: &sim::config::machine::Machine| {
        machine.cache.as_ref().map(|cache| cache.memory_read_cycles)
    };
    assert_ne!(own.map(lines), base.map(lines));
    let upgrade = |machine: &sim::config::machine::Machine| {
        machine.cache.as_ref().map(|cache| cache.upgrade_cycles)
    };
    assert_eq!(own.map(upgrade), base.map(upgrade));
}

#[test]
fn this_host_is_measured_and_its_machine_is_one_that_the_simulator_takes() {
    let host = Host::measure(PATIENCE, |_| ()).unwrap();
    let file = file(&host, "this-host", "current-server");
    let catalogue = read(&file, "this-host");
    let machine = catalogue.machine("this-host").unwrap();
    assert_eq!(
        usize::from(machine.processors.cores * machine.processors.threads_per_core),
        host.topology.cpus.len()
    );
    let report = crate::report::report(&host);
    assert!(report.contains("system call (getppid)"), "{report}");
}
