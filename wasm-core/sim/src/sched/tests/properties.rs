//! What holds for every scheduler after any sequence of calls.

use proptest::prelude::*;

use super::*;

const CONFIGS: [&str; 8] = [
    r#"{"kind": "goodness"}"#,
    r#"{"kind": "goodness", "idle_choice": "highest_number", "slice_shift": 0, "slice_extra_ticks": 0}"#,
    r#"{"kind": "o1"}"#,
    r#"{"kind": "o1", "placement": "domains", "credit_limit": 0}"#,
    r#"{"kind": "eevdf"}"#,
    r#"{"kind": "eevdf", "run_to_parity": false, "delay_dequeue": false}"#,
    r#"{"kind": "cfs"}"#,
    r#"{"kind": "cfs", "latency_us": 1000, "min_granularity_us": 500, "wakeup_granularity_us": 100}"#,
];

#[derive(Debug, Clone)]
enum Call {
    Add { nice: i8, mask: u64 },
    Wake { task: u32, cpu: Cpu, is_sync: bool },
    Sleep { task: u32 },
    Pick { cpu: Cpu },
    Tick { cpu: Cpu },
    Yield { cpu: Cpu },
    Allow { task: u32, mask: u64 },
    Exit { task: u32 },
}

fn calls() -> impl Strategy<Value = Vec<(Call, u64)>> {
    let (task, cpu) = (|| 0..30_u32, || 0..4_u16);
    let call = prop_oneof![
        2 => (-20..20_i8, 0..32_u64).prop_map(|(nice, mask)| Call::Add { nice, mask }),
        6 => (task(), cpu(), any::<bool>())
            .prop_map(|(task, cpu, is_sync)| Call::Wake { task, cpu, is_sync }),
        3 => task().prop_map(|task| Call::Sleep { task }),
        6 => cpu().prop_map(|cpu| Call::Pick { cpu }),
        8 => cpu().prop_map(|cpu| Call::Tick { cpu }),
        2 => cpu().prop_map(|cpu| Call::Yield { cpu }),
        1 => (task(), 0..32_u64).prop_map(|(task, mask)| Call::Allow { task, mask }),
        1 => task().prop_map(|task| Call::Exit { task }),
    ];
    proptest::collection::vec((call, 0..3_000_u64), 1..300)
}

/// What the scheduler should know of a task.
struct Known {
    mask: u64,
    is_runnable: bool,
    is_gone: bool,
}

struct Model {
    scheduler: Scheduler,
    tasks: Vec<Known>,
    now: SimTime,
}

impl Model {
    fn apply(&mut self, call: &Call) {
        let now = self.now;
        let existing = |task: u32, count: usize| (count > 0).then(|| task as usize % count);
        let count = self.tasks.len();
        match *call {
            Call::Add { nice, mask } => {
                let id = self.scheduler.add_task(nice, mask, u32::from(nice > 0));
                assert_eq!(id.index(), count);
                self.tasks.push(Known {
                    mask: existing_cpus(mask),
                    is_runnable: false,
                    is_gone: false,
                });
            }
            Call::Wake { task, cpu, is_sync } => {
                let Some(task) = existing(task, count) else {
                    return;
                };
                let wake = self.scheduler.wake(TaskId(task as u32), cpu, is_sync, now);
                let known = &mut self.tasks[task];
                known.is_runnable |= !known.is_gone;
                if let Some(cpu) = wake.reschedule {
                    assert!(known.mask >> cpu & 1 == 1);
                }
            }
            Call::Sleep { task } => {
                let Some(task) = existing(task, count) else {
                    return;
                };
                self.scheduler.sleep(TaskId(task as u32), now);
                self.tasks[task].is_runnable = false;
            }
            Call::Pick { cpu } => self.pick(cpu),
            Call::Tick { cpu } => {
                if self.scheduler.tick(cpu, now) {
                    self.pick(cpu);
                }
            }
            Call::Yield { cpu } => {
                if self.scheduler.yield_now(cpu, now) {
                    self.pick(cpu);
                }
            }
            Call::Allow { task, mask } => {
                let Some(task) = existing(task, count) else {
                    return;
                };
                self.tasks[task].mask = existing_cpus(mask);
                if let Some(cpu) = self.scheduler.set_allowed(TaskId(task as u32), mask) {
                    self.pick(cpu);
                }
            }
            Call::Exit { task } => {
                let Some(task) = existing(task, count) else {
                    return;
                };
                self.scheduler.exit(TaskId(task as u32), now);
                (self.tasks[task].is_runnable, self.tasks[task].is_gone) = (false, true);
            }
        }
    }

    fn pick(&mut self, cpu: Cpu) {
        let pick = self.scheduler.pick(cpu, self.now);
        if let Some(task) = pick.task {
            assert!(
                self.tasks[task.index()].mask >> cpu & 1 == 1,
                "a mask is disobeyed"
            );
        }
        assert_ne!(pick.reschedule, Some(cpu));
    }

    /// Each runnable task is in one place, no other task is anywhere, and time adds up.
    fn check(&self) {
        let mut places = vec![0; self.tasks.len()];
        for cpu in 0..4 {
            let waiting: Vec<_> = self.scheduler.waiting_tasks(cpu).collect();
            assert_eq!(waiting.len() as u32, self.scheduler.waiting(cpu));
            for task in waiting.into_iter().chain(self.scheduler.running(cpu)) {
                places[task.index()] += 1;
            }
        }
        for (index, known) in self.tasks.iter().enumerate() {
            assert_eq!(places[index], i32::from(known.is_runnable), "task {index}");
        }
        let ran = (0..self.tasks.len()).map(|task| self.scheduler.cpu_time(TaskId(task as u32)).0);
        assert!(ran.sum::<u64>() <= 4 * self.now.0);
    }
}

fn existing_cpus(mask: u64) -> u64 {
    match mask & 15 {
        0 => 15,
        mask => mask,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_task_is_lost_doubled_or_misplaced(calls in calls(), config in 0..CONFIGS.len()) {
        let scheduler = Scheduler::new(&parse(CONFIGS[config]), setup(4, &[0, 0, 1, 1], 1));
        let mut model = Model { scheduler, tasks: Vec::new(), now: SimTime(0) };
        for (call, later_us) in &calls {
            model.now = model.now + SimTime::from_us(*later_us);
            model.apply(call);
            model.check();
        }
    }

    #[test]
    fn every_hog_gets_a_turn(
        masks in proptest::collection::vec(1..16_u64, 1..12),
        config in 0..CONFIGS.len(),
    ) {
        // The O(n) scheduler promises this only to tasks that may run everywhere: a CPU whose
        // own tasks are out of ticks refills the counters of those pinned to others as well.
        let everywhere = if CONFIGS[config].contains("goodness") { 15 } else { 0 };
        let mut host = Host::new(CONFIGS[config], 4, &[0, 0, 1, 1], 1);
        let hogs: Vec<_> =
            masks.iter().map(|&mask| host.start(0, mask | everywhere, HOG)).collect();
        host.run_ms(2_000);
        for hog in hogs {
            prop_assert!(host.scheduler.cpu_time(hog) > SimTime(0));
        }
    }
}

#[test]
fn the_same_calls_give_the_same_run() {
    for config in CONFIGS {
        let run = || {
            let mut host = Host::new(config, 4, &[0, 0, 1, 1], 1);
            let mut tasks = Vec::new();
            for number in 0..12 {
                tasks.push(host.start(0, 0, turn_us(100 + 37 * number, 50 + 91 * number)));
            }
            host.run_ms(500);
            let times: Vec<_> = tasks
                .iter()
                .map(|&task| host.scheduler.cpu_time(task))
                .collect();
            (times, host.scanned, host.migrations)
        };
        assert_eq!(run(), run());
    }
}

#[test]
fn unknown_parameters_are_refused() {
    for config in CONFIGS {
        let with_typo = config.replacen('}', r#", "sleep_avg": 1}"#, 1);
        let error = serde_json::from_str::<Config>(&with_typo)
            .unwrap_err()
            .to_string();
        assert!(error.contains("unknown field `sleep_avg`"), "{error}");
    }
    assert_eq!(
        parse(CONFIGS[0]),
        Config::Goodness(GoodnessConfig::default())
    );
    assert_eq!(parse(CONFIGS[2]), Config::O1(O1Config::default()));
    assert_eq!(parse(CONFIGS[4]), Config::Eevdf(EevdfConfig::default()));
    assert_eq!(parse(CONFIGS[6]), Config::Cfs(CfsConfig::default()));
}

proptest! {
    /// On one CPU, so that no other takes a task or is balanced with.
    #[test]
    fn a_cpu_takes_the_first_of_its_queue(
        config in proptest::sample::select(&CONFIGS[..]),
        calls in calls(),
    ) {
        let mut model = Model {
            scheduler: Scheduler::new(&parse(config), setup(1, &[], 1)),
            tasks: Vec::new(),
            now: SimTime(0),
        };
        for (call, wait) in calls {
            model.now = SimTime(model.now.0 + SimTime::from_us(wait).0);
            let call = match call {
                Call::Add { nice, .. } => Call::Add { nice, mask: 1 },
                Call::Wake { task, is_sync, .. } => Call::Wake { task, cpu: 0, is_sync },
                Call::Pick { .. } => Call::Pick { cpu: 0 },
                Call::Tick { .. } => Call::Tick { cpu: 0 },
                Call::Yield { .. } => Call::Yield { cpu: 0 },
                Call::Allow { task, .. } => Call::Allow { task, mask: 1 },
                other @ (Call::Sleep { .. } | Call::Exit { .. }) => other,
            };
            model.apply(&call);
            // A pick charges the running task first, if a wakeup called for it up to that; the next charges the
            // rest, and a third at the same moment nothing.
            model.scheduler.pick(0, model.now);
            model.scheduler.pick(0, model.now);
            let before = model.scheduler.running(0);
            let queued = model.scheduler.queued(0);
            prop_assert_eq!(queued.len() as u32, model.scheduler.waiting(0));
            let pick = model.scheduler.pick(0, model.now);
            if pick.task != before && pick.recalculated == 0 {
                prop_assert_eq!(pick.task, queued.first().map(|&(task, _)| task));
            }
            if let Some(running) = pick.task {
                model.scheduler.sleep(running, model.now);
                let queued = model.scheduler.queued(0);
                let pick = model.scheduler.pick(0, model.now);
                if pick.recalculated == 0 {
                    prop_assert_eq!(pick.task, queued.first().map(|&(task, _)| task));
                }
                model.scheduler.wake(running, 0, false, model.now);
            }
        }
    }
}
