//! The simulator's prediction for a load on a machine with the current kernel: the same messages, connections
//! and CPUs. No parameter is fitted to the host; the kernel's own have been, to other hosts.

use std::collections::BTreeMap;

use serde_json::json;
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::engine::simulate;

use crate::counts::Count;
use crate::loads::{Ends, Load, Rate};

/// The kernel that is simulated in place of the host's.
pub const KERNEL: &str = "6.18";
/// Simulated time of a prediction and of its warm-up, in us.
const DURATION_US: u64 = 400_000;
const WARMUP_US: u64 = 100_000;
/// Number of runs averaged for a prediction: a connection may begin at any phase of a tick.
const SEEDS: u64 = 3;

/// The scenario of a load on a machine of the catalogue.
pub fn scenario(load: &Load, machine: &str) -> String {
    let apart = if load.ends == Ends::Apart {
        "-apart"
    } else {
        ""
    };
    let workload = format!("{}{apart}", load.does.workload());
    let mut settings = json!({
        "process_cpus": load.cpus,
        "connections": load.connections,
        "message_bytes": load.message_bytes,
    });
    if load.ends == Ends::Together {
        settings["process_affinity"] = json!(true);
    }
    if let Some(bytes) = load.receive_buffer {
        settings["receive_buffer_bytes"] = json!(bytes);
    }
    if let Some(bytes) = load.send_buffer {
        settings["send_buffer_bytes"] = json!(bytes);
    }
    if let Some(bytes) = load.mtu {
        settings["mtu_bytes"] = json!(bytes);
    }
    if load.hogs > 0 {
        settings["background_hogs"] = json!(load.hogs);
    }
    json!({
        "machine": machine,
        "kernel": KERNEL,
        "workload": workload,
        "settings": settings,
        "duration_us": DURATION_US,
        "warmup_us": WARMUP_US,
        "seed": 1,
    })
    .to_string()
}

/// The predicted results of a load.
#[derive(Debug, Clone)]
pub struct Prediction {
    /// Bytes, rounds, datagrams or connections per second.
    pub rate: f64,
    /// Counts per byte, round, datagram or connection.
    pub counts: BTreeMap<Count, f64>,
}

/// Predicts a load on a machine of the catalogue.
pub fn predict(load: &Load, machine: &str, catalogue: &Catalogue) -> Result<Prediction, String> {
    let scenario = Scenario::parse(&scenario(load, machine), catalogue);
    let scenario = scenario.map_err(|error| error.to_string())?;
    mean(load, scenario, SEEDS, catalogue)
}

/// The mean of several runs of a load's scenario.
fn mean(
    load: &Load,
    mut scenario: Scenario,
    seeds: u64,
    catalogue: &Catalogue,
) -> Result<Prediction, String> {
    let mut rate = 0.0;
    let mut counts: BTreeMap<Count, f64> = BTreeMap::new();
    for seed in 1..=seeds {
        scenario.seed = seed;
        let measured = simulate(&scenario, catalogue, false)?.measured;
        let rounds = |task: &str| {
            let task = measured.tasks.get(task).map(|task| task.rounds);
            task.ok_or_else(|| {
                format!("the workload {} has no task {task:?}", load.does.workload())
            })
        };
        let done = match load.does.rate() {
            Rate::Bytes => measured.delivered_bytes,
            Rate::Rounds => rounds("asker")?,
            Rate::Datagrams => measured.delivered_bytes / u64::from(load.message_bytes),
            Rate::Connections => rounds("client")?,
        } as f64;
        if done == 0.0 {
            return Err("nothing was done in the simulated time".to_owned());
        }
        rate += done * 1e15 / measured.elapsed_fs as f64 / seeds as f64;
        for count in Count::of(load.does) {
            let counted = count.predicted(&measured) as f64 / done / seeds as f64;
            *counts.entry(*count).or_default() += counted;
        }
    }
    Ok(Prediction { rate, counts })
}

#[cfg(test)]
mod tests {
    use ringside::run::measured::Measured;

    use super::*;
    use crate::loads::{Does, LOADS};

    /// The scenario of a prediction with a fifth of its duration.
    fn short(load: &Load, machine: &str, catalogue: &Catalogue) -> Scenario {
        let mut scenario = Scenario::parse(&scenario(load, machine), catalogue).unwrap();
        scenario.duration_us = DURATION_US / 5;
        scenario.warmup_us = Some(WARMUP_US / 5);
        scenario
    }

    /// The rate of such a run per second.
    fn rate(load: &Load, machine: &str, catalogue: &Catalogue) -> f64 {
        let scenario = short(load, machine, catalogue);
        mean(load, scenario, 1, catalogue).unwrap().rate
    }

    fn simulated(name: &str, catalogue: &Catalogue) -> Measured {
        let load = LOADS.iter().find(|load| load.name == name).unwrap();
        let scenario = short(load, "current-server", catalogue);
        simulate(&scenario, catalogue, false).unwrap().measured
    }

    #[test]
    fn each_load_has_a_prediction() {
        let catalogue = Catalogue::shipped().unwrap();
        for load in LOADS {
            let rate = rate(load, "current-server", &catalogue);
            assert!(rate > 0.0, "{}", load.name);
        }
        assert!(predict(&LOADS[0], "nothing", &catalogue).is_err());
    }

    #[test]
    fn a_load_of_which_nothing_is_done_has_no_prediction() {
        let catalogue = Catalogue::shipped().unwrap();
        let mut scenario = short(&LOADS[0], "current-server", &catalogue);
        (scenario.duration_us, scenario.warmup_us) = (1, Some(0));
        let error = mean(&LOADS[0], scenario, 1, &catalogue).unwrap_err();
        assert_eq!(error, "nothing was done in the simulated time");
    }

    #[test]
    fn a_load_keeps_the_cpus_busy_that_it_is_given_and_no_other() {
        let catalogue = Catalogue::shipped().unwrap();
        let busy = |name: &str| {
            let measured = simulated(name, &catalogue);
            let most = measured.elapsed_fs / 10;
            let cpus = measured.cpu_busy_fs.iter().enumerate();
            let busy = cpus.filter(|&(_, &fs)| fs > most);
            busy.map(|(cpu, _)| cpu).collect::<Vec<_>>()
        };
        assert_eq!(busy("stream-two-cpus"), [0, 1]);
        assert_eq!(busy("stream-one-cpu"), [0]);
    }

    /// The receive window bounds what is on its way; the writer goes on into its send buffer, and the reader
    /// that sends it from there on finds more than it reads.
    #[test]
    fn one_cpu_goes_between_writer_and_reader_by_hundreds_of_kilobytes() {
        let catalogue = Catalogue::shipped().unwrap();
        let scenario = scenario(&LOADS[0], "epyc-zen4-vm");
        let scenario = Scenario::parse(&scenario, &catalogue).unwrap();
        let measured = simulate(&scenario, &catalogue, false).unwrap().measured;
        let between = measured.delivered_bytes / measured.switches;
        assert!(between > 200_000, "{between} bytes for each switch");
    }

    /// Lines of code that a round fetches on one CPU, by what it takes longer where a line costs something.
    fn fetched(does: Does) -> f64 {
        let machine = "epyc-zen5-2cpu-vm";
        let load = LOADS.iter().find(|load| load.name == "request-one-cpu");
        let load = Load {
            does,
            ..*load.unwrap()
        };
        let with = |line_cycles: u32| {
            let text = json!({
                "name": "own",
                "based_on": machine,
                "cache": { "instructions": { "line_cycles": line_cycles } },
                "sources": { "cache.instructions.line_cycles": { "text": "", "standing": "chosen" } },
            });
            let file = ("machines/own.json".to_owned(), text.to_string());
            let catalogue = Catalogue::with(&[file]).unwrap();
            let khz = catalogue.machine("own").unwrap().processors.clock_khz as f64;
            khz * 1e3 / rate(&load, "own", &catalogue)
        };
        (with(10) - with(0)) / 10.0
    }

    /// `counted/linux-6.1.txt` has what a first cache of 32 KiB fetches in a round, of each instruction that ran. In
    /// the model each step has code of its own, where functions of the kernel call the same ones (the allocator's,
    /// above all) and find these there: it fetches more.
    #[test]
    fn a_round_fetches_somewhat_more_code_than_the_emulator_counted() {
        for (does, counted) in [
            (Does::RequestResponse, 2239.5),
            (Does::DatagramRequest, 1693.0),
        ] {
            let ratio = fetched(does) / counted;
            assert!((1.0..1.35).contains(&ratio), "{does:?}: {ratio:.2}");
        }
    }

    /// Some 4 MB of send buffer go round; they do not fit into a core's cache of 1 MiB.
    #[test]
    fn a_shared_last_cache_makes_a_stream_faster() {
        let own = |kib: u32| {
            let text = json!({
                "name": "own",
                "based_on": "epyc-zen4-vm",
                "cache": { "shared_kib": kib },
                "sources": { "cache.shared_kib": { "text": "", "standing": "chosen" } },
            });
            let file = ("machines/own.json".to_owned(), text.to_string());
            let catalogue = Catalogue::with(&[file]).unwrap();
            rate(&LOADS[0], "own", &catalogue)
        };
        let (without, with) = (own(0), own(8192));
        assert!(with > without * 1.2, "{without} to {with} bytes a second");
    }

    #[test]
    fn two_connections_on_cpus_of_their_own_hand_each_other_nothing() {
        let catalogue = Catalogue::shipped().unwrap();
        let (one, two) = ("stream-one-cpu", "two-streams");
        let (one, two) = (simulated(one, &catalogue), simulated(two, &catalogue));
        let twice = 2 * one.delivered_bytes;
        assert!(two.delivered_bytes > twice * 8 / 10 && two.delivered_bytes < twice * 12 / 10);
    }
}
