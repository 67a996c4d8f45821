//! What holds in every run (model.md), on random scenarios: over the loopback device and
//! over a link, TCP and UDP, with loss, reordering, small rings, faults by hand.
//!
//! The world is checked as it runs, every few thousand steps (`Simulation::audit`); what
//! only the run can tell is checked at its end.

#![allow(clippy::unwrap_used, reason = "tests")]

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use ringside::journey::Journeys;
use ringside::kernel::{Context, EventIdx, Field};
use ringside::run::Run;
use ringside::run::measured::Measured;
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::engine::{Simulated, Simulation};

mod link;

use link::link_scenario;

/// Steps between two looks at the world.
const STRIDE: u64 = 3000;

/// Runs a scenario and looks at the world on the way.
fn check(text: &str, is_recording: bool) -> Simulated {
    audited(text, is_recording, STRIDE)
}

/// The same without a recording, with so many steps between two looks.
fn check_with(text: &str, stride: u64) -> Simulated {
    audited(text, false, stride)
}

fn audited(text: &str, is_recording: bool, stride: u64) -> Simulated {
    let catalogue = Catalogue::shipped().unwrap();
    let scenario = Scenario::parse(text, &catalogue).unwrap();
    let mut simulation = Simulation::new(&scenario, &catalogue, is_recording).unwrap();
    let mut is_over = false;
    while !is_over {
        is_over = simulation.advance(stride);
        let wrong = simulation.audit();
        assert!(
            wrong.is_empty(),
            "at {:?} of {text}:\n{}",
            simulation.now(),
            wrong.join("\n")
        );
    }
    let simulated = simulation.finish();
    check_time(&simulated.measured, text);
    simulated
}

/// Nobody is busy for longer than there was time, also who is in the middle of a step at the
/// beginning and at the end of what was measured.
fn check_time(measured: &Measured, text: &str) {
    let most = measured.elapsed_fs;
    assert!(most > 0, "nothing was measured of {text}");
    for (cpu, &busy) in measured.cpu_busy_fs.iter().enumerate() {
        assert!(
            busy <= most,
            "CPU {cpu} is busy for {busy} of {most} fs in {text}"
        );
        let functions = measured.cpu_functions[cpu].values().map(|time| time.fs);
        let named = functions.sum::<u64>() + measured.cpu_user_fs[cpu];
        assert!(
            named <= busy,
            "CPU {cpu}: {named} of {busy} fs are named in {text}"
        );
        let of_cpu = measured
            .stacks
            .iter()
            .filter(|(stack, _)| usize::from(stack.cpu) == cpu);
        let in_stacks: u64 = of_cpu.map(|(_, time)| time.fs).sum();
        assert_eq!(
            in_stacks + measured.cpu_user_fs[cpu],
            named,
            "CPU {cpu}: its stacks are not its functions in {text}"
        );
    }
    let all: u64 = measured.cpu_busy_fs.iter().sum();
    assert_eq!(
        measured.busy_fs(),
        all,
        "contexts and CPUs differ in {text}"
    );
    for (context, fs) in [
        (Context::Kernel, measured.kernel_fs),
        (Context::Softirq, measured.softirq_fs),
        (Context::Hardirq, measured.hardirq_fs),
        (Context::Spinning, measured.spinning_fs),
    ] {
        let of_it = measured
            .stacks
            .iter()
            .filter(|(stack, _)| stack.context == context);
        let named: u64 = of_it.map(|(_, time)| time.fs).sum();
        assert!(
            named <= fs,
            "{named} of {fs} fs in {context:?} are named in {text}"
        );
    }
    let tasks: u64 = measured.tasks.values().map(|task| task.cpu_fs).sum();
    assert!(tasks <= all, "tasks have {tasks} of {all} fs in {text}");
}

/// Every kernel there is.
fn kernels() -> impl Strategy<Value = String> {
    let catalogue = Catalogue::shipped().unwrap();
    let names: Vec<String> = catalogue
        .kernels()
        .map(|kernel| kernel.name.clone())
        .collect();
    prop::sample::select(names)
}

fn loopback_scenario() -> impl Strategy<Value = String> {
    let workloads = vec![
        "iperf",
        "connect-close-local",
        "connect-close-ports",
        "chat",
        "fscache",
    ];
    let who = (
        kernels(),
        prop::sample::select(workloads),
        prop::sample::select(vec![
            ("xeon-3.2-dual", 2),
            ("piii-xeon-550-8way", 8),
            ("p4-1.6", 1),
        ]),
        1_u32..=4,
        any::<bool>(),
    );
    let how = (
        prop::sample::select(vec![100_u32, 1400, 8192, 40_000]),
        prop::sample::select(vec![4096_u32, 16_384, 65_536, 262_144]),
        0_u32..=2,
        any::<bool>(),
        1_u16..=8,
    );
    (who, how, 0_u64..1000).prop_map(|(who, how, seed)| {
        let (kernel, workload, (machine, most), connections, has_threads) = who;
        let (message, buffer, hogs, has_probes, cpus) = how;
        let cpus = cpus.min(most);
        let threads = if has_threads && machine == "xeon-3.2-dual" {
            r#","hyper_threading":true"#
        } else {
            ""
        };
        format!(
            r#"{{"machine":"{machine}","kernel":"{kernel}","workload":"{workload}",
            "settings":{{"cpus":{cpus},"connections":{connections},"message_bytes":{message},
            "send_buffer_bytes":{buffer},"receive_buffer_bytes":{buffer},
            "background_hogs":{hogs},"probes":{has_probes}{threads}}},
            "duration_us":8000,"seed":{seed}}}"#
        )
    })
}

/// The same cases every time; `HOLDS_SEED` chooses others.
fn cases(count: u32) -> ProptestConfig {
    let seed = std::env::var("HOLDS_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 60,
        rng_seed: RngSeed::Fixed(seed.unwrap_or(1)),
        ..ProptestConfig::with_cases(count)
    }
}

/// What a run says of itself: queues keep to their limits, and a journey goes forward, by
/// an event once. Packets may share one: a write that became two segments.
fn check_run(run: &Run, text: &str) {
    assert!(run.times().is_sorted(), "{text}");
    let shrinks = text.contains("shrink_ring") || text.contains("set_ring");
    for index in (0..run.len()).map(|index| EventIdx(index as u32)) {
        let depth = run.field(index, Field::Depth);
        let limit = run.field(index, Field::Limit).filter(|_| !shrinks);
        if let (Some(depth), Some(limit)) = (depth, limit) {
            let probe = run.probe[index.at()];
            assert!(depth <= limit, "{probe:?}: {depth} of {limit} in {text}");
        }
    }
    let journeys = Journeys::of(run);
    for id in journeys.ids() {
        let packet = &journeys.packets[id.at()];
        assert!(packet.start <= packet.end, "{text}");
        let events = journeys.events(id);
        assert!(
            events.is_sorted_by(|before, after| before < after),
            "a journey goes back in {text}"
        );
        let times = events.iter().map(|&event| run.time(event));
        assert!(times.is_sorted(), "time goes back in {text}");
    }
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn over_a_link(text in link_scenario()) {
        check(&text, false);
    }

    #[test]
    fn inside_a_host(text in loopback_scenario()) {
        check(&text, false);
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn what_a_run_tells_over_a_link(text in link_scenario()) {
        check_run(&check(&text, true).run.unwrap(), &text);
    }

    #[test]
    fn what_a_run_tells_inside_a_host(text in loopback_scenario()) {
        check_run(&check(&text, true).run.unwrap(), &text);
    }

    #[test]
    fn nobody_hangs_for_ever(
        kernel in kernels(),
        workload in prop::sample::select(vec!["iperf-link", "netperf-stream", "netperf-rr"]),
        connections in 1_u32..=3,
        message in prop::sample::select(vec![100_u32, 1400, 8192]),
        ring in prop::sample::select(vec![4_u32, 64, 256]),
        loss in prop::sample::select(vec![0_u32, 2]),
    ) {
        let long = |duration| format!(
            r#"{{"machine":"pii-xeon-400-4way","kernel":"{kernel}","workload":"{workload}",
            "settings":{{"cpus":2,"connections":{connections},"message_bytes":{message},
            "rx_ring":{ring},"link_loss_permille":{loss}}},
            "duration_us":{duration},"warmup_us":{},"seed":3}}"#,
            duration / 2
        );
        // Longer than a retransmission timeout that has doubled a few times.
        let text = long(if loss > 0 { 6_000_000 } else { 300_000 });
        let measured = check_with(&text, 1_000_000).measured;
        // Client and server in turn; the servers are watched.
        for (socket, &bytes) in measured.socket_bytes.iter().enumerate().skip(1).step_by(2) {
            prop_assert!(bytes > 0, "socket {socket} got nothing in the second half of {text}");
        }
    }

    #[test]
    fn what_costs_more_gives_no_more(
        kernel in prop::sample::select(vec!["2.6.9", "6.1"]),
        message in prop::sample::select(vec![1400_u32, 8192, 32_768]),
        cheap in 1_u32..=5000,
        dearer in 1_u32..=20_000,
    ) {
        let with = |cost: u32| {
            let text = format!(
                r#"{{"machine":"xeon-3.2-dual","kernel":"{kernel}","workload":"iperf",
                "settings":{{"cpus":1,"connections":1,"message_bytes":{message},"probes":true,
                "probe_cost_ns":{cost}}},"duration_us":260000,"warmup_us":20000,"seed":1}}"#
            );
            check_with(&text, 1_000_000).measured.delivered_bytes
        };
        let (less, more) = (with(cheap), with(cheap + dearer));
        // What the receive buffer holds may have been read in one run and not in the other.
        prop_assert!(more <= less + 65_536, "{less} bytes, then {more}");
    }
}
