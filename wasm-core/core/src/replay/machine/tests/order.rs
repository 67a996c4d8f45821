//! In which order a CPU takes the tasks that wait for it, and by what.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::at;
use crate::kernel::Nanos;
use crate::replay::Replay;
use crate::replay::tests::{after, replay_of};

/// `place task: what it has to show`, by CPU and place.
fn queue(replay: &Replay, micros: u64) -> Vec<String> {
    let waits = at(replay, micros).waits;
    let mut rows: Vec<usize> = (0..waits.pid.len()).collect();
    rows.sort_by_key(|&row| (waits.cpu[row], waits.place[row]));
    rows.into_iter()
        .map(|row| {
            let what = ["?", "slice", "due", "ahead"][usize::from(waits.standing[row])];
            let (place, pid, us) = (waits.place[row], waits.pid[row], waits.amount[row] / 1e3);
            format!("CPU {} {place} {pid}: {what} {us}", waits.cpu[row])
        })
        .collect()
}

#[test]
fn tasks_stand_in_the_order_in_which_the_scheduler_would_take_them() {
    let replay = replay_of(
        "# kperf 2
1 ev sched_wakeup ts 1.000000000 cpu 0 target_pid 5 target_cpu 0
2 ev run_queue_task ts 1.000000000 cpu 0 target_pid 5 depth 0 slice 40
3 ev sched_wakeup ts 1.000001000 cpu 0 target_pid 6 target_cpu 0
4 ev run_queue_task ts 1.000001000 cpu 0 target_pid 6 depth 0 slice 90
5 ev sched_switch ts 1.000002000 cpu 0 prev_pid 7 prev_state R+ next_pid 6
6 ev run_queue_task ts 1.000002000 cpu 0 target_pid 7 depth 1 slice 0
7 ev run_queue_task ts 1.000003000 cpu 1 target_pid 5 depth 0 slice 40
8 ev sched_wakeup ts 1.000004000 cpu 0 target_pid 9 target_cpu 0",
    );
    assert_eq!(queue(&replay, 0), ["CPU 0 1 5: slice 40"]);
    let both = ["CPU 0 1 6: slice 90", "CPU 0 2 5: slice 40"];
    assert_eq!(queue(&replay, 1), both);
    let preempted = ["CPU 0 1 5: slice 40", "CPU 0 2 7: slice 0"];
    assert_eq!(queue(&replay, 2), preempted);
    // Another CPU has pulled one over; and of the last one nothing is told but that it waits.
    let pulled = [
        "CPU 0 0 9: ? 0",
        "CPU 0 1 7: slice 0",
        "CPU 1 1 5: slice 40",
    ];
    assert_eq!(queue(&replay, 4), pulled);
}

#[test]
fn virtual_time_counts_from_the_first_and_who_had_more_comes_last() {
    let replay = replay_of(
        "# kperf 2
1 ev sched_wakeup ts 1.000000000 cpu 0 target_pid 5 target_cpu 0
2 ev run_queue_task ts 1.000000000 cpu 0 target_pid 5 depth 0 deadline -100 lag 20
3 ev sched_wakeup ts 1.000000000 cpu 0 target_pid 6 target_cpu 0
4 ev run_queue_task ts 1.000000000 cpu 0 target_pid 6 depth 1 deadline 900 lag 0
5 ev sched_wakeup ts 1.000000000 cpu 0 target_pid 8 target_cpu 0
6 ev run_queue_task ts 1.000000000 cpu 0 target_pid 8 depth 2 deadline 30 lag -7
7 ev sched_switch ts 1.000001000 cpu 0 prev_pid 0 prev_state R next_pid 5",
    );
    let first = [
        "CPU 0 1 5: due 0",
        "CPU 0 2 6: due 1000",
        "CPU 0 3 8: ahead 7",
    ];
    assert_eq!(queue(&replay, 0), first);
    assert_eq!(
        queue(&replay, 1),
        ["CPU 0 1 6: due 0", "CPU 0 2 8: ahead 7"]
    );
}

proptest! {
    /// Tasks come to any place of a queue and leave it, each a microsecond after the other.
    #[test]
    fn places_are_those_of_a_queue_that_is_kept_by_hand(
        steps in prop::collection::vec((1u32..12, 0usize..12, any::<bool>()), 1..200),
    ) {
        let mut text = String::from("# kperf 2");
        let mut queue: Vec<u32> = Vec::new();
        let mut queues = Vec::new();
        for (micros, &(pid, place, leaves)) in steps.iter().enumerate() {
            let at = format!("ts 1.{:09} cpu 0", micros * 1000);
            let known = queue.iter().position(|&other| other == pid);
            if leaves {
                let _ = write!(text, "\n1 ev sched_switch {at} prev_pid 0 prev_state S next_pid {pid}");
                let _ = write!(text, "\n1 ev sched_switch {at} prev_pid {pid} prev_state S next_pid 0");
            } else if known.is_none() {
                let _ = write!(text, "\n1 ev sched_wakeup {at} target_pid {pid} target_cpu 0");
            }
            queue.retain(|&other| other != pid);
            if !leaves {
                let place = place.min(queue.len());
                let _ = write!(text, "\n1 ev run_queue_task {at} target_pid {pid} depth {place} slice 1");
                queue.insert(place, pid);
            }
            queues.push(queue.clone());
        }
        let replay = replay_of(&text);
        for (micros, expected) in queues.iter().enumerate().rev() {
            let moment: Nanos = after(&replay, micros as u64);
            let waits = replay.at(moment, 0).machine.waits;
            let mut found: Vec<(u16, u32)> =
                waits.place.iter().copied().zip(waits.pid.iter().copied()).collect();
            found.sort_unstable();
            let places: Vec<(u16, u32)> = (1..).zip(expected.iter().copied()).collect();
            prop_assert_eq!(found, places);
        }
    }
}
