//! The O(n) scheduler: what a search costs, how slices are made anew, which CPU is chosen.

use super::*;

const GOODNESS: &str = r#"{"kind": "goodness"}"#;

#[test]
fn a_search_looks_at_every_runnable_task() {
    for runnable in [1, 10, 4000] {
        let mut scheduler = Scheduler::new(&parse(GOODNESS), setup(1, &[], 10));
        let tasks: Vec<_> = (0..runnable).map(|_| scheduler.add_task(0, 0, 0)).collect();
        scheduler.add_task(0, 0, 0);
        for &task in &tasks {
            scheduler.wake(task, 0, false, SimTime(0));
        }
        let pick = scheduler.pick(0, SimTime(0));
        assert_eq!((pick.scanned, pick.recalculated), (runnable, 0));
        assert_eq!(scheduler.waiting(0), runnable - 1);
    }
}

#[test]
fn when_all_slices_are_used_the_counters_of_all_tasks_are_made_anew() {
    let mut host = Host::new(GOODNESS, 1, &[], 10);
    let hog = host.start(0, 1, HOG);
    let sleepers: Vec<_> = (0..5).map(|_| host.scheduler.add_task(0, 1, 9)).collect();
    // 6 ticks at nice 0, and the hog alone has none left.
    host.run_ms(50);
    assert_eq!(host.scheduler.slice_left(hog), SimTime::from_ms(10));
    host.scheduler.tick(0, SimTime::from_ms(60));
    let pick = host.scheduler.pick(0, SimTime::from_ms(60));
    assert_eq!(
        (pick.task, pick.recalculated, pick.scanned),
        (Some(hog), 6, 1 + 6 + 1)
    );
    assert_eq!(host.scheduler.slice_left(hog), SimTime::from_ms(60));
    // Sleepers keep half of what they had: 6 / 2 + 6.
    assert_eq!(host.scheduler.slice_left(sleepers[0]), SimTime::from_ms(90));
}

#[test]
fn a_slice_is_a_fifth_of_a_second_in_2_2_and_60_ms_in_2_4() {
    for (config, nice, ms) in [
        (
            r#"{"kind": "goodness", "slice_shift": 0, "slice_extra_ticks": 0}"#,
            0,
            200,
        ),
        (
            r#"{"kind": "goodness", "slice_shift": 0, "slice_extra_ticks": 0}"#,
            19,
            10,
        ),
        (GOODNESS, 0, 60),
        (GOODNESS, -20, 110),
        (GOODNESS, 19, 10),
    ] {
        let mut scheduler = Scheduler::new(&parse(config), setup(1, &[], 10));
        let task = scheduler.add_task(nice, 0, 0);
        assert_eq!(
            scheduler.slice_left(task),
            SimTime::from_ms(ms),
            "{config} nice {nice}"
        );
    }
}

#[test]
fn a_woken_task_goes_to_its_last_cpu_then_to_any_idle_one() {
    let mut host = Host::new(GOODNESS, 4, &[], 10);
    let task = host.start(0, 0, HOG);
    assert_eq!(host.scheduler.running(0), Some(task));
    host.scheduler.sleep(task, host.now);
    host.pick(0);
    assert_eq!(host.wake(task).reschedule, Some(0));
    host.scheduler.sleep(task, host.now);
    host.pick(0);
    // Its CPU is taken meanwhile; the one idle for longest gets it.
    host.start(0, 1, HOG);
    host.run_ms(1);
    host.pick(1);
    let wake = host.scheduler.wake(task, 0, false, host.now);
    assert_eq!(
        wake,
        Wake {
            cpu: 0,
            reschedule: Some(2),
            scanned: 5
        }
    );
    let pick = host.scheduler.pick(2, host.now);
    assert_eq!((pick.task, pick.migrated_from), (Some(task), Some(0)));
}

#[test]
fn an_older_kernel_takes_the_idle_cpu_with_the_highest_number() {
    let config = r#"{"kind": "goodness", "idle_choice": "highest_number"}"#;
    let mut host = Host::new(config, 4, &[], 10);
    host.start(0, 1, HOG);
    let task = host.scheduler.add_task(0, 0, 2);
    // At home on CPU 1, which idles; then on a busy CPU.
    assert_eq!(
        host.scheduler.wake(task, 0, false, host.now).reschedule,
        Some(1)
    );
    host.pick(1);
    host.scheduler.sleep(task, host.now);
    host.start(0, 2, HOG);
    host.pick(1);
    assert_eq!(
        host.scheduler.wake(task, 0, false, host.now).reschedule,
        Some(3)
    );
}

#[test]
fn a_wakeup_preempts_when_the_woken_task_has_more_of_its_slice_left() {
    let mut host = Host::new(GOODNESS, 1, &[], 10);
    let hog = host.start(0, 1, HOG);
    let other = host.scheduler.add_task(0, 1, 7);
    // Same counters: the hog's memory map is in use, which is worth one.
    assert_eq!(
        host.scheduler.wake(other, 0, false, host.now).reschedule,
        None
    );
    host.scheduler.sleep(other, host.now);
    host.run_ms(30);
    assert_eq!(
        host.scheduler.wake(other, 0, true, host.now).reschedule,
        None,
        "synchronous"
    );
    host.scheduler.sleep(other, host.now);
    assert_eq!(
        host.scheduler.wake(other, 0, false, host.now).reschedule,
        Some(0)
    );
    // Runnable already: nothing happens.
    let again = host.scheduler.wake(other, 0, false, host.now);
    assert_eq!(
        again,
        Wake {
            cpu: 0,
            reschedule: None,
            scanned: 0
        }
    );
    assert_eq!(host.scheduler.waiting_tasks(0).collect::<Vec<_>>(), [other]);
    host.pick(0);
    assert_eq!(host.scheduler.waiting_tasks(0).collect::<Vec<_>>(), [hog]);
}

#[test]
fn a_task_that_lost_its_cpu_is_offered_to_an_idle_one() {
    let mut host = Host::new(GOODNESS, 2, &[], 10);
    let (first, second) = (host.start(0, 1, HOG), host.start(0, 1, HOG));
    host.scheduler.set_allowed(first, 3);
    assert_eq!(host.scheduler.running(0), Some(first));
    // `first` runs out of ticks on CPU 0; `second` takes it, and `first` goes to CPU 1.
    host.run_ms(61);
    assert_eq!(host.scheduler.running(0), Some(second));
    assert_eq!(host.scheduler.running(1), Some(first));
}

#[test]
fn hogs_share_alike_and_sleepers_are_served_first() {
    let mut host = Host::new(GOODNESS, 1, &[], 10);
    let hogs: Vec<_> = (0..3).map(|_| host.start(0, 1, HOG)).collect();
    let sleeper = host.start(0, 1, turn_us(1_900, 17_300));
    host.run_ms(2_000);
    let shares = host.shares_over(7_200, &[hogs[0], hogs[1], hogs[2], sleeper]);
    // Ticks hit whom they hit: hogs differ by a few per cent.
    assert!(
        shares[..3].iter().all(|share| (27..=33).contains(share)),
        "{shares:?}"
    );
    assert_eq!(shares[3], 10);
}

#[test]
fn the_cost_of_scheduling_grows_with_the_tasks() {
    let scanned = |hogs: u32| {
        let mut host = Host::new(GOODNESS, 2, &[], 10);
        for _ in 0..hogs {
            host.start(0, 3, HOG);
        }
        host.scanned = 0;
        host.run_ms(2_000);
        host.scanned
    };
    assert!(scanned(100) > 8 * scanned(10));
}

#[test]
fn who_yields_comes_behind_all_others_and_each_search_walks_over_all() {
    let mut scheduler = Scheduler::new(&parse(GOODNESS), setup(1, &[], 10));
    let tasks: Vec<_> = (0..4).map(|_| scheduler.add_task(0, 0, 0)).collect();
    for &task in &tasks {
        scheduler.wake(task, 0, false, SimTime(0));
    }
    let mut order = Vec::new();
    for _ in 0..8 {
        let pick = scheduler.pick(0, SimTime(0));
        assert_eq!((pick.scanned, pick.recalculated), (4, 0));
        order.extend(pick.task);
        assert!(scheduler.yield_now(0, SimTime(0)));
    }
    assert_eq!(order[..4], order[4..], "in turn");
    assert!(tasks.iter().all(|task| order.contains(task)));
}

#[test]
fn who_yields_to_nobody_goes_on() {
    let mut scheduler = Scheduler::new(&parse(GOODNESS), setup(2, &[], 10));
    let task = scheduler.add_task(0, 1, 0);
    scheduler.wake(task, 0, false, SimTime(0));
    scheduler.pick(0, SimTime(0));
    assert!(!scheduler.yield_now(0, SimTime(0)), "nothing waits");
    // One that waits for another CPU only is no reason either, but 2.4 counts it.
    let other = scheduler.add_task(0, 2, 0);
    scheduler.wake(other, 0, false, SimTime(0));
    assert!(scheduler.yield_now(0, SimTime(0)));
    let pick = scheduler.pick(0, SimTime(0));
    assert_eq!((pick.task, pick.recalculated), (Some(task), 0));
}
