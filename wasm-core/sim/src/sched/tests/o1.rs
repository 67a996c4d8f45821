//! The O(1) scheduler: arrays, interactivity, where tasks wake, balancing.

use super::*;

const O1: &str = r#"{"kind": "o1"}"#;
/// 2.6.11: every task is charged by its bonus.
const NO_CREDIT: &str = r#"{"kind": "o1", "credit_limit": 0, "placement": "domains",
    "time_slices": {"kind": "scaled", "min_ms": 5, "default_ms": 100}}"#;
const DOMAINS: &str = r#"{"kind": "o1", "placement": "domains"}"#;

#[test]
fn slices_by_nice_level() {
    let linear = TimeSlices::Linear {
        min_ms: 10,
        max_ms: 200,
    };
    let scaled = TimeSlices::Scaled {
        min_ms: 5,
        default_ms: 100,
    };
    let slices = [-20, -10, 0, 10, 19].map(|nice| (linear.ms(nice), scaled.ms(nice)));
    assert_eq!(
        slices,
        [(200, 800), (151, 600), (102, 100), (53, 50), (10, 5)]
    );
}

#[test]
fn a_hog_expires_and_waits_for_the_others() {
    let mut host = Host::new(O1, 1, &[], 1);
    let hogs: Vec<_> = (0..3).map(|_| host.start(0, 1, HOG)).collect();
    let mut order = Vec::new();
    for _ in 0..60 {
        let running = host.scheduler.running(0);
        if order.last() != running.as_ref() {
            order.extend(running);
        }
        host.run_ms(10);
    }
    // Each a whole slice of 102 ms, then the arrays are swapped.
    assert_eq!(order, [&hogs[..], &hogs[..]].concat());
    let waiting: Vec<_> = host.scheduler.waiting_tasks(0).collect();
    assert_eq!(waiting.len(), 2);
    assert_eq!(host.scheduler.waiting(0), 2);
}

#[test]
fn one_search_looks_at_one_task_however_many_there_are() {
    let mut scheduler = Scheduler::new(&parse(O1), setup(1, &[], 1));
    for _ in 0..4000 {
        let task = scheduler.add_task(0, 0, 0);
        scheduler.wake(task, 0, false, SimTime(0));
    }
    assert_eq!(scheduler.pick(0, SimTime(0)).scanned, 1);
}

/// Per cent for a task of this turn beside so many hogs, on one CPU, and whether it counts as interactive.
fn against_hogs(config: &str, turn: Turn, hogs: u32) -> (u64, bool) {
    let mut host = Host::new(config, 1, &[], 1);
    let task = host.start(0, 1, turn);
    // It runs alone at first, as a transfer does before the load comes.
    host.run_ms(3_000);
    for _ in 0..hogs {
        host.start(0, 1, HOG);
    }
    let share = host.shares_over(12_000, &[task])[0];
    (share, host.scheduler.is_interactive(task))
}

#[test]
fn a_task_that_sleeps_a_fifth_of_its_time_keeps_its_share() {
    for hogs in [1, 2, 4, 8] {
        for config in [O1, NO_CREDIT] {
            let (share, is_interactive) = against_hogs(config, turn_us(820, 220), hogs);
            assert!((76..=80).contains(&share), "{share} % against {hogs}");
            assert!(is_interactive);
        }
    }
}

#[test]
fn a_task_that_never_sleeps_is_a_hog_among_hogs() {
    for config in [O1, NO_CREDIT] {
        for hogs in [1, 2, 4, 8] {
            let (share, is_interactive) = against_hogs(config, HOG, hogs);
            let fair = 100 / u64::from(hogs + 1);
            assert!(
                (fair - 1..=fair + 1).contains(&share),
                "{share} % against {hogs}"
            );
            assert!(!is_interactive);
        }
    }
}

#[test]
fn starving_hogs_end_the_privilege() {
    // An interactive task that needs nearly all: every (2 tasks x limit) the hog gets a slice.
    let never = r#"{"kind": "o1", "credit_limit": 0, "starvation_limit_ms": 0}"#;
    let soon = r#"{"kind": "o1", "credit_limit": 0, "starvation_limit_ms": 100}"#;
    let (privileged, _) = against_hogs(never, turn_us(880, 160), 1);
    let (limited, _) = against_hogs(soon, turn_us(880, 160), 1);
    assert!(privileged >= 82 && limited <= 75, "{privileged} {limited}");
}

#[test]
fn an_interactive_task_preempts_a_hog_at_once_and_a_hog_does_not() {
    let mut host = Host::new(O1, 1, &[], 1);
    let idler = host.start(0, 1, HOG);
    host.scheduler.sleep(idler, host.now);
    host.start(0, 1, HOG);
    let newcomer = host.scheduler.add_task(0, 1, 3);
    host.run_ms(2_000);
    // Two seconds asleep make it just interactive: 1 s of sleep_avg less a slice.
    assert_eq!(
        host.scheduler.wake(idler, 0, false, host.now).reschedule,
        Some(0)
    );
    assert!(host.scheduler.is_interactive(idler));
    host.pick(0);
    assert_eq!(host.scheduler.running(0), Some(idler));
    host.scheduler.sleep(idler, host.now);
    host.pick(0);
    assert_eq!(
        host.scheduler.wake(idler, 0, true, host.now).reschedule,
        None,
        "synchronous"
    );
    host.scheduler.exit(newcomer, host.now);
    assert_eq!(
        host.scheduler.wake(newcomer, 0, false, host.now).reschedule,
        None,
        "gone"
    );
}

#[test]
fn a_task_wakes_where_it_ran_or_with_a_synchronous_waker() {
    let mut host = Host::new(O1, 2, &[], 1);
    let task = host.start(0, 3, HOG);
    host.scheduler.sleep(task, host.now);
    host.pick(0);
    host.start(0, 1, HOG);
    // CPU 1 idles, and still it wakes on CPU 0.
    let wake = host
        .scheduler
        .wake(task, 1, false, host.now + SimTime::from_ms(9));
    assert_eq!(wake.cpu, 0);
    host.scheduler.sleep(task, host.now);
    let wake = host.scheduler.wake(task, 1, true, host.now);
    assert_eq!((wake.cpu, wake.reschedule), (1, Some(1)));
}

#[test]
fn with_domains_a_cold_task_wakes_on_the_wakers_core() {
    let cores = [0, 0, 1, 1];
    let wake_after = |ms: u64| {
        let mut host = Host::new(DOMAINS, 4, &cores, 1);
        let task = host.start(0, 1, HOG);
        host.scheduler.set_allowed(task, 15);
        host.run_ms(10);
        host.scheduler.sleep(task, host.now);
        host.pick(0);
        host.start(0, 1, HOG);
        let waker = host.start(0, 4, HOG);
        assert_eq!(host.scheduler.running(2), Some(waker));
        host.run_ms(ms);
        host.scheduler.wake(task, 2, false, host.now).cpu
    };
    // Hot: at its last CPU, whose other hyper-thread idles. Cold: the idle thread beside the waker.
    assert_eq!((wake_after(1), wake_after(20)), (1, 3));
}

#[test]
fn an_idle_cpu_pulls_and_busy_ones_even_out() {
    let mut host = Host::new(O1, 2, &[], 1);
    let hogs: Vec<_> = (0..6).map(|_| host.start(0, 1, HOG)).collect();
    assert_eq!(
        (host.scheduler.waiting(0), host.scheduler.running(1)),
        (5, None)
    );
    for &hog in &hogs {
        host.scheduler.set_allowed(hog, 3);
    }
    host.run_ms(2);
    assert!(host.scheduler.running(1).is_some(), "pulled at its tick");
    host.run_ms(1_000);
    assert_eq!(
        (host.scheduler.waiting(0), host.scheduler.waiting(1)),
        (2, 2)
    );
    for share in host.shares_over(5_000, &hogs) {
        assert!((28..=38).contains(&share), "{share}");
    }
}

/// What CPU 1, with a hog of its own, has after it looked at tasks of CPU 0 that switch all the time.
fn pulled_from_switching(config: &str) -> u32 {
    let mut host = Host::new(config, 2, &[], 1);
    host.start(0, 2, HOG);
    let tasks: Vec<_> = (0..4).map(|_| host.start(0, 1, HOG)).collect();
    for &task in &tasks {
        host.scheduler.set_allowed(task, 3);
    }
    let mut now = SimTime(0);
    for step in 1..=405 * 20_u64 {
        now = SimTime::from_us(step * 50);
        let runs = host.scheduler.running(0).unwrap();
        host.scheduler.sleep(runs, now);
        host.scheduler.pick(0, now);
        host.scheduler.wake(runs, 0, false, now);
        if step.is_multiple_of(10) {
            host.scheduler.tick((step / 10 % 2) as Cpu, now);
        }
    }
    host.scheduler.pick(1, now);
    host.scheduler.waiting(1)
}

#[test]
fn until_2_6_6_a_task_that_was_switched_since_the_tick_is_cold() {
    assert!(pulled_from_switching(O1) > 0);
    let always_hot = r#"{"kind": "o1", "placement": "domains", "cache_hot_us": 1000000}"#;
    assert_eq!(pulled_from_switching(always_hot), 0);
}

#[test]
fn a_fork_costs_a_step_and_the_parents_first_work_another() {
    let mut host = Host::new(O1, 2, &[], 1);
    let [server, client] = [1, 2].map(|forks| {
        let task = host.scheduler.add_task(0, 1, forks);
        host.scheduler.inherit(task, forks);
        task
    });
    host.scheduler.wake(client, 0, false, SimTime(0));
    host.pick(0);
    // 7 steps of bonus against 5: who waited preempts whose program has just begun.
    let wake = host.scheduler.wake(server, 0, false, SimTime(0));
    assert_eq!(wake.reschedule, Some(0));
    assert!(host.scheduler.is_interactive(server) && !host.scheduler.is_interactive(client));
}

#[test]
fn a_new_task_begins_where_it_is_told() {
    let mut host = Host::new(O1, 2, &[], 1);
    let tasks = [0, 0, 1, 1].map(|cpu| {
        let task = host.scheduler.add_task(0, 0, 1);
        host.scheduler.start_on(task, cpu);
        host.scheduler.wake(task, 0, false, SimTime(0)).cpu
    });
    assert_eq!(tasks, [0, 0, 1, 1]);
}

#[test]
fn a_cpu_about_to_idle_takes_a_task_in_the_same_pick() {
    let mut host = Host::new(O1, 2, &[], 1);
    let (first, second) = (host.start(0, 1, HOG), host.start(0, 1, HOG));
    let third = host.start(0, 2, HOG);
    host.scheduler.set_allowed(second, 3);
    host.scheduler.sleep(third, host.now);
    let pick = host.scheduler.pick(1, host.now);
    // It has not run anywhere yet, so its cache is not left behind.
    assert_eq!((pick.task, pick.migrated_from), (Some(second), None));
    assert_eq!(host.scheduler.running(0), Some(first));
}

#[test]
fn a_new_hog_preempts_no_old_one_unless_its_parent_waited() {
    let mut host = Host::new(O1, 1, &[], 1);
    host.start(0, 1, HOG);
    host.run_ms(2_000);
    for (forks, preempted) in [(16, None), (1, Some(0))] {
        let late = host.scheduler.add_task(0, 1, 2);
        host.scheduler.inherit(late, forks);
        let wake = host.scheduler.wake(late, 0, false, host.now);
        assert_eq!(wake.reschedule, preempted);
        assert_eq!(host.scheduler.is_interactive(late), preempted.is_some());
    }
}

#[test]
fn who_yields_expires_and_the_others_run_first() {
    let mut scheduler = Scheduler::new(&parse(O1), setup(1, &[], 1));
    let tasks: Vec<_> = (0..3).map(|_| scheduler.add_task(0, 0, 0)).collect();
    for &task in &tasks {
        scheduler.wake(task, 0, false, SimTime(0));
    }
    let mut order = Vec::new();
    for _ in 0..6 {
        let pick = scheduler.pick(0, SimTime(0));
        assert_eq!(pick.scanned, 1);
        order.extend(pick.task);
        assert!(scheduler.yield_now(0, SimTime(0)));
    }
    assert_eq!(order, [&tasks[..], &tasks[..]].concat());
}
