//! Who waits for a CPU, since when and because of whom.

use super::at;
use crate::replay::Replay;
use crate::replay::machine::Why;
use crate::replay::tests::replay_of;

const WAITS: &str = "# kperf 2
1 ev sched_switch ts 1.000000000 cpu 0 ctx kernel pid 7 prev_pid 0 prev_state S next_pid 7
2 ev sched_wakeup ts 1.000002000 cpu 0 ctx softirq pid 7 target_pid 8 target_cpu 0
3 ev sched_switch ts 1.000004000 cpu 0 ctx kernel pid 8 prev_pid 7 prev_state R+ next_pid 8
4 ev sched_switch ts 1.000006000 cpu 0 ctx kernel pid 7 prev_pid 8 prev_state S next_pid 7";

#[test]
fn a_wait_says_since_when_and_who_is_to_blame() {
    let replay = replay_of(WAITS);
    let told = |micros| waiting(&replay, micros);
    assert_eq!(told(1), []);
    assert_eq!(told(3), [(8, 2000.0, Why::Softirq as u8, 7)]);
    assert_eq!(told(5), [(7, 4000.0, Why::Preempted as u8, 8)]);
    assert_eq!(told(6), []);
}

/// Who waits, since when, why, because of whom.
fn waiting(replay: &Replay, micros: u64) -> Vec<(u32, f64, u8, u32)> {
    let waits = at(replay, micros).waits;
    let rows = waits
        .pid
        .iter()
        .zip(&waits.since)
        .zip(&waits.why)
        .zip(&waits.by);
    rows.map(|(((pid, since), why), by)| (*pid, *since, *why, *by))
        .collect()
}

#[test]
fn who_leaves_a_cpu_to_sleep_does_not_wait_though_its_coming_was_lost() {
    let replay = replay_of(
        "# kperf 2
        1 ev sched_wakeup ts 1.000000000 cpu 0 ctx softirq pid 0 target_pid 8 target_cpu 0
        2 ev sched_switch ts 1.000004000 cpu 0 ctx kernel pid 8 prev_pid 8 prev_state S next_pid 7
        3 ev sched_switch ts 1.000008000 cpu 0 ctx kernel pid 7 prev_pid 7 prev_state S next_pid 0",
    );
    assert_eq!(waiting(&replay, 2), [(8, 0.0, Why::Softirq as u8, 0)]);
    assert_eq!(waiting(&replay, 5), []);
}

#[test]
fn a_wait_goes_on_when_its_task_is_moved_to_another_cpu() {
    let replay = replay_of(
        "# kperf 2
        1 ev sched_wakeup ts 1.000000000 cpu 0 ctx softirq pid 6 target_pid 8 target_cpu 0
        2 ev sched_migrate_task ts 1.000003000 cpu 1 ctx kernel pid 5 target_pid 8 dest_cpu 1
        3 ev sched_switch ts 1.000006000 cpu 1 ctx kernel pid 5 prev_pid 5 prev_state S next_pid 8
        4 ev sched_switch ts 1.000009000 cpu 1 ctx kernel pid 8 prev_pid 8 prev_state S next_pid 0",
    );
    let waits = at(&replay, 4).waits;
    assert_eq!(waits.cpu, [1]);
    assert_eq!(waiting(&replay, 4), [(8, 0.0, Why::Softirq as u8, 6)]);
    assert_eq!(waiting(&replay, 7), []);
}
