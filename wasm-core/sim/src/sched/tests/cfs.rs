//! CFS: periods, what a sleeper is given, who preempts whom. The times are worked by hand from v6.1's
//! `kernel/sched/fair.c` with a latency of 6 ms and granularities of 0.75 and 1 ms, as on one CPU.

use super::*;

const CFS: &str = r#"{"kind": "cfs"}"#;

fn us(us: u64) -> SimTime {
    SimTime::from_us(us)
}

/// A CPU with so many tasks of nice 0 that have slept and come half a period, 3 ms, before an empty queue's beginning;
/// the first runs since 0.
fn hogs(count: usize) -> (Scheduler, Vec<TaskId>) {
    let mut scheduler = Scheduler::new(&parse(CFS), setup(1, &[], 1));
    let tasks: Vec<_> = (0..count).map(|_| scheduler.add_task(0, 1, 0)).collect();
    for &task in &tasks {
        scheduler.wake(task, 0, false, SimTime(0));
    }
    scheduler.pick(0, SimTime(0));
    (scheduler, tasks)
}

/// A CPU with two tasks at 6 ms, both with a virtual runtime of 0; the second runs since 3 ms.
fn even() -> (Scheduler, [TaskId; 2]) {
    let (mut scheduler, tasks) = hogs(2);
    assert_eq!(scheduler.pick(0, us(3_000)).task, Some(tasks[1]));
    scheduler.tick(0, us(6_000));
    (scheduler, [tasks[0], tasks[1]])
}

/// The virtual runtime of the only task that waits, in microseconds.
fn waiting_vruntime_us(scheduler: &Scheduler, cpu: Cpu) -> i64 {
    let [(_, Claim::Vruntime(vruntime))] = scheduler.queued(cpu)[..] else {
        panic!("one waits on CPU {cpu}");
    };
    vruntime / 1_000_000
}

#[test]
fn a_turn_is_a_part_of_the_period() {
    // 6 ms for up to 8 tasks; of more each has 0.75 ms.
    for (tasks, turn) in [(2, 3_000), (3, 2_000), (8, 750), (10, 750), (20, 750)] {
        let (mut scheduler, _) = hogs(tasks);
        assert!(!scheduler.tick(0, us(turn)), "{tasks} tasks");
        assert!(scheduler.tick(0, us(turn + 1)), "{tasks} tasks");
    }
    let (mut scheduler, _) = hogs(1);
    assert!(!scheduler.tick(0, us(1_000_000)), "nobody else waits");
}

#[test]
fn the_times_grow_with_the_cpus() {
    for (cpus, factor) in [(1, 1), (2, 2), (4, 3), (8, 4), (48, 4)] {
        let mut host = Host::new(CFS, cpus, &[], 1);
        let task = host.start(0, 1, HOG);
        assert_eq!(host.scheduler.slice_left(task), us(6_000 * factor));
    }
}

#[test]
fn a_turn_follows_the_weight() {
    let turn_of = |nice: i8| {
        let mut scheduler = Scheduler::new(&parse(CFS), setup(1, &[], 1));
        let tasks = [nice, 0].map(|nice| scheduler.add_task(nice, 1, 0));
        for task in tasks {
            scheduler.begin(task);
        }
        assert_eq!(scheduler.pick(0, SimTime(0)).task, Some(tasks[0]));
        (1..10_000).find(|&ran| scheduler.tick(0, us(ran)))
    };
    // 3121 of 3121 + 1024 are 4517.7 us of 6 ms for nice -5 beside nice 0.
    assert_eq!(turn_of(-5), Some(4_518));
    // Nice 5 would have 1479 us, but its virtual runtime is ahead by that after 484 us already: it goes as soon as a
    // task may, after the granularity of 750 us.
    assert_eq!(turn_of(5), Some(750));
}

#[test]
fn who_wakes_takes_the_cpu_if_it_is_behind_by_more_than_a_granularity() {
    for (slept, takes) in [(10, false), (1_000, false), (1_001, true), (100_000, true)] {
        let (mut scheduler, [sleeper, _]) = even();
        scheduler.sleep(sleeper, us(6_000));
        let wake = scheduler.wake(sleeper, 0, false, us(6_000 + slept));
        assert_eq!(wake.reschedule.is_some(), takes, "after {slept} us");
    }
}

#[test]
fn a_sleep_is_worth_half_a_period_at_most() {
    for (slept, vruntime) in [(2_000, 0), (10_000, 7_000), (1_000_000, 997_000)] {
        let (mut scheduler, [sleeper, _]) = even();
        scheduler.sleep(sleeper, us(6_000));
        scheduler.wake(sleeper, 0, false, us(6_000 + slept));
        assert_eq!(waiting_vruntime_us(&scheduler, 0), vruntime);
    }
}

#[test]
fn the_first_sleep_of_a_run_counts_as_a_long_one() {
    let mut scheduler = Scheduler::new(&parse(CFS), setup(1, &[], 1));
    let [hog, reader] = [0, 1].map(|_| scheduler.add_task(0, 1, 0));
    scheduler.begin(reader);
    scheduler.pick(0, SimTime(0));
    scheduler.begin(hog);
    // Both begin alike, and the hog runs since the reader sleeps.
    scheduler.sleep(reader, us(10));
    assert_eq!(scheduler.pick(0, us(10)).task, Some(hog));
    // It is woken 10 us later, and is placed 3 ms before the hog.
    assert_eq!(scheduler.wake(reader, 0, false, us(20)).reschedule, Some(0));
    assert_eq!(waiting_vruntime_us(&scheduler, 0), 10 - 3_000);
}

#[test]
fn who_yields_is_passed_over_unless_the_other_is_far_ahead() {
    let is_passed_over = |ahead: u64| {
        let (mut scheduler, [yielding, other]) = even();
        let now = us(6_000 + ahead);
        scheduler.sleep(other, now);
        assert_eq!(scheduler.pick(0, now).task, Some(yielding));
        scheduler.wake(other, 0, false, now);
        let now = now + us(10);
        scheduler.yield_now(0, now);
        scheduler.pick(0, now).task == Some(other)
    };
    assert!(is_passed_over(500));
    assert!(!is_passed_over(1_500));
}

#[test]
fn the_task_whose_wakeup_called_for_the_switch_gets_it() {
    let (mut scheduler, tasks) = hogs(3);
    // Each has had a turn, and the last runs alone for 90 ms.
    let picked = [5_000, 10_000].map(|now| scheduler.pick(0, us(now)).task);
    assert_eq!(picked, [1, 2].map(|at| Some(tasks[at])));
    for &task in &tasks[..2] {
        scheduler.sleep(task, us(10_000));
    }
    // Both are placed half a period before the one that runs; the first in the queue would be the one added first.
    let wakes = [tasks[1], tasks[0]].map(|task| scheduler.wake(task, 0, false, us(100_000)));
    assert_eq!(wakes.map(|wake| wake.reschedule), [Some(0), None]);
    let queued: Vec<_> = scheduler
        .queued(0)
        .into_iter()
        .map(|(task, _)| task)
        .collect();
    assert_eq!(queued, [tasks[1], tasks[0]]);
    assert_eq!(scheduler.pick(0, us(100_000)).task, Some(tasks[1]));
}

#[test]
fn a_task_that_moves_keeps_its_distance_to_the_others() {
    // On two CPUs a period is 12 ms. A hog has CPU 0, another, which slept until then, CPU 1 since 97 ms.
    let mut scheduler = Scheduler::new(&parse(CFS), setup(2, &[], 1));
    let [hog, mover, other] = [1, 1, 2].map(|mask| scheduler.add_task(0, mask, 0));
    scheduler.begin(hog);
    scheduler.pick(0, SimTime(0));
    scheduler.tick(0, us(97_000));
    scheduler.wake(other, 1, false, us(97_000));
    scheduler.pick(1, us(97_000));
    scheduler.wake(mover, 0, false, us(100_000));
    // It comes half a period before the hog, and so far before the other when it goes there.
    scheduler.tick(1, us(110_000));
    assert_eq!(waiting_vruntime_us(&scheduler, 0), 100_000 - 6_000);
    scheduler.set_allowed(mover, 2);
    assert_eq!(waiting_vruntime_us(&scheduler, 1), (13_000 - 6_000) - 6_000);
}
