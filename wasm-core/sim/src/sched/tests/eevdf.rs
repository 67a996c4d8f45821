//! EEVDF: requests and lag.

use super::*;

const EEVDF: &str = r#"{"kind": "eevdf"}"#;

#[test]
fn a_task_that_sleeps_gets_its_share_and_no_more() {
    // Alone it would use 80 %; beside one hog half is its share, beside three a quarter.
    for (hogs, lo, hi) in [(1, 43, 50), (3, 21, 27)] {
        let mut host = Host::new(EEVDF, 1, &[], 1);
        let task = host.start(0, 1, turn_us(800, 200));
        for _ in 0..hogs {
            host.start(0, 1, HOG);
        }
        let share = host.shares_over(6_000, &[task])[0];
        assert!((lo..=hi).contains(&share), "{share} % against {hogs}");
    }
    // And one that needs little gets all of it.
    let mut host = Host::new(EEVDF, 1, &[], 1);
    let task = host.start(0, 1, turn_us(200, 1_800));
    host.start(0, 1, HOG);
    let share = host.shares_over(6_000, &[task])[0];
    assert!((8..=10).contains(&share), "{share}");
}

#[test]
fn a_slice_grows_with_the_cpus() {
    for (cpus, us) in [(1, 750), (2, 1500), (4, 2250), (8, 3000), (48, 3000)] {
        let mut host = Host::new(EEVDF, cpus, &[], 1);
        let task = host.start(0, 1, HOG);
        let first = host.scheduler.slice_left(task);
        assert_eq!(first, SimTime::from_us(us / 2), "half for a new task");
        host.scheduler.sleep(task, host.now);
        host.pick(0);
        host.wake(task);
        assert_eq!(host.scheduler.slice_left(task), SimTime::from_us(us));
    }
}

#[test]
fn a_task_within_its_slice_is_not_preempted_while_it_owes_nothing() {
    let wake_after_us = |parity: bool, us: u64| {
        let config = format!(r#"{{"kind": "eevdf", "run_to_parity": {parity}}}"#);
        let mut host = Host::new(&config, 8, &[], 1);
        host.start(0, 1, turn_us(10_000, 0));
        let late = host.scheduler.add_task(0, 1, 9);
        host.scheduler
            .wake(late, 0, false, SimTime::from_us(us))
            .reschedule
    };
    // The one that runs was placed at V and now is ahead of it: it no longer is eligible.
    assert_eq!(wake_after_us(true, 0), None);
    assert_eq!(wake_after_us(false, 5_000), Some(0));
}

/// Two tasks, each a slice of 750 us after a first half. At 750 us both have had 375 and the same deadline, so the second
/// goes on; it has no slice to run to any more, and the next tick finds that it is ahead.
#[test]
fn who_goes_on_after_its_request_is_held_against_the_others_at_every_look() {
    let mut scheduler = Scheduler::new(&parse(EEVDF), setup(1, &[], 1));
    let [first, second] = [0, 1].map(|_| scheduler.add_task(0, 0, 0));
    let at = SimTime::from_us;
    scheduler.wake(first, 0, false, at(0));
    assert_eq!(scheduler.pick(0, at(0)).task, Some(first));
    scheduler.wake(second, 0, false, at(0));
    assert!(scheduler.tick(0, at(375)));
    assert_eq!(scheduler.pick(0, at(375)).task, Some(second));
    assert!(!scheduler.tick(0, at(700)), "within its request");
    assert!(scheduler.tick(0, at(750)));
    assert_eq!(scheduler.pick(0, at(750)).task, Some(second));
    assert!(scheduler.tick(0, at(760)));
    assert_eq!(scheduler.pick(0, at(760)).task, Some(first));
}

#[test]
fn what_a_sleeper_owes_is_forgiven_as_the_others_catch_up() {
    let mut host = Host::new(EEVDF, 1, &[], 1);
    let (task, hog) = (host.start(0, 1, HOG), host.start(0, 1, HOG));
    host.run_ms(100);
    // It falls asleep right after it used its share up, and comes back when the hog had as much.
    while host.scheduler.running(0) != Some(task) {
        host.run_ms(1);
    }
    host.scheduler.sleep(task, host.now);
    host.pick(0);
    host.run_ms(20);
    let wake = host.wake(task);
    assert_eq!((wake.cpu, host.scheduler.waiting(0)), (0, 1));
    let shares = host.shares_over(1_000, &[task, hog]);
    assert_eq!(shares, [50, 50]);
}

/// Two tasks that hand data to each other on a CPU: one runs for 400 us, the other waits meanwhile, then has
/// the CPU for 490 us, and wakes the first after 160 us of them. It had more of the CPU than the first, so
/// it does not come before it as soon as it is woken again.
#[test]
fn a_sleeper_that_owes_holds_back_who_runs_until_it_has_paid() {
    let mut scheduler = Scheduler::new(&parse(EEVDF), setup(2, &[], 1));
    let [writer, reader] = [0, 1].map(|_| scheduler.add_task(0, 1, 9));
    let mut now = SimTime(0);
    scheduler.wake(writer, 0, false, now);
    scheduler.pick(0, now);
    // The half slice of a new task is over.
    now = now + SimTime::from_us(2_000);
    scheduler.tick(0, now);
    scheduler.wake(reader, 0, false, now);
    now = now + SimTime::from_us(400);
    scheduler.tick(0, now);
    scheduler.sleep(writer, now);
    assert_eq!(scheduler.pick(0, now).task, Some(reader));
    assert_eq!(scheduler.waiting(0), 0, "it sleeps");
    now = now + SimTime::from_us(160);
    let wake = scheduler.wake(writer, 0, false, now);
    assert_eq!(wake.reschedule, None, "it owes 200 us, and 80 are paid");
    let [(_, Claim::Virtual { lag, .. })] = scheduler.queued(0)[..] else {
        panic!("one waits");
    };
    assert_eq!(lag, -120_000_000);
    now = now + SimTime::from_us(330);
    scheduler.sleep(reader, now);
    assert_eq!(scheduler.pick(0, now).task, Some(writer));
    now = now + SimTime::from_us(4);
    assert_eq!(scheduler.wake(reader, 0, false, now).reschedule, None);
}

#[test]
fn a_task_that_may_no_longer_run_where_it_owes_takes_its_debt_along() {
    let mut scheduler = Scheduler::new(&parse(EEVDF), setup(2, &[], 1));
    let [first, second] = [0, 1].map(|_| scheduler.add_task(0, 1, 9));
    scheduler.wake(first, 0, false, SimTime(0));
    scheduler.pick(0, SimTime(0));
    scheduler.wake(second, 0, false, SimTime(0));
    let now = SimTime::from_us(300);
    scheduler.sleep(first, now);
    assert_eq!(scheduler.pick(0, now).task, Some(second));
    scheduler.set_allowed(first, 2);
    assert_eq!(scheduler.wake(first, 0, false, now).cpu, 1);
    assert_eq!(scheduler.pick(1, now).task, Some(first));
    // Nothing is left on the first CPU's queue.
    scheduler.sleep(second, now);
    assert_eq!(scheduler.pick(0, now).task, None);
}

#[test]
fn who_yields_lets_the_other_run() {
    let mut scheduler = Scheduler::new(&parse(EEVDF), setup(1, &[], 1));
    let tasks: Vec<_> = (0..2).map(|_| scheduler.add_task(0, 0, 0)).collect();
    for &task in &tasks {
        scheduler.wake(task, 0, false, SimTime(0));
    }
    let mut now = SimTime(0);
    let first = scheduler.pick(0, now).task;
    now = now + SimTime::from_us(10);
    assert!(scheduler.yield_now(0, now));
    assert_ne!(scheduler.pick(0, now).task, first);
}

/// Two tasks on one CPU at a time: the second owes so many us when it falls asleep, and the first has run 100 us since.
fn sleeper_that_owes(us: u64) -> (Scheduler, [TaskId; 2], SimTime) {
    let mut scheduler = Scheduler::new(&parse(EEVDF), setup(1, &[], 1));
    let tasks @ [waker, sleeper] = [0, 1].map(|_| scheduler.add_task(0, 1, 9));
    scheduler.wake(waker, 0, false, SimTime(0));
    scheduler.pick(0, SimTime(0));
    scheduler.wake(sleeper, 0, false, SimTime(0));
    // Both have had 800 us, and the second then a little more.
    let mut now = SimTime::from_us(800);
    scheduler.sleep(waker, now);
    scheduler.pick(0, now);
    scheduler.wake(waker, 0, false, now);
    now = now + SimTime::from_us(800 + us);
    scheduler.sleep(sleeper, now);
    assert_eq!(scheduler.pick(0, now).task, Some(waker));
    (scheduler, tasks, now + SimTime::from_us(100))
}

#[test]
fn who_still_waits_for_v_as_it_is_woken_is_placed_by_what_was_charged_last() {
    // 10 of the waker's 100 us pay the debt: the rest is its own, and the sleeper's turn.
    let (mut scheduler, [_, sleeper], now) = sleeper_that_owes(10);
    let wake = scheduler.wake(sleeper, 0, true, now);
    assert_eq!(wake.reschedule, Some(0), "it was not placed at V of now");
    // What owes more waits on.
    let (mut scheduler, [_, sleeper], now) = sleeper_that_owes(150);
    assert_eq!(scheduler.wake(sleeper, 0, true, now).reschedule, None);
}

#[test]
fn from_the_wakeup_on_the_clock_runs_for_the_task_that_is_woken() {
    let (mut scheduler, [waker, sleeper], now) = sleeper_that_owes(10);
    let before = [waker, sleeper].map(|task| scheduler.cpu_time(task));
    scheduler.wake(sleeper, 0, true, now);
    let switched = now + SimTime::from_us(3);
    assert_eq!(scheduler.pick(0, switched).task, Some(sleeper));
    scheduler.sleep(sleeper, switched + SimTime::from_us(20));
    let ran = |task, before| scheduler.cpu_time(task) - before;
    assert_eq!(ran(waker, before[0]), SimTime::from_us(100));
    assert_eq!(ran(sleeper, before[1]), SimTime::from_us(23));
}
